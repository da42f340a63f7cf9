/* Declarations for the files of the units model (times of a GPU's functional units): the counters
 * that the model needs, the counters that replace unknown ones, and the computation of work from
 * counters. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_UNITS_PARTS_H
#define PM_MODEL_UNITS_PARTS_H

#include "model/units/units.h"

/* Indices of the counters from which the units model computes the work of each functional unit for
 * a row. */
enum {
    ISSUED,
    EXECUTED,
    FMA,
    FMAHEAVY,
    FP64,
    ALU,
    XU,
    LSU,
    GLOBAL_WAVEFRONT,
    SHARED_WAVEFRONT,
    L2_READ,
    L2_WRITE,
    L2_HIT,
    L2_MISS,
    DRAM_READ,
    DRAM_WRITE,
    GLD_REQUEST,
    GLD_SECTOR,
    L1_HIT,
    L1_MISS,
    LOAD_WAIT,
    LOAD_WAIT_MISS,
    DEPTH,
    SHARED_LOAD,
    SHARED_WAIT,
    WORK_GROUPS,
    WARPS,
    RESIDENT,
    LAUNCHES,
    GLD_TAG,
    GST_TAG,
    ATOMIC_PASS,
    RETURN_PASS,
    ATOMIC_PILE,
    CONSTANT_PASS,
    GROUP_SPAN,
    LONGEST_SPAN,
    LOCAL_MISS,
    LOCAL_STORE_TAG,
    FLOP32,
    FLOP64,
    CONVERSION64,
    BARRIER,
    TENSOR_F16,
    TENSOR_TF32,
    TENSOR_F64,
    TENSOR_INT,
    TENSOR_FP8,
    COUNTERS
};

typedef struct {
    const char *name;
    const char *stand_in; /* NULL: there is none */
    bool by_work_item;    /* true: the counter counts instructions of work-items, not of warps */
    bool may_miss;        /* true: the value is 0 if neither this counter nor stand_in is known */
} pm_units_counter;
extern const pm_units_counter pm_units_counters[COUNTERS];

/* Allocates a units model for n rows. The work of the rows, its columns and the priors are not set
 * yet. */
pm_units *pm_units_alloc(pm_memory *memory, size_t n);
/* Sets the priors of the parameters, which depend on the counters that the samples have. chains:
 * true if counter DEPTH has the length of the chain of dependent instructions, not the number of
 * all instructions. load_waits, shared_waits: true if there is a counter of the waits for loads
 * from global memory or from shared memory. Without this counter, every load counts as a wait. */
void pm_units_set_priors(pm_units *units, bool chains, bool load_waits, bool shared_waits);
/* Fills in a row's work and lower bound from its COUNTERS counters c. */
void pm_units_fill(pm_units *units, size_t row, const double *c, const pm_profile *p, bool chains);

/* Number of counters that replace wavefronts on older GPUs: lines, and memory transactions by size.
 * PM_UNITS_NAMES: number of all names that pm_units_name returns. */
enum {
    PM_UNITS_LINES = 2,
    PM_UNITS_SEGMENTS = 6,
    PM_UNITS_NAMES = 2 * COUNTERS + 1 + PM_UNITS_LINES + PM_UNITS_SEGMENTS
};
/* Returns the name of a counter from which a row is read, index < PM_UNITS_NAMES. NULL: there is no
 * counter with this index. Index k < COUNTERS is the counter of the same index of the model. */
const char *pm_units_name(size_t index);
/* Computes the COUNTERS counters c of a row. value[k]: value of the counter pm_units_name(k); NaN:
 * unknown. Returns false if a required counter is unknown and nothing replaces it. */
bool pm_units_read(const double *value, const pm_profile *profile, double *c);
/* Replaces the counters of waits, for a model without them: every load counts as a wait, and every
 * instruction as dependent. */
void pm_units_forget_waits(double *c);

#endif

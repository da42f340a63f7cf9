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
    READ_ROW,
    WRITE_ROW,
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
    TENSOR_WARP,
    COUNTERS
};

typedef struct {
    const char *name;
    const char *stand_in; /* NULL: there is none */
    bool by_work_item;    /* true: the counter counts instructions of work-items, not of warps */
    bool may_miss;        /* true: the value is 0 if neither this counter nor stand_in is known */
} pm_units_counter;
extern const pm_units_counter pm_units_counters[COUNTERS];

/* Allocates a units model for n rows. The caller then sets the work of the rows, the number of
 * columns in which the work is stored, and the priors of the parameters. */
pm_units *pm_units_alloc(pm_memory *memory, size_t n);
/* Sets the priors of the model's parameters. They depend on which counters are known. chains: true
 * if the counter DEPTH is the length of the chain of dependent instructions, false if it is the
 * number of all instructions. load_waits, shared_waits: true if waits for loads from global or from
 * shared memory were counted; false: every load counts as a wait. */
void pm_units_set_priors(pm_units *units, bool chains, bool load_waits, bool shared_waits);
/* Computes the work of a row on each functional unit, and the lower bound of its time, from its
 * counters c[COUNTERS]. */
void pm_units_fill(pm_units *units, size_t row, const double *c, const pm_profile *p, bool chains);

/* Numbers of counters that replace the counter of L1 wavefronts on older GPUs: PM_UNITS_LINES
 * counters of cache lines, and PM_UNITS_SEGMENTS counters of memory transactions by size.
 * PM_UNITS_NAMES: number of all counters that are read (pm_units_name). */
enum {
    PM_UNITS_LINES = 2,
    PM_UNITS_SEGMENTS = 6,
    PM_UNITS_NAMES = 2 * COUNTERS + 1 + PM_UNITS_LINES + PM_UNITS_SEGMENTS
};
/* Returns the name of the counter with an index below PM_UNITS_NAMES. The first COUNTERS are the
 * counters of the model itself. NULL: no counter has this index. */
const char *pm_units_name(size_t index);
/* Computes the counters c[COUNTERS] of the model for a row. value[k]: value of the counter
 * pm_units_name(k); NaN: unknown. Returns false if a required counter is unknown and no other
 * counter replaces it. */
bool pm_units_read(const double *value, const pm_profile *profile, double *c);
/* Sets the counters of waits for a model that does not use them. The values are those of a kernel
 * in which each load causes a wait and each instruction depends on the one before. */
void pm_units_forget_waits(double *c);

#endif

/* Machine code (SASS) of NVIDIA's GPUs: how often each of its instructions is executed, computed
 * from counts of the basic blocks of the PTX from which ptxas made the machine code.
 *
 * Input is the text that nvdisasm prints of a program that ptxas assembled with line information,
 * where the lines are numbers of PTX instructions (compiler/ptx/annotate.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_SASS_H
#define PM_COLLECTOR_ENGINE_SASS_SASS_H

#include "base/memory.h"
#include "compiler/ptx/annotate.h"
#include "machine/mix.h"

/* Machine code of one kernel. */
typedef struct pm_sass pm_sass;

typedef struct {
    size_t count;
    const char **names; /* the kernels' names in the PTX */
    pm_sass **kernels;
} pm_sass_program;

/* Reads the text that nvdisasm prints. origins: the PTX instructions by their numbers, origin_count
 * of them; the array must outlive the result. Raises PM_BAD_INPUT if the text does not have
 * nvdisasm's format. `memory` owns the result. */
pm_sass_program pm_sass_read(pm_memory *memory, const char *text, const pm_ptx_origin *origins,
                             size_t origin_count);

/* Returns the machine code of a kernel; NULL: there is none. */
const pm_sass *pm_sass_of(const pm_sass_program *program, const char *name);

/* Counts the executed machine instructions of one kernel. Only one thread at a time may use it. */
typedef struct pm_sass_counter pm_sass_counter;

/* Creates a counter for the machine code of a kernel. NULL: out of memory. The caller frees the
 * counter with pm_sass_counter_free. `sass` must outlive it. */
pm_sass_counter *pm_sass_counter_create(const pm_sass *sass);
void pm_sass_counter_free(pm_sass_counter *counter);

/* Sets all executions to 0. */
void pm_sass_clear(pm_sass_counter *counter);
/* Executions of a basic block of the PTX. warps: executions by warps. items: executions by threads.
 * parted: executions by warps whose threads continue at different blocks after it. */
typedef struct {
    double warps, items, parted;
} pm_sass_executions;

/* Adds executions of the PTX block whose first instruction has the number `home`. counts: true if
 * the block's instructions are part of the result of pm_sass_sum. false: the executions only
 * determine those of other blocks. */
void pm_sass_add(pm_sass_counter *counter, uint32_t home, const pm_sass_executions *executions,
                 bool counts);

typedef struct {
    pm_mix warps; /* executions by warps */
    pm_mix items; /* executions by threads whose predicate is true */
    /* executions by threads, whether or not their predicate is true */
    double thread_total;
    double spill_loads, spill_stores; /* executions by warps */
} pm_sass_total;

/* Returns the executed machine instructions, summed over all blocks whose `counts` is true. */
pm_sass_total pm_sass_sum(pm_sass_counter *counter);

#endif

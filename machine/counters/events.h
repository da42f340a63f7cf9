/* The events that the trace engine counts. An event has the name of its counter in counters.ini.
 * The exceptions are spill_load and spill_store: they have no counter of their own, and local_load
 * and local_store include them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_COUNTERS_EVENTS_H
#define PM_MACHINE_COUNTERS_EVENTS_H

#include <stdint.h>

/* List of the events that the trace engine counts: name, and the GPUs that have the event (suffix
 * of PM_ON_...). On other GPUs the counter is unknown, which is not 0. */
#define PM_TRACE_EVENTS(X)                                                                         \
    X(gld_request, ALL)                                                                            \
    X(gst_request, ALL)                                                                            \
    X(gld_sector, SECTORS)                                                                         \
    X(gst_sector, SECTORS)                                                                         \
    X(gld_tag, SECTORS)                                                                            \
    X(gst_tag, SECTORS)                                                                            \
    X(gld_32b, SEGMENTS)                                                                           \
    X(gld_64b, SEGMENTS)                                                                           \
    X(gld_128b, SEGMENTS)                                                                          \
    X(gst_32b, SEGMENTS)                                                                           \
    X(gst_64b, SEGMENTS)                                                                           \
    X(gst_128b, SEGMENTS)                                                                          \
    X(l1_global_load_hit, GLOBAL_L1)                                                               \
    X(l1_global_load_miss, GLOBAL_L1)                                                              \
    X(global_wavefront, SECTORS)                                                                   \
    X(load_wait, ALL)                                                                              \
    X(load_wait_miss, ALL)                                                                         \
    X(shared_wait, ALL)                                                                            \
    X(shared_load, ALL)                                                                            \
    X(shared_store, ALL)                                                                           \
    X(shared_wavefront, ALL)                                                                       \
    X(shared_bank_conflict, ALL)                                                                   \
    X(local_load, ALL)                                                                             \
    X(local_store, ALL)                                                                            \
    X(local_load_miss, LOCAL_L1)                                                                   \
    X(local_store_sector, LOCAL_L1)                                                                \
    X(local_store_tag, LOCAL_L1)                                                                   \
    X(branch, ALL)                                                                                 \
    X(divergent_branch, ALL)                                                                       \
    X(barrier, ALL)                                                                                \
    X(atomic, ALL)                                                                                 \
    X(atomic_pass, ALL)                                                                            \
    X(atomic_return_pass, ALL)                                                                     \
    X(atomic_pile, ALL)                                                                            \
    X(constant_pass, ALL)                                                                          \
    X(warp_span, ALL)                                                                              \
    X(group_span, ALL)                                                                             \
    X(longest_span, ALL)                                                                           \
    X(inst_executed, ALL)                                                                          \
    X(inst_issued, REISSUES)                                                                       \
    X(inst_depth, ALL)                                                                             \
    X(thread_inst_executed, ALL)                                                                   \
    X(inst_fp32, ALL)                                                                              \
    X(inst_fp64, ALL)                                                                              \
    X(flop_fp32, ALL)                                                                              \
    X(flop_fp64, ALL)                                                                              \
    X(inst_int, ALL)                                                                               \
    X(inst_special, ALL)                                                                           \
    X(inst_conversion, ALL)                                                                        \
    X(conversion_fp64, ALL)                                                                        \
    X(inst_control, ALL)                                                                           \
    X(inst_memory, ALL)                                                                            \
    X(pipe_fma, PIPES)                                                                             \
    X(pipe_fmaheavy, PIPES)                                                                        \
    X(pipe_alu, PIPES)                                                                             \
    X(inst_tensor, PIPES)                                                                          \
    X(tensor_f64, PIPES)                                                                           \
    X(tensor_tf32, PIPES)                                                                          \
    X(tensor_f16, PIPES)                                                                           \
    X(tensor_fp8, PIPES)                                                                           \
    X(tensor_int, PIPES)                                                                           \
    X(tensor_warp, PIPES)                                                                          \
    X(l2_read_sector, L2)                                                                          \
    X(l2_write_sector, L2)                                                                         \
    X(l2_read_hit, L2)                                                                             \
    X(l2_read_miss, L2)                                                                            \
    X(dram_read_bytes, ALL)                                                                        \
    X(dram_write_bytes, ALL)                                                                       \
    X(dram_read_row, L2)                                                                           \
    X(dram_write_row, L2)                                                                          \
    X(launched_warps, ALL)                                                                         \
    X(spill_load, ALL)                                                                             \
    X(spill_store, ALL)

#define PM_EVENT_ENUM(name, on) PM_EVENT_##name,
typedef enum { PM_TRACE_EVENTS(PM_EVENT_ENUM) PM_EVENT_COUNT } pm_event;
#undef PM_EVENT_ENUM

/* Which GPUs have an event. */
typedef enum {
    PM_ON_ALL,
    PM_ON_SEGMENTS, /* GPUs that coalesce into segments (compute capability 1.x) */
    /* GPUs that coalesce into sectors or lines. For other GPUs (PM_ON_SEGMENTS) the number of
     * passes through L1 is unknown. */
    PM_ON_SECTORS,
    /* GPUs with a cache in each compute unit (L1 or read-only cache) that holds global loads */
    PM_ON_GLOBAL_L1,
    /* GPUs that issue an instruction again, or replay it, for each cache line that it accesses */
    PM_ON_REISSUES,
    PM_ON_L2, /* GPUs with an L2 */
    /* GPUs whose row in devices.csv says how spilled registers and private arrays are cached */
    PM_ON_LOCAL_L1,
    PM_ON_PIPES, /* GPUs with a separate pipe for integers (Volta and later) */
} pm_event_gpus;

/* Number of times that each event (such as a memory request) happened. */
typedef struct {
    uint64_t count[PM_EVENT_COUNT];
} pm_events;

/* Counts of the events of one launch, and the resources that its work-groups use. */
typedef struct {
    /* values[event]: number of events, estimated if only some work-groups ran. variance[event]:
     * squared standard error of values[event]; NaN: unknown. */
    double values[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
    double groups, registers, shared_bytes, resident_groups;
} pm_counted_launch;

/* Returns the name of an event, which is also the name of its counter in counters.ini. */
const char *pm_event_name(pm_event event);
pm_event_gpus pm_event_gpus_of(pm_event event);
/* Returns the event with this name; PM_EVENT_COUNT: there is none. */
pm_event pm_event_find(const char *name);

#endif

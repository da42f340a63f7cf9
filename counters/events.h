/* The events that the trace engine counts. They have the names of the counter table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events spill_* are no counters. They are parts of local_load and local_store. An event
 * that a GPU does not have stays 0, for example the segments of compute capability 1.x on later
 * GPUs. The conversion to counters decides which events are known for a GPU.
 */
#ifndef PM_COUNTERS_EVENTS_H
#define PM_COUNTERS_EVENTS_H

#include <stdint.h>

#define PM_TRACE_EVENTS(X)                                                                         \
    X(gld_request)                                                                                 \
    X(gst_request)                                                                                 \
    X(gld_sector)                                                                                  \
    X(gst_sector)                                                                                  \
    X(gld_tag)                                                                                     \
    X(gst_tag)                                                                                     \
    X(gld_32b)                                                                                     \
    X(gld_64b)                                                                                     \
    X(gld_128b)                                                                                    \
    X(gst_32b)                                                                                     \
    X(gst_64b)                                                                                     \
    X(gst_128b)                                                                                    \
    X(l1_global_load_hit)                                                                          \
    X(l1_global_load_miss)                                                                         \
    X(global_wavefront)                                                                            \
    X(load_wait)                                                                                   \
    X(load_wait_miss)                                                                              \
    X(shared_wait)                                                                                 \
    X(shared_load)                                                                                 \
    X(shared_store)                                                                                \
    X(shared_wavefront)                                                                            \
    X(shared_bank_conflict)                                                                        \
    X(local_load)                                                                                  \
    X(local_store)                                                                                 \
    X(local_load_miss)                                                                             \
    X(local_store_sector)                                                                          \
    X(local_store_tag)                                                                             \
    X(branch)                                                                                      \
    X(divergent_branch)                                                                            \
    X(barrier)                                                                                     \
    X(atomic)                                                                                      \
    X(atomic_pass)                                                                                 \
    X(atomic_return_pass)                                                                          \
    X(atomic_pile)                                                                                 \
    X(constant_pass)                                                                               \
    X(warp_span)                                                                                   \
    X(group_span)                                                                                  \
    X(longest_span)                                                                                \
    X(inst_executed)                                                                               \
    X(inst_issued)                                                                                 \
    X(inst_depth)                                                                                  \
    X(thread_inst_executed)                                                                        \
    X(inst_fp32)                                                                                   \
    X(inst_fp64)                                                                                   \
    X(flop_fp32)                                                                                   \
    X(flop_fp64)                                                                                   \
    X(inst_int)                                                                                    \
    X(inst_special)                                                                                \
    X(inst_conversion)                                                                             \
    X(conversion_fp64)                                                                             \
    X(inst_control)                                                                                \
    X(inst_memory)                                                                                 \
    X(pipe_fma)                                                                                    \
    X(pipe_fmaheavy)                                                                               \
    X(pipe_alu)                                                                                    \
    X(l2_read_sector)                                                                              \
    X(l2_write_sector)                                                                             \
    X(l2_read_hit)                                                                                 \
    X(l2_read_miss)                                                                                \
    X(dram_read_bytes)                                                                             \
    X(dram_write_bytes)                                                                            \
    X(launched_warps)                                                                              \
    X(spill_load)                                                                                  \
    X(spill_store)

#define PM_EVENT_ENUM(name) PM_EVENT_##name,
typedef enum { PM_TRACE_EVENTS(PM_EVENT_ENUM) PM_EVENT_COUNT } pm_event;
#undef PM_EVENT_ENUM

/* Totals by event. */
typedef struct {
    uint64_t count[PM_EVENT_COUNT];
} pm_events;

/* Counts and resources of a launch. */
typedef struct {
    /* variance: squared standard error; NaN: unknown */
    double values[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
    double groups, registers, shared_bytes, resident_groups;
} pm_counted_launch;

/* The counter's name in counters.ini. */
const char *pm_event_name(pm_event event);

#endif

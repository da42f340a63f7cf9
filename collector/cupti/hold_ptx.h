/* PTX of a kernel of one thread that keeps a GPU busy for a number of nanoseconds and accesses no
 * memory. Meanwhile the host queues the launches to be timed and their events, so that these then
 * execute without gaps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_HOLD_PTX_H
#define PM_COLLECTOR_CUPTI_HOLD_PTX_H

#define PM_HOLD_NAME "pm_hold"
#define PM_HOLD_PTX                                                                                \
    ".version 6.0\n"                                                                               \
    ".target sm_50\n"                                                                              \
    ".address_size 64\n"                                                                           \
    ".visible .entry pm_hold(.param .u64 nanoseconds)\n"                                           \
    "{\n"                                                                                          \
    ".reg .u64 %t<3>;\n"                                                                           \
    ".reg .pred %p;\n"                                                                             \
    "mov.u64 %t0, %globaltimer;\n"                                                                 \
    "ld.param.u64 %t1, [nanoseconds];\n"                                                           \
    "add.u64 %t1, %t1, %t0;\n"                                                                     \
    "again:\n"                                                                                     \
    "mov.u64 %t2, %globaltimer;\n"                                                                 \
    "setp.lt.u64 %p, %t2, %t1;\n"                                                                  \
    "@%p bra again;\n"                                                                             \
    "ret;\n"                                                                                       \
    "}\n"

#endif

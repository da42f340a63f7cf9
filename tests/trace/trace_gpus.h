/* Made-up GPUs for the tests of the trace engine's memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_GPUS_H
#define PM_TESTS_TRACE_GPUS_H

#include "machine/rules.h"

/* A GPU with the rules of compute capability 7.0 and later. */
static inline pm_gpu sector_gpu(void)
{
    return (pm_gpu){.device = "sectors",
                    .compute_units = 4,
                    .warp_width = 32,
                    .coalescing = PM_COALESCE_SECTORS,
                    .l1_global = true,
                    .l1_unified = true,
                    .l1_bytes = 64 << 10,
                    .l1_line = 128,
                    .l1_sector = 32,
                    .l1_ways = 4,
                    .shared_banks = 32,
                    .shared_bank_bytes = 4,
                    .l2_bytes = 16 * 128,
                    .l2_line = 128,
                    .l2_sector = 32,
                    .l2_ways = 16};
}

/* A GPU with the rules of compute capability 1.x. */
static inline pm_gpu segment_gpu(pm_coalescing coalescing)
{
    pm_gpu gpu = sector_gpu();

    gpu.coalescing = coalescing;
    gpu.l1_global = gpu.l1_unified = false;
    gpu.l1_bytes = gpu.l2_bytes = 0;
    gpu.l1_line = gpu.l1_sector = gpu.l1_ways = 0;
    gpu.l2_line = gpu.l2_sector = gpu.l2_ways = 0;
    gpu.shared_banks = 16;
    return gpu;
}

#endif

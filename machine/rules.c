/* Computes how many work-groups are resident on a compute unit, and how many bytes are left for L1.
 * See rules.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/rules.h"

#include <stdint.h>

#include "base/error.h"
#include "base/numbers.h"
#include "machine/columns.h"
#include "machine/names.h"

/* ---- residency ------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Returns the bytes of a compute unit's shared memory that a work-group occupies. shared: bytes
 * that it declares. */
static uint64_t group_shared(const pm_gpu *gpu, size_t shared)
{
    size_t own = shared < gpu->shared_bytes ? shared : gpu->shared_bytes;

    return round_up(own + gpu->shared_reserved, gpu->shared_unit);
}

static uint64_t fit_registers(const pm_gpu *gpu, uint64_t warps, unsigned registers)
{
    uint64_t used = registers < gpu->max_registers ? registers : gpu->max_registers;
    uint64_t of_warp = round_up(used * gpu->warp_width, gpu->register_unit);

    if (registers == 0)
        return UINT64_MAX;
    if (gpu->register_scope == PM_REGISTERS_GROUP)
        return gpu->registers / round_up(round_up(warps, gpu->warp_unit) * used * gpu->warp_width,
                                         gpu->register_unit);
    return gpu->registers / of_warp / gpu->warp_unit * gpu->warp_unit / warps;
}

static unsigned most_groups(const pm_gpu *gpu, uint64_t warps)
{
    return warps == 1 && gpu->max_lone_groups ? gpu->max_lone_groups : gpu->max_groups;
}

unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit)
{
    static const char *const names[] = {"groups", "warps", "registers", "shared"};
    uint64_t warps =
        work_items ? ((uint64_t)work_items + gpu->warp_width - 1) / gpu->warp_width : 1;
    uint64_t bytes = group_shared(gpu, shared);
    const uint64_t fit[] = {
        most_groups(gpu, warps),
        gpu->max_warps / warps,
        fit_registers(gpu, warps, registers),
        bytes > 0 ? gpu->shared_bytes / bytes : UINT64_MAX,
    };
    size_t least = 0;

    for (size_t k = 1; k < sizeof fit / sizeof *fit; k++)
        if (fit[k] < fit[least])
            least = k;
    if (limit)
        *limit = names[least];
    return fit[least] > 0 ? (unsigned)fit[least] : 1;
}

unsigned pm_gpu_capability(const pm_gpu *gpu)
{
    return (unsigned)(gpu->compute_capability * 10 + 0.5);
}

bool pm_gpu_runs_loops(const pm_gpu *gpu)
{
    return gpu->coalescing == PM_COALESCE_ITEMS;
}

/* Returns the number of work-groups for which the driver reserves shared memory on a compute unit.
 * It may exceed the number of those that run there, `resident`, which declare `shared` bytes
 * each. */
static uint64_t spared_groups(const pm_gpu *gpu, unsigned resident, size_t shared)
{
    if (shared == 0)
        return gpu->max_groups;
    if (resident == 1 || resident >= gpu->max_groups)
        return resident;
    return resident < gpu->max_groups / 2 ? 2 * (uint64_t)resident : gpu->max_groups;
}

size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared)
{
    uint64_t of_group = group_shared(gpu, shared), bytes = of_group * resident;
    uint64_t spare = of_group * spared_groups(gpu, resident, shared);
    size_t c = 0;

    if (!gpu->l1_unified)
        return gpu->l1_bytes;
    if (spare > gpu->shared_spare)
        spare = gpu->shared_spare;
    if (bytes < spare)
        bytes = spare;
    while (c + 1 < gpu->carveout_count && gpu->carveouts[c] < bytes)
        c++;
    return gpu->l1_bytes - gpu->carveouts[c];
}

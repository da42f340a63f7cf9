/* Counts how often DRAM has to open a row. See dram_rows.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/dram_rows.h"

#include <string.h>

#include "collector/engine/memory/coalescing.h"

void pm_dram_rows_close(pm_dram_rows *rows)
{
    memset(rows, 0, sizeof *rows);
}

void pm_l2_access_rows(pm_dram_rows *rows, unsigned line_bytes, const pm_l2_request *request,
                       uint32_t missing, pm_dram_accesses counts[2])
{
    const bool is_load = request->write == PM_L2_READ;
    const uint32_t sectors = is_load ? missing : request->sectors;
    const uint64_t row = request->line * line_bytes / PM_DRAM_ROW_BYTES + 1;
    uint64_t *open =
        &rows->open[!is_load][(row * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PM_DRAM_BANKS];
    pm_dram_accesses *count = &counts[!is_load];

    if (!sectors)
        return;
    count->sectors += pm_bit_count(sectors);
    count->opened += *open != row;
    *open = row;
}

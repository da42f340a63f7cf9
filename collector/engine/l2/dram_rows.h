/* Counts how often DRAM has to open a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DRAM is divided into banks, of which each has one open row. Data in the open row are accessed at
 * full bandwidth. Any other access first opens another row. We simulate only which rows are open,
 * and assume that addresses are spread over the banks at random.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_DRAM_ROWS_H
#define PM_COLLECTOR_ENGINE_L2_DRAM_ROWS_H

#include "collector/engine/memory/memory_unit.h"

enum {
    PM_DRAM_BANKS = 4096, /* about the number of an H200 */
    /* Number of bytes at adjacent addresses that are in one row. GPUs spread adjacent addresses
     * over the channels of the DRAM. On an H200, 8 of each 128 bytes are read at 62e9 reads/s in
     * ascending order, 8 of each 256 bytes at 45e9, and random 8 bytes at 38e9
     * (tests/bench/random_chunks.cu). */
    PM_DRAM_ROW_BYTES = 256
};

/* Open rows. L2 writes data back long after they were loaded, so stores and atomics have rows of
 * their own. open[0][bank]: number of the open row for loads, plus 1; 0: none is open.
 * open[1][bank]: the same for stores and atomics. */
typedef struct {
    uint64_t open[2][PM_DRAM_BANKS];
} pm_dram_rows;

/* Counts of accesses to DRAM: 32-byte sectors, and rows that were opened for them. */
typedef struct {
    double sectors, opened;
} pm_dram_accesses;

/* Closes all rows. */
void pm_dram_rows_close(pm_dram_rows *rows);
/* Accesses the rows of DRAM for a request to L2. A load accesses the sectors that miss. A store or
 * an atomic is assumed to access its sectors, because L2 writes them back later in about the same
 * order. Adds to counts[0] for a load, and to counts[1] for other requests. missing: mask of the
 * sectors that L2 fetches for the request. */
void pm_l2_access_rows(pm_dram_rows *rows, unsigned line_bytes, const pm_l2_request *request,
                       uint32_t missing, pm_dram_accesses counts[2]);

#endif

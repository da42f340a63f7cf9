/* Computes how many rows a GPU's DRAM can open per second, which limits the rate of random
 * accesses. See dram_rows.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The channels of DRAM are independent. Random reads of 8 bytes reach 38.4e9 reads/s on an H200
 * (tests/bench/random_chunks.cu) and 31.9e9 on an H100 (issue 56 of NVIDIA's code-samples), for any
 * size of the table. These are 0.2e9 reads/s for each of the 192 and 160 pseudo channels. We assume
 * the same rate for other HBM. For GDDR we know neither the rate nor how many adjacent addresses
 * are in a row.
 */
#include "machine/dram_rows.h"

#include <stddef.h>
#include <string.h>

static const double ROWS_PER_S = 0.2e9; /* of a channel */

/* Width of a pseudo channel in bits, by JEDEC's standards JESD235 and JESD238. */
static const struct {
    const char *type;
    unsigned bits;
} channels[] = {{"hbm2", 64}, {"hbm2e", 64}, {"hbm3", 32}, {"hbm3e", 32}};

double pm_dram_rows_per_s(const char *type, unsigned bus_bits)
{
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (strcmp(channels[i].type, type) == 0)
            return (double)bus_bits / channels[i].bits * ROWS_PER_S;
    return 0;
}

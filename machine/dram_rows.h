/* How fast a GPU's DRAM opens rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_DRAM_ROWS_H
#define PM_MACHINE_DRAM_ROWS_H

/* Returns how many rows the DRAM opens per second, over all channels. A row has to be opened before
 * data in it are read or written. type: type of the DRAM as in devices.csv, such as hbm3; bus_bits:
 * width of its bus. 0: not known for this type. */
double pm_dram_rows_per_s(const char *type, unsigned bus_bits);

#endif

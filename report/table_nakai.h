/* Terminal tables of method nakai.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_NAKAI_H
#define PM_REPORT_TABLE_NAKAI_H

#include <stdio.h>

#include "layout/nakai.h"

/* The steps for each struct: instructions with their weights (figure 12 of Nakai and Ohno 2017) and
 * their sum; with AoS the three trees (figures 15 to 17) and the structs (figure 18). */
void pm_table_nakai(FILE *out, const pm_nakai *analysis);
/* Of one struct. */
void pm_table_nakai_struct(FILE *out, const pm_nakai_struct *analysis);

#endif

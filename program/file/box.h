/* Contents that fill a box of a grid: CONTENTS within FIRST, COUNT, TOTAL, ...
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * There are three numbers for each dimension of the grid, the fastest one first: where the box
 * starts, how many scalars it has, and how many the grid has. Outside of the box the grid holds
 * zeros, as the halo of a stencil does.
 */
#ifndef PM_SUITE_FILE_BOX_H
#define PM_SUITE_FILE_BOX_H

#include "program/file/from_file.h"

enum { PM_FILE_BOX_DIMENSIONS = 4 };

typedef struct {
    size_t dimensions;
    size_t first[PM_FILE_BOX_DIMENSIONS], count[PM_FILE_BOX_DIMENSIONS];
    size_t total[PM_FILE_BOX_DIMENSIONS];
} pm_file_box;

/* Splits contents into a box and the contents inside of it. Returns false if they have no box. A
 * box that does not fit the target is a fault. */
bool pm_file_box_read(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, pm_file_box *box, pm_file_text *inner);
/* Zeroes all scalars outside of the box. */
void pm_file_box_clear(const pm_file_target *target, const pm_file_box *box);

#endif

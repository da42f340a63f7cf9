/* Initial contents of a buffer in the form "CONTENTS within FIRST, COUNT, TOTAL, ...", which fill
 * only a box of a multidimensional array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * There are three numbers for each dimension of the array, the fastest one first: where the box
 * starts, how many scalars it has, and how many the array has. Outside of the box the array has
 * zeros, as the halo of a stencil does.
 */
#ifndef PM_PROGRAM_FILE_BOX_H
#define PM_PROGRAM_FILE_BOX_H

#include "program/file/from_file.h"

enum { PM_FILE_BOX_DIMENSIONS = 4 };

typedef struct {
    size_t dimensions;
    size_t first[PM_FILE_BOX_DIMENSIONS], count[PM_FILE_BOX_DIMENSIONS];
    size_t total[PM_FILE_BOX_DIMENSIONS];
} pm_file_box;

/* Splits the text "CONTENTS within FIRST, COUNT, TOTAL, ..." into the box and CONTENTS (*inner).
 * Returns false if the text has no " within ". Raises an error if the box does not fit into
 * `target`, the buffer or field to fill. */
bool pm_file_box_read(const pm_file_build *b, const pm_file_target *target,
                      const pm_file_text *contents, pm_file_box *box, pm_file_text *inner);
/* Sets all scalars of the buffer or field `target` that are outside of the box to zero. */
void pm_file_box_clear(const pm_file_target *target, const pm_file_box *box);

#endif

/* Functions that the files about fills share. A fill is a rule for initial contents of a buffer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_FILL_PARTS_H
#define PM_PROGRAM_CONTENTS_FILL_PARTS_H

#include "program/contents/fill.h"

/* Returns memory of `bytes` bytes, which the room owns and the next call may free. NULL: out of
 * memory. */
uint8_t *pm_fill_room_bytes(pm_fill_room *room, size_t bytes);

#endif

/* Functions that the files about fills share. A fill is a rule for initial contents of a buffer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_FILL_PARTS_H
#define PM_PROGRAM_CONTENTS_FILL_PARTS_H

#include "program/contents/fill.h"

/* Returns scratch memory of `bytes` bytes. The room owns it, and the next call may free it. NULL:
 * out of memory. */
uint8_t *pm_fill_room_bytes(pm_fill_room *room, size_t bytes);

#endif

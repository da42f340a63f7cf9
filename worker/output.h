/* What a worker process prints: an unnamed file of a fixed size, in which what does not fit is not
 * written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_OUTPUT_H
#define PM_WORKER_OUTPUT_H

#include <stddef.h>

/* Returns 0 or the errno; then, too, *file is -1 or to be closed. */
int pm_output_create(int *file);
/* ", saying '...'" with the line that tells most, which has an error in it, else the first; ""
 * where it printed nothing. */
void pm_output_read(int file, char *line, size_t size);

#endif

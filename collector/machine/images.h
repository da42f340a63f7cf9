/* Kernels' machine code that PoCL has loaded into this process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_MACHINE_IMAGES_H
#define PM_COLLECTOR_MACHINE_IMAGES_H

#include <stdint.h>

#include "base/memory.h"

/* A shared object of a kernel: PoCL makes one for each size of work-groups. */
typedef struct {
    size_t kernel;  /* among those asked for */
    uint8_t *entry; /* the function that runs a work-group */
    uint8_t *code;  /* its section of code, with all that the function calls */
    size_t bytes;
} pm_machine_image;

/* The images of kernels; they stay loaded as long as their program. None: another driver's code, or
 * nothing has run yet. Ends the memory's attempt where an image is not of the form expected. */
pm_machine_image *pm_machine_images_find(pm_memory *memory, const char *const *kernels,
                                         size_t kernel_count, size_t *count);

#endif

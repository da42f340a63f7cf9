/* Where CUPTI is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_FIND_H
#define PM_COLLECTOR_CUPTI_CUPTI_FIND_H

/* Loads libcupti where the loader looks, then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda, and
 * keeps it in the process: it has hooks in the driver. NULL: it is nowhere. */
void *pm_cupti_find(void);

#endif

/* Finds and loads libcupti, NVIDIA's profiling library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_FIND_H
#define PM_COLLECTOR_CUPTI_CUPTI_FIND_H

/* Loads libcupti from the loader's search path, else from $CUDA_HOME, $CUDA_PATH or
 * /usr/local/cuda. Returns its handle, or NULL if the library is not found. The library stays
 * loaded, because it has hooks in the CUDA driver. */
void *pm_cupti_find(void);

#endif

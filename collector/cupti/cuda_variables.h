/* Saves and restores the variables of a CUDA module in global memory (__device__, __managed__).
 * Kernels may change them, but every repetition of the launches must start with the same contents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_VARIABLES_H
#define PM_COLLECTOR_CUPTI_CUDA_VARIABLES_H

#include "collector/cupti/cuda_driver.h"

/* A variable of a loaded module, with a copy of its contents. */
typedef struct {
    pm_cu_pointer place;
    size_t bytes;
    void *contents;
} pm_cuda_variable;

typedef struct {
    size_t count;
    pm_cuda_variable *variables;
} pm_cuda_variables;

/* Finds the next variable in global memory that PTX text declares, searching from *at on. Returns
 * its name, whose length becomes *length, and moves *at behind the declaration. Skips variables of
 * the compiler itself, whose names contain '$'. NULL: there are no more variables. */
const char *pm_ptx_next_variable(const char **at, size_t *length);

/* Copies the contents of all variables in global memory of a module. The caller frees `out` in all
 * cases. */
pm_status pm_cuda_variables_save(const pm_cuda_driver *cuda, pm_cu_module module, const char *ptx,
                                 pm_cuda_variables *out, pm_error *err);
/* Gives the variables the contents that they had when they were saved. */
pm_status pm_cuda_variables_restore(const pm_cuda_driver *cuda, const pm_cuda_variables *saved,
                                    pm_error *err);
void pm_cuda_variables_free(pm_cuda_variables *variables);

#endif

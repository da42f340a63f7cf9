/* What is known of the kernels of a PTX module from their text: parameters and how they are used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_DESCRIBE_H
#define PM_COMPILER_PTX_DESCRIBE_H

#include "compiler/ptx/tree.h"

typedef struct {
    /* Name of the parameter in the text, without the name of its kernel: param_0 for
     * _Z4vaddPKfS0_Pfi_param_0. */
    const char *name;
    uint64_t bytes;
    /* true: 64 bits that the kernel uses as an address, so that a launch gives a buffer */
    bool is_pointer;
    /* Pointers: type of the first access, and its number of elements (4 for .v4); NULL: there is no
     * access. Values: type of the parameter; NULL: it is an array of bytes. */
    const pm_ptx_type *type;
    unsigned width;
    bool read, written; /* pointers: the kernel loads or stores by it */
    bool is_used;       /* true: the kernel reads the parameter, or takes its address */
    bool is_compared;   /* values: the kernel compares or multiplies it */
    /* pointers: the contents of the memory change only computed values (spare_contents.h) */
    bool has_spare_contents;
} pm_ptx_kernel_parameter;

typedef struct {
    const pm_ptx_function *function;
    /* name by which the workload calls the kernel, if the module has it (variables
     * pm_kernel_name_N); else the name in CUDA C++, if no other kernel has the same; else the name
     * in the text */
    const char *plain;
    size_t parameter_count;
    pm_ptx_kernel_parameter *parameters;
    unsigned dimensions; /* largest dimension whose thread or block index is read, from 1 */
    /* Size in bytes of an access to shared memory whose size the launch gives; 0: there is none. */
    unsigned shared_element;
} pm_ptx_kernel;

/* Describes all kernels of a module that have a body. */
pm_ptx_kernel *pm_ptx_describe(pm_memory *memory, const pm_ptx_module *module, size_t *count);

/* Returns the kernel with a name in the text or, if no kernel has it, with a plain name. NULL:
 * there is none. */
const pm_ptx_kernel *pm_ptx_find_kernel(const pm_ptx_kernel *kernels, size_t count,
                                        const char *name);

#endif

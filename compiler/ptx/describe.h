/* Describes the kernels of a PTX module from its text: their names and parameters, and which
 * parameters are pointers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_DESCRIBE_H
#define PM_COMPILER_PTX_DESCRIBE_H

#include "compiler/ptx/tree.h"

typedef struct {
    /* Name of the parameter in the PTX text, without the name of its kernel: param_0 for
     * _Z4vaddPKfS0_Pfi_param_0. */
    const char *name;
    uint64_t bytes;
    /* true: the parameter has 64 bits, and the kernel uses it as an address, so a launch must pass
     * a buffer */
    bool is_pointer;
    /* A pointer: type of the data in the kernel's first access by it; NULL if there is no access.
     * Any other parameter: its own type; NULL if it is an array of bytes. width: elements per
     * access (4 for .v4). */
    const pm_ptx_type *type;
    unsigned width;
    /* only for pointers. read: the kernel loads from the memory; written: the kernel stores to
     * it */
    bool read, written;
    bool is_used; /* true: the kernel reads the parameter, or takes its address */
    /* true: the kernel compares or multiplies the value, so it may be the size of an array */
    bool is_compared;
} pm_ptx_kernel_parameter;

typedef struct {
    const pm_ptx_function *function;
    /* Short name of the kernel. It is the name by which the workload calls the kernel, if the
     * module has it (variables pm_kernel_name_N). Otherwise it is the name in CUDA C++, if no other
     * kernel has the same, or else the name in the PTX text. */
    const char *plain;
    size_t parameter_count;
    pm_ptx_kernel_parameter *parameters;
    /* dimensions of the launch: 3 if the kernel reads the z index of its thread or block, 2 for y,
     * else 1 */
    unsigned dimensions;
    /* Shared memory whose size is set at launch: size in bytes of the kernel's first access to it;
     * 0: the kernel does not use any. */
    unsigned shared_element;
} pm_ptx_kernel;

/* Describes all kernels of a module that have a body. */
pm_ptx_kernel *pm_ptx_describe(pm_memory *memory, const pm_ptx_module *module, size_t *count);

/* Returns the kernel whose name in the PTX text is `name` or, if there is none, the kernel with
 * this name in the workload or in CUDA C++ (`plain`). Returns NULL if no kernel has the name. */
const pm_ptx_kernel *pm_ptx_find_kernel(const pm_ptx_kernel *kernels, size_t count,
                                        const char *name);

#endif

/* Transforms CUDA kernels in an LLVM module into the form of OpenCL kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CUDA_CUDA_H
#define PM_COLLECTOR_ENGINE_BACKEND_CUDA_CUDA_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "collector/engine/backend.h"

/* Transforms a module that clang made of CUDA C++. Its kernels get the kernel calling convention,
 * pointer parameters to global memory, and the names by which the source or the workload calls
 * them. Returns false if the module has no CUDA kernels. */
bool pm_cuda_lift(LLVMModuleRef module);

/* Replaces copies of small structs with equal scalar members, such as float4, by a load and a store
 * of one vector. Call this function before any optimisation. Defined in cuda_vectors.c. */
void pm_cuda_widen_copies(LLVMModuleRef module);

/* Marks the variables in __constant__ memory whose contents contain pointers, so that they are kept
 * in a buffer (pm_backend_symbol.in_buffer). pm_cuda_is_variable is then true for them. Call this
 * function before pm_cuda_lift. Defined in cuda_symbols.c. */
void pm_cuda_mark_buffers(LLVMModuleRef module, const pm_backend_request *request);
/* Returns whether pm_cuda_mark_buffers has marked a variable, because its contents contain
 * pointers. */
bool pm_cuda_is_in_buffer(LLVMValueRef variable);
/* Initialises variables in __constant__ and global memory with the workload's contents. Call this
 * function after all optimisations, because the code must not depend on the contents. PM_BAD_INPUT
 * if the module lacks one of the variables, or if the variable is smaller than its contents.
 * Defined in cuda_symbols.c. */
pm_status pm_cuda_fill_symbols(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err);

/* clang copies struct arguments of a kernel to private variables. If the kernel only reads such a
 * copy, uses the argument in its place. Call this function after inlining. Defined in
 * cuda_structs.c. */
void pm_cuda_drop_copies(LLVMModuleRef module);
/* Gives pointers that kernels load from memory the address space of global memory. An exception are
 * pointers that may lead to shared or private memory, because the kernel itself may have stored
 * them. integers: true if pointers that are converted from integers are changed, too. Set it only
 * after the optimiser has removed the conversions that it made itself. Returns whether a pointer
 * was changed; the pass infer-address-spaces must then follow. cuda_pointers.c */
bool pm_cuda_point_to_global(LLVMModuleRef module, bool integers);

/* name of the type of texture objects in LLVM */
#define PM_CUDA_TEXTURE_TYPE "struct.cudaTextureObject_t"

/* Replaces loads of the modes of texture objects (filter, address mode, format) from kernel
 * arguments by the constants in the request. Call this function before branches are optimised.
 * PM_BAD_INPUT if launches of a kernel have textures with different modes. Defined in
 * cuda_textures.c. */
pm_status pm_cuda_fix_textures(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err);
/* Returns whether parameter i of a kernel is a texture object. */
bool pm_cuda_is_texture(LLVMValueRef kernel, unsigned i);

/* Adds to each kernel a parameter for each texture reference that it uses, after its other
 * parameters. Call this function after inlining. Defined in cuda_references.c. */
void pm_cuda_bind_references(LLVMModuleRef module);
/* Returns the name of the texture reference for which pm_cuda_bind_references added parameter i of
 * a kernel. NULL: it is another parameter. */
const char *pm_cuda_reference_of(LLVMValueRef kernel, unsigned i);
/* Returns whether a variable is a texture reference that some function uses. */
bool pm_cuda_is_reference(LLVMValueRef variable);

/* Adds to each kernel a parameter for each pointer that it loads from a struct argument. Defined in
 * cuda_members.c. */
void pm_cuda_split_structs(LLVMModuleRef module);
/* Returns whether pm_cuda_split_structs made parameter i of a kernel. If so, *parameter becomes the
 * index of the struct argument from which the pointer is loaded, and *offset the pointer's offset
 * in the struct in bytes. */
bool pm_cuda_is_member(LLVMValueRef kernel, unsigned i, unsigned *parameter, uint64_t *offset);
/* ---- cuda_variables.c: variables in global memory, which kernels may change -------------------
 */

/* Returns whether a value is a variable that kernels get by a parameter: a variable in global
 * memory that is not constant, or a variable in __constant__ memory that pm_cuda_mark_buffers has
 * marked. */
bool pm_cuda_is_variable(LLVMValueRef value);
/* Returns whether a value is a kernel's additional parameter with the address of a variable in
 * __constant__ memory. */
bool pm_cuda_is_constant_variable(LLVMValueRef value);
/* Returns the variables in global memory that a kernel uses, also in the functions that it calls.
 * The caller frees the array. NULL if out of memory. */
LLVMValueRef *pm_cuda_variables_of(LLVMModuleRef module, LLVMValueRef kernel, size_t *count);
/* Marks parameter i of a kernel as one that pm_cuda_lift has added for the address of a variable in
 * global memory. */
void pm_cuda_mark_variable(LLVMValueRef kernel, unsigned i, LLVMValueRef variable);
/* Returns the symbol of the variable whose address is parameter i. NULL: parameter i is a parameter
 * in the kernel's source. */
const char *pm_cuda_variable_of(LLVMValueRef kernel, unsigned i);
/* Replaces variables in global memory, in the code of kernels, by the parameters that pm_cuda_lift
 * has added for them. All functions must be inlined. */
void pm_cuda_use_parameters(LLVMModuleRef module);
/* Sets *variables to the variables that kernels get by parameters, with their initial values.
 * Deletes them from the module. PM_BAD_INPUT if an initial value contains an address. */
pm_status pm_cuda_collect_variables(LLVMModuleRef module, const char *source_path, pm_memory *kept,
                                    const pm_device_variable **variables, size_t *count,
                                    pm_error *err);

/* ---- replaced_kernels.c ---- */

/* name of the module's metadata with the annotations of kernels */
#define PM_CUDA_ANNOTATIONS "nvvm.annotations"

/* Writes the name of a kernel or variable in the source, without types, from its mangled name:
 * ns::sum for _ZN2ns3sumEPf, tile for _ZZ3sumPfE4tile. The result is truncated to `size` bytes. */
void pm_cuda_plain_name(const char *mangled, char *name, size_t size);
/* Moves the body of the kernel `old`, with its line numbers and annotations, to the function
 * `made`, which has no body. */
void pm_cuda_take_over(LLVMModuleRef module, LLVMValueRef old, LLVMValueRef made);
/* Moves the body, the name and all properties of a kernel to `made`, a new function that has the
 * old kernel's parameters first. Deletes the old kernel. */
void pm_cuda_move_kernel(LLVMModuleRef module, LLVMValueRef old, LLVMValueRef made);
/* pm_cuda_mark_lifted marks a kernel as transformed from CUDA to the form of OpenCL kernels
 * (pm_cuda_lift). pm_cuda_is_lifted returns whether a kernel has this mark. */
void pm_cuda_mark_lifted(LLVMValueRef kernel);
bool pm_cuda_is_lifted(LLVMValueRef kernel);

#endif

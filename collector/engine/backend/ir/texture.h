/* Finds texture fetches in the IR of CUDA kernels.
 *
 * In compiler/cuda/texture.cuh, a fetch is written as an ordinary load. Functions whose names start
 * with PM_TEXTURE_FUNCTION compute what the texture unit computes in hardware, from the coordinates
 * and from the texture object (the descriptor), which is a struct argument of the kernel. A fetch
 * is one machine instruction, so these functions and the reads of the descriptor count as none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_IR_TEXTURE_H
#define PM_COLLECTOR_ENGINE_BACKEND_IR_TEXTURE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "collector/engine/memory/access.h"

#define PM_TEXTURE_FUNCTION "pm_texture_"

/* Return true if a function, or the function that a value calls, does in software a computation
 * that the texture unit does in hardware. */
bool pm_is_texture_function(LLVMValueRef function);
bool pm_is_texture_call(LLVMValueRef value);
/* Returns which part of a texture fetch a load from this address is. PM_FETCH_NONE: it is no part
 * of one. */
pm_fetch pm_fetch_of(LLVMValueRef pointer);
/* Returns whether a load reads a part of a texture object (descriptor) that only the texture unit
 * uses. */
bool pm_is_descriptor_read(LLVMValueRef load);

#endif

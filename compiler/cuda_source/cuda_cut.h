/* Removes a declaration that clang rejects from a CUDA source, so that kernels that do not use it
 * still compile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H

#include "compiler/cuda_source/cuda_source.h"

/* Removes the declaration that an error message of clang is about from `text`, which
 * pm_cuda_source() made. If the error is in the body of a function, only the body is removed;
 * otherwise the whole declaration. A kernel that needs the removed declaration then fails to
 * compile, or perfmodel refuses its call of a function without body. Returns false if nothing was
 * removed, because the declaration is a requested kernel or may be one of several overloads. */
bool pm_cuda_cut(const pm_cuda_request *request, char *text, const char *message);

/* Removes the declaration that an error message of clang is about from a source, or from one of its
 * headers. Blanks replace it, so that positions do not change. Unlike pm_cuda_cut(), it also
 * removes kernels. empties_kernels: true if only the statements of a kernel are removed, so that
 * its parameters are still known. */
bool pm_cuda_cut_in_place(const char *path, pm_cuda_in_place *source, const char *message,
                          bool empties_kernels);

#endif

/* Removes a declaration that does not compile and that no kernel may need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H

#include "compiler/cuda_source/cuda_source.h"

/* Removes the declaration that a message of clang is about from the text of pm_cuda_source(). It
 * removes the body of a function, or a declaration at file scope. Code that needs the declaration
 * then does not compile, or is refused where it calls the function. False if nothing was removed,
 * because the declaration is a kernel of the request or may be one of several overloads. */
bool pm_cuda_cut(const pm_cuda_request *request, char *text, const char *message);

/* Removes the declaration that a message of clang is about from a source with unchanged positions,
 * or from one of its headers. Unlike pm_cuda_cut(), it also removes kernels. */
bool pm_cuda_cut_in_place(const char *path, pm_cuda_in_place *source, const char *message);

#endif

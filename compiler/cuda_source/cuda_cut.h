/* Removes a declaration that does not compile and that no kernel may need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H

#include "compiler/cuda_source/cuda_source.h"

/* Removes the declaration that clang's message is about from the text of pm_cuda_source(): the body
 * of a function, or a declaration at file scope. Code that needs it then fails to compile, or is
 * rejected where it calls the function. False if nothing was removed, because the declaration is a
 * kernel of the request or may be one of several overloads. */
bool pm_cuda_cut(const pm_cuda_request *request, char *text, const char *message);

/* Cuts host code out of a source that is parsed in place, and out of its headers. Kernels are cut
 * out as well. */
bool pm_cuda_cut_in_place(const char *path, pm_cuda_in_place *source, const char *message);

#endif

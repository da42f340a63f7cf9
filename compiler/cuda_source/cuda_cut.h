/* What does not compile in a CUDA source, and that no kernel of a workload may need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_CUT_H

#include "compiler/cuda_source/cuda_source.h"

/* Takes out of text, which pm_cuda_source() made of the request, what clang's message is about: the
 * body of a function, which is then one that nothing defines, or a declaration at file scope. What
 * still needs it does not compile, or is refused where it is called. false: nothing was taken out,
 * as it is a kernel of the request, or may be one of several that C++ chooses from. */
bool pm_cuda_cut(const pm_cuda_request *request, char *text, const char *message);

/* The same in a source that is read where it stands, and in its headers: kernels go too. */
bool pm_cuda_cut_in_place(const char *path, pm_cuda_in_place *source, const char *message);

#endif

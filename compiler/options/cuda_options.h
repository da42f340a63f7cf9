/* Translates nvcc's options to arguments of clang, NVRTC and nvcc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_CUDA_OPTIONS_H
#define PM_COMPILER_OPTIONS_CUDA_OPTIONS_H

#include "compiler/options/build_options.h"

/* Translates the build options of a CUDA source, which are options of nvcc, and appends them as
 * arguments of clang. -include FILE is not translated, because pm_cuda_source includes the file.
 * options may be NULL. Without -std, C++17 is used. Options for host code or for the choice of a
 * GPU have no effect; a notice lists them, unless once or log is NULL. PM_BAD_INPUT for an unknown
 * option. */
pm_status pm_cuda_options(const char *options, pm_arguments *arguments, pm_once *once,
                          const pm_log *log, pm_error *err);

/* Appends, as arguments for NVRTC or nvcc, those build options in `options` that affect device
 * code. Limits on registers and --use_fast_math are passed on unchanged. */
pm_status pm_nvcc_options(const char *options, pm_arguments *arguments, pm_error *err);

#endif

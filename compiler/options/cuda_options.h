/* nvcc's options, as arguments of clang, and of NVRTC and nvcc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_CUDA_OPTIONS_H
#define PM_COMPILER_OPTIONS_CUDA_OPTIONS_H

#include "compiler/options/build_options.h"

/* Appends what clang needs for a CUDA source: C++17 unless the options (may be NULL) say otherwise.
 * Those that are for the host's code or choose a GPU have no effect, which one notice says of all
 * of them (once and log may be NULL: it is not told); one that is not known is PM_BAD_INPUT. */
pm_status pm_cuda_options(const char *options, pm_arguments *arguments, pm_once *once,
                          const pm_log *log, pm_error *err);

/* Appends what NVRTC and nvcc need: the same of those that change code, with limits of registers
 * and --use_fast_math as they are. */
pm_status pm_nvcc_options(const char *options, pm_arguments *arguments, pm_error *err);

#endif

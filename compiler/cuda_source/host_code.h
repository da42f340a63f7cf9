/* Removes host code from a CUDA source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_HOST_CODE_H
#define PM_COMPILER_CUDA_SOURCE_HOST_CODE_H

/* Overwrites with blanks all code that kernels cannot use: host functions and host variables at
 * file scope and in namespaces, and classes that use the standard library. All other code and the
 * preprocessor directives keep their positions. */
void pm_host_code_blank(char *text);

#endif

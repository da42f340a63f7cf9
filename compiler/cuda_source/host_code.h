/* Host code in a CUDA source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_HOST_CODE_H
#define PM_COMPILER_CUDA_SOURCE_HOST_CODE_H

/* Blanks what no kernel can use: functions and variables that are not for the device, at file scope
 * and in namespaces, and classes that are made of the standard library's. Lines and preprocessor
 * directives stay where they are. */
void pm_host_code_blank(char *text);

#endif

/* Lists the arguments of a launch as the compiled kernel takes them: first those that the
 * workload's launch has, then one for each pointer inside a struct argument, because the compiler
 * makes such pointers parameters of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_KERNEL_ARGUMENTS_H
#define PM_COLLECTOR_ENGINE_KERNEL_ARGUMENTS_H

#include "collector/engine/program.h"
#include "program/workload.h"

/* Returns the number of arguments of a launch in the compiled kernel. They are the arguments that
 * the launch gives, and the pointers in its struct arguments. */
size_t pm_kernel_argument_count(const pm_kernel_code *code, const pm_launch *launch);
/* Returns argument i of a launch in the compiled kernel: a buffer, a null pointer, local memory or
 * a value. */
pm_arg pm_kernel_argument(const pm_kernel_code *code, const pm_launch *launch, size_t i);

#endif

/* What a workload is, as a number: another source, other data or another launch give another one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_DEFINITION_H
#define PM_PROGRAM_DEFINITION_H

#include "program/workload.h"

enum { PM_DEFINITION = 17 };

/* Of the source and the headers that it includes, build options, buffers with their initial
 * contents, launches with their arguments, the workload's reference, and its `salt`. Where files
 * lie is no part of it. text gets 16 hexadecimal digits. */
void pm_workload_definition(const pm_workload *workload, char text[PM_DEFINITION]);

#endif

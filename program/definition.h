/* Computes a hash of everything that a workload consists of: source, data and launches. Datasets
 * and cache keys contain it, so that a change of the workload is noticed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_DEFINITION_H
#define PM_PROGRAM_DEFINITION_H

#include "program/workload.h"

enum { PM_DEFINITION = 17 };

/* Computes the hash that identifies a workload, as 16 hexadecimal digits in `text`. It depends on
 * the source and its headers, build options, buffers with their initial contents, launches with
 * their arguments, the workload that computes reference results, and workload->salt. Locations of
 * files do not matter. */
void pm_workload_definition(const pm_workload *workload, char text[PM_DEFINITION]);

#endif

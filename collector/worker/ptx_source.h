/* Describes the kernels of a PTX source: their names and parameters, which are needed to launch
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_PTX_SOURCE_H
#define PM_COLLECTOR_WORKER_PTX_SOURCE_H

#include "transform/source/source.h"

/* Describes the kernels of PTX text in *info, whose memory the caller frees. PM_BAD_INPUT with
 * path:line if the text is not PTX. */
pm_status pm_ptx_source_describe(const char *text, const char *path, pm_source_info *info,
                                 pm_error *err);

/* Fails if a text is PTX but its name does not end in .ptx, by which perfmodel knows PTX. */
pm_status pm_ptx_source_check_name(const char *text, const char *path, pm_error *err);

#endif

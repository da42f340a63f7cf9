/* Transforming a source whose launches may be known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_TEXT_H
#define PM_TRANSFORM_SOURCE_TEXT_H

#include "transform/staging.h"

/* As pm_transform_source. launches: of the program; NULL: the source is all there is. */
pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options,
                                   const pm_stage_launches *launches, pm_transformed *out,
                                   pm_error *err);

#endif

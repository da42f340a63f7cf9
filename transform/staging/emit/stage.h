/* Stages arrays of a source in local memory. staging.h describes the request and the result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each kernel, these passes run in order; each takes the output of the passes before it:
 *
 *   pass       output                          header (in transform/staging)
 *   index      pm_index, pm_kernel_launches    tile/kernel.h
 *   regions    pm_regions of each array        tile/region.h
 *   tiles      pm_tiles                        tile/tile.h
 *   boxes      pm_tile_copies of each tile     tile/box.h
 *   choice     pm_chosen_tiles                 tile/choose.h, tile/assume.h
 *   emit       pm_edits                        emit/emit.h
 */
#ifndef PM_TRANSFORM_STAGING_EMIT_STAGE_H
#define PM_TRANSFORM_STAGING_EMIT_STAGE_H

#include "transform/source/clang/source_unit.h"
#include "transform/staging/staging.h"

/* Stages the arrays of a source as the request asks. *hidden is set to true if code to change is in
 * a macro or in another file; out->text is then not set. */
pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err);

#endif

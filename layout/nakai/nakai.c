/* Method nakai: a struct's analysis, step by step. See nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout/nakai/nakai.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/nakai/parts.h"

/* ---- freeing -------------------------------------------------------------------------------- */

void pm_nakai_struct_free(pm_nakai_struct *analysis)
{
    pm_structs own = {.count = analysis->structure ? 1 : 0, .items = analysis->structure};

    for (size_t i = 0; i < analysis->row_count; i++) {
        free(analysis->rows[i].kernel);
        free(analysis->rows[i].field);
    }
    for (size_t k = 0; k < analysis->kernel_count; k++)
        free(analysis->kernels[k]);
    for (size_t t = 0; t < PM_NAKAI_TREES; t++)
        pm_nakai_tree_free(&analysis->trees[t]);
    pm_structs_free(&own);
    pm_layout_free(&analysis->layout);
    free(analysis->rows);
    free(analysis->kernels);
    free(analysis->definitions);
    *analysis = (pm_nakai_struct){0};
}

/* ---- what is kept of the source and the trace ----------------------------------------------- */

/* *out is the caller's to free with pm_structs_free. */
static bool copy_struct(const pm_struct *from, pm_struct **out)
{
    const pm_structs one = {1, (pm_struct *)(uintptr_t)from};
    pm_structs copy;

    if (pm_structs_copy(&one, &copy, NULL) != PM_OK)
        return false;
    *out = copy.items;
    return true;
}

static bool copy_kernels(const pm_source_info *source, pm_nakai_struct *out)
{
    out->kernels = calloc(source->kernel_count + 1, sizeof *out->kernels);
    for (size_t k = 0; out->kernels && k < source->kernel_count; k++) {
        out->kernels[out->kernel_count] = strdup(source->kernels[k].name);
        if (!out->kernels[out->kernel_count++])
            return false;
    }
    return out->kernels != NULL;
}

static bool make_rows(const pm_nakai_site *sites, size_t count, pm_nakai_struct *out)
{
    out->rows = calloc(count + 1, sizeof *out->rows);
    for (size_t i = 0; out->rows && i < count; i++) {
        const pm_access *access = sites[i].access;
        pm_nakai_row *row = &out->rows[out->row_count++];

        *row = (pm_nakai_row){.kernel = strdup(out->kernels[sites[i].kernel]),
                              .field = strdup(access->field),
                              .kind = access->kind,
                              .line = access->line,
                              .column = access->column,
                              .loop = sites[i].loop,
                              .access_class = access->access_class,
                              .executions = access->executions,
                              .coalesced_threads = access->coalesced_threads};
        if (!row->kernel || !row->field)
            return false;
    }
    return out->rows != NULL;
}

/* ---- section 6.2 ---------------------------------------------------------------------------- */

static pm_status make_clusters(const pm_nakai_tree *tree, pm_layout *layout, pm_error *err)
{
    *layout = (pm_layout){.kind = PM_LAYOUT_CLUSTER,
                          .align = PM_NAKAI_ALIGN,
                          .clusters = calloc(tree->count + 1, sizeof *layout->clusters)};
    for (size_t n = 0; layout->clusters && n < tree->count; n++) {
        const pm_nakai_node *node = &tree->nodes[n];
        pm_cluster *cluster = &layout->clusters[layout->cluster_count++];

        cluster->fields = calloc(node->field_count, sizeof *cluster->fields);
        if (!cluster->fields)
            return pm_fail(err, PM_FAILED, "out of memory for a layout");
        memcpy(cluster->fields, node->fields, node->field_count * sizeof *node->fields);
        cluster->count = node->field_count;
    }
    return layout->clusters ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for a layout");
}

static pm_status cluster(const pm_source_info *source, size_t structure, const pm_nakai_site *sites,
                         size_t site_count, pm_nakai_struct *out, pm_error *err)
{
    const pm_struct *s = out->structure;
    pm_nakai_tree *trees = out->trees, *last = &trees[PM_NAKAI_ACROSS_KERNELS];

    if (pm_nakai_tree_make(source, structure, sites, site_count, &trees[PM_NAKAI_TREE], err) !=
            PM_OK ||
        pm_nakai_tree_merge(s, &trees[PM_NAKAI_TREE], false, &trees[PM_NAKAI_IN_KERNELS], err) !=
            PM_OK ||
        pm_nakai_tree_merge(s, &trees[PM_NAKAI_IN_KERNELS], true, last, err) != PM_OK ||
        pm_nakai_tree_settle(s, last, err) != PM_OK ||
        make_clusters(last, &out->layout, err) != PM_OK)
        return err->status;
    out->definitions = pm_nakai_define(s, &out->layout, err);
    return out->definitions ? PM_OK : err->status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static pm_status decide(const pm_source_info *source, size_t structure, const pm_nakai_site *sites,
                        size_t site_count, unsigned warp_width, pm_nakai_struct *out, pm_error *err)
{
    if (!copy_struct(&source->structs.items[structure], &out->structure) ||
        !copy_kernels(source, out) || !make_rows(sites, site_count, out))
        return pm_fail(err, PM_FAILED, "out of memory for the analysis of a struct");
    out->sum = pm_nakai_weigh(out->rows, out->row_count, warp_width);
    out->choice = out->sum > 0 ? PM_NAKAI_AOS : out->sum < 0 ? PM_NAKAI_SOA : PM_NAKAI_NONE;
    out->layout = (pm_layout){.kind = out->choice == PM_NAKAI_SOA ? PM_LAYOUT_SOA : PM_LAYOUT_AOS};
    return out->choice == PM_NAKAI_AOS ? cluster(source, structure, sites, site_count, out, err)
                                       : PM_OK;
}

pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err)
{
    size_t site_count = 0;
    pm_nakai_site *sites = pm_nakai_sites(source, structure, kernels, kernel_count, &site_count);
    pm_status status = PM_FAILED;

    *out = (pm_nakai_struct){0};
    if (sites)
        status = decide(source, structure, sites, site_count, warp_width, out, err);
    else
        pm_fail(err, PM_FAILED, "out of memory for the analysis of a struct");
    if (status != PM_OK)
        pm_nakai_struct_free(out);
    free(sites);
    return status;
}

/* Applies the layout method of Nakai and Ohno to a struct, step by step. See nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/nakai/nakai.h"

#include <stdint.h>
#include <string.h>

#include "transform/layout/nakai/parts.h"

void pm_nakai_struct_free(pm_nakai_struct *analysis)
{
    pm_memory_free(&analysis->memory);
    *analysis = (pm_nakai_struct){0};
}

/* Input of the method of Nakai and Ohno for one struct: the source, the number of the struct in
 * it, and its traced accesses. */
typedef struct {
    const pm_source_info *source;
    size_t structure;
    const pm_trace_kernel *kernels;
    size_t kernel_count;
    unsigned warp_width;
    size_t site_count;
    pm_nakai_site *sites;
    pm_nakai_struct *out;
} deciding;

/* ---- section 5 ------------------------------------------------------------------------------ */

/* Weights w1 and w2 of equation (1) of Nakai and Ohno 2017. An access that is not coalesced, or
 * that all threads make to one address, has the weight w1. A coalesced access has w2 multiplied by
 * the fraction of coalesced threads. The number of coalesced threads includes the first thread, as
 * in figure 12 of the paper: 11 of 32 threads for structs of 12 bytes, because 11 structs are
 * within 128 bytes. The class of an access and this number come from the trace
 * (collector/engine/access_table.c). */
static const double W1 = 1, W2 = -1;

double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width)
{
    if (strcmp(access_class, "UnCoalesc") == 0 || strcmp(access_class, "ShareCoalesc") == 0)
        return W1;
    if (strcmp(access_class, "Coalesc") == 0)
        return W2 * coalesced_threads / warp_width;
    return 0;
}

double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        pm_nakai_row *row = &rows[i];

        row->weight = pm_nakai_weight(row->access_class, row->coalesced_threads, warp_width);
        row->corrected = row->weight * row->executions;
        sum += row->corrected;
    }
    return sum;
}

/* ---- data copied from the source and the trace ---------------------------------------------- */

static void copy_source(deciding *d)
{
    const pm_structs one = {1, (pm_struct *)(uintptr_t)&d->source->structs.items[d->structure]};
    pm_nakai_struct *out = d->out;

    out->structure = pm_structs_copy(&out->memory, &one).items;
    for (size_t k = 0; k < d->source->kernel_count; k++)
        *pm_add(&out->memory, out->kernels, out->kernel_count) =
            pm_copy(&out->memory, d->source->kernels[k].name);
}

static void make_rows(deciding *d)
{
    pm_nakai_struct *out = d->out;

    for (size_t i = 0; i < d->site_count; i++) {
        const pm_access *access = d->sites[i].access;

        *pm_add(&out->memory, out->rows, out->row_count) =
            (pm_nakai_row){.kernel = pm_copy(&out->memory, out->kernels[d->sites[i].kernel]),
                           .field = pm_copy(&out->memory, access->field),
                           .kind = access->kind,
                           .line = access->line,
                           .column = access->column,
                           .loop = d->sites[i].loop,
                           .access_class = access->access_class,
                           .executions = access->executions,
                           .coalesced_threads = access->coalesced_threads};
    }
}

/* ---- section 6.2 ---------------------------------------------------------------------------- */

static void cluster(deciding *d)
{
    pm_nakai_struct *out = d->out;
    const pm_struct *s = out->structure;
    pm_nakai_tree *trees = out->trees, *last = &trees[PM_NAKAI_ACROSS_KERNELS];

    trees[PM_NAKAI_TREE] =
        pm_nakai_tree_make(d->source, d->structure, d->sites, d->site_count, &out->memory);
    trees[PM_NAKAI_IN_KERNELS] = pm_nakai_tree_merge(s, &trees[PM_NAKAI_TREE], false, &out->memory);
    *last = pm_nakai_tree_merge(s, &trees[PM_NAKAI_IN_KERNELS], true, &out->memory);
    pm_nakai_tree_settle(s, last, &out->memory);
    out->layout = (pm_layout){.kind = PM_LAYOUT_CLUSTER, .align = PM_NAKAI_ALIGN};
    for (size_t n = 0; n < last->count; n++)
        *pm_add(&out->memory, out->layout.clusters, out->layout.cluster_count) =
            (pm_cluster){last->nodes[n].field_count, last->nodes[n].fields};
    out->definitions = pm_nakai_define(s, &out->layout, &out->memory);
}

/* ---- the whole analysis --------------------------------------------------------------------- */

static void decide(void *user)
{
    deciding *d = user;
    pm_nakai_struct *out = d->out;
    pm_text text = {.memory = &out->memory};

    d->sites = pm_nakai_sites(d->source, d->structure, d->kernels, d->kernel_count, &out->memory,
                              &d->site_count);
    copy_source(d);
    make_rows(d);
    out->sum = pm_nakai_weigh(out->rows, out->row_count, d->warp_width);
    out->choice = out->sum > 0 ? PM_NAKAI_AOS : out->sum < 0 ? PM_NAKAI_SOA : PM_NAKAI_NONE;
    out->layout = (pm_layout){.kind = out->choice == PM_NAKAI_SOA ? PM_LAYOUT_SOA : PM_LAYOUT_AOS};
    if (out->choice == PM_NAKAI_AOS)
        cluster(d);
    pm_layout_text(&text, &out->layout, out->structure);
    out->layout_text = pm_text_get(&text);
}

pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err)
{
    deciding d = {.source = source,
                  .structure = structure,
                  .kernels = kernels,
                  .kernel_count = kernel_count,
                  .warp_width = warp_width,
                  .out = out};
    pm_error unread;
    pm_status status;

    *out = (pm_nakai_struct){0};
    status = pm_attempt(&out->memory, decide, &d, err ? err : &unread);
    if (status != PM_OK)
        pm_nakai_struct_free(out);
    return status;
}

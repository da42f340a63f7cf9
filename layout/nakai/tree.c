/* Method nakai, section 6.1: the field access tree, kernel - loop with count - fields. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree is kept as the list of its Loop nodes. What a kernel accesses outside of loops is a node
 * as well, as if its body were a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/nakai/parts.h"

size_t pm_nakai_field_bytes(const pm_struct *structure, size_t field)
{
    return structure->fields[field].bytes * pm_field_elements(&structure->fields[field]);
}

bool pm_nakai_node_has(const pm_nakai_node *node, size_t field)
{
    for (size_t i = 0; i < node->field_count; i++)
        if (node->fields[i] == field)
            return true;
    return false;
}

void pm_nakai_tree_free(pm_nakai_tree *tree)
{
    for (size_t n = 0; n < tree->count; n++) {
        free(tree->nodes[n].places);
        free(tree->nodes[n].fields);
    }
    free(tree->nodes);
    *tree = (pm_nakai_tree){0};
}

/* ---- loops and their fields ----------------------------------------------------------------- */

/* The fields that a loop of a kernel accesses (not in loops inside of it). */
static bool fill_fields(const pm_source_info *source, size_t structure, pm_nakai_node *node)
{
    const pm_struct *s = &source->structs.items[structure];
    const pm_source_kernel *kernel = &source->kernels[node->places[0].kernel];
    bool *used = calloc(s->field_count + 1, sizeof *used);

    node->fields = calloc(s->field_count + 1, sizeof *node->fields);
    for (size_t i = 0; used && i < kernel->access_count; i++)
        if (kernel->accesses[i].structure == structure &&
            kernel->accesses[i].loop == node->places[0].loop)
            used[kernel->accesses[i].field] = true;
    for (size_t f = 0; used && node->fields && f < s->field_count; f++)
        if (used[f]) {
            node->fields[node->field_count++] = f;
            node->bytes += pm_nakai_field_bytes(s, f);
        }
    free(used);
    return used && node->fields;
}

static bool same_instruction(const pm_nakai_site *a, const pm_nakai_site *b)
{
    return a->kernel == b->kernel && a->loop == b->loop && a->access->line == b->access->line &&
           a->access->column == b->access->column &&
           strcmp(a->access->field, b->access->field) == 0 &&
           strcmp(a->access->kind, b->access->kind) == 0;
}

/* How often warps execute a loop: as often as the instruction in it that they execute most. One of
 * the source may be several of the trace, the copies of an unrolled loop. */
static double count_of(const pm_nakai_place *place, const pm_nakai_site *sites, size_t site_count)
{
    double count = 0;

    for (size_t i = 0; i < site_count; i++) {
        double executions = 0;

        if (!sites[i].matched || sites[i].kernel != place->kernel || sites[i].loop != place->loop)
            continue;
        for (size_t k = 0; k < site_count; k++)
            if (sites[k].matched && same_instruction(&sites[i], &sites[k]))
                executions += sites[k].access->executions;
        count = executions > count ? executions : count;
    }
    return count;
}

static bool first_in_loop(const pm_source_kernel *kernel, size_t access)
{
    const pm_source_access *a = &kernel->accesses[access];

    for (size_t i = 0; i < access; i++)
        if (kernel->accesses[i].structure == a->structure && kernel->accesses[i].loop == a->loop)
            return false;
    return true;
}

static bool add_node(const pm_source_info *source, size_t structure, pm_nakai_place place,
                     pm_nakai_tree *tree)
{
    pm_nakai_node *nodes = realloc(tree->nodes, (tree->count + 1) * sizeof *nodes), *node;

    if (!nodes)
        return false;
    tree->nodes = nodes;
    node = &nodes[tree->count++];
    *node = (pm_nakai_node){.places = malloc(sizeof place)};
    if (!node->places)
        return false;
    node->places[0] = place;
    node->place_count = 1;
    return fill_fields(source, structure, node);
}

/* By kernel, then by the loop's line. */
static int compare_nodes(const void *a, const void *b)
{
    const pm_nakai_place *x = ((const pm_nakai_node *)a)->places;
    const pm_nakai_place *y = ((const pm_nakai_node *)b)->places;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return (x->loop > y->loop) - (x->loop < y->loop);
}

pm_status pm_nakai_tree_make(const pm_source_info *source, size_t structure,
                             const pm_nakai_site *sites, size_t site_count, pm_nakai_tree *tree,
                             pm_error *err)
{
    for (size_t k = 0; k < source->kernel_count; k++)
        for (size_t i = 0; i < source->kernels[k].access_count; i++) {
            const pm_source_access *a = &source->kernels[k].accesses[i];
            pm_nakai_place place = {.kernel = k, .loop = a->loop};

            if (a->structure != structure || !first_in_loop(&source->kernels[k], i))
                continue;
            if (!add_node(source, structure, place, tree))
                return pm_fail(err, PM_FAILED, "out of memory for the field access tree");
        }
    if (tree->count > 1)
        qsort(tree->nodes, tree->count, sizeof *tree->nodes, compare_nodes);
    for (size_t n = 0; n < tree->count; n++)
        tree->nodes[n].count = count_of(tree->nodes[n].places, sites, site_count);
    return PM_OK;
}

/* Builds the field access tree (kernels, loops with counts, and fields): section 6.1 of Nakai and
 * Ohno 2017. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree is stored as a list of its Loop nodes. A kernel's accesses outside of loops also form a
 * node, as if the kernel's body were a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "transform/layout/nakai/parts.h"

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

pm_nakai_node *pm_nakai_node_add(const pm_struct *structure, pm_nakai_tree *tree, size_t places,
                                 pm_memory *memory)
{
    pm_nakai_node *node = pm_add(memory, tree->nodes, tree->count);

    *node =
        (pm_nakai_node){.places = pm_take(memory, places, sizeof *node->places),
                        .fields = pm_take(memory, structure->field_count, sizeof *node->fields)};
    return node;
}

void pm_nakai_node_put(const pm_struct *structure, pm_nakai_node *node, size_t field)
{
    size_t at = node->field_count;

    if (pm_nakai_node_has(node, field))
        return;
    for (; at > 0 && node->fields[at - 1] > field; at--)
        node->fields[at] = node->fields[at - 1];
    node->fields[at] = field;
    node->field_count++;
    node->bytes += pm_nakai_field_bytes(structure, field);
}

/* ---- loops and their fields ----------------------------------------------------------------- */

static bool same_instruction(const pm_nakai_site *a, const pm_nakai_site *b)
{
    return a->kernel == b->kernel && a->loop == b->loop && a->access->line == b->access->line &&
           a->access->column == b->access->column &&
           strcmp(a->access->field, b->access->field) == 0 &&
           strcmp(a->access->kind, b->access->kind) == 0;
}

/* Returns how often warps execute a loop: the executions of the loop's most executed instruction.
 * If the loop was unrolled, the executions of an instruction's copies are added up. */
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

/* Returns the node of a loop of a kernel. Adds a node if the tree has none for this loop. */
static pm_nakai_node *node_of(const pm_struct *structure, pm_nakai_place place, pm_nakai_tree *tree,
                              pm_memory *memory)
{
    pm_nakai_node *node;

    for (size_t n = 0; n < tree->count; n++)
        if (tree->nodes[n].places[0].kernel == place.kernel &&
            tree->nodes[n].places[0].loop == place.loop)
            return &tree->nodes[n];
    node = pm_nakai_node_add(structure, tree, 1, memory);
    node->places[node->place_count++] = place;
    return node;
}

int pm_nakai_compare_places(const void *a, const void *b)
{
    const pm_nakai_place *x = ((const pm_nakai_node *)a)->places;
    const pm_nakai_place *y = ((const pm_nakai_node *)b)->places;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return (x->loop > y->loop) - (x->loop < y->loop);
}

pm_nakai_tree pm_nakai_tree_make(const pm_source_info *source, size_t structure,
                                 const pm_nakai_site *sites, size_t site_count, pm_memory *memory)
{
    const pm_struct *s = &source->structs.items[structure];
    pm_nakai_tree tree = {0};

    /* An access in a nested loop belongs only to the node of the nested loop, not to the node of
     * the outer loop. */
    for (size_t k = 0; k < source->kernel_count; k++)
        for (size_t i = 0; i < source->kernels[k].access_count; i++) {
            const pm_source_access *a = &source->kernels[k].accesses[i];
            const pm_nakai_place place = {.kernel = k, .loop = a->loop};

            if (a->structure == structure)
                pm_nakai_node_put(s, node_of(s, place, &tree, memory), a->field);
        }
    if (tree.count > 1)
        qsort(tree.nodes, tree.count, sizeof *tree.nodes, pm_nakai_compare_places);
    for (size_t n = 0; n < tree.count; n++)
        tree.nodes[n].count = count_of(tree.nodes[n].places, sites, site_count);
    return tree;
}

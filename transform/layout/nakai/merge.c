/* Merges nodes of the field access tree in the layout method of Nakai and Ohno (2017, section 6.2).
 * A node has loops and the struct fields that they access; merged nodes share one struct of the new
 * layout. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A node represents one or more loops of the kernels, with their execution count and the struct's
 * fields that they access. In the new layout, the fields of each node form one struct. Loops of one
 * kernel with equal counts become one node. Then nodes of different kernels merge if they have
 * equal counts and a common field, directly or through other nodes.
 *
 * The paper then "adjusts" the nodes so that the fields of each fill a multiple of 16 bytes and
 * each field is in one node. It does not say how. We do it as follows:
 *
 *   1. The node with the largest count gets all its fields. Each next node gets those of its fields
 *      that no earlier node has. So the most executed loops have their fields in one struct.
 *   2. Starting at the largest count, a node whose struct ends in padding takes fields of a later
 *      node (the donor) if they fill the padding exactly and make the donor's struct smaller. The
 *      donor must share a field with the node, so that its loop reads this struct anyway, or be
 *      the node of the fields that no kernel accesses. The first such donor is used. Its larger
 *      fields are taken first; of fields of equal size, the last one. Structs of 4 or 8 bytes have
 *      no padding.
 */
#include <stdlib.h>
#include <string.h>

#include "transform/layout/nakai/parts.h"

/* Returns whether two execution counts are equal, with a tolerance for rounding. If only a sample
 * of the work-groups was traced, a count is an integer multiplied by a factor, and equal counts may
 * differ by rounding. */
static bool equal_counts(double a, double b)
{
    double difference = a > b ? a - b : b - a;

    return difference <= 1e-9 * (a > b ? a : b);
}

static bool share_field(const pm_nakai_node *a, const pm_nakai_node *b)
{
    for (size_t i = 0; i < a->field_count; i++)
        if (pm_nakai_node_has(b, a->fields[i]))
            return true;
    return false;
}

/* ---- fields and loops of nodes -------------------------------------------------------------- */

static void take_field(const pm_struct *structure, pm_nakai_node *node, size_t field)
{
    size_t kept = 0;

    for (size_t i = 0; i < node->field_count; i++)
        if (node->fields[i] != field)
            node->fields[kept++] = node->fields[i];
    if (kept < node->field_count)
        node->bytes -= pm_nakai_field_bytes(structure, field);
    node->field_count = kept;
}

/* Adds the loops and fields of node `from` to `node`, whose arrays have enough room. */
static void join(const pm_struct *structure, pm_nakai_node *node, const pm_nakai_node *from)
{
    for (size_t i = 0; i < from->place_count; i++)
        node->places[node->place_count++] = from->places[i];
    for (size_t i = 0; i < from->field_count; i++)
        pm_nakai_node_put(structure, node, from->fields[i]);
    if (from->count > node->count)
        node->count = from->count;
}

/* ---- steps (2) and (3): merging ------------------------------------------------------------- */

static bool belong_together(const pm_nakai_node *a, const pm_nakai_node *b, bool across_kernels)
{
    if (!equal_counts(a->count, b->count))
        return false;
    return across_kernels ? share_field(a, b) : a->places[0].kernel == b->places[0].kernel;
}

/* Sets group[n] to the number of the first node that merges with node n, directly or through
 * further nodes. belong_together() decides whether two nodes merge. */
static void number_groups(const pm_nakai_tree *tree, bool across_kernels, size_t *group)
{
    for (size_t n = 0; n < tree->count; n++)
        group[n] = n;
    for (size_t n = 0; n < tree->count; n++)
        for (size_t m = n + 1; m < tree->count; m++) {
            size_t first, last;

            if (!belong_together(&tree->nodes[n], &tree->nodes[m], across_kernels))
                continue;
            first = group[n] < group[m] ? group[n] : group[m];
            last = group[n] < group[m] ? group[m] : group[n];
            for (size_t i = 0; i < tree->count; i++)
                if (group[i] == last)
                    group[i] = first;
        }
}

pm_nakai_tree pm_nakai_tree_merge(const pm_struct *structure, const pm_nakai_tree *tree,
                                  bool across_kernels, pm_memory *memory)
{
    size_t *group = pm_take(memory, tree->count, sizeof *group), places = 0;
    pm_nakai_tree merged = {0};

    for (size_t n = 0; n < tree->count; n++)
        places += tree->nodes[n].place_count;
    number_groups(tree, across_kernels, group);
    for (size_t n = 0; n < tree->count; n++) {
        pm_nakai_node *node =
            group[n] == n ? pm_nakai_node_add(structure, &merged, places, memory) : NULL;

        for (size_t m = n; node && m < tree->count; m++)
            if (group[m] == n)
                join(structure, node, &tree->nodes[m]);
    }
    return merged;
}

/* ---- step (3): each field in one node, sizes that are multiples of 16 ------------------------ */

/* Comparison function for qsort: larger counts first. Equal counts are in source order. */
static int compare_counts(const void *a, const void *b)
{
    const pm_nakai_node *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return pm_nakai_compare_places(a, b);
}

/* Returns an array shared[a * count + b], where count is the number of nodes. It is true if node b
 * may give fields to node a: both have a common field, or no kernel accesses the fields of node
 * b. */
static bool *find_shared(const pm_nakai_tree *tree, pm_memory *memory)
{
    bool *shared = pm_take(memory, tree->count * tree->count, sizeof *shared);

    for (size_t a = 0; a < tree->count; a++)
        for (size_t b = 0; b < tree->count; b++)
            shared[a * tree->count + b] =
                tree->nodes[b].place_count == 0 || share_field(&tree->nodes[a], &tree->nodes[b]);
    return shared;
}

static void claim_fields(const pm_struct *structure, pm_nakai_tree *tree)
{
    for (size_t a = 0; a < tree->count; a++)
        for (size_t b = a + 1; b < tree->count; b++)
            for (size_t i = 0; i < tree->nodes[a].field_count; i++)
                take_field(structure, &tree->nodes[b], tree->nodes[a].fields[i]);
}

/* Returns the size with padding of a struct whose fields have `bytes` bytes. The struct has the
 * alignment of an aligned layout (layout.h). */
static size_t padded(size_t bytes)
{
    size_t align = bytes <= 4 ? 4 : bytes <= 8 ? 8 : PM_NAKAI_ALIGN;

    return (bytes + align - 1) / align * align;
}

/* Returns the field that the node `donor` gives next: the largest of its fields that fits into
 * `gap` bytes and is not marked in `taken`. Of several fields with this size, it is the last one.
 * Returns structure->field_count if there is none. */
static size_t next_gift(const pm_struct *structure, const pm_nakai_node *donor, const bool *taken,
                        size_t gap)
{
    size_t best = structure->field_count, most = 0;

    for (size_t i = 0; i < donor->field_count; i++) {
        size_t bytes = pm_nakai_field_bytes(structure, donor->fields[i]);

        if (taken[donor->fields[i]] || bytes > gap || bytes < most || bytes == 0)
            continue;
        best = donor->fields[i];
        most = bytes;
    }
    return best;
}

/* Moves fields of the node `donor` into the padding of `node`, if they fill the padding exactly;
 * else moves none. Returns whether fields were moved. taken: work array with one entry per field of
 * the struct, all false at the call. */
static bool fill_padding(const pm_struct *structure, pm_nakai_node *node, pm_nakai_node *donor,
                         bool *taken)
{
    size_t gap = padded(node->bytes) - node->bytes, left = gap, field;
    bool fits;

    if (padded(donor->bytes) <= padded(donor->bytes < gap ? 0 : donor->bytes - gap))
        return false;
    while (left > 0 &&
           (field = next_gift(structure, donor, taken, left)) < structure->field_count) {
        taken[field] = true;
        left -= pm_nakai_field_bytes(structure, field);
    }
    fits = left == 0;
    for (size_t f = 0; f < structure->field_count; f++) {
        if (taken[f] && fits) {
            pm_nakai_node_put(structure, node, f);
            take_field(structure, donor, f);
        }
        taken[f] = false;
    }
    return fits;
}

static void adjust_sizes(const pm_struct *structure, pm_nakai_tree *tree, const bool *shared,
                         bool *taken)
{
    for (size_t a = 0; a < tree->count; a++)
        for (size_t b = a + 1; b < tree->count; b++) {
            pm_nakai_node *node = &tree->nodes[a];

            if (padded(node->bytes) == node->bytes)
                break;
            if (shared[a * tree->count + b] &&
                fill_padding(structure, node, &tree->nodes[b], taken))
                break;
        }
}

static void drop_empty(pm_nakai_tree *tree)
{
    size_t kept = 0;

    for (size_t n = 0; n < tree->count; n++)
        if (tree->nodes[n].field_count > 0)
            tree->nodes[kept++] = tree->nodes[n];
    tree->count = kept;
}

/* Appends a last node to the tree, for the fields of the struct that no kernel accesses. */
static void add_unused(const pm_struct *structure, pm_nakai_tree *tree, pm_memory *memory)
{
    pm_nakai_node *node = pm_nakai_node_add(structure, tree, 0, memory);

    for (size_t f = 0; f < structure->field_count; f++) {
        bool used = false;

        for (size_t n = 0; n + 1 < tree->count; n++)
            used = used || pm_nakai_node_has(&tree->nodes[n], f);
        if (!used)
            pm_nakai_node_put(structure, node, f);
    }
}

void pm_nakai_tree_settle(const pm_struct *structure, pm_nakai_tree *tree, pm_memory *memory)
{
    bool *taken = pm_take(memory, structure->field_count, sizeof *taken), *shared;

    if (tree->count > 1)
        qsort(tree->nodes, tree->count, sizeof *tree->nodes, compare_counts);
    add_unused(structure, tree, memory);
    shared = find_shared(tree, memory);
    claim_fields(structure, tree);
    adjust_sizes(structure, tree, shared, taken);
    drop_empty(tree);
}

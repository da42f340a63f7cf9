/* The steps of method nakai as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "layout/nakai/nakai.h"
#include "report/json.h"

static json_t *line_json(unsigned line)
{
    return line ? json_integer((json_int_t)line) : json_null();
}

/* ---- section 5 ------------------------------------------------------------------------------ */

/* field, loop and class are null where they are not known, or there is none. */
static json_t *row_json(const pm_nakai_row *row)
{
    return json_pack(
        "{s:o,s:o,s:s,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o}", "kernel", pm_json_text(row->kernel),
        "field", *row->field ? pm_json_text(row->field) : json_null(), "kind", row->kind, "line",
        (json_int_t)row->line, "column", (json_int_t)row->column, "loop", line_json(row->loop),
        "class", *row->access_class ? pm_json_text(row->access_class) : json_null(), "executions",
        pm_json_number(row->executions), "coalesced_threads",
        pm_json_number(row->coalesced_threads), "weight", pm_json_number(row->weight), "corrected",
        pm_json_number(row->corrected));
}

static json_t *rows_json(const pm_nakai_struct *a)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < a->row_count; i++)
        json_array_append_new(rows, row_json(&a->rows[i]));
    return rows;
}

/* ---- section 6 ------------------------------------------------------------------------------ */

static json_t *node_json(const pm_nakai_struct *a, const pm_nakai_node *node)
{
    json_t *places = json_array(), *fields = json_array();

    for (size_t i = 0; i < node->place_count; i++)
        json_array_append_new(places, json_pack("{s:o,s:o}", "kernel",
                                                pm_json_text(a->kernels[node->places[i].kernel]),
                                                "loop", line_json(node->places[i].loop)));
    for (size_t i = 0; i < node->field_count; i++)
        json_array_append_new(fields, pm_json_text(a->structure->fields[node->fields[i]].path));
    return json_pack("{s:o,s:o,s:o,s:I}", "places", places, "count", pm_json_number(node->count),
                     "fields", fields, "bytes", (json_int_t)node->bytes);
}

static json_t *tree_json(const pm_nakai_struct *a, const pm_nakai_tree *tree)
{
    json_t *nodes = json_array();

    for (size_t n = 0; n < tree->count; n++)
        json_array_append_new(nodes, node_json(a, &tree->nodes[n]));
    return nodes;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static json_t *struct_json(const pm_nakai_struct *a)
{
    static const char *const choices[] = {"none", "AoS", "SoA"};
    char *layout = pm_layout_text(&a->layout, a->structure);
    json_t *object =
        json_pack("{s:o,s:I,s:o,s:o,s:s,s:{s:o,s:o,s:o},s:o,s:o}", "struct",
                  pm_json_text(a->structure->name), "bytes", (json_int_t)a->structure->bytes,
                  "rows", rows_json(a), "sum", pm_json_number(a->sum), "choice", choices[a->choice],
                  "trees", "loops", tree_json(a, &a->trees[PM_NAKAI_TREE]), "in_kernels",
                  tree_json(a, &a->trees[PM_NAKAI_IN_KERNELS]), "across_kernels",
                  tree_json(a, &a->trees[PM_NAKAI_ACROSS_KERNELS]), "definitions",
                  a->definitions ? pm_json_text(a->definitions) : json_null(), "layout",
                  layout ? pm_json_text(layout) : json_null());

    free(layout);
    return object;
}

json_t *pm_json_nakai(const pm_nakai *analysis)
{
    json_t *structs = json_array();

    for (size_t s = 0; s < analysis->count; s++)
        json_array_append_new(structs, struct_json(&analysis->structs[s]));
    return json_pack("{s:o,s:I,s:o}", "target", pm_json_text(analysis->target), "warp_width",
                     (json_int_t)analysis->warp_width, "structs", structs);
}

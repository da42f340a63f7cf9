/* Writes the steps of the layout method of Nakai and Ohno (2017) as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "report/json/json.h"
#include "transform/layout/nakai/nakai.h"

/* ---- section 5 ------------------------------------------------------------------------------ */

/* Returns a row of the access table of Nakai and Ohno (2017) as JSON. Its members field, loop and
 * class are null if they are unknown or do not exist. */
static json_t *row_json(const void *row)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_nakai_row, kernel),
                                             PM_JSON(NAME, pm_nakai_row, field),
                                             PM_JSON(TEXT, pm_nakai_row, kind),
                                             PM_JSON(UNSIGNED, pm_nakai_row, line),
                                             PM_JSON(UNSIGNED, pm_nakai_row, column),
                                             PM_JSON(LINE, pm_nakai_row, loop),
                                             PM_JSON_AS("class", NAME, pm_nakai_row, access_class),
                                             PM_JSON(NUMBER, pm_nakai_row, executions),
                                             PM_JSON(NUMBER, pm_nakai_row, coalesced_threads),
                                             PM_JSON(NUMBER, pm_nakai_row, weight),
                                             PM_JSON(NUMBER, pm_nakai_row, corrected)};

    return PM_JSON_OBJECT(row, members);
}

/* ---- section 6 of Nakai and Ohno (2017) ----------------------------------------------------- */

static json_t *node_json(const pm_nakai_struct *a, const pm_nakai_node *node)
{
    json_t *places = json_array(), *fields = json_array();

    for (size_t i = 0; i < node->place_count; i++)
        json_array_append_new(
            places,
            json_pack("{s:o,s:o}", "kernel", pm_json_text(a->kernels[node->places[i].kernel]),
                      "loop",
                      node->places[i].loop ? json_integer(node->places[i].loop) : json_null()));
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

/* ---- the whole analysis --------------------------------------------------------------------- */

static json_t *struct_json(const void *analysed)
{
    const pm_nakai_struct *a = analysed;
    static const char *const choices[] = {"none", "AoS", "SoA"};

    return json_pack("{s:o,s:I,s:o,s:o,s:s,s:{s:o,s:o,s:o},s:o,s:o}", "struct",
                     pm_json_text(a->structure->name), "bytes", (json_int_t)a->structure->bytes,
                     "rows", pm_json_things(a->rows, a->row_count, sizeof *a->rows, row_json),
                     "sum", pm_json_number(a->sum), "choice", choices[a->choice], "trees", "loops",
                     tree_json(a, &a->trees[PM_NAKAI_TREE]), "in_kernels",
                     tree_json(a, &a->trees[PM_NAKAI_IN_KERNELS]), "across_kernels",
                     tree_json(a, &a->trees[PM_NAKAI_ACROSS_KERNELS]), "definitions",
                     pm_json_text(a->definitions), "layout", pm_json_text(a->layout_text));
}

json_t *pm_json_nakai(const pm_nakai *analysis)
{
    return json_pack(
        "{s:o,s:I,s:o}", "target", pm_json_text(analysis->target), "warp_width",
        (json_int_t)analysis->warp_width, "structs",
        pm_json_things(analysis->structs, analysis->count, sizeof *analysis->structs, struct_json));
}

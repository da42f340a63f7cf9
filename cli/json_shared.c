/* Arrays and what staging them in local memory would do, as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli.h"

/* null where it is unknown, which is 0. */
static json_t *known(double number)
{
    return number > 0 ? json_real(number) : json_null();
}

static json_t *array_json(const pm_share_array *a)
{
    const double elements = (double)a->elements;

    return json_pack("{s:o,s:o,s:I,s:I,s:b,s:b,s:o,s:o,s:o,s:o,s:I,s:I,s:I,s:b,s:o}", "kernel",
                     cli_json_text(a->kernel), "array", cli_json_text(a->array), "first_line",
                     (json_int_t)a->line, "last_line", (json_int_t)a->last_line, "read", a->read,
                     "written", a->written, "range", cli_json_text(a->range), "elements",
                     a->elements > 0 ? json_integer((json_int_t)a->elements) : json_null(),
                     "accesses", known(a->accesses), "accesses_per_element",
                     known(elements > 0 ? a->accesses / elements : 0), "element_bytes",
                     (json_int_t)a->element_bytes, "tile_bytes", (json_int_t)a->tile_bytes, "tile",
                     (json_int_t)a->tile, "staged", a->staged, "reason", cli_json_text(a->reason));
}

json_t *cli_json_arrays(const pm_transformed *transformed)
{
    json_t *list = json_array();

    for (size_t i = 0; i < transformed->array_count; i++)
        json_array_append_new(list, array_json(&transformed->arrays[i]));
    return list;
}

json_t *cli_json_assumptions(const pm_transformed *transformed)
{
    json_t *list = json_array();

    for (size_t i = 0; i < transformed->assumption_count; i++)
        json_array_append_new(list, cli_json_text(transformed->assumptions[i]));
    return list;
}

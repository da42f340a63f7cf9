/* Writes the new struct definitions that the layout method of Nakai and Ohno (2017) chooses: one
 * struct for each cluster (group of fields). This is step (4) of section 6.2 of the paper (figure
 * 18). See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/text.h"
#include "transform/layout/nakai/parts.h"
#include "transform/layout/plan.h"

enum { LINE_LENGTH = 80 };

/* Returns the declarator of a field, such as n_x[4][2]: its name and array extents. */
static const char *declarator(const pm_field *field, pm_memory *memory)
{
    const char *text = field->name;

    for (size_t d = 0; d < field->extent_count; d++)
        text = pm_format(memory, "%s[%zu]", text, field->extents[d].count);
    return text;
}

/* Appends declarations of the fields of a part (a struct of the new layout). Consecutive fields of
 * one type share a declaration, as long as it fits into a line. */
static void add_members(pm_text *out, const pm_struct *structure, const pm_part *part)
{
    const char *type = NULL;
    size_t begin = 0;

    for (size_t m = 0; m < part->member_count; m++) {
        const pm_field *field = &structure->fields[part->members[m].field];
        const char *text = declarator(field, out->memory);

        if (type && strcmp(type, field->type) == 0 &&
            out->length - begin + strlen(text) + 2 < LINE_LENGTH) {
            pm_text_add(out, ", %s", text);
        } else {
            pm_text_add(out, type ? ";\n" : "");
            begin = out->length;
            pm_text_add(out, "    %s %s", field->type, text);
            type = field->type;
        }
    }
    pm_text_add(out, ";\n");
}

char *pm_nakai_define(const pm_struct *structure, const pm_layout *layout, pm_memory *memory)
{
    pm_text out = {.memory = memory};
    const pm_plan *plan = pm_plan_create(memory, structure, layout);

    for (size_t p = 0; p < plan->part_count; p++) {
        pm_text_add(&out, "typedef struct __attribute__((aligned(%zu))) {\n", plan->parts[p].align);
        add_members(&out, structure, &plan->parts[p]);
        pm_text_add(&out, "} %s%zu; /* %zu bytes */\n", structure->name, p + 1,
                    plan->parts[p].bytes);
    }
    return pm_copy(memory, pm_text_get(&out));
}

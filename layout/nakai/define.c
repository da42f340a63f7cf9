/* Method nakai, section 6.2 step (4): the clusters as struct definitions (figure 18). See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/nakai/parts.h"
#include "layout/plan.h"

enum { LINE_LENGTH = 80 };

/* A field as it is declared: n_x[4][2]. To free; NULL: out of memory. */
static char *declarator(const pm_field *field)
{
    size_t size;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fputs(field->name, out);
    for (size_t d = 0; d < field->extent_count; d++)
        fprintf(out, "[%zu]", field->extents[d].count);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Neighbours of one type are declared together, as far as a line goes. */
static bool print_members(FILE *out, const pm_struct *structure, const pm_part *part)
{
    const char *type = NULL;
    size_t used = 0;

    for (size_t m = 0; m < part->member_count; m++) {
        const pm_field *field = &structure->fields[part->members[m].field];
        char *text = declarator(field);
        size_t length = text ? strlen(text) : 0;

        if (!text)
            return false;
        if (type && strcmp(type, field->type) == 0 && used + length + 2 < LINE_LENGTH) {
            used += (size_t)fprintf(out, ", %s", text);
        } else {
            fputs(type ? ";\n" : "", out);
            used = (size_t)fprintf(out, "    %s %s", field->type, text);
            type = field->type;
        }
        free(text);
    }
    fputs(";\n", out);
    return true;
}

static bool print_parts(FILE *out, const pm_plan *plan)
{
    for (size_t p = 0; p < plan->part_count; p++) {
        fprintf(out, "typedef struct __attribute__((aligned(%zu))) {\n", plan->parts[p].align);
        if (!print_members(out, plan->structure, &plan->parts[p]))
            return false;
        fprintf(out, "} %s%zu; /* %zu bytes */\n", plan->structure->name, p + 1,
                plan->parts[p].bytes);
    }
    return true;
}

char *pm_nakai_define(const pm_struct *structure, const pm_layout *layout, pm_error *err)
{
    pm_plan *plan = pm_plan_create(structure, layout, err);
    size_t size;
    char *text = NULL;
    FILE *out;
    bool done;

    if (!plan)
        return NULL;
    out = open_memstream(&text, &size);
    done = out && print_parts(out, plan);
    if (out && fclose(out) != 0)
        done = false;
    pm_plan_free(plan);
    if (done)
        return text;
    free(text);
    pm_fail(err, PM_FAILED, "%s: out of memory for its definitions", structure->name);
    return NULL;
}

/* Writes code of a plan (positions of fields in a new layout): types of parts (buffers), and
 * expressions for members. See plan_text.h. Functions that read and write whole parts are in
 * plan_text_copy.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/plan_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/strings.h"

/* ---- expressions --------------------------------------------------------------------------- */

/* Returns the index of the bracket that closes the bracket text[at]. Returns the text's length if
 * no bracket closes it. */
static size_t closing(const char *text, size_t at)
{
    size_t depth = 0;

    for (; text[at]; at++) {
        if (strchr("([", text[at]))
            depth++;
        else if (strchr(")]", text[at]) && --depth == 0)
            return at;
    }
    return at;
}

/* Returns true if the text needs no parentheses as an operand: it is a name or number with calls,
 * subscripts and members, or it is already in parentheses. */
static bool is_operand(const char *text)
{
    size_t at = 0;

    if (text[0] == '(')
        return text[closing(text, 0)] && !text[closing(text, 0) + 1];
    if (!pm_is_word(text[0]))
        return false;
    while (text[at]) {
        if (text[at] == '(' || text[at] == '[') {
            at = closing(text, at);
            if (!text[at])
                return false;
        } else if (text[at] == '-' && text[at + 1] == '>')
            at++;
        else if (!pm_is_word(text[at]) && text[at] != '.')
            return false;
        at++;
    }
    return true;
}

void pm_plan_text_flat(pm_text *out, const pm_field *field)
{
    for (size_t d = 2; d < field->extent_count; d++)
        pm_text_add(out, "(");
    for (size_t d = 0; d < field->extent_count; d++) {
        if (d > 0)
            pm_text_add(out, " * %zu + ", field->extents[d].count);
        pm_text_add(out, "k%zu%s", d, d > 0 && d + 1 < field->extent_count ? ")" : "");
    }
}

void pm_plan_text_operand(pm_text *out, const char *expression)
{
    pm_text_add(out, is_operand(expression) ? "%s" : "(%s)", expression);
}

/* ---- types --------------------------------------------------------------------------------- */

static bool is_tile_outside(const pm_plan *plan, const pm_member *member)
{
    return plan->structure->fields[member->field].whole;
}

static void add_extents(pm_text *out, const pm_field *field)
{
    for (size_t d = 0; d < field->extent_count; d++)
        pm_text_add(out, "[%zu]", field->extents[d].count);
}

static void add_member(pm_text *out, const pm_plan_names *names, const pm_member *member)
{
    const pm_plan *plan = names->plan;
    const pm_field *field = &plan->structure->fields[member->field];

    pm_text_add(out, "    %s %s", pm_kernel_type(names->words, field->type), field->name);
    if (plan->tile > 1 && is_tile_outside(plan, member))
        pm_text_add(out, "[%u]", plan->tile);
    add_extents(out, field);
    if (plan->tile > 1 && !is_tile_outside(plan, member))
        pm_text_add(out, "[%u]", plan->tile);
    pm_text_add(out, ";\n");
}

static void add_struct(pm_text *out, const pm_plan_names *names, size_t part)
{
    const pm_plan *plan = names->plan;
    const pm_part *p = &plan->parts[part];
    size_t natural = 1;

    for (size_t m = 0; m < p->member_count; m++)
        if (plan->structure->fields[p->members[m].field].align > natural)
            natural = plan->structure->fields[p->members[m].field].align;
    pm_text_add(out, "typedef struct ");
    if (p->align > natural)
        pm_text_add(out, "%s%zu%s", names->words->aligned_before, p->align,
                    names->words->aligned_behind);
    pm_text_add(out, "{\n");
    for (size_t m = 0; m < p->member_count; m++)
        add_member(out, names, &p->members[m]);
    pm_text_add(out, "} %s_%s;\n", names->prefix, p->name);
}

static bool is_array_type(const pm_plan *plan, const pm_part *part)
{
    return part->scalar && !part->by_element &&
           plan->structure->fields[part->members[0].field].extent_count > 0;
}

void pm_plan_text_types(pm_text *out, const pm_plan_names *names)
{
    const pm_plan *plan = names->plan;

    for (size_t i = 0; i < plan->part_count; i++) {
        const pm_part *part = &plan->parts[i];

        if (!part->scalar)
            add_struct(out, names, i);
        else if (is_array_type(plan, part)) {
            const pm_field *field = &plan->structure->fields[part->members[0].field];

            pm_text_add(out, "typedef %s %s_%s", pm_kernel_type(names->words, field->type),
                        names->prefix, part->name);
            add_extents(out, field);
            pm_text_add(out, ";\n");
        }
    }
}

void pm_plan_text_part_type(pm_text *out, const pm_plan_names *names, size_t part)
{
    const pm_plan *plan = names->plan;
    const pm_part *p = &plan->parts[part];

    if (p->scalar && !is_array_type(plan, p))
        pm_text_add(
            out, "%s",
            pm_kernel_type(names->words, plan->structure->fields[p->members[0].field].type));
    else
        pm_text_add(out, "%s_%s", names->prefix, p->name);
}

/* ---- members ------------------------------------------------------------------------------- */

void pm_plan_find(const pm_plan *plan, size_t field, size_t *part, size_t *member)
{
    *part = 0;
    *member = 0;
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++)
            if (plan->parts[p].members[m].field == field) {
                *part = p;
                *member = m;
                return;
            }
}

/* Returns the value of a short decimal number. Returns -1 if the expression is not a decimal
 * number. */
static long literal(const char *expression)
{
    size_t digits = strspn(expression, "0123456789");

    return digits > 0 && digits < 9 && !expression[digits] && (digits == 1 || expression[0] != '0')
               ? atol(expression)
               : -1;
}

static void add_subscripts(pm_text *out, const char *const *subscripts, size_t count)
{
    for (size_t d = 0; d < count; d++)
        pm_text_add(out, "[%s]", subscripts[d]);
}

/* Appends the subscript of an element in a part (buffer) with by_element: [array element * count +
 * index]. The part has the first array element of all structs, then the second one, and so on. */
static void add_by_element(pm_text *out, const pm_field *field, const pm_plan_element *element,
                           const char *const *subscripts)
{
    pm_text flat = {0};

    for (size_t d = 0; d < field->extent_count; d++) {
        pm_text next = {0};

        if (d > 0) {
            pm_plan_text_operand(&next, pm_text_get(&flat));
            pm_text_add(&next, " * %zu + ", field->extents[d].count);
            pm_plan_text_operand(&next, subscripts[d]);
        } else
            pm_text_add(&next, "%s", subscripts[d]);
        pm_text_free(&flat);
        flat = next;
    }
    pm_text_add(out, "[");
    if (literal(pm_text_get(&flat)) > 1 || literal(pm_text_get(&flat)) < 0) {
        pm_plan_text_operand(out, pm_text_get(&flat));
        pm_text_add(out, " * ");
    }
    if (literal(pm_text_get(&flat)) != 0) {
        pm_plan_text_operand(out, element->count);
        pm_text_add(out, " + ");
        pm_plan_text_operand(out, element->index);
    } else
        pm_text_add(out, "%s", element->index);
    pm_text_add(out, "]");
    pm_text_free(&flat);
}

/* Appends code for a member of an element in a layout with tiles of structs (ASTA), after the name
 * of the buffer: [index >> log2(tile)].name[subscripts][index & (tile - 1)]. If the elements of the
 * member, an array, must stay adjacent (pm_field.whole), the subscripts come last. */
static void add_tiled(pm_text *out, const pm_plan *plan, const pm_plan_element *element,
                      const pm_member *member, const char *const *subscripts, size_t count)
{
    bool outside = is_tile_outside(plan, member);
    long number = literal(element->index);

    pm_text_add(out, "[");
    if (number >= 0)
        pm_text_add(out, "%ld].", number / (long)plan->tile);
    else {
        pm_plan_text_operand(out, element->index);
        pm_text_add(out, " >> %d].", __builtin_ctz(plan->tile));
    }
    pm_text_add(out, "%s", plan->structure->fields[member->field].name);
    if (!outside)
        add_subscripts(out, subscripts, count);
    pm_text_add(out, "[");
    if (number >= 0)
        pm_text_add(out, "%ld]", number % (long)plan->tile);
    else {
        pm_plan_text_operand(out, element->index);
        pm_text_add(out, " & %u]", plan->tile - 1);
    }
    if (outside)
        add_subscripts(out, subscripts, count);
}

void pm_plan_text_member(pm_text *out, const pm_plan *plan, const pm_plan_element *element,
                         size_t field, const char *const *subscripts, size_t subscript_count)
{
    const pm_field *f = &plan->structure->fields[field];
    size_t part, member;
    const pm_part *p;

    pm_plan_find(plan, field, &part, &member);
    p = &plan->parts[part];
    pm_text_add(out, "%s", element->parts[part]);
    if (p->by_element)
        add_by_element(out, f, element, subscripts);
    else if (plan->tile > 1)
        add_tiled(out, plan, element, &p->members[member], subscripts, subscript_count);
    else {
        if (!p->scalar && strcmp(element->index, "0") == 0)
            pm_text_add(out, "->%s", f->name);
        else if (p->scalar)
            pm_text_add(out, "[%s]", element->index);
        else
            pm_text_add(out, "[%s].%s", element->index, f->name);
        add_subscripts(out, subscripts, subscript_count);
    }
}

/* Writes code for the values of pointers to array elements: indices, or references (generated
 * structs), and arithmetic with them. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/rewrite.h"

/* ---- expressions without side effects ------------------------------------------------------ */

/* Returns true for a call of a builtin function without side effects whose result depends only on
 * its arguments. */
static bool is_pure_call(const pm_node *call)
{
    static const char *const impure[] = {
        "atom",  "barrier",       "mem_fence", "read_mem_fence", "write_mem_", "async_",
        "wait_", "prefetch",      "vstore",    "write_im",       "printf",     "fract",
        "frexp", "lgamma_r",      "modf",      "remquo",         "sincos",     "__sync",
        "sync",  "__threadfence", "__st",      "__shfl",         "__ballot",   "__any",
        "__all", "__match",       "mem",       "clock",          "assert",     "swap"};

    for (size_t i = 0; i < sizeof impure / sizeof *impure; i++)
        if (strncmp(call->name, impure[i], strlen(impure[i])) == 0)
            return false;
    return *call->name && !call->declaration;
}

/* Returns true if the expression has no side effect, so that it can be evaluated twice. */
bool pm_is_pure(const pm_node *node)
{
    if (pm_changes_operand(node) || node->kind == CXCursor_StmtExpr ||
        node->kind == CXCursor_LambdaExpr ||
        (node->kind == CXCursor_UnexposedExpr && node->declaration) ||
        (node->kind == CXCursor_CallExpr
             ? !is_pure_call(node)
             : clang_isExpression(node->kind) && node->kind != CXCursor_BinaryOperator &&
                   node->kind != CXCursor_UnaryOperator &&
                   clang_isVolatileQualifiedType(node->type)))
        return false;
    for (const pm_node *child = node->first; child; child = child->next)
        if (!pm_is_pure(child))
            return false;
    return true;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static const char *operand(pm_rewrite *rw, const char *expression)
{
    pm_text out = {.memory = &rw->memory};

    pm_plan_text_operand(&out, expression);
    return pm_text_get(&out);
}

/* Returns the code of a cast to the type of element indices, such as "(long)". */
static const char *as_index(pm_rewrite *rw)
{
    return pm_format(&rw->memory, "(%s)", rw->words->index);
}

static pm_width width_of(CXType type)
{
    if (type.kind == CXType_Long || type.kind == CXType_LongLong)
        return PM_WIDTH_LONG;
    return type.kind == CXType_ULong || type.kind == CXType_ULongLong ? PM_WIDTH_ULONG
                                                                      : PM_WIDTH_INT;
}

const char *pm_value_index(pm_rewrite *rw, const pm_element_value *value,
                           const pm_element_value *beside)
{
    bool wide = value->width == PM_WIDTH_LONG ||
                (value->width != PM_WIDTH_ULONG && beside->width == PM_WIDTH_LONG);

    return pm_format(&rw->memory, "%s%s", wide ? "" : as_index(rw), operand(rw, value->index));
}

/* Sets the code of the element's index to index + number, or to index - number if `minus` is true,
 * in 64-bit arithmetic, as pointers use. type: type of `number`. */
static void add_to_index(pm_rewrite *rw, pm_element_value *value, const char *number, CXType type,
                         bool minus)
{
    pm_width width = width_of(type);
    bool is_unsigned = type.kind == CXType_UInt || width == PM_WIDTH_ULONG;

    if (value->width == PM_WIDTH_ZERO) {
        value->index = minus ? pm_format(&rw->memory, "-%s%s", is_unsigned ? as_index(rw) : "",
                                         operand(rw, number))
                             : number;
        value->width = minus && is_unsigned ? PM_WIDTH_LONG : width;
        return;
    }
    value->index =
        pm_format(&rw->memory, "%s%s %c %s",
                  value->width == PM_WIDTH_INT && width == PM_WIDTH_INT ? as_index(rw) : "",
                  operand(rw, value->index), minus ? '-' : '+', operand(rw, number));
    if (value->width != PM_WIDTH_ULONG)
        value->width = width == PM_WIDTH_ULONG ? width : PM_WIDTH_LONG;
}

void pm_value_add(pm_rewrite *rw, pm_element_value *value, const pm_node *number, const char *text,
                  bool minus)
{
    if (value->kind == PM_VALUE_REF)
        value->ref = pm_format(&rw->memory, "%s(%s, %s%s%s)",
                               pm_generate_name(rw, &value->to, PM_NEED_REF_ADD), value->ref,
                               minus ? "-" : "", minus ? as_index(rw) : "",
                               minus ? operand(rw, text) : text);
    else {
        value->pure &= pm_is_pure(number);
        add_to_index(rw, value, text, number->type, minus);
    }
}

/* ---- code of values ------------------------------------------------------------------------ */

const char *pm_value_part(pm_rewrite *rw, const pm_element_value *value, size_t i)
{
    if (value->kind == PM_VALUE_INDEX)
        return rw->part_names[value->base][i];
    if (i < pm_rewrite_plan(rw, value->to.structure)->part_count)
        return pm_format(&rw->memory, "%s.p%zu", value->ref, i);
    return pm_format(&rw->memory, "%s.count", value->ref);
}

const char *pm_value_parts(pm_rewrite *rw, const pm_element_value *value)
{
    const pm_plan *plan = pm_rewrite_plan(rw, value->to.structure);
    const char *parts = pm_value_part(rw, value, 0);

    for (size_t i = 1; i < plan->part_count + plan->needs_count; i++)
        parts = pm_format(&rw->memory, "%s, %s", parts, pm_value_part(rw, value, i));
    return parts;
}

/* Returns true if the value is the element to which a reference variable refers, without an added
 * offset. */
static bool is_variable_itself(const pm_element_value *value)
{
    size_t length = strlen(value->ref);

    return value->kind == PM_VALUE_VARIABLE && strncmp(value->index, value->ref, length) == 0 &&
           strcmp(value->index + length, ".i") == 0;
}

const char *pm_value_ref(pm_rewrite *rw, const pm_element_value *value)
{
    if (value->kind == PM_VALUE_REF || is_variable_itself(value))
        return value->ref;
    return pm_format(&rw->memory, "%s(%s, %s)", pm_generate_name(rw, &value->to, PM_NEED_REF_AT),
                     pm_value_parts(rw, value), value->index);
}

void pm_value_wrap(pm_rewrite *rw, pm_element_value *value, const char *before, const char *behind)
{
    const char **inner = value->kind == PM_VALUE_REF ? &value->ref : &value->index;

    *inner = pm_format(&rw->memory, "%s%s%s", before, *inner, behind);
    value->pure = false;
}

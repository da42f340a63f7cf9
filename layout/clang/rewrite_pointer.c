/* Represents pointers to elements as indices or as references. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "layout/clang/rewrite.h"

/* ---- purity -------------------------------------------------------------------------------- */

/* Returns true for a builtin without side effects, whose result depends on its arguments only. */
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

/* Returns true if evaluating the expression twice has the same effect as once. */
static bool is_pure(const pm_node *node)
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
        if (!is_pure(child))
            return false;
    return true;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

const char *pm_operand(pm_rewrite *rw, const char *expression)
{
    pm_text out = {.memory = &rw->memory};

    pm_plan_text_operand(&out, expression);
    return pm_text_get(&out);
}

/* Returns a cast to the type of element indices. */
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

    return pm_format(&rw->memory, "%s%s", wide ? "" : as_index(rw), pm_operand(rw, value->index));
}

/* Sets value's index to index + number, or index - number, in 64 bits like pointer arithmetic. */
static void add_to_index(pm_rewrite *rw, pm_element_value *value, const char *number, CXType type,
                         bool minus)
{
    pm_width width = width_of(type);
    bool is_unsigned = type.kind == CXType_UInt || width == PM_WIDTH_ULONG;

    if (value->width == PM_WIDTH_ZERO) {
        value->index = minus ? pm_format(&rw->memory, "-%s%s", is_unsigned ? as_index(rw) : "",
                                         pm_operand(rw, number))
                             : number;
        value->width = minus && is_unsigned ? PM_WIDTH_LONG : width;
        return;
    }
    value->index =
        pm_format(&rw->memory, "%s%s %c %s",
                  value->width == PM_WIDTH_INT && width == PM_WIDTH_INT ? as_index(rw) : "",
                  pm_operand(rw, value->index), minus ? '-' : '+', pm_operand(rw, number));
    if (value->width != PM_WIDTH_ULONG)
        value->width = width == PM_WIDTH_ULONG ? width : PM_WIDTH_LONG;
}

void pm_value_add(pm_rewrite *rw, pm_element_value *value, pm_node *number, bool minus)
{
    const char *text = pm_rewrite_argument_text(rw, number);

    if (value->kind == PM_VALUE_REF)
        value->ref = pm_format(&rw->memory, "%s(%s, %s%s%s)",
                               pm_generate_name(rw, &value->to, PM_NEED_REF_ADD), value->ref,
                               minus ? "-" : "", minus ? as_index(rw) : "",
                               minus ? pm_operand(rw, text) : text);
    else {
        value->pure &= is_pure(number);
        add_to_index(rw, value, text, number->type, minus);
    }
}

/* ---- as text ------------------------------------------------------------------------------- */

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

/* Returns true if the value's index is the reference variable's own index. */
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

/* ---- values -------------------------------------------------------------------------------- */

/* Value of a variable, or of an element or member that holds a reference. */
static void value_of_name(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    const pm_variable *variable = pm_unit_variable(rw->unit, node);

    if (variable && variable->mode != PM_VARIABLE_REF) {
        value->kind = PM_VALUE_INDEX;
        value->base = variable->node->kind == CXCursor_ParmDecl
                          ? (size_t)(variable - rw->unit->variables)
                          : variable->base;
        if (variable->mode == PM_VARIABLE_INDEX || variable->changes) {
            value->width = PM_WIDTH_LONG;
            value->index = node->name;
        }
        return;
    }
    if (node->kind == CXCursor_DeclRefExpr && !variable)
        pm_ast_refuse(&rw->memory, node,
                      "a pointer that is declared in a way that is not understood: declare it as "
                      "%sT *",
                      rw->words->global);
    value->ref = pm_rewrite_text_below(rw, node);
    if (!is_pure(node))
        return;
    value->kind = PM_VALUE_VARIABLE;
    value->width = PM_WIDTH_LONG;
    value->index = pm_format(&rw->memory, "%s.i", value->ref);
}

static void value_of_sum(pm_rewrite *rw, const pm_node *node, pm_element_value *value)
{
    pm_pointee to;
    bool first = pm_rewrite_points(rw, node->first, &to);

    *value = pm_value_of(rw, first ? node->first : node->last);
    pm_value_add(rw, value, first ? node->last : node->first, node->binary == CXBinaryOperator_Sub);
}

/* Adds text before and after the index, or the reference. The value is then not pure. */
static void wrap(pm_rewrite *rw, pm_element_value *value, const char *before, const char *behind)
{
    const char **inner = value->kind == PM_VALUE_REF ? &value->ref : &value->index;

    *inner = pm_format(&rw->memory, "%s%s%s", before, *inner, behind);
    value->pure = false;
}

/* Returns the value of a pointer that is assigned to. Refuses it if it is not a variable with an
 * index. */
static pm_element_value value_of_target(pm_rewrite *rw, pm_node *node)
{
    pm_element_value value = pm_value_of(rw, node);

    if (value.kind == PM_VALUE_REF || value.width != PM_WIDTH_LONG)
        pm_ast_refuse(&rw->memory, node, "what is changed here is no variable: use one");
    return value;
}

static void value_of_compound(pm_rewrite *rw, const pm_node *node, pm_element_value *value)
{
    bool minus = node->binary == CXBinaryOperator_SubAssign;

    *value = value_of_target(rw, node->first);
    wrap(rw, value, "(",
         pm_format(&rw->memory, minus ? " -= %s)" : " += %s)", pm_rewrite_text(rw, node->last)));
}

static void value_of_assignment(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    pm_element_value right;

    *value = value_of_target(rw, node->first);
    right = pm_value_of(rw, node->last);
    if (value->kind == PM_VALUE_INDEX) {
        if (right.kind != PM_VALUE_INDEX || right.base != value->base)
            pm_ast_refuse(&rw->memory, node, "this pointer is from another array than before");
        wrap(rw, value, "(", pm_format(&rw->memory, " = %s)", right.index));
        return;
    }
    value->kind = PM_VALUE_REF;
    wrap(rw, value, "(", pm_format(&rw->memory, " = %s)", pm_value_ref(rw, &right)));
}

/* Value of the conditional expression `left ? a : b`. */
static void value_of_choice(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    pm_node *a = pm_ast_child(node, 1), *b = pm_ast_child(node, 2);
    pm_element_value first, second;
    const char *condition;

    if (!a || !b)
        pm_ast_refuse(&rw->memory, node, "`a ?: b` of pointers: write both sides");
    first = pm_value_of(rw, a);
    second = pm_value_of(rw, b);
    condition = pm_rewrite_text(rw, node->first);
    value->pure = is_pure(node);
    if (first.kind == PM_VALUE_INDEX && second.kind == PM_VALUE_INDEX &&
        first.base == second.base) {
        value->kind = PM_VALUE_INDEX;
        value->base = first.base;
        value->width = PM_WIDTH_LONG;
        value->index =
            pm_format(&rw->memory, "(%s ? %s : %s)", condition, pm_value_index(rw, &first, &second),
                      pm_value_index(rw, &second, &first));
    } else
        value->ref = pm_format(&rw->memory, "(%s ? %s : %s)", condition, pm_value_ref(rw, &first),
                               pm_value_ref(rw, &second));
}

static void value_of_comma(pm_rewrite *rw, const pm_node *node, pm_element_value *value)
{
    *value = pm_value_of(rw, node->last);
    if (value->kind != PM_VALUE_REF && value->width == PM_WIDTH_ZERO) {
        value->index = "0L";
        value->width = PM_WIDTH_LONG;
    }
    wrap(rw, value, pm_format(&rw->memory, "(%s, ", pm_rewrite_text(rw, node->first)), ")");
}

pm_element_value pm_value_of_chain(pm_rewrite *rw, const pm_chain *chain)
{
    pm_element_value value = pm_value_of(rw, chain->pointer);

    if (chain->index)
        pm_value_add(rw, &value, chain->index, false);
    return value;
}

static void value_of_unary(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    static const char *const before[] = {"", "", "++", "--"}, *const behind[] = {"++", "--", "",
                                                                                 ""};
    pm_chain chain;

    if (pm_is_step(node)) {
        *value = value_of_target(rw, node->first);
        wrap(rw, value, before[node->unary - CXUnaryOperator_PostInc],
             behind[node->unary - CXUnaryOperator_PostInc]);
        return;
    }
    if (node->unary != CXUnaryOperator_AddrOf)
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to an element out of an operator that is not understood here: "
                      "use the array's name with an index");
    if (!pm_chain_of(rw->unit, pm_ast_strip(node->first), &chain) || chain.path[0] ||
        chain.subscript_count)
        pm_ast_refuse(&rw->memory, node,
                      "the address of a struct inside of another one: pass its members");
    *value = pm_value_of_chain(rw, &chain);
}

static void value_of_binary(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    if (node->binary == CXBinaryOperator_Add || node->binary == CXBinaryOperator_Sub)
        value_of_sum(rw, node, value);
    else if (node->binary == CXBinaryOperator_Assign)
        value_of_assignment(rw, node, value);
    else if (node->binary == CXBinaryOperator_Comma)
        value_of_comma(rw, node, value);
    else
        value_of_unary(rw, node, value);
}

pm_element_value pm_value_of(pm_rewrite *rw, pm_node *pointer)
{
    pm_node *node = pm_ast_strip(pointer);
    pm_element_value value = {.kind = PM_VALUE_REF, .ref = "", .index = "0", .pure = true};

    if (pm_unit_is_array(node))
        pm_ast_refuse(&rw->memory, node,
                      "a pointer into an array at file scope, which keeps its layout, where "
                      "others have a new one: use the array's name with an index");
    if (!pm_rewrite_points(rw, node, &value.to))
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to a struct that comes from no array of them (NULL, a number, "
                      "another pointer): use the array's name with an index");
    if (value.to.is_volatile)
        pm_ast_refuse(&rw->memory, node, "volatile structs cannot change their layout");
    switch (node->kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        value_of_name(rw, node, &value);
        break;
    case CXCursor_CallExpr:
        value.ref = pm_rewrite_text_below(rw, node);
        value.pure = false;
        break;
    case CXCursor_CStyleCastExpr:
        return pm_value_of(rw, node->last);
    case CXCursor_BinaryOperator:
        value_of_binary(rw, node, &value);
        break;
    case CXCursor_CompoundAssignOperator:
        value_of_compound(rw, node, &value);
        break;
    case CXCursor_ConditionalOperator:
        value_of_choice(rw, node, &value);
        break;
    case CXCursor_UnaryOperator:
        value_of_unary(rw, node, &value);
        break;
    default:
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to an element that is not understood here: use the array's name "
                      "with an index");
    }
    return value;
}

/* Pointers to elements as numbers of elements, or as references. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

/* ---- purity -------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* A builtin that reads nothing that changes and changes nothing. */
static bool is_pure_call(const pm_unit *unit, const pm_node *call)
{
    static const char *const impure[] = {
        "atom",  "barrier",  "mem_fence", "read_mem_fence", "write_mem_", "async_",
        "wait_", "prefetch", "vstore",    "write_im",       "printf",     "fract",
        "frexp", "lgamma_r", "modf",      "remquo",         "sincos"};
    char *name = pm_ast_name(call);
    bool pure = name && *name && !pm_unit_callee(unit, call);

    for (size_t i = 0; pure && i < sizeof impure / sizeof *impure; i++)
        pure = !starts_with(name, impure[i]);
    free(name);
    return pure;
}

static bool is_pure_node(const pm_unit *unit, const pm_node *node)
{
    enum CXUnaryOperatorKind unary;

    switch (node->kind) {
    case CXCursor_CompoundAssignOperator:
    case CXCursor_StmtExpr:
        return false;
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(node->cursor) != CXBinaryOperator_Assign;
    case CXCursor_UnaryOperator:
        unary = clang_getCursorUnaryOperatorKind(node->cursor);
        return unary < CXUnaryOperator_PostInc || unary > CXUnaryOperator_PreDec;
    case CXCursor_CallExpr:
        return is_pure_call(unit, node);
    default:
        return !clang_isExpression(node->kind) || !clang_isVolatileQualifiedType(pm_ast_type(node));
    }
}

bool pm_is_pure(const pm_unit *unit, const pm_node *node)
{
    if (!is_pure_node(unit, node))
        return false;
    for (const pm_node *child = node->first; child; child = child->next)
        if (!pm_is_pure(unit, child))
            return false;
    return true;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static pm_width width_of(CXType type)
{
    if (type.kind == CXType_Long)
        return PM_WIDTH_LONG;
    return type.kind == CXType_ULong ? PM_WIDTH_ULONG : PM_WIDTH_INT;
}

static bool is_unsigned(CXType type)
{
    return type.kind == CXType_UInt || type.kind == CXType_ULong;
}

void pm_value_index(const pm_value *value, const pm_value *beside, pm_text *out)
{
    if (value->width == PM_WIDTH_ULONG ||
        (value->width != PM_WIDTH_LONG && beside->width != PM_WIDTH_LONG))
        pm_text_add(out, "(long)");
    if (value->width == PM_WIDTH_ZERO)
        pm_text_add(out, "0");
    else
        pm_plan_text_operand(out, pm_text_get(&value->index));
}

/* index + number or index - number, in 64 bits as the pointer's arithmetic is. */
static void add_to_index(pm_value *value, const char *number, CXType type, bool minus)
{
    pm_width width = width_of(type);
    pm_text sum = {0};

    if (value->width == PM_WIDTH_ZERO && !minus) {
        pm_text_add(&sum, "%s", number);
        value->width = width;
    } else if (value->width == PM_WIDTH_ZERO) {
        pm_text_add(&sum, is_unsigned(type) ? "-(long)" : "-");
        pm_plan_text_operand(&sum, number);
        value->width = is_unsigned(type) ? PM_WIDTH_LONG : width;
    } else {
        if (value->width == PM_WIDTH_INT && width == PM_WIDTH_INT)
            pm_text_add(&sum, "(long)");
        pm_plan_text_operand(&sum, pm_text_get(&value->index));
        pm_text_add(&sum, minus ? " - " : " + ");
        pm_plan_text_operand(&sum, number);
        if (value->width != PM_WIDTH_ULONG)
            value->width = width == PM_WIDTH_ULONG ? width : PM_WIDTH_LONG;
    }
    pm_text_free(&value->index);
    value->index = sum;
}

void pm_value_add(pm_rewrite *rw, pm_value *value, pm_node *number, bool minus)
{
    pm_text text = {0};

    pm_rewrite_text(rw, number, &text);
    if (value->kind == PM_VALUE_REF) {
        pm_text sum = {0};

        pm_generate_name(rw, &value->to, PM_NEED_REF_ADD, &sum);
        pm_text_add(&sum, "(%s, ", pm_text_get(&value->ref));
        if (minus) {
            pm_text_add(&sum, "-(long)");
            pm_plan_text_operand(&sum, pm_text_get(&text));
        } else
            pm_text_add(&sum, "%s", pm_text_get(&text));
        pm_text_add(&sum, ")");
        pm_text_free(&value->ref);
        value->ref = sum;
    } else {
        value->pure &= pm_is_pure(rw->unit, number);
        add_to_index(value, pm_text_get(&text), pm_ast_type(number), minus);
    }
    pm_text_free(&text);
}

/* ---- values -------------------------------------------------------------------------------- */

void pm_value_free(pm_value *value)
{
    pm_text_free(&value->ref);
    pm_text_free(&value->index);
}

void pm_value_parts(pm_rewrite *rw, const pm_value *value, pm_text *out)
{
    const pm_plan *plan = rw->structs[value->to.structure].names.plan;

    for (size_t i = 0; i < plan->part_count + plan->needs_count; i++) {
        pm_text_add(out, i ? ", " : "");
        if (value->kind == PM_VALUE_INDEX)
            pm_text_add(out, "%s", rw->part_names[value->base][i]);
        else if (i < plan->part_count)
            pm_text_add(out, "%s.p%zu", pm_text_get(&value->ref), i);
        else
            pm_text_add(out, "%s.count", pm_text_get(&value->ref));
    }
}

/* Whether the variable's own index is the value's. */
static bool is_variable_itself(const pm_value *value)
{
    size_t length = value->ref.length;

    return value->kind == PM_VALUE_VARIABLE && value->index.length == length + 2 &&
           strncmp(pm_text_get(&value->index), pm_text_get(&value->ref), length) == 0 &&
           strcmp(pm_text_get(&value->index) + length, ".i") == 0;
}

void pm_value_ref(pm_rewrite *rw, const pm_value *value, pm_text *out)
{
    if (value->kind == PM_VALUE_REF || is_variable_itself(value)) {
        pm_text_add(out, "%s", pm_text_get(&value->ref));
        return;
    }
    pm_generate_name(rw, &value->to, PM_NEED_REF_AT, out);
    pm_text_add(out, "(");
    pm_value_parts(rw, value, out);
    pm_text_add(out, ", %s)", value->width == PM_WIDTH_ZERO ? "0" : pm_text_get(&value->index));
}

/* A variable, or an element or member that holds a reference. */
static bool value_of_name(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    const pm_variable *variable = pm_unit_variable(rw->unit, node);

    if (variable && variable->mode != PM_VARIABLE_REF) {
        char *name = pm_ast_name(node);

        value->kind = PM_VALUE_INDEX;
        value->base = variable->node->kind == CXCursor_ParmDecl
                          ? (size_t)(variable - rw->unit->variables)
                          : variable->base;
        if (variable->mode == PM_VARIABLE_INDEX || variable->changes) {
            value->width = PM_WIDTH_LONG;
            pm_text_add(&value->index, "%s", name ? name : "");
        }
        free(name);
        return true;
    }
    if (node->kind == CXCursor_DeclRefExpr && !variable) {
        pm_rewrite_refuse(rw, node,
                          "a pointer that is declared in a way that is not understood: "
                          "declare it as __global T *");
        return false;
    }
    pm_rewrite_text_below(rw, node, &value->ref);
    if (!pm_is_pure(rw->unit, node)) {
        value->kind = PM_VALUE_REF;
        return true;
    }
    value->kind = PM_VALUE_VARIABLE;
    value->width = PM_WIDTH_LONG;
    pm_text_add(&value->index, "%s.i", pm_text_get(&value->ref));
    return true;
}

static bool value_of_sum(pm_rewrite *rw, pm_node *node, bool minus, pm_value *value)
{
    pm_node *left = pm_ast_child(node, 0), *right = pm_ast_child(node, 1);
    pm_pointee to;

    if (!pm_rewrite_points(rw, left, &to)) {
        pm_node *other = left;

        left = right;
        right = other;
    }
    if (!pm_value_of(rw, left, value))
        return false;
    pm_value_add(rw, value, right, minus);
    return true;
}

/* Puts a prefix and a suffix around what changes: the index, or the reference. */
static void wrap(pm_value *value, const char *before, const char *behind)
{
    pm_text *inner = value->kind == PM_VALUE_REF ? &value->ref : &value->index;
    pm_text text = {0};

    pm_text_add(&text, "%s%s%s", before, pm_text_get(inner), behind);
    pm_text_free(inner);
    *inner = text;
}

/* A variable of which the index can be changed. */
static bool value_of_target(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    if (!pm_value_of(rw, node, value))
        return false;
    if (value->kind != PM_VALUE_REF && value->width == PM_WIDTH_LONG)
        return true;
    pm_rewrite_refuse(rw, node, "what is changed here is no variable: use one");
    return false;
}

static bool value_of_step(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    static const char *const before[] = {"", "", "++", "--"}, *const behind[] = {"++", "--", "",
                                                                                 ""};
    size_t kind = clang_getCursorUnaryOperatorKind(node->cursor) - CXUnaryOperator_PostInc;

    if (!value_of_target(rw, node->first, value))
        return false;
    wrap(value, before[kind], behind[kind]);
    value->pure = false;
    return true;
}

static bool value_of_compound(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    bool minus = clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_SubAssign;
    pm_text number = {0};

    if (!value_of_target(rw, node->first, value))
        return false;
    pm_rewrite_text(rw, node->last, &number);
    wrap(value, "(", minus ? " -= " : " += ");
    pm_text_add(&value->index, "%s)", pm_text_get(&number));
    pm_text_free(&number);
    value->pure = false;
    return true;
}

static bool value_of_assignment(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    pm_value right = {.kind = PM_VALUE_REF};
    bool done = value_of_target(rw, node->first, value) && pm_value_of(rw, node->last, &right);

    if (done && value->kind == PM_VALUE_INDEX) {
        if (right.kind != PM_VALUE_INDEX || right.base != value->base)
            pm_rewrite_refuse(rw, node, "this pointer is from another array than before");
        wrap(value, "(", " = ");
        pm_text_add(&value->index, "%s)",
                    right.width == PM_WIDTH_ZERO ? "0" : pm_text_get(&right.index));
    } else if (done) {
        pm_text text = {0};

        pm_text_add(&text, "(%s = ", pm_text_get(&value->ref));
        pm_value_ref(rw, &right, &text);
        pm_text_add(&text, ")");
        pm_text_free(&value->ref);
        value->ref = text;
        value->kind = PM_VALUE_REF;
    }
    value->pure = false;
    pm_value_free(&right);
    return done;
}

/* left ? a : b, or left, b: what stands between them is given. */
static bool value_of_choice(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    pm_node *a = pm_ast_child(node, 1), *b = pm_ast_child(node, 2);
    pm_value first = {.kind = PM_VALUE_REF}, second = {.kind = PM_VALUE_REF};
    bool done;

    if (!a || !b) {
        pm_rewrite_refuse(rw, node, "`a ?: b` of pointers: write both sides");
        return false;
    }
    done = pm_value_of(rw, a, &first) && pm_value_of(rw, b, &second);
    value->pure = pm_is_pure(rw->unit, node);
    if (done && first.kind == PM_VALUE_INDEX && second.kind == PM_VALUE_INDEX &&
        first.base == second.base) {
        value->kind = PM_VALUE_INDEX;
        value->base = first.base;
        value->width = PM_WIDTH_LONG;
        pm_text_add(&value->index, "(");
        pm_rewrite_text(rw, node->first, &value->index);
        pm_text_add(&value->index, " ? ");
        pm_value_index(&first, &second, &value->index);
        pm_text_add(&value->index, " : ");
        pm_value_index(&second, &first, &value->index);
        pm_text_add(&value->index, ")");
    } else if (done) {
        value->kind = PM_VALUE_REF;
        pm_text_add(&value->ref, "(");
        pm_rewrite_text(rw, node->first, &value->ref);
        pm_text_add(&value->ref, " ? ");
        pm_value_ref(rw, &first, &value->ref);
        pm_text_add(&value->ref, " : ");
        pm_value_ref(rw, &second, &value->ref);
        pm_text_add(&value->ref, ")");
    }
    pm_value_free(&first);
    pm_value_free(&second);
    return done;
}

static bool value_of_comma(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    pm_text left = {0};

    if (!pm_value_of(rw, node->last, value))
        return false;
    pm_text_add(&left, "(");
    pm_rewrite_text(rw, node->first, &left);
    pm_text_add(&left, ", ");
    if (value->kind != PM_VALUE_REF && value->width == PM_WIDTH_ZERO) {
        pm_text_add(&value->index, "0L");
        value->width = PM_WIDTH_LONG;
    }
    wrap(value, pm_text_get(&left), ")");
    pm_text_free(&left);
    value->pure = false;
    return true;
}

static bool value_of_address(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    pm_chain chain;

    if (!pm_chain_of(rw->unit, pm_ast_strip(node->first), &chain) || chain.path[0] ||
        chain.subscript_count) {
        pm_rewrite_refuse(rw, node,
                          "the address of a struct inside of another one: pass its members");
        return false;
    }
    if (!pm_value_of(rw, chain.pointer, value))
        return false;
    if (chain.index)
        pm_value_add(rw, value, chain.index, false);
    return true;
}

static bool value_of_unary(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(node->cursor);

    if (kind == CXUnaryOperator_AddrOf)
        return value_of_address(rw, node, value);
    if (kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec)
        return value_of_step(rw, node, value);
    pm_rewrite_refuse(rw, node,
                      "a pointer to an element out of an operator that is not understood "
                      "here: use the array's name with an index");
    return false;
}

static bool value_of_binary(pm_rewrite *rw, pm_node *node, pm_value *value)
{
    switch (clang_getCursorBinaryOperatorKind(node->cursor)) {
    case CXBinaryOperator_Add:
        return value_of_sum(rw, node, false, value);
    case CXBinaryOperator_Sub:
        return value_of_sum(rw, node, true, value);
    case CXBinaryOperator_Assign:
        return value_of_assignment(rw, node, value);
    case CXBinaryOperator_Comma:
        return value_of_comma(rw, node, value);
    default:
        return value_of_unary(rw, node, value);
    }
}

bool pm_value_of(pm_rewrite *rw, pm_node *pointer, pm_value *value)
{
    pm_node *node = pm_ast_strip(pointer);

    *value = (pm_value){.kind = PM_VALUE_REF, .pure = true};
    if (rw->status != PM_OK)
        return false;
    if (pm_unit_is_array(rw->unit, node)) {
        pm_rewrite_refuse(rw, node,
                          "a pointer into an array at file scope, which keeps its layout, where "
                          "others have a new one: use the array's name with an index");
        return false;
    }
    if (!pm_rewrite_points(rw, node, &value->to)) {
        pm_rewrite_refuse(rw, node,
                          "a pointer to a struct that comes from no array of them (NULL, a number, "
                          "another pointer): use the array's name with an index");
        return false;
    }
    if (value->to.is_volatile) {
        pm_rewrite_refuse(rw, node, "volatile structs cannot change their layout");
        return false;
    }
    switch (node->kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        return value_of_name(rw, node, value);
    case CXCursor_CallExpr:
        pm_rewrite_text_below(rw, node, &value->ref);
        value->pure = false;
        return true;
    case CXCursor_CStyleCastExpr:
        return pm_value_of(rw, node->last, value);
    case CXCursor_BinaryOperator:
        return value_of_binary(rw, node, value);
    case CXCursor_CompoundAssignOperator:
        return value_of_compound(rw, node, value);
    case CXCursor_ConditionalOperator:
        return value_of_choice(rw, node, value);
    case CXCursor_UnaryOperator:
        return value_of_unary(rw, node, value);
    default:
        pm_rewrite_refuse(rw, node,
                          "a pointer to an element that is not understood here: use the array's "
                          "name with an index");
        return false;
    }
}

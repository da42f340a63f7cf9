/* Walks the syntax tree of a source and rewrites the code of nodes for the structs' new layouts:
 * accesses, pointers, declarations and calls. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of this file call each other, because the new text of a node is composed of the new
 * texts of its children. The texts themselves are made in rewrite_access.c, rewrite_value.c,
 * rewrite_declare.c and rewrite_pointer_use.c.
 */
#include "transform/layout/clang/rewrite.h"

static pm_element_value value_of_pointer(pm_rewrite *rw, pm_node *pointer);
static void rewrite_children(pm_rewrite *rw, pm_edits *edits, pm_node *node);
static void rewrite_call(pm_rewrite *rw, pm_edits *edits, pm_node *call);

/* ---- code of nodes ------------------------------------------------------------------------- */

static void rewrite_children(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    for (pm_node *child = node->first; child; child = child->next)
        pm_rewrite_node(rw, edits, child);
}

static const char *rewrite_text(pm_rewrite *rw, pm_node *node, bool below)
{
    pm_edits edits = {.memory = &rw->memory};
    pm_text out = {.memory = &rw->memory};
    pm_range piece;

    pm_rewrite_need(rw, pm_ast_piece(&rw->unit->ast, node, &piece));
    if (!below)
        pm_rewrite_node(rw, &edits, node);
    else if (node->kind == CXCursor_CallExpr)
        rewrite_call(rw, &edits, node);
    else
        rewrite_children(rw, &edits, node);
    if (!pm_edits_apply(&edits, rw->unit->ast.text, piece.begin, piece.end, &out)) {
        /* Two edits overlap, for example because a macro uses its argument twice and each use needs
         * different code. Raise an error. */
        if (rw->unit->preprocessed)
            pm_ast_refuse(&rw->memory, node,
                          "this is not understood: write it in several statements");
        pm_rewrite_need(rw, false);
    }
    return pm_text_get(&out);
}

const char *pm_rewrite_text(pm_rewrite *rw, pm_node *node)
{
    return rewrite_text(rw, node, false);
}

static const char *argument_text(pm_rewrite *rw, pm_node *node)
{
    const char *text = rewrite_text(rw, node, false);

    return pm_has_comma(text) ? pm_format(&rw->memory, "(%s)", text) : text;
}

static const char *text_below(pm_rewrite *rw, pm_node *node)
{
    return rewrite_text(rw, node, true);
}

/* ---- values of pointers -------------------------------------------------------------------- */

/* Sets *value to the element of an array of structs to which a pointer variable points. `node`
 * names the variable, or is an array element or a member that holds such a pointer; the new type of
 * the latter two is a reference (a generated struct). */
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
    value->ref = text_below(rw, node);
    if (!pm_is_pure(node))
        return;
    value->kind = PM_VALUE_VARIABLE;
    value->width = PM_WIDTH_LONG;
    value->index = pm_format(&rw->memory, "%s.i", value->ref);
}

static void add_number(pm_rewrite *rw, pm_element_value *value, pm_node *number, bool minus)
{
    pm_value_add(rw, value, number, argument_text(rw, number), minus);
}

static void value_of_sum(pm_rewrite *rw, const pm_node *node, pm_element_value *value)
{
    pm_pointee to;
    bool first = pm_rewrite_points(rw, node->first, &to);

    *value = value_of_pointer(rw, first ? node->first : node->last);
    add_number(rw, value, first ? node->last : node->first, node->binary == CXBinaryOperator_Sub);
}

/* Returns the element to which a pointer points that an assignment or ++ changes. Raises an error
 * unless the rewriter has replaced the pointer by an index variable, because the rewritten code
 * changes this variable. */
static pm_element_value value_of_target(pm_rewrite *rw, pm_node *node)
{
    pm_element_value value = value_of_pointer(rw, node);

    if (value.kind == PM_VALUE_REF || value.width != PM_WIDTH_LONG)
        pm_ast_refuse(&rw->memory, node, "what is changed here is no variable: use one");
    return value;
}

static void value_of_compound(pm_rewrite *rw, const pm_node *node, pm_element_value *value)
{
    bool minus = node->binary == CXBinaryOperator_SubAssign;

    *value = value_of_target(rw, node->first);
    pm_value_wrap(
        rw, value, "(",
        pm_format(&rw->memory, minus ? " -= %s)" : " += %s)", pm_rewrite_text(rw, node->last)));
}

static void value_of_assignment(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    pm_element_value right;

    *value = value_of_target(rw, node->first);
    right = value_of_pointer(rw, node->last);
    if (value->kind == PM_VALUE_INDEX) {
        if (right.kind != PM_VALUE_INDEX || right.base != value->base)
            pm_ast_refuse(&rw->memory, node, "this pointer is from another array than before");
        pm_value_wrap(rw, value, "(", pm_format(&rw->memory, " = %s)", right.index));
        return;
    }
    value->kind = PM_VALUE_REF;
    pm_value_wrap(rw, value, "(", pm_format(&rw->memory, " = %s)", pm_value_ref(rw, &right)));
}

/* Sets *value to the element to which the conditional expression `left ? a : b` points. */
static void value_of_choice(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    pm_node *a = pm_ast_child(node, 1), *b = pm_ast_child(node, 2);
    pm_element_value first, second;
    const char *condition;

    if (!a || !b)
        pm_ast_refuse(&rw->memory, node, "`a ?: b` of pointers: write both sides");
    first = value_of_pointer(rw, a);
    second = value_of_pointer(rw, b);
    condition = pm_rewrite_text(rw, node->first);
    value->pure = pm_is_pure(node);
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
    *value = value_of_pointer(rw, node->last);
    if (value->kind != PM_VALUE_REF && value->width == PM_WIDTH_ZERO) {
        value->index = "0L";
        value->width = PM_WIDTH_LONG;
    }
    pm_value_wrap(rw, value, pm_format(&rw->memory, "(%s, ", pm_rewrite_text(rw, node->first)),
                  ")");
}

static pm_element_value value_of_chain(pm_rewrite *rw, const pm_chain *chain)
{
    pm_element_value value = value_of_pointer(rw, chain->pointer);

    if (chain->index)
        add_number(rw, &value, chain->index, false);
    return value;
}

static void value_of_unary(pm_rewrite *rw, pm_node *node, pm_element_value *value)
{
    static const char *const before[] = {"", "", "++", "--"}, *const behind[] = {"++", "--", "",
                                                                                 ""};
    pm_chain chain;

    if (pm_is_step(node)) {
        *value = value_of_target(rw, node->first);
        pm_value_wrap(rw, value, before[node->unary - CXUnaryOperator_PostInc],
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
    *value = value_of_chain(rw, &chain);
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

static pm_element_value value_of_pointer(pm_rewrite *rw, pm_node *pointer)
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
        value.ref = text_below(rw, node);
        value.pure = false;
        break;
    case CXCursor_CStyleCastExpr:
        return value_of_pointer(rw, node->last);
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

/* ---- pointers ------------------------------------------------------------------------------ */

static void rewrite_compare(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const char *sign = pm_compare_sign(rw, node);
    const pm_element_value a = value_of_pointer(rw, node->first),
                           b = value_of_pointer(rw, node->last);

    pm_rewrite_replace(rw, edits, node, pm_compare_text(rw, node->binary, sign, &a, &b));
}

static void rewrite_pointer(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const pm_node *discarded_by = pm_pointer_user(rw, node);
    const pm_element_value value = value_of_pointer(rw, node);

    pm_rewrite_replace(rw, edits, node, pm_pointer_text(rw, discarded_by, &value));
}

/* ---- accesses ------------------------------------------------------------------------------ */

static bool find_place(pm_rewrite *rw, pm_node *node, pm_accessed *p)
{
    if (!pm_rewrite_chain(rw, node, &p->chain))
        return false;
    p->value = value_of_chain(rw, &p->chain);
    for (size_t d = 0; d < p->chain.subscript_count; d++)
        p->subscripts[d] = p->chain.subscripts[d] ? argument_text(rw, p->chain.subscripts[d]) : "0";
    return true;
}

const char *pm_rewrite_item(pm_rewrite *rw, const pm_chain *chain, size_t part)
{
    const pm_element_value value = value_of_chain(rw, chain);

    return pm_format(&rw->memory, "%s[%s]", pm_value_part(rw, &value, part), value.index);
}

static bool rewrite_access(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_accessed p;
    pm_lvalue_use use;

    if (!pm_rewrite_chain(rw, node, &p.chain))
        return false;
    use = pm_chain_use(node);
    if (use.address)
        pm_accessed_check_address(rw, node, use.node);
    pm_rewrite_check_access(rw, node, &p.chain);
    find_place(rw, node, &p);
    if (pm_is_plain_struct(node->type)) {
        pm_rewrite_replace(rw, edits, node,
                           pm_format(&rw->memory, "%s)", pm_accessed_struct(rw, node, &p, false)));
        return true;
    }
    if (!pm_chain_is_scalar(rw->unit, &p.chain))
        pm_accessed_check_array(rw, &p.chain, node);
    pm_rewrite_replace(rw, edits, node, pm_accessed_member(rw, node, &p));
    return true;
}

static bool rewrite_assignment(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_node *target = node->binary == CXBinaryOperator_Assign ? node->first : NULL;
    const char *call;
    pm_accessed p;

    if (!target || !pm_is_plain_struct(target->type) || !find_place(rw, pm_ast_strip(target), &p))
        return false;
    call = pm_accessed_struct(rw, pm_ast_strip(target), &p, true);
    pm_rewrite_replace(rw, edits, node,
                       pm_format(&rw->memory, "%s, %s)", call, pm_rewrite_text(rw, node->last)));
    return true;
}

/* ---- declarations and calls ---------------------------------------------------------------- */

/* Returns the element to which a declared pointer points initially, or to which a declared
 * reference is bound. */
static pm_element_value first_value(pm_rewrite *rw, const pm_node *node)
{
    pm_chain chain;

    if (!pm_unit_is_reference(rw->unit, node))
        return value_of_pointer(rw, node->initializer);
    if (!pm_chain_of(rw->unit, pm_ast_strip(node->initializer), &chain) || chain.path[0] ||
        chain.subscript_count)
        pm_ast_refuse(&rw->memory, node,
                      "a reference to a struct inside of another one: use its members");
    return value_of_chain(rw, &chain);
}

static const char *declarator(pm_rewrite *rw, pm_node *node)
{
    const char *text = node->name;
    pm_element_value start;

    for (CXType type = node->type; type.kind == CXType_ConstantArray; type = pm_type_pointee(type))
        text = pm_format(&rw->memory, "%s[%lld]", text, clang_getArraySize(type));
    if (!node->initializer)
        return text;
    if (node->type.kind == CXType_ConstantArray)
        return pm_format(&rw->memory, "%s = %s", text, pm_rewrite_text(rw, node->initializer));
    start = first_value(rw, node);
    return pm_format(&rw->memory, "%s = %s", text,
                     pm_rewrite_variable(rw, node)->mode == PM_VARIABLE_REF
                         ? pm_value_ref(rw, &start)
                         : start.index);
}

static bool rewrite_declaration(pm_rewrite *rw, pm_edits *edits, pm_node *statement)
{
    const char *text = pm_declaration_type(rw, statement);

    if (!text)
        return false;
    for (pm_node *child = statement->first; child; child = child->next)
        text =
            pm_format(&rw->memory, "%s%s%s", text, declarator(rw, child), child->next ? ", " : ";");
    pm_rewrite_replace(rw, edits, statement, text);
    return true;
}

static void rewrite_call(pm_rewrite *rw, pm_edits *edits, pm_node *call)
{
    const pm_node *function = pm_ast_called(call);
    pm_node *argument;

    if (!call->first)
        return;
    pm_rewrite_node(rw, edits, call->first);
    for (size_t i = 0; (argument = pm_ast_argument(call, i)) != NULL; i++) {
        const pm_node *parameter = function ? pm_ast_parameter(function, i) : NULL;
        const pm_variable *variable = parameter ? pm_rewrite_variable(rw, parameter) : NULL;

        if (variable) {
            const pm_element_value value = value_of_pointer(rw, argument);

            pm_rewrite_replace(rw, edits, argument,
                               pm_argument_text(rw, argument, &value, variable));
        } else
            pm_rewrite_node(rw, edits, argument);
    }
}

/* ---- walk through the syntax tree ---------------------------------------------------------- */

/* Returns true if an expression is an array variable that its parent node indexes or dereferences
 * (a[i] or *a). The rewriter then leaves the array's name unchanged. */
static bool is_array_with_index(const pm_node *node)
{
    const pm_node *parent = node->parent;

    while (node->kind == CXCursor_ParenExpr || node->kind == CXCursor_UnexposedExpr)
        node = node->first;
    return pm_unit_is_array(node) && parent &&
           (parent->kind == CXCursor_ArraySubscriptExpr || parent->unary == CXUnaryOperator_Deref);
}

static bool is_comparison(const pm_rewrite *rw, const pm_node *node)
{
    pm_pointee to;

    return node->kind == CXCursor_BinaryOperator && node->first && node->last &&
           node->binary != CXBinaryOperator_Comma &&
           (pm_rewrite_points(rw, node->first, &to) || pm_rewrite_points(rw, node->last, &to));
}

static void rewrite_expression(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    pm_pointee to;

    if (pm_rewrite_sizeof(rw, edits, node) || rewrite_assignment(rw, edits, node) ||
        rewrite_access(rw, edits, node))
        return;
    if (pm_rewrite_points(rw, node, &to) && !is_array_with_index(node))
        rewrite_pointer(rw, edits, node);
    else if (is_comparison(rw, node))
        rewrite_compare(rw, edits, node);
    else if (node->kind == CXCursor_CallExpr)
        rewrite_call(rw, edits, node);
    else
        rewrite_children(rw, edits, node);
}

void pm_rewrite_node(pm_rewrite *rw, pm_edits *edits, pm_node *node)
{
    const pm_variable *variable;

    if (rw->words->is_cuda)
        pm_rewrite_check_node(rw, node);
    if (rw->before[node->number])
        pm_edits_add(edits, node->begin, node->begin, rw->before[node->number]);
    if (rw->replace[node->number]) {
        pm_edits_add(edits, node->begin, pm_ast_statement_end(&rw->unit->ast, node),
                     rw->replace[node->number]);
        return;
    }
    if (clang_isExpression(node->kind))
        rewrite_expression(rw, edits, node);
    else if (node->kind == CXCursor_FunctionDecl) {
        pm_rewrite_function(rw, edits, node);
        rewrite_children(rw, edits, node);
    } else if (node->kind == CXCursor_ParmDecl && (variable = pm_unit_variable(rw->unit, node)) &&
               rw->active[variable->to.structure])
        pm_rewrite_parameter(rw, edits, node);
    else if (node->kind != CXCursor_TypedefDecl) {
        pm_rewrite_check_declaration(rw, node);
        if (node->kind != CXCursor_DeclStmt || !rewrite_declaration(rw, edits, node))
            rewrite_children(rw, edits, node);
    }
}

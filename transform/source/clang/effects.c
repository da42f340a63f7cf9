/* Finds which variables and memory a statement of a kernel source reads and writes. See effects.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An expression of an unknown kind is assumed to read and write everything. If this is too
 * pessimistic, accesses are not combined to vector accesses, but the result is still correct.
 */
#include "transform/source/clang/effects.h"

#include <string.h>

/* Use of the expression that is visited: whether it is read or written, and whether the statement
 * may be executed without evaluating the expression (conditional). */
typedef struct {
    bool read, written, conditional;
} context;

enum { NEVER = 1000000 };

static void visit(pm_effects *e, pm_node *outer, context how);

/* ---- accesses ------------------------------------------------------------------------------- */

/* Returns true if the rewritten code knows the buffers of a pointer expression. The pointer either
 * points into the array of one known parameter, or is a variable that becomes a reference
 * (PM_VARIABLE_REF: a generated struct with the buffers and an index). */
static bool has_name(const pm_source_unit *unit, pm_node *pointer)
{
    const pm_node *node = pm_ast_strip(pointer);
    const pm_variable *variable =
        node->kind == CXCursor_DeclRefExpr ? pm_unit_variable(unit, node) : NULL;

    return pm_unit_base(unit, pointer) != PM_NO_VARIABLE ||
           (variable && variable->mode == PM_VARIABLE_REF);
}

static bool match(const pm_effects *e, pm_node *node, pm_element_access *access)
{
    pm_chain chain;
    const pm_node *pointer;

    if (!pm_chain_of(e->unit, node, &chain) || !e->active[chain.to.structure])
        return false;
    pointer = pm_ast_strip(chain.pointer);
    *access = (pm_element_access){
        .node = node,
        .pointer = pointer->kind == CXCursor_DeclRefExpr ? pointer->declaration : NULL,
        .index = chain.index,
        .structure = chain.to.structure,
        .field = chain.field,
        .single = pm_chain_is_scalar(e->unit, &chain) && has_name(e->unit, chain.pointer)};
    if (chain.field == e->unit->info.structs.items[chain.to.structure].field_count)
        access->field = PM_ALL_FIELDS;
    return true;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Adds the effects of a call to e, except the effects of its arguments. OpenCL C has no writable
 * global variables, so a function without pointer arguments writes no memory. */
static void call(pm_effects *e, const pm_node *node, context how)
{
    static const char *const orders[] = {
        "barrier", "work_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence",
        "async_",  "wait_group_events",  "__sync",    "sync",           "__threadfence"};
    const pm_node *argument;

    e->ordered |= !*node->name;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        e->ordered |= strncmp(node->name, orders[i], strlen(orders[i])) == 0;
    /* A function of a CUDA source may also write variables at file scope. */
    e->writes_memory |= e->unit->ast.is_cuda && pm_ast_callee(node);
    for (size_t i = 0; (argument = pm_ast_argument(node, i)) != NULL; i++) {
        if (pm_ast_is_handed_out(argument))
            visit(e, pm_ast_argument(node, i), (context){true, true, how.conditional});
        if (argument->type.kind != CXType_Pointer ||
            clang_isConstQualifiedType(clang_getPointeeType(argument->type)))
            continue;
        e->writes_memory = true;
        /* A function of the source may write fields through the pointer. If the function is a
         * builtin, `visit_address` records which fields are written through an address. */
        e->writes_all |= pm_ast_callee(node) != NULL;
    }
}

/* ---- expressions and statements -------------------------------------------------------------- */

static void visit_all(pm_effects *e, const pm_node *parent, size_t conditional_from, context how)
{
    size_t i = 0;

    for (pm_node *child = parent->first; child; child = child->next, i++)
        visit(e, child, (context){true, false, how.conditional || i >= conditional_from});
}

/* Records the effects of an operator that writes its first operand, such as an assignment. reads:
 * true if the operator also reads this operand, as += does. */
static void visit_write(pm_effects *e, const pm_node *node, bool reads, context how)
{
    if (node->first && node->first->next)
        visit(e, node->first->next, (context){true, false, how.conditional});
    if (node->first)
        visit(e, node->first, (context){reads, true, how.conditional});
}

/* Records the effects of the operator & (address of). Its operand counts as read and written,
 * because it may be accessed through the address later. */
static void visit_address(pm_effects *e, const pm_node *node, context how)
{
    pm_node *target = node->first ? pm_ast_strip(node->first) : NULL;
    pm_element_access access;

    /* Taking the address of a whole element accesses no memory. The calls that get the address as
     * an argument count instead. */
    if (target && match(e, target, &access) && access.field == PM_ALL_FIELDS)
        visit_all(e, target, NEVER, how);
    else if (target)
        visit(e, target, (context){true, true, how.conditional});
}

/* Records the effects of using an lvalue. It may be an access to an element of an array of structs,
 * or any other variable or memory. */
static void visit_place(pm_effects *e, pm_node *node, context how)
{
    pm_element_access access;

    if (!match(e, node, &access)) {
        const pm_node *owner = how.written ? pm_ast_owner(node) : NULL;

        if (owner)
            *pm_add(e->memory, e->modified, e->modified_count) = owner;
        e->writes_memory |= how.written && !owner;
        visit_all(e, node, NEVER, how);
        return;
    }
    access.read = how.read;
    access.written = how.written;
    access.conditional = how.conditional;
    *pm_add(e->memory, e->accesses, e->access_count) = access;
    if (!access.pointer)
        visit_all(e, node, NEVER, how);
    else if (access.index)
        visit(e, access.index, (context){true, false, how.conditional});
}

static void visit_unary(pm_effects *e, pm_node *node, context how)
{
    if (how.written)
        visit_place(e, node, how);
    else if (pm_is_step(node))
        visit_write(e, node, true, how);
    else if (node->unary == CXUnaryOperator_AddrOf)
        visit_address(e, node, how);
    else
        visit_all(e, node, NEVER, how);
}

static void visit(pm_effects *e, pm_node *outer, context how)
{
    pm_node *node = pm_ast_strip(outer);

    switch (node->kind) {
    /* The node may select one component of a vector. Then the whole vector counts as accessed. */
    case CXCursor_UnexposedExpr:
        /* A call of a constructor or an operator function that the source declares may write any
         * field. */
        e->writes_all |= node->declaration != NULL;
        if (node->first && !node->first->next)
            visit(e, node->first, how);
        else
            visit_all(e, node, NEVER, how);
        break;
    case CXCursor_BinaryOperator:
        if (node->binary == CXBinaryOperator_Assign)
            visit_write(e, node, false, how);
        else
            visit_all(e, node, pm_is_lazy(node) ? 1 : NEVER, how);
        break;
    case CXCursor_CompoundAssignOperator:
        visit_write(e, node, true, how);
        break;
    case CXCursor_UnaryOperator:
        visit_unary(e, node, how);
        break;
    case CXCursor_MemberRefExpr:
        if (node->first && pm_type_is_cuda_vector(node->first->type))
            visit(e, node->first, how);
        else
            visit_place(e, node, how);
        break;
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_DeclRefExpr:
        visit_place(e, node, how);
        break;
    case CXCursor_LambdaExpr:
        e->ordered = true;
        visit_all(e, node, 0, how);
        break;
    case CXCursor_CallExpr:
        call(e, node, how);
        visit_all(e, node, NEVER, how);
        break;
    case CXCursor_ConditionalOperator:
    case CXCursor_IfStmt:
        visit_all(e, node, 1, how);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        visit_all(e, node, 0, how);
        break;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
    case CXCursor_AsmStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        e->ordered = true;
        visit_all(e, node, 0, how);
        break;
    default:
        visit_all(e, node, NEVER, how);
    }
}

void pm_effects_add(pm_effects *effects, pm_node *statement)
{
    visit(effects, statement, (context){true, false, false});
}

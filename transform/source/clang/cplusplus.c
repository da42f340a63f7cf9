/* Changes a CUDA source's syntax tree so that its nodes are those of OpenCL C. See ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In C++ the assignment of a struct is an operator call, its copy is a constructor call, and a cast
 * is one of several node types. A node without a counterpart in C becomes an unknown expression,
 * for which analyses assume the worst case.
 */
#include <string.h>

#include "base/strings.h"
#include "transform/source/clang/ast.h"
#include "transform/source/clang/names.h"

/* ---- vectors -------------------------------------------------------------------------------- */

/* ---- structs -------------------------------------------------------------------------------- */

static const char *in_any_struct(const pm_node *member)
{
    if (member->kind == CXCursor_CXXBaseSpecifier)
        return "a base class";
    return member->kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(member->cursor)
               ? "a virtual function"
               : NULL;
}

static const char *in_copied_struct(const pm_node *member)
{
    switch (member->kind) {
    case CXCursor_Constructor:
        return "a constructor";
    case CXCursor_Destructor:
        return "a destructor";
    case CXCursor_CXXMethod:
        return strcmp(member->name, "operator=") == 0 ? "an assignment of its own" : NULL;
    case CXCursor_FieldDecl:
        return clang_getCXXAccessSpecifier(member->cursor) >= CX_CXXProtected
                   ? "members that are not public"
                   : NULL;
    default:
        return NULL;
    }
}

const pm_node *pm_ast_more_than_c(const pm_node *declaration, bool stays, const char **what)
{
    for (const pm_node *member = declaration->first; member; member = member->next) {
        *what = in_any_struct(member);
        if (!*what && !stays)
            *what = in_copied_struct(member);
        if (*what)
            return member;
    }
    return NULL;
}

/* ---- children of nodes ---------------------------------------------------------------------- */

/* Removes a child from its parent's list of children. The child remains in the list of all nodes
 * (pm_ast.nodes). */
static void unlink_child(pm_node *parent, pm_node *child)
{
    pm_node **at = &parent->first;

    while (*at != child)
        at = &(*at)->next;
    *at = child->next;
    parent->last = NULL;
    for (pm_node *node = parent->first; node; node = node->next)
        parent->last = node;
    child->next = NULL;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Returns the child of a call that names the called function. Returns NULL if there is none. */
static pm_node *find_callee(const pm_node *call)
{
    for (pm_node *child = call->first; child; child = child->next) {
        const pm_node *node = pm_ast_strip(child);

        if (node->kind == CXCursor_DeclRefExpr && strcmp(node->name, call->name) == 0)
            return child;
    }
    return NULL;
}

/* Returns whether a call of operator= is an assignment `a = b` of structs that C would copy,
 * too. */
static bool is_plain_assignment(const pm_node *call)
{
    return strcmp(call->name, "operator=") == 0 && !call->declaration &&
           call->type.kind == CXType_Record && pm_ast_children(call) == 3;
}

/* Changes the call of an operator function, such as a + b for structs, into an operator node.
 * libclang has the operator's name as a child between the operands. If the operator is a copying
 * assignment of structs, this child is removed, and the node becomes `a = b`. If it is a method,
 * the node becomes an unknown expression. If it is another function, the child becomes the call's
 * first child, as in other calls. */
static void change_operator(pm_node *call, enum CXCursorKind referenced)
{
    pm_node *callee = find_callee(call);

    if (callee && is_plain_assignment(call)) {
        unlink_child(call, callee);
        call->kind = CXCursor_BinaryOperator;
        call->binary = CXBinaryOperator_Assign;
    } else if (!callee || referenced == CXCursor_CXXMethod) {
        call->kind = CXCursor_UnexposedExpr;
    } else if (callee != call->first) {
        unlink_child(call, callee);
        callee->next = call->first;
        call->first = callee;
    }
}

/* Turns the call of a constructor into an unknown expression, or removes it if it does nothing. If
 * the source defines the constructor, it may do anything, so the node keeps its declaration. */
static void change_constructor(pm_node *call)
{
    pm_node *parent = call->parent;

    call->kind = CXCursor_UnexposedExpr;
    if (call->first || call->declaration || !parent || parent->kind != CXCursor_VarDecl)
        return;
    unlink_child(parent, call);
    if (parent->initializer == call)
        parent->initializer = NULL;
}

static void change_call(pm_node *call)
{
    const enum CXCursorKind referenced =
        clang_getCursorKind(clang_getCursorReferenced(call->cursor));

    if (referenced == CXCursor_Constructor)
        change_constructor(call);
    else if (strncmp(call->name, "operator", 8) == 0)
        change_operator(call, referenced);
}

/* ---- references ------------------------------------------------------------------------------ */

static bool is_reference(CXType type)
{
    return type.kind == CXType_LValueReference || type.kind == CXType_RValueReference;
}

/* Returns the type of the parameter to which a call passes an argument, even if the source does not
 * define the called function. */
static CXType parameter_of(const pm_node *call, const pm_node *argument)
{
    CXType function = clang_getCursorType(clang_getCursorReferenced(call->cursor));
    unsigned number = 0;

    for (const pm_node *child = call->first; child && child != argument; child = child->next)
        number++;
    return number > 0 ? clang_getCanonicalType(clang_getArgType(function, number - 1))
                      : (CXType){.kind = CXType_Invalid};
}

bool pm_ast_passes_on(const pm_node *node, const pm_node *operand)
{
    if (node->kind == CXCursor_ConditionalOperator)
        return node->first != operand;
    if (node->binary == CXBinaryOperator_Comma)
        return node->last == operand;
    if (node->binary == CXBinaryOperator_Assign || node->kind == CXCursor_CompoundAssignOperator)
        return node->first == operand;
    if (node->unary == CXUnaryOperator_PreInc || node->unary == CXUnaryOperator_PreDec)
        return true;
    return (node->kind == CXCursor_ParenExpr || node->kind == CXCursor_UnexposedExpr) &&
           node->first && !node->first->next;
}

CXType pm_ast_reference(const pm_node *expression)
{
    const pm_node *child = expression, *user = expression->parent;
    CXType type = {.kind = CXType_Invalid};

    for (; user && pm_ast_passes_on(user, child); user = user->parent)
        child = user;
    if (!user)
        return type;
    if (user->kind == CXCursor_CallExpr)
        type = parameter_of(user, child);
    else if (user->kind == CXCursor_VarDecl && user->initializer == child)
        type = user->type;
    else if (user->kind == CXCursor_ReturnStmt) {
        const pm_node *function = pm_ast_ancestor(user->parent, CXCursor_FunctionDecl);

        if (function)
            type = clang_getCanonicalType(clang_getCursorResultType(function->cursor));
    }
    return is_reference(type) ? type : (CXType){.kind = CXType_Invalid};
}

bool pm_ast_is_handed_out(const pm_node *expression)
{
    const CXType type = pm_ast_reference(expression);

    return type.kind == CXType_LValueReference &&
           !clang_isConstQualifiedType(clang_getPointeeType(type));
}

const pm_node *pm_ast_template_naming(const pm_ast *ast, const char *name)
{
    for (const pm_node *node = ast->root->first; node; node = node->next) {
        size_t begin, end = node->begin;

        if (!node->in_main ||
            (node->kind != CXCursor_FunctionTemplate && node->kind != CXCursor_ClassTemplate))
            continue;
        while (pm_token(ast->text, end, node->end, &begin, &end))
            if (pm_token_is(ast->text, begin, end, name))
                return node;
    }
    return NULL;
}

bool pm_is_cuda_index(const pm_node *expression)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim",
                                        "gridDim",   "warpSize", NULL};

    return expression->kind == CXCursor_DeclRefExpr && !expression->declaration &&
           pm_listed(names, expression->name);
}

/* ---- all nodes ------------------------------------------------------------------------------ */

static void change(pm_node *node)
{
    switch (node->kind) {
    case CXCursor_CallExpr:
        change_call(node);
        break;
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
        node->kind = CXCursor_CStyleCastExpr;
        break;
    case CXCursor_CXXFunctionalCastExpr:
        node->kind = node->type.kind == CXType_Record ? CXCursor_CompoundLiteralExpr
                                                      : CXCursor_CStyleCastExpr;
        break;
    default:
        break;
    }
}

void pm_cplusplus_plain(pm_ast *ast)
{
    for (size_t i = 0; i < ast->count; i++)
        change(ast->nodes[i]);
}

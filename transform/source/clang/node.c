/* Answers queries about nodes of the syntax tree, such as the function that a call calls. See
 * ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "transform/source/clang/ast.h"

/* ---- neighbours of a node ------------------------------------------------------------------- */

pm_node *pm_ast_bare(const pm_node *node)
{
    while (node->kind == CXCursor_ParenExpr && node->first)
        node = node->first;
    return (pm_node *)(uintptr_t)node;
}

static bool is_wrapper(const pm_node *node)
{
    if (node->kind == CXCursor_ParenExpr)
        return true;
    return node->kind == CXCursor_UnexposedExpr && node->first && !node->first->next &&
           node->first->begin == node->begin && node->first->end == node->end;
}

pm_node *pm_ast_strip(const pm_node *node)
{
    while (is_wrapper(node) && node->first)
        node = node->first;
    return (pm_node *)(uintptr_t)node;
}

pm_node *pm_ast_user(pm_node *node, pm_node **child)
{
    while (node->parent && is_wrapper(node->parent))
        node = node->parent;
    if (child)
        *child = node;
    return node->parent;
}

pm_node *pm_ast_child(const pm_node *node, size_t index)
{
    pm_node *child = node->first;

    while (child && index-- > 0)
        child = child->next;
    return child;
}

size_t pm_ast_children(const pm_node *node)
{
    size_t count = 0;

    for (const pm_node *child = node->first; child; child = child->next)
        count++;
    return count;
}

bool pm_ast_is_kernel_template(const pm_node *node)
{
    const pm_node *child = node->kind == CXCursor_FunctionTemplate ? node->first : NULL;

    while (child && child->kind != CXCursor_CUDAGlobalAttr)
        child = child->next;
    return child;
}

pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind)
{
    while (node && node->kind != kind)
        node = node->parent;
    return node;
}

bool pm_ast_is_within(const pm_node *inner, const pm_node *outer)
{
    return inner->number >= outer->number && inner->number < outer->behind;
}

bool pm_is_one_of(const pm_node *const *list, size_t count, const pm_node *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

/* ---- functions ------------------------------------------------------------------------------ */

pm_node *pm_ast_called(const pm_node *call)
{
    pm_node *function = call->declaration;

    return function && function->definition ? function->definition : function;
}

pm_node *pm_ast_callee(const pm_node *call)
{
    return call->declaration ? call->declaration->definition : NULL;
}

pm_node *pm_ast_argument(const pm_node *call, size_t index)
{
    return pm_ast_child(call, index + 1);
}

pm_node *pm_ast_parameter(const pm_node *function, size_t index)
{
    for (pm_node *child = function->first; child; child = child->next)
        if (child->kind == CXCursor_ParmDecl && index-- == 0)
            return child;
    return NULL;
}

size_t pm_ast_parameter_index(const pm_node *parameter)
{
    size_t index = 0;

    for (const pm_node *child = parameter->parent->first; child && child != parameter;
         child = child->next)
        index += child->kind == CXCursor_ParmDecl;
    return index;
}

pm_node *pm_ast_body(const pm_node *function)
{
    for (pm_node *child = function->first; child; child = child->next)
        if (child->kind == CXCursor_CompoundStmt)
            return child;
    return NULL;
}

/* ---- kinds of nodes ------------------------------------------------------------------------- */

bool pm_is_loop(const pm_node *node)
{
    return node->kind == CXCursor_ForStmt || node->kind == CXCursor_WhileStmt ||
           node->kind == CXCursor_DoStmt;
}

bool pm_is_step(const pm_node *node)
{
    return node->unary >= CXUnaryOperator_PostInc && node->unary <= CXUnaryOperator_PreDec;
}

bool pm_is_lazy(const pm_node *node)
{
    return node->binary == CXBinaryOperator_LAnd || node->binary == CXBinaryOperator_LOr;
}

bool pm_changes_operand(const pm_node *node)
{
    return node->kind == CXCursor_CompoundAssignOperator ||
           node->binary == CXBinaryOperator_Assign || pm_is_step(node);
}

enum CXBinaryOperatorKind pm_opposite(enum CXBinaryOperatorKind kind)
{
    static const enum CXBinaryOperatorKind opposites[] = {
        [CXBinaryOperator_LT] = CXBinaryOperator_GE, [CXBinaryOperator_GE] = CXBinaryOperator_LT,
        [CXBinaryOperator_GT] = CXBinaryOperator_LE, [CXBinaryOperator_LE] = CXBinaryOperator_GT,
        [CXBinaryOperator_EQ] = CXBinaryOperator_NE, [CXBinaryOperator_NE] = CXBinaryOperator_EQ,
    };

    return kind < sizeof opposites / sizeof *opposites ? opposites[kind] : CXBinaryOperator_Invalid;
}

char *pm_operator_text(enum CXBinaryOperatorKind kind, pm_memory *memory)
{
    CXString spelling = clang_getBinaryOperatorKindSpelling(kind);
    char *text = pm_copy(memory, clang_getCString(spelling));

    clang_disposeString(spelling);
    return text;
}

/* ---- lvalues -------------------------------------------------------------------------------- */

pm_node *pm_ast_owner(const pm_node *lvalue)
{
    for (const pm_node *node = lvalue; node; node = node->first) {
        const pm_node *inner = node->first;

        if (node->kind == CXCursor_DeclRefExpr)
            return node->declaration;
        if (node->kind == CXCursor_ParenExpr)
            continue;
        if (node->kind != CXCursor_UnexposedExpr && node->kind != CXCursor_MemberRefExpr &&
            node->kind != CXCursor_ArraySubscriptExpr)
            return NULL;
        /* An element of an array variable is in the variable's own memory. An element that is
         * accessed through a pointer is not, so no variable contains it. */
        if (inner && inner->type.kind == CXType_Pointer &&
            !(inner->kind == CXCursor_UnexposedExpr && inner->first &&
              inner->first->type.kind == CXType_ConstantArray))
            return NULL;
    }
    return NULL;
}

size_t pm_ast_component(const pm_ast *ast, const pm_node *node)
{
    static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
    const pm_node *vector = node->first;
    const char *at, *end = ast->text + node->end, *found;
    char name[4] = "";
    size_t length = 0;

    if (!vector || !pm_type_is_vector(vector->type) || !pm_ast_is_own(node) || !vector->ends_clean)
        return PM_NO_COMPONENT;
    for (at = ast->text + vector->end; at < end; at++)
        if (!strchr(" \t.)", *at)) {
            if (length + 1 >= sizeof name)
                return PM_NO_COMPONENT;
            name[length++] = *at;
        }
    if (length == 1 && (found = strchr(letters, name[0])) != NULL)
        return (size_t)(found - letters);
    if (length == 2 && (name[0] == 's' || name[0] == 'S') &&
        (found = strchr(digits, name[1])) != NULL && *found)
        return (size_t)(found - digits);
    return PM_NO_COMPONENT;
}

/* ---- types ---------------------------------------------------------------------------------- */

bool pm_ast_evaluate(const pm_node *expression, long long *value)
{
    CXEvalResult result = clang_Cursor_Evaluate(expression->cursor);
    bool found = result && clang_EvalResult_getKind(result) == CXEval_Int;

    if (found)
        *value = clang_EvalResult_getAsLongLong(result);
    if (result)
        clang_EvalResult_dispose(result);
    return found;
}

/* ---- source lines --------------------------------------------------------------------------- */

static unsigned line_of(CXSourceLocation location, unsigned *column)
{
    unsigned line = 0, unused;

    clang_getPresumedLocation(location, NULL, &line, column ? column : &unused);
    return line;
}

unsigned pm_ast_line(const pm_node *node, unsigned *column)
{
    return line_of(clang_getRangeStart(clang_getCursorExtent(node->cursor)), column);
}

unsigned pm_ast_last_line(const pm_node *node)
{
    return line_of(clang_getRangeEnd(clang_getCursorExtent(node->cursor)), NULL);
}

static char *reason(pm_memory *memory, const pm_node *node, const char *format, va_list args)
{
    CXString file;
    unsigned line = 0, column;
    char why[700], *text;

    vsnprintf(why, sizeof why, format, args);
    clang_getPresumedLocation(clang_getRangeStart(clang_getCursorExtent(node->cursor)), &file,
                              &line, &column);
    text = pm_format(memory, "%s:%u: %s", clang_getCString(file), line, why);
    clang_disposeString(file);
    return text;
}

char *pm_ast_reason(pm_memory *memory, const pm_node *node, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = reason(memory, node, format, args);
    va_end(args);
    return text;
}

void pm_ast_refuse(pm_memory *memory, const pm_node *node, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = reason(memory, node, format, args);
    va_end(args);
    pm_leave(memory, PM_BAD_INPUT, "%s", text);
}

/* Makes texts ("keys") that are equal if two expressions address the same array element. See
 * effects.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/strings.h"
#include "transform/source/clang/effects.h"

typedef struct {
    const pm_ast *ast;
    pm_element_key *key;
    size_t used;
    unsigned depth;
} writer;

static bool describe(writer *w, const pm_node *expression);

__attribute__((format(printf, 2, 3))) static bool put(writer *w, const char *format, ...)
{
    va_list args;
    int more;

    va_start(args, format);
    more = vsnprintf(w->key->text + w->used, PM_KEY_LENGTH - w->used, format, args);
    va_end(args);
    if (more < 0 || (size_t)more >= PM_KEY_LENGTH - w->used)
        return false;
    w->used += (size_t)more;
    return true;
}

/* Writes a variable into the key, as the source location of its declaration, because two variables
 * can have the same name. */
static bool put_variable(writer *w, const pm_node *variable)
{
    pm_element_key *key = w->key;

    if (key->variable_count == PM_KEY_VARIABLES)
        return false;
    key->variables[key->variable_count++] = variable;
    return put(w, "v%zu ", variable->number);
}

/* Writes all children of an expression, in parentheses, into the key: the text that identifies an
 * array element. */
static bool describe_children(writer *w, const pm_node *parent)
{
    bool done = put(w, "( ");

    for (const pm_node *child = parent->first; done && child; child = child->next)
        if (clang_isExpression(child->kind))
            done = describe(w, child);
    return done && put(w, ") ");
}

/* Writes a call of a work-item function such as get_global_id(0) into the key. Its result does not
 * change while a kernel runs. */
static bool describe_call(writer *w, const pm_node *call)
{
    static const char *const names[] = {"get_global_id",  "get_local_id",      "get_group_id",
                                        "get_local_size", "get_global_size",   "get_num_groups",
                                        "get_work_dim",   "get_global_offset", NULL};
    const pm_node *argument;
    bool done = pm_listed(names, call->name) && put(w, "%s", call->name);

    for (size_t i = 0; done && (argument = pm_ast_argument(call, i)) != NULL; i++)
        done = describe(w, argument);
    return done;
}

static bool describe_cast(writer *w, const pm_node *expression)
{
    CXString type = clang_getTypeSpelling(expression->type);
    bool done = put(w, "<%s>", clang_getCString(type));

    clang_disposeString(type);
    return done && describe_children(w, expression);
}

static bool describe_kind(writer *w, const pm_node *node)
{
    long long value;

    switch (node->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        return pm_ast_evaluate(node, &value) && put(w, "%lld ", value);
    case CXCursor_BinaryOperator:
        return node->binary != CXBinaryOperator_Assign && node->binary != CXBinaryOperator_Comma &&
               put(w, "b%d", (int)node->binary) && describe_children(w, node);
    case CXCursor_UnaryOperator:
        return (node->unary == CXUnaryOperator_Plus || node->unary == CXUnaryOperator_Minus ||
                node->unary == CXUnaryOperator_Not) &&
               put(w, "u%d", (int)node->unary) && describe_children(w, node);
    case CXCursor_CStyleCastExpr:
        return describe_cast(w, node);
    case CXCursor_CallExpr:
        return describe_call(w, node);
    case CXCursor_MemberRefExpr:
        w->key->reads_memory |= node->first && node->first->type.kind == CXType_Pointer;
        return put(w, ".%s", node->name) && describe_children(w, node);
    case CXCursor_ArraySubscriptExpr:
        w->key->reads_memory = true;
        return put(w, "[]") && describe_children(w, node);
    /* a selection of one component of a vector, such as v.x; its key is "s" and the number of the
     * component */
    case CXCursor_UnexposedExpr:
        return pm_ast_component(w->ast, node) != PM_NO_COMPONENT &&
               put(w, "s%zu", pm_ast_component(w->ast, node)) && describe_children(w, node);
    default:
        return false;
    }
}

static bool describe(writer *w, const pm_node *expression)
{
    const pm_node *node = pm_ast_strip(expression), *variable = node->declaration;
    bool done;

    if (w->depth == 32)
        return false;
    if (pm_is_cuda_index(node))
        return put(w, "%s ", node->name);
    if (node->kind == CXCursor_DeclRefExpr)
        return variable &&
               (variable->kind == CXCursor_VarDecl || variable->kind == CXCursor_ParmDecl) &&
               put_variable(w, variable);
    w->depth++;
    done = describe_kind(w, node);
    w->depth--;
    return done;
}

bool pm_element_key_of(const pm_ast *ast, const pm_element_access *access, pm_element_key *key)
{
    writer w = {.ast = ast, .key = key};

    *key = (pm_element_key){.variable_count = 0};
    return access->pointer && put_variable(&w, access->pointer) &&
           (access->index ? describe(&w, access->index) : put(&w, "0 "));
}

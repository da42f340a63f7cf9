/* Whether two expressions name the same element. See element_key.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element_key.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    pm_element_key *key;
    size_t used;
    unsigned depth;
} writer;

static bool describe(writer *w, CXCursor expression);

unsigned pm_offset(CXCursor cursor)
{
    unsigned offset = 0;

    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                               &offset);
    return offset;
}

unsigned pm_offset_end(CXCursor cursor)
{
    unsigned offset = 0;

    clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                               &offset);
    return offset;
}

static bool put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool put(writer *w, const char *format, ...)
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

/* A variable stands for itself by where it is declared: two of the same name differ. */
static bool put_variable(writer *w, CXCursor variable)
{
    pm_element_key *key = w->key;
    CXFile file;
    unsigned offset;

    if (key->variable_count == PM_KEY_VARIABLES)
        return false;
    key->variables[key->variable_count++] = variable;
    clang_getExpansionLocation(clang_getCursorLocation(variable), &file, NULL, NULL, &offset);
    return put(w, "v%u ", offset);
}

static bool put_literal(writer *w, CXCursor literal)
{
    CXEvalResult result = clang_Cursor_Evaluate(literal);
    bool done = result && clang_EvalResult_getKind(result) == CXEval_Int;

    if (done)
        done = put(w, "%lld ", clang_EvalResult_getAsLongLong(result));
    if (result)
        clang_EvalResult_dispose(result);
    return done;
}

/* All children that are expressions, between brackets. */
static bool describe_children(writer *w, CXCursor parent)
{
    pm_cursors children;
    pm_error ignored;
    bool done = pm_cursors_of(parent, &children, &ignored) == PM_OK && put(w, "( ");

    for (size_t i = 0; done && i < children.count; i++)
        if (clang_isExpression(children.items[i].kind))
            done = describe(w, children.items[i]);
    pm_cursors_free(&children);
    return done && put(w, ") ");
}

/* Which work-item this is, and how many there are: the same all through a kernel. */
static bool is_identity(const char *name)
{
    static const char *const names[] = {"get_global_id",  "get_local_id",     "get_group_id",
                                        "get_local_size", "get_global_size",  "get_num_groups",
                                        "get_work_dim",   "get_global_offset"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool describe_call(writer *w, CXCursor call)
{
    CXString spelling = clang_getCursorSpelling(call);
    const char *name = clang_getCString(spelling);
    bool done = name && is_identity(name) && put(w, "%s", name);
    int arguments = clang_Cursor_getNumArguments(call);

    clang_disposeString(spelling);
    for (int i = 0; done && i < arguments; i++)
        done = describe(w, clang_Cursor_getArgument(call, (unsigned)i));
    return done;
}

static bool describe_member(writer *w, CXCursor member)
{
    CXString spelling = clang_getCursorSpelling(member);
    bool done = put(w, ".%s", clang_getCString(spelling));
    pm_cursors children;
    pm_error ignored;

    clang_disposeString(spelling);
    if (!done || pm_cursors_of(member, &children, &ignored) != PM_OK)
        return false;
    if (children.count > 0) {
        CXType base = clang_getCanonicalType(clang_getCursorType(children.items[0]));

        w->key->reads_memory = w->key->reads_memory || base.kind == CXType_Pointer;
    }
    pm_cursors_free(&children);
    return describe_children(w, member);
}

static bool describe_operator(writer *w, CXCursor expression)
{
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(expression);

    return op != CXBinaryOperator_Assign && op != CXBinaryOperator_Comma &&
           put(w, "b%d", (int)op) && describe_children(w, expression);
}

static bool describe_unary(writer *w, CXCursor expression)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(expression);

    return (op == CXUnaryOperator_Plus || op == CXUnaryOperator_Minus ||
            op == CXUnaryOperator_Not) &&
           put(w, "u%d", (int)op) && describe_children(w, expression);
}

static bool describe_cast(writer *w, CXCursor expression)
{
    CXString type = clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(expression)));
    bool done = put(w, "<%s>", clang_getCString(type));

    clang_disposeString(type);
    return done && describe_children(w, expression);
}

static bool describe(writer *w, CXCursor expression)
{
    CXCursor named = pm_named_variable(expression);
    bool done = false;

    if (w->depth == 32)
        return false;
    if (!clang_Cursor_isNull(named))
        return put_variable(w, named);
    w->depth++;
    expression = pm_inside(expression);
    switch (expression.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        done = put_literal(w, expression);
        break;
    case CXCursor_BinaryOperator:
        done = describe_operator(w, expression);
        break;
    case CXCursor_UnaryOperator:
        done = describe_unary(w, expression);
        break;
    case CXCursor_CStyleCastExpr:
        done = describe_cast(w, expression);
        break;
    case CXCursor_CallExpr:
        done = describe_call(w, expression);
        break;
    case CXCursor_MemberRefExpr:
        done = describe_member(w, expression);
        break;
    case CXCursor_ArraySubscriptExpr:
        w->key->reads_memory = true;
        done = put(w, "[]") && describe_children(w, expression);
        break;
    default:
        break;
    }
    w->depth--;
    return done;
}

bool pm_element_key_of(const pm_element_access *access, pm_element_key *key)
{
    writer w = {.key = key};

    *key = (pm_element_key){0};
    if (clang_Cursor_isNull(access->pointer))
        return false;
    return put_variable(&w, access->pointer) &&
           (clang_Cursor_isNull(access->index) ? put(&w, "0 ") : describe(&w, access->index));
}

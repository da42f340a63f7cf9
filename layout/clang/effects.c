/* What a statement does. See effects.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where something is not known, it does the worst: the price is an access that stays where it is.
 */
#include "effects.h"

#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

/* How the expression that is looked at is used. */
typedef struct {
    bool read, written, conditional;
} context;

typedef struct {
    pm_effects *effects;
    pm_match_access match;
    void *user;
    pm_error *err;
} walk;

static pm_status visit(walk *w, CXCursor cursor, context how);

/* ---- cursors -------------------------------------------------------------------------------- */

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    pm_cursors *list = data;

    (void)parent;
    if (list->count == list->room) {
        size_t room = list->room * 2 + 4;
        CXCursor *grown = realloc(list->items, room * sizeof *grown);

        if (!grown) {
            list->failed = true;
            return CXChildVisit_Break;
        }
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = cursor;
    return CXChildVisit_Continue;
}

pm_status pm_cursors_of(CXCursor parent, pm_cursors *children, pm_error *err)
{
    *children = (pm_cursors){0};
    clang_visitChildren(parent, take_child, children);
    return children->failed ? pm_fail(err, PM_FAILED, "out of memory for the source's tree")
                            : PM_OK;
}

void pm_cursors_free(pm_cursors *cursors)
{
    free(cursors->items);
    *cursors = (pm_cursors){0};
}

typedef struct {
    CXCursor cursor;
    size_t count;
} only;

static enum CXChildVisitResult take_only(CXCursor cursor, CXCursor parent, CXClientData data)
{
    only *found = data;

    (void)parent;
    if (clang_isExpression(cursor.kind)) {
        found->cursor = cursor;
        found->count++;
    }
    return CXChildVisit_Continue;
}

CXCursor pm_inside(CXCursor expression)
{
    while (expression.kind == CXCursor_ParenExpr || expression.kind == CXCursor_UnexposedExpr) {
        only inner = {clang_getNullCursor(), 0};

        clang_visitChildren(expression, take_only, &inner);
        if (inner.count != 1)
            break;
        expression = inner.cursor;
    }
    return expression;
}

CXCursor pm_named_variable(CXCursor expression)
{
    CXCursor named = clang_getNullCursor();

    expression = pm_inside(expression);
    if (expression.kind == CXCursor_DeclRefExpr)
        named = clang_getCursorReferenced(expression);
    return named.kind == CXCursor_VarDecl || named.kind == CXCursor_ParmDecl
               ? named
               : clang_getNullCursor();
}

/* ---- lists ---------------------------------------------------------------------------------- */

static void *grown(void *items, size_t count, size_t *room, size_t size)
{
    size_t wanted = *room * 2 + 8;
    void *larger = items;

    if (count < *room)
        return items;
    larger = realloc(items, wanted * size);
    if (larger)
        *room = wanted;
    return larger;
}

static pm_status no_memory(const walk *w)
{
    return pm_fail(w->err, PM_FAILED, "out of memory for what a statement does");
}

static pm_status add_access(walk *w, const pm_element_access *access)
{
    pm_effects *e = w->effects;
    void *items = grown(e->accesses, e->access_count, &e->access_room, sizeof *e->accesses);

    if (!items)
        return no_memory(w);
    e->accesses = items;
    e->accesses[e->access_count++] = *access;
    return PM_OK;
}

static pm_status add_modified(walk *w, CXCursor variable)
{
    pm_effects *e = w->effects;
    void *items = grown(e->modified, e->modified_count, &e->modified_room, sizeof *e->modified);

    if (!items)
        return no_memory(w);
    e->modified = items;
    e->modified[e->modified_count++] = variable;
    return PM_OK;
}

void pm_effects_free(pm_effects *effects)
{
    free(effects->accesses);
    free(effects->modified);
    *effects = (pm_effects){0};
}

/* ---- writing to something that is no field --------------------------------------------------- */

/* What is written, or has its address taken: the variable it is a part of, else memory. */
static pm_status modify(walk *w, CXCursor target)
{
    for (;;) {
        CXCursor named = pm_named_variable(target);
        pm_cursors children;
        bool inside;

        if (!clang_Cursor_isNull(named))
            return add_modified(w, named);
        target = pm_inside(target);
        if (target.kind != CXCursor_MemberRefExpr && target.kind != CXCursor_ArraySubscriptExpr)
            break;
        if (pm_cursors_of(target, &children, w->err) != PM_OK)
            return PM_FAILED;
        CXCursor base = children.count > 0 ? pm_inside(children.items[0]) : target;
        pm_cursors_free(&children);
        enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(base)).kind;
        inside = type != CXType_Pointer && !clang_equalCursors(base, target);
        if (!inside)
            break;
        target = base;
    }
    w->effects->writes_memory = true;
    return PM_OK;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (starts(name, *names))
            return true;
    return false;
}

/* A pointer to something that is not const. */
static bool may_write_through(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);

    return canonical.kind == CXType_Pointer &&
           !clang_isConstQualifiedType(clang_getPointeeType(canonical));
}

/* What a call may do besides evaluating its arguments. The language has no variables outside of
 * functions: without a pointer to write through, a function writes nothing. */
static void call(walk *w, CXCursor expression)
{
    static const char *const orders[] = {
        "barrier", "work_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence",
        "async_",  "wait_group_events",  NULL};
    CXCursor callee = clang_getCursorReferenced(expression);
    CXString spelling = clang_getCursorSpelling(expression);
    const char *name = clang_getCString(spelling);
    bool builtin =
        clang_Cursor_isNull(callee) || clang_Cursor_isNull(clang_getCursorDefinition(callee));
    int arguments = clang_Cursor_getNumArguments(expression);

    if (!name || !*name || one_of(name, orders))
        w->effects->ordered = true;
    clang_disposeString(spelling);
    for (int i = 0; i < arguments; i++) {
        CXCursor argument = clang_Cursor_getArgument(expression, (unsigned)i);

        if (!may_write_through(clang_getCursorType(argument)))
            continue;
        w->effects->writes_memory = true;
        /* Builtins write what they are given the address of, which `address` sees. */
        w->effects->writes_all = w->effects->writes_all || !builtin;
    }
}

/* ---- expressions and statements -------------------------------------------------------------- */

static pm_status visit_all(walk *w, CXCursor parent, size_t conditional_from, context how)
{
    const context rest = {true, false, how.conditional};
    pm_cursors children;
    pm_status status = pm_cursors_of(parent, &children, w->err);

    for (size_t i = 0; status == PM_OK && i < children.count; i++) {
        context own = rest;

        own.conditional = own.conditional || i >= conditional_from;
        status = visit(w, children.items[i], own);
    }
    pm_cursors_free(&children);
    return status;
}

enum { NEVER = 1000000 };

/* An operator that writes its first operand, and reads it too if `reads`. */
static pm_status visit_write(walk *w, CXCursor expression, bool reads, context how)
{
    pm_cursors children;
    pm_status status = pm_cursors_of(expression, &children, w->err);

    for (size_t i = children.count; status == PM_OK && i-- > 0;) {
        const context own = {i > 0 || reads, i == 0, how.conditional};

        status = visit(w, children.items[i], own);
    }
    pm_cursors_free(&children);
    return status;
}

/* Whatever has its address taken may be read and written through it later. */
static pm_status visit_address(walk *w, CXCursor expression, context how)
{
    const context both = {true, true, how.conditional};
    pm_cursors children;
    pm_status status = pm_cursors_of(expression, &children, w->err);

    for (size_t i = 0; status == PM_OK && i < children.count; i++) {
        CXCursor target = pm_inside(children.items[i]);
        pm_element_access access;
        bool element = w->match(w->user, target, &access) && access.field == PM_ALL_FIELDS;

        /* The address of an element is only a number; calls see where it goes. */
        status = element ? visit_all(w, target, NEVER, how) : visit(w, target, both);
    }
    pm_cursors_free(&children);
    return status;
}

static pm_status visit_operator(walk *w, CXCursor expression, context how)
{
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(expression);

    if (op == CXBinaryOperator_Assign)
        return visit_write(w, expression, false, how);
    return visit_all(w, expression,
                     op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr ? 1 : NEVER, how);
}

static pm_status visit_unary(walk *w, CXCursor expression, context how)
{
    switch (clang_getCursorUnaryOperatorKind(expression)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return visit_write(w, expression, true, how);
    case CXUnaryOperator_AddrOf:
        return visit_address(w, expression, how);
    default:
        return visit_all(w, expression, NEVER, how);
    }
}

/* An access to an element, or else something that may hold some. */
static pm_status visit_place(walk *w, CXCursor expression, context how)
{
    pm_element_access access = {0};

    if (w->match(w->user, expression, &access)) {
        access.cursor = expression;
        access.read = how.read;
        access.written = how.written;
        access.conditional = how.conditional;
        if (add_access(w, &access) != PM_OK)
            return PM_FAILED;
        if (clang_Cursor_isNull(access.pointer))
            return visit_all(w, expression, NEVER, how);
        return clang_Cursor_isNull(access.index)
                   ? PM_OK
                   : visit(w, access.index, (context){true, false, how.conditional});
    }
    if (how.written && modify(w, expression) != PM_OK)
        return PM_FAILED;
    return visit_all(w, expression, NEVER, how);
}

static pm_status visit(walk *w, CXCursor cursor, context how)
{
    switch (cursor.kind) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr: {
        CXCursor inner = pm_inside(cursor);

        return clang_equalCursors(inner, cursor) ? visit_all(w, cursor, NEVER, how)
                                                 : visit(w, inner, how);
    }
    case CXCursor_BinaryOperator:
        return visit_operator(w, cursor, how);
    case CXCursor_CompoundAssignOperator:
        return visit_write(w, cursor, true, how);
    case CXCursor_UnaryOperator:
        return how.written ? visit_place(w, cursor, how) : visit_unary(w, cursor, how);
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_DeclRefExpr:
        return visit_place(w, cursor, how);
    case CXCursor_CallExpr:
        call(w, cursor);
        return visit_all(w, cursor, NEVER, how);
    case CXCursor_ConditionalOperator:
    case CXCursor_IfStmt:
        return visit_all(w, cursor, 1, how);
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        return visit_all(w, cursor, 0, how);
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
    case CXCursor_AsmStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        w->effects->ordered = true;
        return visit_all(w, cursor, 0, how);
    default:
        return visit_all(w, cursor, NEVER, how);
    }
}

pm_status pm_effects_add(pm_effects *effects, CXCursor statement, pm_match_access match, void *user,
                         pm_error *err)
{
    walk w = {effects, match, user, err};

    return visit(&w, statement, (context){true, false, false});
}

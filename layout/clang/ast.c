/* The syntax tree of a source. See ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "ast.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

/* Deeper than any kernel that a person wrote; libclang's own recursion ends somewhere beyond. */
enum { MOST_DEPTH = 1500, MOST_NODES = 1 << 22 };

typedef struct {
    pm_ast *ast;
    pm_node *parent;
    size_t depth;
    pm_status *status;
    pm_error *err;
} walk;

/* ---- the tree ------------------------------------------------------------------------------ */

static bool grow(void **items, size_t size, size_t count, size_t *room)
{
    size_t more = *room ? *room * 2 : 64;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*items, more * size);
    if (!grown)
        return false;
    *items = grown;
    *room = more;
    return true;
}

static pm_node *add_node(pm_ast *ast, CXCursor cursor, pm_node *parent)
{
    pm_node *node;

    if (!grow((void **)&ast->nodes, sizeof(pm_node *), ast->count, &ast->node_room))
        return NULL;
    node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    *node = (pm_node){.cursor = cursor,
                      .kind = clang_getCursorKind(cursor),
                      .parent = parent,
                      .number = ast->count};
    ast->nodes[ast->count++] = node;
    pm_place_begin(ast, node);
    if (!parent)
        return node;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

static void insert_declared(pm_ast *ast, pm_node *node)
{
    size_t mask = ast->declared_room - 1, at = clang_hashCursor(node->cursor) & mask;

    while (ast->declared[at])
        at = (at + 1) & mask;
    ast->declared[at] = node;
    ast->declared_count++;
}

static bool add_declared(pm_ast *ast, pm_node *node)
{
    if (ast->declared_count * 2 >= ast->declared_room) {
        pm_node **old = ast->declared;
        size_t room = ast->declared_room, more = room ? room * 2 : 256;
        pm_node **grown = calloc(more, sizeof(pm_node *));

        if (!grown)
            return false;
        ast->declared = grown;
        ast->declared_room = more;
        ast->declared_count = 0;
        for (size_t i = 0; i < room; i++)
            if (old[i])
                insert_declared(ast, old[i]);
        free(old);
    }
    insert_declared(ast, node);
    return true;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    walk *at = data;
    pm_node *node;
    walk below = *at;

    (void)parent;
    /* A struct is visited again in its typedef and in its variables, and so is all that is in it.
     */
    if (clang_isDeclaration(clang_getCursorKind(cursor)) && pm_ast_find(at->ast, cursor))
        return CXChildVisit_Continue;
    if (!at->parent->parent && clang_isPreprocessing(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    if (!at->parent->parent && clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    node = at->ast->count < MOST_NODES ? add_node(at->ast, cursor, at->parent) : NULL;
    if (!node || (clang_isDeclaration(node->kind) && !add_declared(at->ast, node))) {
        *at->status = pm_fail(at->err, PM_FAILED, "out of memory for the source's syntax tree");
        return CXChildVisit_Break;
    }
    if (at->depth >= MOST_DEPTH) {
        *at->status = pm_ast_refuse(node, at->err, "expressions are nested too deep");
        return CXChildVisit_Break;
    }
    below.parent = node;
    below.depth++;
    clang_visitChildren(cursor, visit, &below);
    pm_place_end(at->ast, node);
    return *at->status == PM_OK ? CXChildVisit_Continue : CXChildVisit_Break;
}

static enum CXChildVisitResult visit_macro(CXCursor cursor, CXCursor parent, CXClientData data)
{
    walk *at = data;
    pm_ast *ast = at->ast;
    pm_range use;
    bool own;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_MacroExpansion ||
        !pm_place_of_use(ast, cursor, &use))
        return CXChildVisit_Continue;
    own = pm_place_is_own(cursor);
    if (!(own ? grow((void **)&ast->own_uses, sizeof use, ast->own_count, &ast->own_room)
              : grow((void **)&ast->uses, sizeof use, ast->use_count, &ast->use_room))) {
        *at->status = pm_fail(at->err, PM_FAILED, "out of memory for the source's macros");
        return CXChildVisit_Break;
    }
    if (own)
        ast->own_uses[ast->own_count++] = use;
    else
        ast->uses[ast->use_count++] = use;
    return CXChildVisit_Continue;
}

static pm_status build(pm_ast *ast, pm_error *err)
{
    pm_status status = PM_OK;
    walk at = {.ast = ast, .status = &status, .err = err};
    CXCursor cursor = clang_getTranslationUnitCursor(ast->unit);

    clang_visitChildren(cursor, visit_macro, &at);
    if (status == PM_OK && !pm_place_sort(ast))
        status = pm_fail(err, PM_FAILED, "out of memory for the source's macros");
    if (status != PM_OK)
        return status;
    ast->root = at.parent = add_node(ast, cursor, NULL);
    if (!ast->root)
        return pm_fail(err, PM_FAILED, "out of memory for the source's syntax tree");
    clang_visitChildren(cursor, visit, &at);
    return status;
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* The first error as path:line:column: what; a note belongs to the one before. */
static pm_status first_error(CXTranslationUnit unit, pm_error *err)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);

        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString file, what = clang_getDiagnosticSpelling(diagnostic);
            unsigned line, column;

            clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line,
                                      &column);
            if (line > 0)
                pm_fail(err, PM_BAD_INPUT, "%s:%u:%u: %s", clang_getCString(file), line, column,
                        clang_getCString(what));
            else
                pm_fail(err, PM_BAD_INPUT, "%s", clang_getCString(what));
            clang_disposeString(file);
            clang_disposeString(what);
            clang_disposeDiagnostic(diagnostic);
            return PM_BAD_INPUT;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return PM_OK;
}

pm_status pm_ast_parse(pm_ast *ast, const char *text, const char *path,
                       const char *const *arguments, size_t argument_count, pm_error *err)
{
    struct CXUnsavedFile file = {.Filename = path, .Contents = text, .Length = strlen(text)};
    pm_status status;

    *ast = (pm_ast){.text = text, .length = strlen(text)};
    ast->index = clang_createIndex(0, 0);
    if (!ast->index)
        return pm_fail(err, PM_FAILED, "%s: libclang does not start", path);
    if (clang_parseTranslationUnit2(ast->index, path, arguments, (int)argument_count, &file, 1,
                                    CXTranslationUnit_DetailedPreprocessingRecord,
                                    &ast->unit) != CXError_Success)
        return pm_fail(err, PM_FAILED, "%s: libclang cannot parse it", path);
    status = first_error(ast->unit, err);
    ast->file = clang_getFile(ast->unit, path);
    if (status == PM_OK && !ast->file)
        status = pm_fail(err, PM_FAILED, "%s: libclang loses the source", path);
    return status == PM_OK ? build(ast, err) : status;
}

void pm_ast_free(pm_ast *ast)
{
    for (size_t i = 0; i < ast->count; i++)
        free(ast->nodes[i]);
    free(ast->nodes);
    free(ast->declared);
    free(ast->uses);
    free(ast->own_uses);
    free(ast->use_ends);
    free(ast->use_reach);
    if (ast->unit)
        clang_disposeTranslationUnit(ast->unit);
    if (ast->index)
        clang_disposeIndex(ast->index);
    *ast = (pm_ast){0};
}

/* ---- asking -------------------------------------------------------------------------------- */

pm_node *pm_ast_find(const pm_ast *ast, CXCursor cursor)
{
    size_t mask = ast->declared_room - 1, at;

    if (ast->declared_room == 0 || clang_Cursor_isNull(cursor))
        return NULL;
    for (at = clang_hashCursor(cursor) & mask; ast->declared[at]; at = (at + 1) & mask)
        if (clang_equalCursors(ast->declared[at]->cursor, cursor))
            return ast->declared[at];
    return NULL;
}

pm_node *pm_ast_declaration(const pm_ast *ast, const pm_node *use)
{
    return pm_ast_find(ast, clang_getCursorReferenced(use->cursor));
}

pm_node *pm_ast_definition(const pm_ast *ast, const pm_node *function)
{
    return pm_ast_find(ast, clang_getCursorDefinition(function->cursor));
}

static bool is_wrapper(const pm_node *node)
{
    if (node->kind == CXCursor_ParenExpr)
        return true;
    return node->kind == CXCursor_UnexposedExpr && node->first && !node->first->next &&
           node->first->begin == node->begin && node->first->end == node->end;
}

pm_node *pm_ast_strip(pm_node *node)
{
    while (is_wrapper(node) && node->first)
        node = node->first;
    return node;
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

pm_node *pm_ast_ancestor(pm_node *node, enum CXCursorKind kind)
{
    while (node && node->kind != kind)
        node = node->parent;
    return node;
}

bool pm_changes_operand(const pm_node *node)
{
    enum CXUnaryOperatorKind unary;

    switch (node->kind) {
    case CXCursor_CompoundAssignOperator:
        return true;
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_Assign;
    case CXCursor_UnaryOperator:
        unary = clang_getCursorUnaryOperatorKind(node->cursor);
        return unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
    default:
        return false;
    }
}

CXType pm_ast_type(const pm_node *node)
{
    return clang_getCanonicalType(clang_getCursorType(node->cursor));
}

unsigned pm_ast_line(const pm_node *node, unsigned *column)
{
    unsigned line = 0, unused;

    clang_getPresumedLocation(clang_getRangeStart(clang_getCursorExtent(node->cursor)), NULL, &line,
                              column ? column : &unused);
    return line;
}

char *pm_ast_string(CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = strdup(text ? text : "");

    clang_disposeString(string);
    return copy;
}

char *pm_ast_name(const pm_node *node)
{
    return pm_ast_string(clang_getCursorSpelling(node->cursor));
}

pm_status pm_ast_refuse(const pm_node *node, pm_error *err, const char *format, ...)
{
    CXString file;
    unsigned line = 0, column;
    char reason[700];
    va_list args;

    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    clang_getPresumedLocation(clang_getRangeStart(clang_getCursorExtent(node->cursor)), &file,
                              &line, &column);
    pm_fail(err, PM_BAD_INPUT, "%s:%u: %s", clang_getCString(file), line, reason);
    clang_disposeString(file);
    return PM_BAD_INPUT;
}

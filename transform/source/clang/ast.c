/* Builds the syntax tree of a kernel source from the nodes that libclang reports (cursors). See
 * ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/ast.h"
#include "transform/source/clang/prelude.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "transform/source/clang/cursors.h"
#include "transform/source/clang/names.h"

/* Limits on the depth of the syntax tree and the number of its nodes, against malicious sources.
 * Kernels written by people stay far below them. */
enum { MOST_DEPTH = 1500, MOST_NODES = 1 << 22 };

/* Children of a syntax node, collected by libclang's callback. They are added to the tree only
 * after the callback has returned, because a callback must not raise errors. at_top: true if the
 * node is the file itself, so that the children are declarations at file scope. */
typedef struct {
    pm_ast *ast;
    pm_cursors of;
    bool at_top;
} children;

/* ---- the tree ------------------------------------------------------------------------------ */

char *pm_ast_head(const pm_node *function, pm_memory *memory)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function->cursor);
    char *text;

    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    text = pm_take_string(memory, clang_getCursorPrettyPrinted(function->cursor, policy));
    clang_PrintingPolicy_dispose(policy);
    return text;
}

/* Returns whether a function is a kernel. libclang has no cursor for the kernel attribute, but
 * prints the attribute in the function's head. Both of its spellings are keywords, so they cannot
 * occur there with another meaning. */
static bool is_kernel(const pm_node *function, pm_memory *memory)
{
    const char *head = pm_ast_head(function, memory);

    return pm_has_token(head, "kernel") || pm_has_token(head, "__kernel");
}

static pm_node *add_node(pm_ast *ast, CXCursor cursor, pm_node *parent)
{
    pm_node *node = pm_take(&ast->memory, 1, sizeof *node);

    *node = (pm_node){.cursor = cursor,
                      .kind = clang_getCursorKind(cursor),
                      .type = clang_getCanonicalType(clang_getCursorType(cursor)),
                      .name = "",
                      .parent = parent,
                      .number = ast->count};
    *pm_add(&ast->memory, ast->nodes, ast->count) = node;
    if (clang_isDeclaration(node->kind))
        node->name = pm_take_string(&ast->memory, clang_getCursorSpelling(cursor));
    if (node->kind == CXCursor_BinaryOperator || node->kind == CXCursor_CompoundAssignOperator)
        node->binary = clang_getCursorBinaryOperatorKind(cursor);
    else if (node->kind == CXCursor_UnaryOperator)
        node->unary = clang_getCursorUnaryOperatorKind(cursor);
    else if (node->kind == CXCursor_FunctionDecl && !ast->is_cuda)
        node->is_kernel = is_kernel(node, &ast->memory);
    else if (node->kind == CXCursor_CUDAGlobalAttr && parent &&
             parent->kind == CXCursor_FunctionDecl)
        parent->is_kernel = true;
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

static void add_declared(pm_ast *ast, pm_node *node)
{
    if (ast->declared_count * 2 >= ast->declared_room) {
        pm_node **old = ast->declared;
        size_t room = ast->declared_room;

        ast->declared_room = room ? room * 2 : 256;
        ast->declared = pm_take(&ast->memory, ast->declared_room, sizeof *old);
        ast->declared_count = 0;
        for (size_t i = 0; i < room; i++)
            if (old[i])
                insert_declared(ast, old[i]);
    }
    insert_declared(ast, node);
}

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    children *list = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    (void)parent;
    if (list->at_top && kind != CXCursor_MacroExpansion &&
        (clang_isPreprocessing(kind) ||
         clang_Location_isInSystemHeader(clang_getCursorLocation(cursor))))
        return CXChildVisit_Continue;
    return pm_cursors_add(&list->of, cursor, CXChildVisit_Continue);
}

static void take_children(children *list, CXCursor parent, bool at_top)
{
    list->at_top = at_top;
    clang_visitChildren(parent, take_child, list);
    if (list->of.failed)
        pm_leave(&list->ast->memory, PM_FAILED, "out of memory for the source's syntax tree");
}

static void add_below(children *list, CXCursor around, pm_node *parent, size_t depth);

static void add_child(children *list, pm_node *parent, CXCursor cursor, size_t depth)
{
    pm_ast *ast = list->ast;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    pm_node *node;

    if (parent && parent->kind == CXCursor_FunctionTemplate && !ast->has_templates &&
        !clang_isAttribute(kind))
        return;
    /* Treat declarations inside of extern "C" or a namespace like declarations at file scope. */
    if (kind == CXCursor_LinkageSpec || kind == CXCursor_Namespace) {
        add_below(list, cursor, parent, depth + 1);
        return;
    }
    /* Skip a declaration that already has a node: libclang reports a struct again, with all its
     * members, in its typedef and in variables of its type. */
    if (kind == CXCursor_MacroExpansion || (clang_isDeclaration(kind) && pm_ast_find(ast, cursor)))
        return;
    if (ast->count >= MOST_NODES)
        pm_leave(&ast->memory, PM_FAILED, "out of memory for the source's syntax tree");
    node = add_node(ast, cursor, parent);
    if (clang_isDeclaration(node->kind))
        add_declared(ast, node);
    if (depth >= MOST_DEPTH)
        pm_ast_refuse(&ast->memory, node, "expressions are nested too deep");
    add_below(list, cursor, node, depth + 1);
    node->behind = ast->count;
    pm_place_end(ast, node);
}

static void add_below(children *list, CXCursor around, pm_node *parent, size_t depth)
{
    const size_t first = list->of.count;

    take_children(list, around, false);
    for (size_t i = first, end = list->of.count; i < end; i++)
        add_child(list, parent, list->of.items[i], depth);
    list->of.count = first;
}

static void resolve(pm_ast *ast, pm_node *node)
{
    CXCursor value;

    if (node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr ||
        node->kind == CXCursor_CallExpr) {
        node->declaration = pm_ast_find(ast, clang_getCursorReferenced(node->cursor));
        node->name = node->declaration
                         ? node->declaration->name
                         : pm_take_string(&ast->memory, clang_getCursorSpelling(node->cursor));
    } else if (node->kind == CXCursor_FunctionDecl)
        node->definition = pm_ast_find(ast, clang_getCursorDefinition(node->cursor));
    else if (node->kind == CXCursor_VarDecl) {
        value = clang_Cursor_getVarDeclInitializer(node->cursor);
        for (node->initializer = node->first;
             node->initializer && !clang_equalCursors(node->initializer->cursor, value);)
            node->initializer = node->initializer->next;
    }
}

static void build(void *user)
{
    children *list = user;
    pm_ast *ast = list->ast;

    take_children(list, clang_getTranslationUnitCursor(ast->unit), true);
    for (size_t i = 0; i < list->of.count; i++)
        if (clang_getCursorKind(list->of.items[i]) == CXCursor_MacroExpansion)
            pm_place_add_use(ast, list->of.items[i]);
    pm_place_sort(ast);
    ast->root = add_node(ast, clang_getTranslationUnitCursor(ast->unit), NULL);
    for (size_t i = 0, end = list->of.count; i < end; i++)
        add_child(list, ast->root, list->of.items[i], 0);
    ast->root->behind = ast->count;
    for (size_t i = 0; i < ast->count; i++)
        resolve(ast, ast->nodes[i]);
    if (ast->is_cuda)
        pm_cplusplus_plain(ast);
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* Returns clang's first error as "path:line:column: text", followed by the notes that clang adds to
 * it. Returns PM_OK if there is no error. */
static pm_status first_error(CXTranslationUnit unit, pm_error *err)
{
    pm_status status = PM_OK;

    for (unsigned i = 0; status == PM_OK && i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXString file, what = clang_getDiagnosticSpelling(diagnostic);
        unsigned line, column;

        clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            status = line > 0 ? pm_fail(err, PM_BAD_INPUT, "%s:%u:%u: %s", clang_getCString(file),
                                        line, column, clang_getCString(what))
                              : pm_fail(err, PM_BAD_INPUT, "%s", clang_getCString(what));
        clang_disposeString(file);
        clang_disposeString(what);
        clang_disposeDiagnostic(diagnostic);
    }
    return status;
}

static bool is_cuda(const pm_parse_request *request)
{
    return request->argument_count > 1 && strcmp(request->arguments[0], "-x") == 0 &&
           strcmp(request->arguments[1], "cuda") == 0;
}

/* Returns the source and its headers in libclang's form for texts that are not in files. The caller
 * frees the result. Returns NULL if memory runs out. */
static struct CXUnsavedFile *list_files(const pm_parse_request *request)
{
    struct CXUnsavedFile *files = calloc(request->header_count + 1, sizeof *files);
    const char *parsed = request->parsed ? request->parsed : request->text;

    if (!files)
        return NULL;
    files[0] = (struct CXUnsavedFile){request->path, parsed, strlen(parsed)};
    for (size_t h = 0; h < request->header_count; h++)
        files[h + 1] = (struct CXUnsavedFile){request->headers[h].name, request->headers[h].text,
                                              strlen(request->headers[h].text)};
    return files;
}

static pm_status parse(pm_ast *ast, const pm_parse_request *request, pm_error *err)
{
    struct CXUnsavedFile *files = list_files(request);
    size_t count = request->argument_count;
    const char *const *arguments =
        ast->is_cuda ? pm_prelude_arguments(request->prelude, request->arguments, &count)
                     : request->arguments;
    bool parsed = files && files[0].Length >= ast->length &&
                  clang_parseTranslationUnit2(ast->index, request->path, arguments, (int)count,
                                              files, (unsigned)request->header_count + 1,
                                              CXTranslationUnit_DetailedPreprocessingRecord,
                                              &ast->unit) == CXError_Success;

    free(files);
    return parsed ? PM_OK : pm_fail(err, PM_FAILED, "%s: libclang cannot parse it", request->path);
}

pm_status pm_ast_parse(pm_ast *ast, const pm_parse_request *request, pm_error *err)
{
    children list = {.ast = ast};
    pm_status status;

    *ast = (pm_ast){.text = request->text,
                    .length = strlen(request->text),
                    .is_cuda = is_cuda(request),
                    .has_templates = request->templates};
    ast->index = clang_createIndex(0, 0);
    if (!ast->index)
        return pm_fail(err, PM_FAILED, "%s: libclang does not start", request->path);
    status = parse(ast, request, err);
    if (status == PM_OK)
        status = first_error(ast->unit, err);
    if (status == PM_OK)
        ast->file = clang_getFile(ast->unit, request->path);
    if (status == PM_OK && !ast->file)
        status = pm_fail(err, PM_FAILED, "%s: libclang loses the source", request->path);
    if (status == PM_OK)
        status = pm_attempt(&ast->memory, build, &list, err);
    pm_cursors_free(&list.of);
    return status;
}

void pm_ast_free(pm_ast *ast)
{
    pm_memory_free(&ast->memory);
    if (ast->unit)
        clang_disposeTranslationUnit(ast->unit);
    if (ast->index)
        clang_disposeIndex(ast->index);
    *ast = (pm_ast){0};
}

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

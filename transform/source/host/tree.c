/* Makes the syntax tree of host code from libclang's cursors. See tree.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/tree.h"

#include <string.h>

#include "base/error.h"
#include "transform/source/clang/cursors.h"
#include "transform/source/host/missing.h"

enum { MOST_NODES = 1 << 21, FIRST_ROOM = 512, MOST_REPAIRS = 4 };

/* ---- parsing ------------------------------------------------------------------------------- */

/* Path of a header file that is given to libclang as text. It declares names whose own headers are
 * missing. */
static const char missing_path[] = "/perfmodel/missing.cuh";

static void parse_once(pm_host_tree *tree, const pm_host_parse *parse, const char *missing)
{
    struct CXUnsavedFile files[] = {{parse->path, parse->text, strlen(parse->text)},
                                    {missing_path, missing, strlen(missing)}};
    const char **arguments = pm_take(tree->memory, parse->argument_count + 2, sizeof *arguments);

    memcpy(arguments, parse->arguments, parse->argument_count * sizeof *arguments);
    arguments[parse->argument_count] = "-include";
    arguments[parse->argument_count + 1] = missing_path;
    if (clang_parseTranslationUnit2(tree->index, parse->path, arguments,
                                    (int)parse->argument_count + 2, files, 2,
                                    CXTranslationUnit_KeepGoing, &tree->unit) != CXError_Success)
        pm_leave(tree->memory, PM_FAILED, "%s: libclang cannot parse it", parse->path);
}

void pm_host_tree_parse(pm_host_tree *tree, const pm_host_parse *parse)
{
    pm_text missing = {.memory = tree->memory};

    tree->index = clang_createIndex(0, 0);
    if (!tree->index)
        pm_leave(tree->memory, PM_FAILED, "%s: libclang does not start", parse->path);
    parse_once(tree, parse, "");
    for (size_t i = 0; i < MOST_REPAIRS && pm_host_declare_missing(tree->unit, &missing); i++) {
        clang_disposeTranslationUnit(tree->unit);
        tree->unit = NULL;
        parse_once(tree, parse, pm_text_get(&missing));
    }
}

void pm_host_tree_free(pm_host_tree *tree)
{
    if (tree->unit)
        clang_disposeTranslationUnit(tree->unit);
    if (tree->index)
        clang_disposeIndex(tree->index);
    tree->unit = NULL;
    tree->index = NULL;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* Returns the type of a parameter, taken from the type of its function. A parameter that is written
 * as float *at[2] is a pointer in C, but libclang reports an array. */
static CXType parameter_type(CXCursor parameter, CXType written)
{
    const CXCursor function = clang_getCursorSemanticParent(parameter);
    const CXType type = clang_getCanonicalType(clang_getCursorType(function));

    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        if (clang_equalCursors(clang_Cursor_getArgument(function, (unsigned)i), parameter))
            return clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
    return written;
}

static CXType type_of(CXCursor cursor)
{
    const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    CXCursor named;

    if (!pm_host_is_array(type))
        return type;
    named = clang_getCursorKind(cursor) == CXCursor_ParmDecl ? cursor
                                                             : clang_getCursorReferenced(cursor);
    return clang_getCursorKind(named) == CXCursor_ParmDecl ? parameter_type(named, type) : type;
}

static pm_host_node *add_node(pm_host_tree *tree, CXCursor cursor)
{
    pm_host_node *node;
    unsigned line = 0;

    if (tree->count++ >= MOST_NODES)
        pm_leave(tree->memory, PM_BAD_INPUT, "the host code is too large to be read");
    node = pm_take(tree->memory, 1, sizeof *node);
    clang_getPresumedLocation(clang_getCursorLocation(cursor), NULL, &line, NULL);
    *node = (pm_host_node){.cursor = cursor,
                           .kind = clang_getCursorKind(cursor),
                           .type = type_of(cursor),
                           .name = "",
                           .line = (int)line};
    if (node->kind == CXCursor_BinaryOperator || node->kind == CXCursor_CompoundAssignOperator)
        node->binary = clang_getCursorBinaryOperatorKind(cursor);
    else if (node->kind == CXCursor_UnaryOperator)
        node->unary = clang_getCursorUnaryOperatorKind(cursor);
    return node;
}

static size_t slot_of(const pm_host_tree *tree, CXCursor cursor)
{
    size_t at = clang_hashCursor(cursor) & (tree->room - 1);

    while (tree->table[at] && !clang_equalCursors(tree->table[at]->cursor, cursor))
        at = (at + 1) & (tree->room - 1);
    return at;
}

static void grow_table(pm_host_tree *tree)
{
    pm_host_node **old = tree->table;
    const size_t room = tree->room;

    tree->room = room ? room * 2 : FIRST_ROOM;
    tree->table = pm_take(tree->memory, tree->room, sizeof *tree->table);
    for (size_t i = 0; i < room; i++)
        if (old[i])
            tree->table[slot_of(tree, old[i]->cursor)] = old[i];
}

pm_host_node *pm_host_declared(pm_host_tree *tree, CXCursor cursor)
{
    size_t at;

    if (clang_Cursor_isNull(cursor) || !clang_isDeclaration(clang_getCursorKind(cursor)))
        return NULL;
    if (tree->table_count * 2 >= tree->room)
        grow_table(tree);
    at = slot_of(tree, cursor);
    if (!tree->table[at]) {
        tree->table[at] = add_node(tree, cursor);
        tree->table[at]->name = pm_take_string(tree->memory, clang_getCursorSpelling(cursor));
        tree->table_count++;
    }
    return tree->table[at];
}

static enum CXChildVisitResult take_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    return pm_cursors_add(data, cursor, CXChildVisit_Continue);
}

/* Returns the name of an overloaded function that clang could not resolve, for example because an
 * argument's type is unknown. libclang has the name only in a nested cursor. */
static const char *overloaded_name(pm_host_tree *tree, CXCursor cursor, unsigned depth)
{
    pm_cursors list = {.items = NULL};
    const char *name = "";

    clang_visitChildren(cursor, take_child, &list);
    if (list.count > 0 && !list.failed) {
        const CXCursor first = list.items[0];

        if (clang_getCursorKind(first) == CXCursor_OverloadedDeclRef)
            name = pm_take_string(tree->memory, clang_getCursorSpelling(first));
        else if (depth > 0)
            name = overloaded_name(tree, first, depth - 1);
    }
    pm_cursors_free(&list);
    return name;
}

static void find_named(pm_host_tree *tree, pm_host_node *node)
{
    switch (node->kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CallExpr:
    case CXCursor_MemberRef:
        node->named = pm_host_declared(tree, clang_getCursorReferenced(node->cursor));
        node->name = pm_take_string(tree->memory, clang_getCursorSpelling(node->cursor));
        if (!*node->name)
            node->name = overloaded_name(tree, node->cursor, 3);
        break;
    case CXCursor_UnexposedExpr:
        node->name = overloaded_name(tree, node->cursor, 1);
        break;
    default:
        break;
    }
}

pm_host_node *pm_host_open(pm_host_tree *tree, pm_host_node *node)
{
    pm_cursors list = {.items = NULL};
    CXCursor *cursors;
    size_t count;

    if (!node || node->opened)
        return node;
    node->opened = true;
    clang_visitChildren(node->cursor, take_child, &list);
    count = list.count;
    cursors = list.failed ? NULL : pm_try_take(tree->memory, count + 1, sizeof *cursors);
    if (cursors && count > 0)
        memcpy(cursors, list.items, count * sizeof *cursors);
    pm_cursors_free(&list);
    if (!cursors)
        pm_leave(tree->memory, PM_FAILED, "out of memory for the source's syntax tree");
    node->children = pm_take(tree->memory, count + 1, sizeof(pm_host_node *));
    for (; node->count < count; node->count++) {
        const CXCursor child = cursors[node->count];

        node->children[node->count] = clang_isDeclaration(clang_getCursorKind(child))
                                          ? pm_host_declared(tree, child)
                                          : add_node(tree, child);
    }
    find_named(tree, node);
    return node;
}

/* ---- functions ----------------------------------------------------------------------------- */

pm_host_node *pm_host_body(pm_host_tree *tree, pm_host_node *function)
{
    pm_host_open(tree, function);
    for (size_t i = function->count; i-- > 0;)
        if (function->children[i]->kind == CXCursor_CompoundStmt ||
            function->children[i]->kind == CXCursor_CXXTryStmt)
            return function->children[i];
    return NULL;
}

pm_host_node *pm_host_definition(pm_host_tree *tree, pm_host_node *function)
{
    pm_host_node *definition = pm_host_declared(tree, clang_getCursorDefinition(function->cursor));

    return definition ? definition : function;
}

size_t pm_host_arguments(const pm_host_node *call)
{
    const int count = clang_Cursor_getNumArguments(call->cursor);

    return count > 0 ? (size_t)count : 0;
}

/* Returns the child of a node for a cursor from libclang. libclang's cursors of one expression may
 * differ, depending on the declaration through which they were reached. Only data[1], which
 * identifies the expression itself, is compared. */
static pm_host_node *child_with(const pm_host_node *node, CXCursor wanted)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->children[i]->kind == wanted.kind &&
            node->children[i]->cursor.data[1] == wanted.data[1])
            return node->children[i];
    return NULL;
}

pm_host_node *pm_host_argument(pm_host_tree *tree, pm_host_node *call, size_t index)
{
    pm_host_open(tree, call);
    return child_with(call, clang_Cursor_getArgument(call->cursor, (unsigned)index));
}

pm_host_node *pm_host_initializer(pm_host_tree *tree, pm_host_node *variable)
{
    pm_host_open(tree, variable);
    return child_with(variable, clang_Cursor_getVarDeclInitializer(variable->cursor));
}

pm_host_constant pm_host_fold(pm_host_node *node)
{
    CXEvalResult result;

    if (node->constant != PM_HOST_CONSTANT_UNTRIED)
        return node->constant;
    node->constant = PM_HOST_CONSTANT_NONE;
    result = clang_Cursor_Evaluate(node->cursor);
    if (!result)
        return node->constant;
    if (clang_EvalResult_getKind(result) == CXEval_Int) {
        node->constant = PM_HOST_CONSTANT_INTEGER;
        node->integer = clang_EvalResult_isUnsignedInt(result)
                            ? (long long)clang_EvalResult_getAsUnsigned(result)
                            : clang_EvalResult_getAsLongLong(result);
    } else if (clang_EvalResult_getKind(result) == CXEval_Float) {
        node->constant = PM_HOST_CONSTANT_REAL;
        node->real = clang_EvalResult_getAsDouble(result);
    }
    clang_EvalResult_dispose(result);
    return node->constant;
}

/* Returns the characters of a string literal. libclang gives the literal with quotes and escapes,
 * such as "a\\n"; these are converted back. */
const char *pm_host_literal(pm_host_tree *tree, pm_host_node *literal)
{
    const char *spelling = pm_take_string(tree->memory, clang_getCursorSpelling(literal->cursor));
    const char *open = strchr(spelling, '"'), *close = strrchr(spelling, '"');
    char *text, *to;

    if (!open || close == open)
        return NULL;
    text = to = pm_copy(tree->memory, open + 1);
    for (const char *c = open + 1; c < close; c++) {
        if (*c != '\\') {
            *to++ = *c;
            continue;
        }
        c++;
        *to++ = (char)(*c == 'n' ? '\n' : *c == 't' ? '\t' : *c);
    }
    *to = '\0';
    return text;
}

bool pm_host_is_of_device(pm_host_tree *tree, pm_host_node *variable)
{
    bool is_shared = false, found = false;

    if (!variable || variable->kind != CXCursor_VarDecl)
        return false;
    pm_host_open(tree, variable);
    for (size_t i = 0; i < variable->count; i++) {
        const enum CXCursorKind kind = variable->children[i]->kind;

        is_shared |= kind == CXCursor_CUDASharedAttr;
        found |= kind == CXCursor_CUDADeviceAttr || kind == CXCursor_CUDAConstantAttr;
    }
    return found && !is_shared;
}

bool pm_host_is_kernel(pm_host_tree *tree, pm_host_node *function)
{
    if (!function ||
        (function->kind != CXCursor_FunctionDecl && function->kind != CXCursor_FunctionTemplate &&
         function->kind != CXCursor_CXXMethod))
        return false;
    pm_host_open(tree, function);
    for (size_t i = 0; i < function->count; i++)
        if (function->children[i]->kind == CXCursor_CUDAGlobalAttr)
            return true;
    return false;
}

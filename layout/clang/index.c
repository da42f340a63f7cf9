/* Reads a kernel: what it accesses, in which loops, under which conditions. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "index.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "index_parts.h"

enum { SPACE_GLOBAL = 1, SPACE_LOCAL = 2, SPACE_CONSTANT = 3, MOST_GROUP = 1 << 16 };

/* ---- the reader ----------------------------------------------------------------------------- */

void pm_reader_fail(pm_reader *r, pm_status status, const char *what)
{
    if (r->status == PM_OK)
        r->status = pm_fail(r->err, status, "%s", what);
}

bool pm_reader_grow(pm_reader *r, void **items, size_t size, size_t count, size_t *room)
{
    size_t more = *room ? *room * 2 : 16;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*items, more * size);
    if (!grown) {
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's accesses");
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

static void free_frames(pm_reader *r)
{
    for (size_t f = 0; f < r->frame_count; f++) {
        for (size_t m = 0; m < 2 * r->frames[f]->symbols + r->frames[f]->changes; m++)
            free(r->frames[f]->memo[m].points);
        free(r->frames[f]->memo);
        free(r->frames[f]);
    }
    r->frame_count = r->memo_count = 0;
}

static void free_reader(pm_reader *r)
{
    free_frames(r);
    free(r->frames);
    free(r->symbol_of);
    free(r->symbols);
    free(r->changes);
    free(r->heads);
    free(r->atom_frame);
    free(r->atom_key);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

size_t pm_node_behind(const pm_node *node)
{
    while (node->last)
        node = node->last;
    return node->number + 1;
}

bool pm_node_is_within(const pm_node *inner, const pm_node *outer)
{
    return inner->number >= outer->number && inner->number < pm_node_behind(outer);
}

void pm_node_name(const pm_node *node, char *name, size_t size)
{
    CXString spelling = clang_getCursorSpelling(node->cursor);
    const char *text = clang_getCString(spelling);

    if (!text || (size_t)snprintf(name, size, "%s", text) >= size)
        name[0] = '\0';
    clang_disposeString(spelling);
}

pm_node *pm_call_argument(const pm_node *call, size_t index)
{
    return pm_ast_child(call, index + 1);
}

pm_node *pm_index_callee(const pm_reader *r, const pm_node *call)
{
    pm_node *function = pm_ast_declaration(r->ast, call);

    return function && function->kind == CXCursor_FunctionDecl ? pm_ast_definition(r->ast, function)
                                                               : NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

static pm_frame *new_frame(pm_reader *r, pm_frame *caller, pm_node *call, pm_node *function)
{
    pm_frame frame = {.caller = caller,
                      .call = call,
                      .function = function,
                      .number = r->frame_count + 1,
                      .depth = caller ? caller->depth + 1 : 0};
    pm_frame *made = NULL;

    for (size_t s = 0; s < r->symbol_count; s++)
        if (r->symbols[s].function == function && frame.symbols++ == 0)
            frame.first_symbol = s;
    for (size_t c = 0; c < r->change_count; c++)
        if (r->symbols[r->changes[c].symbol].function == function && frame.changes++ == 0)
            frame.first_change = c;
    r->memo_count += 2 * frame.symbols + frame.changes;
    if (r->memo_count > PM_MOST_MEMOS) {
        pm_ast_refuse(r->index->kernel, r->err,
                      "the kernel and its functions have too many variables");
        r->status = PM_BAD_INPUT;
        return NULL;
    }
    frame.memo = calloc(2 * frame.symbols + frame.changes + 1, sizeof *frame.memo);
    if (frame.memo)
        made = malloc(sizeof *made);
    if (!made) {
        free(frame.memo);
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's functions");
        return NULL;
    }
    *made = frame;
    r->frames[r->frame_count++] = made;
    return made;
}

pm_frame *pm_index_frame(pm_reader *r, pm_frame *caller, pm_node *call)
{
    pm_node *function = pm_index_callee(r, call);

    for (size_t f = 0; f < r->frame_count; f++)
        if (r->frames[f]->caller == caller && r->frames[f]->call == call)
            return r->frames[f];
    if (!function || r->frame_count == PM_MOST_FRAMES || caller->depth >= PM_MOST_FRAME_DEPTH ||
        r->status != PM_OK)
        return NULL;
    return new_frame(r, caller, call, function);
}

/* ---- the kernel's own ----------------------------------------------------------------------- */

/* libclang has no cursor for the attribute, but prints it, with its values worked out. */
static pm_status read_group(pm_reader *r, const size_t work_group[3])
{
    static const char word[] = "reqd_work_group_size(";
    pm_index *index = r->index;
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(index->kernel->cursor);
    size_t said[3] = {0};
    const char *at;
    char *text;

    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    text = pm_ast_string(clang_getCursorPrettyPrinted(index->kernel->cursor, policy));
    clang_PrintingPolicy_dispose(policy);
    if (!text)
        return pm_fail(r->err, PM_FAILED, "out of memory for the kernel's attributes");
    at = strstr(text, word);
    index->sized =
        at && sscanf(at + sizeof word - 1, "%zu , %zu , %zu", &said[0], &said[1], &said[2]) == 3;
    free(text);
    for (int d = 0; d < 3; d++) {
        bool given = work_group[0] && work_group[1] && work_group[2];

        index->work_group[d] = index->sized ? said[d] : given ? work_group[d] : 1;
        if (index->sized && given && said[d] != work_group[d])
            return pm_ast_refuse(index->kernel, r->err,
                                 "the kernel's work-group size is (%zu, %zu, %zu), and not "
                                 "(%zu, %zu, %zu)",
                                 said[0], said[1], said[2], work_group[0], work_group[1],
                                 work_group[2]);
    }
    index->sized = index->sized || (work_group[0] && work_group[1] && work_group[2]);
    for (int d = 0; d < 3; d++)
        if (index->work_group[d] < 1 || index->work_group[d] > MOST_GROUP)
            return pm_ast_refuse(index->kernel, r->err, "a work-group of %zu work-items",
                                 index->work_group[d]);
    return PM_OK;
}

static bool is_written_as_array(const pm_node *node)
{
    CXType type = pm_ast_type(node);

    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

/* The type of a parameter; of one that is written as an array the function's type has it. */
static CXType parameter_type(const pm_reader *r, const pm_node *node, size_t argument)
{
    CXType type = clang_getCursorType(node->cursor);

    if (is_written_as_array(node))
        type = clang_getArgType(pm_ast_type(r->index->kernel), (unsigned)argument);
    return type.kind == CXType_Pointer ? type : clang_getCanonicalType(type);
}

/* Whether it points to global or constant memory. */
static bool is_array(CXType type)
{
    unsigned space;

    if (type.kind != CXType_Pointer)
        return false;
    space = clang_getAddressSpace(clang_getCanonicalType(clang_getPointeeType(type)));
    return space == SPACE_GLOBAL || space == SPACE_CONSTANT;
}

static void read_array(pm_reader *r, pm_node *node, CXType type, size_t argument)
{
    pm_index *index = r->index;
    CXType named = clang_getPointeeType(type), pointee = clang_getCanonicalType(named);
    long long bytes = clang_Type_getSizeOf(pointee);
    pm_index_array array = {.node = node,
                            .argument = argument,
                            .name = pm_ast_name(node),
                            .element = pm_ast_string(clang_getTypeSpelling(
                                clang_getUnqualifiedType(clang_getPointeeType(type)))),
                            .element_bytes = bytes > 0 ? (size_t)bytes : 0,
                            .is_constant = clang_getAddressSpace(pointee) == SPACE_CONSTANT,
                            .is_const = clang_isConstQualifiedType(pointee),
                            .is_restrict = clang_isRestrictQualifiedType(type)};

    index->arrays[index->array_count++] = array;
    if (!array.name || !array.element)
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's arrays");
}

static void read_arrays(pm_reader *r)
{
    pm_index *index = r->index;
    size_t argument = 0;
    CXType type;

    index->arrays = calloc(pm_ast_children(index->kernel) + 1, sizeof *index->arrays);
    if (!index->arrays)
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's arrays");
    for (pm_node *child = index->kernel->first; r->status == PM_OK && child; child = child->next) {
        if (child->kind != CXCursor_ParmDecl)
            continue;
        type = parameter_type(r, child, argument);
        if (is_array(type))
            read_array(r, child, type, argument);
        argument++;
    }
}

static void read_changes(pm_reader *r)
{
    pm_index *index = r->index;

    index->changes = calloc(r->change_count + 1, sizeof *index->changes);
    if (!index->changes)
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's variables");
    for (size_t c = 0; index->changes && c < r->change_count; c++) {
        const pm_symbol *symbol = &r->symbols[r->changes[c].symbol];

        if (symbol->function == index->kernel)
            index->changes[index->change_count++] =
                (pm_change){.variable = symbol->node, .node = r->changes[c].node};
    }
}

static bool is_barrier(const pm_reader *r, const pm_node *call, const bool *has_barrier)
{
    const pm_node *callee = pm_index_callee(r, call);
    char name[64];

    pm_node_name(call, name, sizeof name);
    if (callee)
        return has_barrier[callee->number];
    return strcmp(name, "barrier") == 0 || strcmp(name, "work_group_barrier") == 0;
}

/* By node: functions that have a barrier, or call one that has. */
static void find_barriers(const pm_reader *r, bool *has_barrier)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < r->ast->count; i++) {
            pm_node *node = r->ast->nodes[i];
            const pm_node *function;

            if (node->kind != CXCursor_CallExpr || !is_barrier(r, node, has_barrier))
                continue;
            function = pm_ast_ancestor(node, CXCursor_FunctionDecl);
            if (function && !has_barrier[function->number])
                changed = has_barrier[function->number] = true;
        }
    }
}

static bool is_local(const pm_node *node)
{
    CXType type = pm_ast_type(node);

    if (node->kind == CXCursor_VarDecl)
        return clang_getAddressSpace(type) == SPACE_LOCAL;
    return node->kind == CXCursor_ParmDecl && type.kind == CXType_Pointer &&
           clang_getAddressSpace(clang_getPointeeType(type)) == SPACE_LOCAL;
}

static void read_barriers(pm_reader *r)
{
    pm_index *index = r->index;
    size_t behind = pm_node_behind(index->kernel), room = 0;
    bool *has_barrier = calloc(r->ast->count + 1, sizeof *has_barrier);

    if (!has_barrier) {
        pm_reader_fail(r, PM_FAILED, "out of memory for the source's functions");
        return;
    }
    find_barriers(r, has_barrier);
    for (size_t i = index->kernel->number; i < behind; i++) {
        pm_node *node = r->ast->nodes[i];

        if (is_local(node)) {
            long long bytes = clang_Type_getSizeOf(clang_getCursorType(node->cursor));

            index->has_local = true;
            if (node->kind == CXCursor_VarDecl && bytes > 0)
                index->local_bytes += (size_t)bytes;
        }
        if (node->kind == CXCursor_CallExpr && is_barrier(r, node, has_barrier) &&
            pm_reader_grow(r, (void **)&index->barriers, sizeof node, index->barrier_count, &room))
            index->barriers[index->barrier_count++] = node;
    }
    free(has_barrier);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void free_result(pm_index *index)
{
    for (size_t a = 0; a < index->atom_count; a++)
        free(index->atoms[a].text);
    for (size_t a = 0; a < index->array_count; a++) {
        free(index->arrays[a].name);
        free(index->arrays[a].element);
        free(index->arrays[a].pointers);
        free(index->arrays[a].escape);
    }
    free(index->atoms);
    free(index->arrays);
    free(index->loops);
    free(index->guards);
    free(index->accesses);
    free(index->roots);
    index->roots = NULL;
    index->root_count = 0;
    index->atoms = NULL;
    index->arrays = NULL;
    index->loops = NULL;
    index->guards = NULL;
    index->accesses = NULL;
    index->atom_count = index->array_count = index->loop_count = 0;
    index->guard_count = index->access_count = 0;
}

static void read_once(pm_reader *r)
{
    pm_frame *frame;

    free_result(r->index);
    free_frames(r);
    r->atom_room = r->access_room = r->guard_room = 0;
    r->more_divisors = false;
    free(r->atom_frame);
    free(r->atom_key);
    r->atom_frame = NULL;
    r->atom_key = NULL;
    read_arrays(r);
    frame = r->status == PM_OK ? new_frame(r, NULL, NULL, r->index->kernel) : NULL;
    if (!frame)
        return;
    pm_index_read_loops(r, frame);
    pm_index_read_guards(r, frame);
    pm_index_read_accesses(r, frame);
    if (!r->more_divisors)
        pm_index_write_texts(r, frame);
}

static void read_all(pm_reader *r, const size_t work_group[3])
{
    size_t rounds = 0;

    r->status = read_group(r, work_group);
    r->frames = calloc(PM_MOST_FRAMES + 1, sizeof *r->frames);
    if (!r->frames)
        pm_reader_fail(r, PM_FAILED, "out of memory for the kernel's functions");
    if (r->status != PM_OK || pm_index_find_symbols(r) != PM_OK || pm_index_find_heads(r) != PM_OK)
        return;
    pm_index_find_uniform(r);
    /* Once more for each place where a local id turns out to be taken apart. */
    do
        read_once(r);
    while (r->status == PM_OK && r->more_divisors && ++rounds < 3 * PM_MOST_DIVISORS);
    if (r->status == PM_OK)
        read_changes(r);
    if (r->status == PM_OK)
        read_barriers(r);
}

pm_status pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3],
                        pm_index *index, pm_error *err)
{
    pm_reader reader = {.ast = ast, .index = index, .err = err};

    *index = (pm_index){.ast = ast, .kernel = kernel, .name = pm_ast_name(kernel)};
    for (pm_node *child = kernel->first; child; child = child->next)
        if (child->kind == CXCursor_CompoundStmt)
            index->body = child;
    if (!index->name)
        return pm_fail(err, PM_FAILED, "out of memory for a kernel's name");
    if (!index->body)
        return pm_ast_refuse(kernel, err, "%s has no body", index->name);
    if (ast->count > PM_MOST_NODES)
        return pm_ast_refuse(kernel, err, "the source is too long to be looked into");
    read_all(&reader, work_group);
    free_reader(&reader);
    return reader.status;
}

void pm_index_free(pm_index *index)
{
    free_result(index);
    free(index->changes);
    free(index->barriers);
    free(index->name);
    *index = (pm_index){.ast = NULL};
}

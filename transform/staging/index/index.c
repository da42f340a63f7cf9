/* Analyses a kernel for staging: its arrays, accesses, loops, guards (conditions) and barriers. See
 * index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/index.h"

#include <stdio.h>
#include <string.h>

#include "transform/staging/index/parts.h"

enum { MOST_GROUP = 1 << 16 };

/* ---- frames: functions on the way from the kernel ------------------------------------------- */

/* ---- the kernel's parameters and attributes ------------------------------------------------- */

/* Reads the work-group size from the attribute reqd_work_group_size in the kernel's declaration as
 * libclang prints it, because libclang has no cursor for the attribute. */
static void read_group(pm_reader *r, const size_t work_group[3])
{
    static const char word[] = "reqd_work_group_size(";
    pm_index *index = r->index;
    size_t said[3] = {0};
    const char *at = strstr(pm_ast_head(index->kernel, r->memory), word);
    const bool given = work_group[0] && work_group[1] && work_group[2];

    index->sized =
        at && sscanf(at + sizeof word - 1, "%zu , %zu , %zu", &said[0], &said[1], &said[2]) == 3;
    for (int d = 0; d < 3; d++) {
        index->work_group[d] = index->sized ? said[d] : given ? work_group[d] : 1;
        if (index->sized && given && said[d] != work_group[d])
            pm_ast_refuse(r->memory, index->kernel,
                          "the kernel's work-group size is (%zu, %zu, %zu), and not "
                          "(%zu, %zu, %zu)",
                          said[0], said[1], said[2], work_group[0], work_group[1], work_group[2]);
    }
    index->sized = index->sized || given;
    for (int d = 0; d < 3; d++)
        if (index->work_group[d] < 1 || index->work_group[d] > MOST_GROUP)
            pm_ast_refuse(r->memory, index->kernel, "a work-group of %zu work-items",
                          index->work_group[d]);
}

/* Returns the type of a parameter. A parameter that is written as an array is a pointer, but only
 * the type of the function says so. */
static CXType parameter_type(const pm_reader *r, const pm_node *node, size_t argument)
{
    CXType type = clang_getCursorType(node->cursor);

    if (pm_type_is_array(node->type))
        type = clang_getArgType(r->index->kernel->type, (unsigned)argument);
    return type.kind == CXType_Pointer ? type : clang_getCanonicalType(type);
}

static void read_array(pm_reader *r, pm_node *node, CXType type, size_t argument)
{
    pm_index *index = r->index;
    CXType pointee = pm_type_pointee(type);
    long long bytes = clang_Type_getSizeOf(pointee);
    pm_index_array array = {.node = node,
                            .argument = argument,
                            .name = node->name,
                            .element = pm_type_text(clang_getPointeeType(type), &index->memory),
                            .element_bytes = bytes > 0 ? (size_t)bytes : 0,
                            .is_constant = clang_getAddressSpace(pointee) == PM_SPACE_CONSTANT,
                            .is_const = clang_isConstQualifiedType(pointee),
                            .is_restrict = clang_isRestrictQualifiedType(type)};

    *pm_add(&index->memory, index->arrays, index->array_count) = array;
}

static void read_arrays(pm_reader *r)
{
    pm_node *parameter;

    for (size_t i = 0; (parameter = pm_ast_parameter(r->index->kernel, i)) != NULL; i++) {
        CXType type = parameter_type(r, parameter, i);

        if (pm_points_to_global(r, type))
            read_array(r, parameter, type, i);
    }
}

static void read_changes(pm_reader *r)
{
    pm_index *index = r->index;

    for (size_t c = 0; c < r->change_count; c++) {
        const pm_symbol *symbol = &r->symbols[r->changes[c].symbol];
        const pm_change change = {.variable = symbol->node, .node = r->changes[c].node};

        if (symbol->function == index->kernel)
            *pm_add(&index->memory, index->changes, index->change_count) = change;
    }
}

static bool is_barrier(const pm_ast *ast, const pm_node *call, const bool *has_barrier)
{
    const pm_node *callee = pm_ast_callee(call);

    return callee ? has_barrier[callee->number] : pm_is_group_barrier(ast, call);
}

/* Sets has_barrier[node number] to true for each function that calls a barrier, directly or through
 * other functions. */
static void find_barriers(const pm_reader *r, bool *has_barrier)
{
    bool changed = true;

    while (changed) {
        changed = false;
        PM_EACH_NODE(r->ast, r->ast->root, node) {
            const pm_node *function;

            if (node->kind != CXCursor_CallExpr || !is_barrier(r->ast, node, has_barrier))
                continue;
            function = pm_ast_ancestor(node, CXCursor_FunctionDecl);
            if (function && !has_barrier[function->number])
                changed = has_barrier[function->number] = true;
        }
    }
}

static bool is_local(const pm_node *node)
{
    CXType type = node->type;

    return pm_is_local_variable(node) ||
           (node->kind == CXCursor_ParmDecl && type.kind == CXType_Pointer &&
            clang_getAddressSpace(clang_getPointeeType(type)) == PM_SPACE_LOCAL);
}

/* Sets index->has_local and index->local_bytes. Helper functions of a CUDA source may declare
 * shared memory, too. Their variables count even if the kernel does not call these functions. */
static void read_local(pm_index *index)
{
    PM_EACH_NODE(index->ast, index->ast->root, node) {
        const pm_node *function =
            is_local(node) ? pm_ast_ancestor(node, CXCursor_FunctionDecl) : NULL;
        const long long bytes = function ? clang_Type_getSizeOf(node->type) : 0;

        if (!function || (function->is_kernel && function != index->kernel))
            continue;
        index->has_local = true;
        if (node->kind == CXCursor_VarDecl && bytes > 0)
            index->local_bytes += (size_t)bytes;
    }
}

static void read_barriers(pm_reader *r)
{
    pm_index *index = r->index;
    bool *has_barrier = pm_take(r->memory, r->ast->count, sizeof *has_barrier);

    find_barriers(r, has_barrier);
    PM_EACH_NODE(r->ast, index->kernel, node) {
        if (node->kind == CXCursor_CallExpr && is_barrier(r->ast, node, has_barrier))
            *pm_add(&index->memory, index->barriers, index->barrier_count) = node;
    }
}

static bool jumps(const pm_reader *r, const pm_node *loop)
{
    PM_EACH_NODE(r->ast, loop, node) {
        const pm_node *around = node->parent;

        if (node->kind == CXCursor_ReturnStmt || node->kind == CXCursor_GotoStmt ||
            node->kind == CXCursor_IndirectGotoStmt)
            return true;
        if (node->kind != CXCursor_BreakStmt && node->kind != CXCursor_ContinueStmt)
            continue;
        while (around != loop && !pm_is_loop(around) &&
               !(around->kind == CXCursor_SwitchStmt && node->kind == CXCursor_BreakStmt))
            around = around->parent;
        if (around == loop)
            return true;
    }
    return false;
}

static pm_node *condition_of(const pm_node *loop)
{
    if (loop->kind == CXCursor_DoStmt)
        return loop->last;
    return loop->kind == CXCursor_WhileStmt ? loop->first
           : pm_ast_children(loop) == 4     ? pm_ast_child(loop, 1)
                                            : NULL;
}

static void read_loops(pm_reader *r, pm_frame *frame)
{
    pm_index *index = r->index;

    for (size_t h = 0; h < r->head_count; h++) {
        pm_head *head = &r->heads[h];
        pm_node *condition = condition_of(head->node);
        pm_loop loop;

        if (head->function != index->kernel)
            continue;
        pm_index_read_loop(r, frame, head, &loop);
        if (loop.atom == PM_NO_ATOM)
            loop.uniform = condition && pm_index_uniform(r, condition) && !head->leaves;
        loop.parent = pm_index_loop_of(index, head->node);
        loop.jumps = jumps(r, head->node);
        *pm_add(&index->memory, index->loops, index->loop_count) = loop;
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

static void read_once(pm_reader *r)
{
    pm_index *index = r->index;
    pm_frame *frame;

    pm_memory_free(&index->memory);
    *index = r->empty;
    r->frame_count = r->memo_count = 0;
    r->more_divisors = false;
    read_arrays(r);
    frame = pm_index_kernel_frame(r);
    read_loops(r, frame);
    pm_index_read_guards(r, frame);
    pm_index_read_accesses(r, frame);
    if (!r->more_divisors)
        pm_index_write_texts(r, frame);
}

void pm_index_read(const pm_ast *ast, pm_node *kernel, const size_t work_group[3], pm_index *index,
                   pm_memory *memory)
{
    pm_reader *r = pm_take(memory, 1, sizeof *r);
    size_t rounds = 0;

    *index = (pm_index){.memory = pm_memory_beside(memory),
                        .ast = ast,
                        .kernel = kernel,
                        .name = kernel->name,
                        .body = pm_ast_body(kernel)};
    if (!index->body)
        pm_ast_refuse(memory, kernel, "%s has no body", index->name);
    if (ast->count > PM_MOST_NODES)
        pm_ast_refuse(memory, kernel, "the source is too long to be looked into");
    r->ast = ast;
    r->index = index;
    r->memory = memory;
    read_group(r, work_group);
    r->empty = *index;
    pm_index_find_symbols(r);
    pm_index_find_heads(r);
    pm_index_find_uniform(r);
    /* If the kernel divides a local id by a new constant, the id must be written as a sum of digits
     * that are split at this divisor. The kernel is therefore analysed again until no divisor is
     * added. */
    do
        read_once(r);
    while (r->more_divisors && ++rounds < 3 * PM_MOST_DIVISORS);
    read_changes(r);
    read_local(index);
    read_barriers(r);
    pm_memory_join(memory, &index->memory);
}

/* ---- questions about the kernel ------------------------------------------------------------- */

size_t pm_index_group_items(const pm_index *index)
{
    return index->work_group[0] * index->work_group[1] * index->work_group[2];
}

/* ---- atoms after the analysis --------------------------------------------------------------- */

size_t pm_index_find_atom(const pm_index *index, pm_atom_kind kind, unsigned dimension)
{
    for (size_t a = 0; a < index->atom_count; a++)
        if (index->atoms[a].kind == kind && index->atoms[a].dimension == dimension)
            return a;
    return PM_NO_ATOM;
}

size_t pm_index_add_atom(pm_index *index, const pm_atom *atom)
{
    *pm_add(&index->memory, index->atoms, index->atom_count) = *atom;
    return index->atom_count - 1;
}

/* ---- declarations by name ------------------------------------------------------------------- */

bool pm_is_declaration_of(const pm_node *node, const char *name, size_t length)
{
    return (node->kind == CXCursor_VarDecl || node->kind == CXCursor_ParmDecl) &&
           strlen(node->name) == length && strncmp(node->name, name, length) == 0;
}

size_t pm_index_count_declarations(const pm_index *index, const char *name, size_t length)
{
    size_t count = 0;

    PM_EACH_NODE(index->ast, index->kernel, node)
        count += pm_is_declaration_of(node, name, length);
    return count;
}

bool pm_index_is_declared_as(const pm_index *index, const char *name, size_t length,
                             enum CXTypeKind kind)
{
    bool found = false;

    PM_EACH_NODE(index->ast, index->kernel, node)
        if (pm_is_declaration_of(node, name, length)) {
            if (node->type.kind != kind)
                return false;
            found = true;
        }
    return found;
}

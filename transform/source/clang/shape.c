/* Guesses from a kernel's code how it is meant to be launched: in how many dimensions, with how
 * many work-items, and with which work-group size. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "transform/source/clang/builtins.h"
#include "transform/source/clang/source_unit.h"

enum {
    MOST_CALLS = 16,
    MOST_ITEMS = 1024,
    LEAST_TILE = 4,
    /* Smallest extent of a one-dimensional array in local memory that is taken for the work-group
     * size. An array of 32 elements often has one element for each warp, not for each work-item. */
    LEAST_ROW = 64
};

typedef struct {
    const pm_ast *ast;
    pm_source_shape *shape;
    size_t depth; /* depth of nested calls, which is limited */
} visit;

/* ---- ids ----------------------------------------------------------------------------------- */

static void see_id(const visit *v, const pm_node *node)
{
    const pm_id id = pm_id_of(node);
    long long dimension = id.dimension;

    if (id.kind != PM_ID_LOCAL && id.kind != PM_ID_GROUP && id.kind != PM_ID_GLOBAL)
        return;
    if (id.argument && !pm_ast_evaluate(id.argument, &dimension))
        return;
    if (dimension >= 0 && dimension < 3 && (uint64_t)dimension >= v->shape->dimensions)
        v->shape->dimensions = (uint64_t)dimension + 1;
}

/* ---- arrays in local memory ---------------------------------------------------------------- */

/* Returns the extent of an array without a padding column: 16 for 17. Arrays in local memory often
 * have one column more than needed, so that accesses to one column have no bank conflicts. */
static uint64_t without_padding(long long extent)
{
    return (uint64_t)(extent > 1 && extent % 2 == 1 ? extent - 1 : extent);
}

/* Takes the work-group size from the extents of an array in local memory, if they look like a
 * work-group size and no earlier array gave one. */
static void see_array(const visit *v, const pm_node *node)
{
    CXType type = node->type, inner;
    long long rows, columns;

    if (!pm_is_local_variable(node))
        return;
    if (type.kind == CXType_IncompleteArray) {
        const long long bytes = clang_Type_getSizeOf(clang_getArrayElementType(type));

        v->shape->element = bytes > 0 ? (uint64_t)bytes : 1;
        return;
    }
    if (type.kind != CXType_ConstantArray || v->shape->tile[0])
        return;
    inner = clang_getCanonicalType(clang_getArrayElementType(type));
    rows = clang_getArraySize(type);
    columns = inner.kind == CXType_ConstantArray ? clang_getArraySize(inner) : 0;
    if (columns > 0 && without_padding(columns) <= MOST_ITEMS / (uint64_t)rows &&
        rows >= LEAST_TILE && columns >= LEAST_TILE) {
        v->shape->tile[0] = without_padding(columns);
        v->shape->tile[1] = (uint64_t)rows;
    } else if (columns == 0 && rows >= LEAST_ROW && rows <= MOST_ITEMS && rows % 32 == 0) {
        v->shape->tile[0] = (uint64_t)rows;
        v->shape->tile[1] = 1;
    }
}

static void see_function(visit *v, const pm_node *function)
{
    PM_EACH_NODE(v->ast, function, node) {
        see_id(v, node);
        if (node->kind == CXCursor_VarDecl)
            see_array(v, node);
        if (node->kind == CXCursor_CallExpr && pm_ast_callee(node) && v->depth < MOST_CALLS) {
            v->depth++;
            see_function(v, pm_ast_callee(node));
            v->depth--;
        }
    }
}

/* ---- attributes ---------------------------------------------------------------------------- */

/* Reads the numbers in the parentheses after a word, such as reqd_work_group_size, in a function's
 * head. Returns how many numbers there are. */
static size_t read_numbers(const char *head, const char *word, uint64_t *numbers, size_t most)
{
    const char *at = strstr(head, word);
    size_t count = 0;

    at = at ? strchr(at, '(') : NULL;
    while (at && count < most) {
        char *end;
        const unsigned long long number = strtoull(at + 1, &end, 10);

        if (end == at + 1)
            break;
        numbers[count++] = number;
        at = *end == ',' ? end : NULL;
    }
    return count;
}

static void see_attributes(const visit *v, const pm_node *kernel, pm_memory *memory)
{
    const char *head = pm_ast_head(kernel, memory);
    uint64_t numbers[3] = {0};

    if (read_numbers(head, "reqd_work_group_size", numbers, 3) == 3 ||
        read_numbers(head, "work_group_size_hint", numbers, 3) == 3)
        memcpy(v->shape->group, numbers, sizeof numbers);
    if (read_numbers(head, "launch_bounds", numbers, 1) == 1)
        v->shape->most_items = numbers[0];
}

/* ---- extents ------------------------------------------------------------------------------- */

static bool is_comparison(const pm_node *node)
{
    return node->kind == CXCursor_BinaryOperator &&
           pm_opposite(node->binary) != CXBinaryOperator_Invalid;
}

/* Returns true if a use of a parameter suggests that the parameter is a problem size. The use is a
 * factor of a product, or is compared outside of the head of a for loop. */
static bool is_extent(const pm_node *use)
{
    const pm_node *below = use;

    for (const pm_node *node = use->parent; node; below = node, node = node->parent) {
        if (node->kind == CXCursor_BinaryOperator && node->binary == CXBinaryOperator_Mul)
            return true;
        if (is_comparison(node))
            return !pm_ast_ancestor((pm_node *)node, CXCursor_ForStmt) ||
                   pm_ast_ancestor((pm_node *)node, CXCursor_IfStmt);
        if (clang_isStatement(node->kind) || node->kind == CXCursor_CallExpr ||
            node->kind == CXCursor_ArraySubscriptExpr)
            return false;
    }
    (void)below;
    return false;
}

static void see_extents(const pm_source_unit *unit, const pm_node *kernel, pm_source_kernel *of)
{
    PM_EACH_NODE(&unit->ast, kernel, node) {
        size_t p;

        if (node->kind != CXCursor_DeclRefExpr || !node->declaration ||
            node->declaration->kind != CXCursor_ParmDecl || node->declaration->parent != kernel ||
            !pm_is_integer(node))
            continue;
        p = pm_ast_parameter_index(node->declaration);
        if (p < of->param_count && is_extent(node))
            of->params[p].is_extent = true;
    }
}

void pm_unit_describe_shape(const pm_source_unit *unit, const pm_node *node,
                            pm_source_kernel *kernel)
{
    pm_memory own = pm_memory_beside(&unit->ast.memory);
    visit v = {.ast = &unit->ast, .shape = &kernel->shape};

    see_attributes(&v, node, &own);
    pm_memory_free(&own);
    see_function(&v, node);
    see_extents(unit, node, kernel);
}

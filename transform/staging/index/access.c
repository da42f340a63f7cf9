/* Finds a kernel's accesses to global arrays, and all other uses of pointers into them. See
 * index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An expression that points into an array is dereferenced by an access, is part of another pointer
 * expression, or makes the array "escape": then some accesses to the array may be unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "transform/source/clang/source_unit.h"
#include "transform/staging/index/parts.h"

static void escape(pm_reader *r, const pm_points *points, const pm_node *node, const char *reason)
{
    for (size_t t = 0; t < points->count; t++) {
        pm_index_array *array = &r->index->arrays[points->to[t].array];

        array->read = array->written = true;
        if (!array->escape)
            array->escape = pm_ast_reason(&r->index->memory, node, "%s %s", array->name, reason);
    }
}

/* ---- position of an access ------------------------------------------------------------------ */

/* Returns the call in the kernel through which `frame` (a function reached by a sequence of calls)
 * is reached. If the frame is the kernel itself, returns `node`. */
static pm_node *in_kernel(const pm_frame *frame, pm_node *node)
{
    for (; frame->caller; frame = frame->caller)
        node = frame->call;
    return node;
}

static pm_node *statement_of(const pm_reader *r, pm_node *node)
{
    while (node->parent && node->parent->kind != CXCursor_CompoundStmt && node != r->index->body)
        node = node->parent;
    return node;
}

/* Returns true if it is certain that the loop executes at least one iteration. */
static bool runs(pm_reader *r, pm_frame *frame, const pm_node *loop)
{
    const pm_head *head = pm_index_head_of(r, loop);
    long long start, end;

    return head->symbol != PM_NONE && !head->divergent &&
           pm_index_constant(r, frame, head->start, &start) &&
           pm_index_constant(r, frame, head->end, &end) &&
           (start < end || (head->inclusive && start == end));
}

/* Returns the statement in a helper function that decides whether `node` is executed. Returns NULL
 * if `node` is always executed. */
static pm_node *helper_condition(pm_reader *r, pm_frame *frame, const pm_node *node)
{
    size_t behind = frame->function->last ? frame->function->last->number : 0;

    for (const pm_node *child = node; child->parent != frame->function; child = child->parent) {
        pm_node *parent = child->parent;

        if (parent->kind == CXCursor_IfStmt || parent->kind == CXCursor_SwitchStmt ||
            parent->kind == CXCursor_ConditionalOperator || pm_is_lazy(parent) ||
            (pm_is_loop(parent) && parent->kind != CXCursor_DoStmt && !runs(r, frame, parent)))
            return parent;
    }
    for (size_t i = behind; i < node->number; i++)
        if (r->ast->nodes[i]->kind == CXCursor_ReturnStmt &&
            !pm_ast_is_within(node, r->ast->nodes[i]))
            return r->ast->nodes[i]->parent;
    return NULL;
}

/* Sets the statement, loop and guards (conditions) of an access. Returns false if the access has
 * more than PM_MOST_GUARDS guards. */
static bool place(pm_reader *r, pm_frame *frame, pm_index_access *access)
{
    pm_node *outer = in_kernel(frame, access->node), *at = access->node;
    bool fits = true;

    access->statement = statement_of(r, outer);
    access->loop = pm_index_loop_of(r->index, outer);
    access->in_helper = frame->caller != NULL;
    access->guard_count = pm_index_guards_of(r->index, outer, access->guards);
    for (pm_frame *in = frame; in->caller; at = in->call, in = in->caller) {
        pm_node *node = helper_condition(r, in, at);

        if (!node)
            continue;
        fits &= access->guard_count < PM_MOST_GUARDS;
        if (fits)
            access->guards[access->guard_count++] = pm_index_helper_guard(r, node);
    }
    return fits && access->guard_count <= PM_MOST_GUARDS;
}

static void add_access(pm_reader *r, pm_frame *frame, const pm_points *points,
                       pm_index_access access)
{
    pm_index *index = r->index;

    if (!place(r, frame, &access)) {
        escape(r, points, access.node, "is accessed behind too many conditions");
        return;
    }
    access.may = points->count > 1 || (points->lost && r->ast->is_cuda);
    for (size_t t = 0; t < points->count; t++) {
        pm_index_array *array = &index->arrays[points->to[t].array];

        if (index->access_count >= PM_MOST_ACCESSES)
            pm_ast_refuse(r->memory, access.node, "the kernel has more than %d accesses",
                          PM_MOST_ACCESSES);
        access.array = points->to[t].array;
        access.index = points->to[t].offset;
        array->read |= access.read;
        array->written |= access.written;
        *pm_add(&index->memory, index->accesses, index->access_count) = access;
    }
}

/* ---- elements ------------------------------------------------------------------------------- */

static bool is_decay(const pm_node *node)
{
    return node->kind == CXCursor_UnexposedExpr && node->first &&
           pm_type_is_array(node->first->type);
}

static bool is_dereference(const pm_node *node)
{
    return node->kind == CXCursor_ArraySubscriptExpr || (node->unary == CXUnaryOperator_Deref);
}

/* Returns the largest expression that accesses a member or an array element inside of the array
 * element `element`, such as p[i].n[k] for p[i]. Returns NULL if the code uses an array inside of
 * the element as a pointer without dereferencing it. */
static pm_node *part_of(pm_node *element)
{
    pm_node *node = element;

    for (;;) {
        pm_node *user = node->parent;

        if (user->kind == CXCursor_ParenExpr || user->kind == CXCursor_MemberRefExpr) {
            node = user;
        } else if (is_decay(user)) {
            user = user->parent;
            while (user->kind == CXCursor_ParenExpr)
                user = user->parent;
            if (!is_dereference(user))
                return NULL;
            node = user;
        } else
            return node;
    }
}

/* Returns the pointer that `node` dereferences, if it points into a global array, and sets *index
 * to the subscript. Returns NULL for other expressions, and if `node` only indexes an array that is
 * a member of an array element. */
static pm_node *pointer_of(const pm_reader *r, const pm_node *node, pm_node **index)
{
    pm_node *pointer;

    return pm_ast_dereference(node, &pointer, index) && pm_points_to_array(r, pointer) &&
                   !is_decay(pm_ast_bare(pointer))
               ? pointer
               : NULL;
}

/* Returns true if a C++ reference is bound to an array element or to a member of it, so that code
 * may change it through the name of the reference. */
static bool is_referred_to(const pm_ast *ast, const pm_node *part)
{
    const pm_node *user = part->parent;

    while (pm_ast_passes_on(user, part)) {
        if (pm_takes_reference(user))
            return true;
        part = user;
        user = user->parent;
    }
    return pm_takes_reference(user) && !pm_is_plain_reference(ast, user, part);
}

static void read_element(pm_reader *r, pm_frame *frame, pm_node *node)
{
    pm_node *index, *pointer = pointer_of(r, node, &index), *part;
    pm_index_access access = {.node = node, .width = 1};
    pm_points points;
    pm_lvalue_use use;

    if (!pointer)
        return;
    points = pm_index_points(r, frame, pointer);
    if (index)
        pm_index_move(&points, pm_index_value(r, frame, index), false);
    part = part_of(node);
    use = part ? pm_chain_use(part) : (pm_lvalue_use){.address = true};
    if (part && r->ast->is_cuda && is_referred_to(r->ast, part)) {
        escape(r, &points, node, "has another name given to an element, by reference");
        return;
    }
    /* &p[i] is a pointer and accesses no memory. It is handled by read_pointer(). */
    if (use.unevaluated ||
        (use.address && part && pm_ast_bare(part) == node && node->kind != CXCursor_MemberRefExpr))
        return;
    if (use.address) {
        escape(r, &points, node, "has the address of a part of an element taken");
        return;
    }
    access.read = use.read;
    access.written = use.written;
    add_access(r, frame, &points, access);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Returns N for a function with the name vloadN or vstoreN. Returns 0 for other functions. */
static unsigned vector_width(const char *name)
{
    const char *digits = NULL;

    if (strncmp(name, "vload", 5) == 0)
        digits = name + 5;
    else if (strncmp(name, "vstore", 6) == 0)
        digits = name + 6;
    if (!digits || !*digits || digits[strspn(digits, "0123456789")])
        return 0;
    return (unsigned)strtoul(digits, NULL, 10);
}

static void read_vector(pm_reader *r, pm_frame *frame, pm_node *call, unsigned width)
{
    bool loads = !pm_ast_argument(call, 2);
    pm_node *pointer = pm_ast_argument(call, loads ? 1 : 2);
    pm_node *index = pm_ast_argument(call, loads ? 0 : 1);
    pm_points points;

    if (!pointer || !pm_points_to_array(r, pointer))
        return;
    points = pm_index_points(r, frame, pointer);
    pm_index_move(&points, pm_poly_scale(pm_index_value(r, frame, index), width), false);
    add_access(r, frame, &points,
               (pm_index_access){.node = call, .width = width, .read = loads, .written = !loads});
}

static void read_function(pm_reader *r, pm_frame *frame);

static void read_call(pm_reader *r, pm_frame *frame, pm_node *call)
{
    pm_points all = {.count = 0};
    pm_frame *inner;
    pm_node *argument;

    if (!pm_ast_callee(call)) {
        if (vector_width(call->name))
            read_vector(r, frame, call, vector_width(call->name));
        return;
    }
    for (size_t i = 0; (argument = pm_ast_argument(call, i)) != NULL; i++)
        if (pm_points_to_array(r, argument)) {
            pm_points points = pm_index_points(r, frame, argument);

            all.count = points.count ? points.count : all.count;
        }
    if (all.count == 0)
        return;
    inner = pm_index_frame(r, frame, call);
    if (inner) {
        read_function(r, inner);
        return;
    }
    for (size_t i = 0; (argument = pm_ast_argument(call, i)) != NULL; i++)
        if (pm_points_to_array(r, argument)) {
            all = pm_index_points(r, frame, argument);
            escape(r, &all, call, "is passed through too many functions");
        }
}

/* ---- other uses ----------------------------------------------------------------------------- */

static const char *call_reason(const pm_node *call)
{
    if (pm_ast_callee(call) || vector_width(call->name) || strcmp(call->name, "prefetch") == 0)
        return NULL;
    if (strncmp(call->name, "atom", 4) == 0)
        return "is changed by an atomic function";
    return "is passed to a function that is not in the source";
}

static const char *operator_reason(const pm_reader *r, const pm_node *user, pm_node *child)
{
    switch (user->binary) {
    case CXBinaryOperator_Comma:
        return NULL;
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub:
        return pm_points_to_array(r, user) ? NULL : "has pointers into it subtracted";
    case CXBinaryOperator_Assign:
        if (pm_ast_strip(user->first)->kind == CXCursor_DeclRefExpr &&
            pm_index_symbol(r, pm_ast_strip(user->first)))
            return NULL;
        return child == user->first ? NULL : "has a pointer into it stored in memory";
    default:
        return "has pointers into it compared";
    }
}

/* `pointer` points into an array and is used by the expression around it. Returns the reason, for a
 * message, if the analysis cannot find out what this expression does with the array. Returns NULL
 * if it can. */
static const char *use_reason(const pm_reader *r, pm_node *pointer)
{
    pm_node *user = pointer->parent;
    CXType to, from;

    switch (user->kind) {
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        to = user->type;
        from = pointer->type;
        if (to.kind != CXType_Pointer)
            return "has a pointer into it converted to a number";
        if (!pm_points_to_array(r, user))
            return "is used through a pointer that may point to any memory";
        to = clang_getUnqualifiedType(clang_getPointeeType(to));
        from = clang_getUnqualifiedType(clang_getPointeeType(from));
        return clang_equalTypes(to, from) ? NULL : "is used as elements of another type";
    case CXCursor_BinaryOperator:
        return operator_reason(r, user, pointer);
    case CXCursor_CallExpr:
        if (r->ast->is_cuda && pm_takes_reference(user))
            return "is passed to a function that takes references";
        return call_reason(user);
    case CXCursor_VarDecl:
        return pm_points_to_array(r, user) ? NULL : "has a pointer into it stored in memory";
    case CXCursor_UnaryOperator:
        return user->unary <= CXUnaryOperator_PreDec || user->unary == CXUnaryOperator_Deref
                   ? NULL
                   : "has a pointer into it used as a value";
    case CXCursor_ConditionalOperator:
        return pointer == user->first ? "has a pointer into it used as a value" : NULL;
    case CXCursor_ParenExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_UnaryExpr:
        return NULL;
    case CXCursor_ReturnStmt:
        return "has a pointer into it returned from a function";
    default:
        return clang_isStatement(user->kind) ? NULL : "has a pointer into it stored in memory";
    }
}

/* Returns the largest pointer expression that contains a use of a pointer and only adds offsets to
 * it, such as p + i - 1 for p. */
static pm_node *whole_pointer(const pm_reader *r, pm_node *use)
{
    for (;;) {
        pm_node *user = use->parent;
        bool same = user->kind == CXCursor_ParenExpr || user->kind == CXCursor_UnexposedExpr ||
                    user->kind == CXCursor_BinaryOperator;

        if (!same || !pm_points_to_array(r, user))
            return use;
        use = user;
    }
}

static void keep_pointer(pm_index *index, const pm_points *points, pm_node *node)
{
    for (size_t t = 0; t < points->count; t++)
        *pm_add(&index->memory, index->pointers, index->pointer_count) =
            (pm_index_pointer){node, points->to[t].array, points->to[t].offset};
}

static void read_pointer(pm_reader *r, pm_frame *frame, pm_node *node)
{
    const char *reason;
    pm_points points;
    bool whole;

    if (!clang_isExpression(node->kind) || is_decay(node) || !pm_points_to_array(r, node))
        return;
    reason = use_reason(r, node);
    whole = whole_pointer(r, node) == node;
    if (!reason && !whole)
        return;
    points = pm_index_points(r, frame, node);
    if (whole)
        keep_pointer(r->index, &points, node);
    if (reason)
        escape(r, &points, node, reason);
}

/* ---- all accesses --------------------------------------------------------------------------- */

static void read_function(pm_reader *r, pm_frame *frame)
{
    PM_EACH_NODE(r->ast, frame->function, node) {
        read_pointer(r, frame, node);
        read_element(r, frame, node);
        if (node->kind == CXCursor_CallExpr)
            read_call(r, frame, node);
    }
}

static void add_pointer(pm_reader *r, pm_index_array *array, pm_node *node)
{
    for (size_t i = 0; i < array->pointer_count; i++)
        if (array->pointers[i] == node)
            return;
    if (node != array->node)
        *pm_add(&r->index->memory, array->pointers, array->pointer_count) = node;
}

static void read_root(pm_reader *r, pm_frame *frame, pm_node *use)
{
    pm_index *index = r->index;
    const pm_node *declaration = use->declaration;

    for (size_t a = 0; a < index->array_count; a++) {
        pm_index_pointer root = {.node = whole_pointer(r, use), .array = a};
        pm_points points;

        if (index->arrays[a].node != declaration)
            continue;
        points = pm_index_points(r, frame, root.node);
        if (!points.lost && points.count == 1)
            root.offset = points.to[0].offset;
        *pm_add(&index->memory, index->roots, index->root_count) = root;
    }
}

void pm_index_read_accesses(pm_reader *r, pm_frame *frame)
{
    read_function(r, frame);
    PM_EACH_NODE(r->ast, r->index->body, node)
        if (node->kind == CXCursor_DeclRefExpr)
            read_root(r, frame, node);
    for (size_t a = 0; a < r->index->array_count; a++) {
        const pm_points all = {.count = 1, .to = {{.array = a}}};

        if (r->has_goto)
            escape(r, &all, r->index->kernel, "is accessed in a kernel with goto");
        if (r->lambda)
            escape(r, &all, r->lambda, "is accessed in a source with lambda expressions");
        if (r->too_deep)
            escape(r, &all, r->index->kernel,
                   "is accessed in expressions that are nested too deep");
        if (r->index->arrays[a].node->type.kind != CXType_Pointer)
            escape(r, &all, r->index->arrays[a].node,
                   "is declared as an array, and not as a pointer");
    }
    for (size_t f = 0; f < r->frame_count; f++)
        for (size_t s = 0; s < r->frames[f]->symbols; s++) {
            size_t symbol = r->frames[f]->first_symbol + s;
            const pm_points *points = pm_index_all(r->frames[f], symbol)->points;

            for (size_t t = 0; points && t < points->count; t++)
                add_pointer(r, &r->index->arrays[points->to[t].array], r->symbols[symbol].node);
        }
}

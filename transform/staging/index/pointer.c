/* Finds the arrays and offsets to which a kernel's pointers may point, repeatedly until nothing
 * changes (fixed point). See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

static const pm_poly unknown;
static const pm_points lost = {.lost = true};

/* ---- sets of targets ------------------------------------------------------------------------ */

static void add_target(pm_points *points, const pm_aim *target)
{
    size_t same = 0;

    for (size_t t = 0; t < points->count; t++) {
        pm_aim *other = &points->to[t];

        if (other->array != target->array)
            continue;
        if (!other->offset.known || pm_poly_equal(other->offset, target->offset))
            return;
        same++;
    }
    if (target->offset.known && points->count < PM_MOST_TARGETS) {
        points->to[points->count++] = *target;
        return;
    }
    /* If the pointer has too many targets, one target with an unknown offset replaces all targets
     * in this array. */
    for (size_t t = points->count; same > 0 && t-- > 0;)
        if (points->to[t].array == target->array)
            points->to[t] = points->to[--points->count];
    if (points->count == PM_MOST_TARGETS)
        points->lost = true;
    else
        points->to[points->count++] = (pm_aim){.array = target->array};
}

static void merge(pm_points *points, const pm_points *other)
{
    points->lost |= other->lost;
    for (size_t t = 0; t < other->count; t++)
        add_target(points, &other->to[t]);
}

static bool is_same(const pm_points *a, const pm_points *b)
{
    if (a->lost != b->lost || a->count != b->count)
        return false;
    for (size_t t = 0; t < a->count; t++)
        if (a->to[t].array != b->to[t].array || !pm_poly_is_same(a->to[t].offset, b->to[t].offset))
            return false;
    return true;
}

void pm_index_move(pm_points *points, pm_poly by, bool back)
{
    pm_points moved = {.lost = points->lost};

    for (size_t t = 0; t < points->count; t++) {
        pm_aim target = points->to[t];

        target.offset = back ? pm_poly_subtract(target.offset, by) : pm_poly_add(target.offset, by);
        add_target(&moved, &target);
    }
    *points = moved;
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* Returns true if a conversion does not change the type to which the pointer points. */
static bool keeps_type(const pm_node *from, const pm_node *to)
{
    return from->type.kind == CXType_Pointer &&
           clang_equalTypes(clang_getUnqualifiedType(clang_getPointeeType(to->type)),
                            clang_getUnqualifiedType(clang_getPointeeType(from->type)));
}

static pm_points origin_points(pm_reader *r, pm_frame *frame, const pm_node *node)
{
    const pm_origin origin = pm_ast_origin(node);
    const pm_symbol *symbol;
    pm_points points, other;

    switch (origin.kind) {
    /* variables at file scope are not analysed, so their targets are unknown */
    case PM_ORIGIN_VARIABLE:
        symbol = pm_index_symbol(r, origin.pointer);
        if (symbol)
            return pm_index_symbol_points(r, frame, symbol, origin.pointer);
        return pm_points_to_array(r, node) || r->ast->is_cuda ? lost : (pm_points){.count = 0};
    case PM_ORIGIN_CHOICE:
        points = pm_index_points(r, frame, origin.pointer);
        other = pm_index_points(r, frame, origin.other);
        merge(&points, &other);
        return points;
    case PM_ORIGIN_POINTER:
        if (origin.converted && !keeps_type(origin.pointer, node))
            return lost;
        points = pm_index_points(r, frame, origin.pointer);
        if (origin.number)
            pm_index_move(&points, pm_index_value(r, frame, origin.number), origin.back);
        return points;
    default:
        return lost;
    }
}

pm_points pm_index_points(pm_reader *r, pm_frame *frame, pm_node *pointer)
{
    pm_points points = lost;

    r->too_deep |= r->pointer_depth >= PM_MOST_POINTERS;
    if (r->pointer_depth >= PM_MOST_POINTERS)
        return lost;
    r->pointer_depth++;
    points = origin_points(r, frame, pm_ast_bare(pointer));
    r->pointer_depth--;
    return points;
}

/* ---- variables ------------------------------------------------------------------------------ */

static pm_points parameter_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    pm_node *argument;
    pm_points points = {.count = 0};

    if (frame->caller) {
        argument = pm_ast_argument(frame->call, symbol->argument);
        return argument ? pm_index_points(r, frame->caller, argument) : lost;
    }
    for (size_t a = 0; a < r->index->array_count; a++)
        if (r->index->arrays[a].node == symbol->node)
            points = (pm_points){.count = 1, .to = {{a, pm_poly_constant(0)}}};
    return points;
}

/* Sets the offsets of a pointer variable's targets to unknown if they may change during the
 * variable's lifetime. */
static void settle(const pm_reader *r, const pm_symbol *symbol, const pm_node *node,
                   pm_points *points)
{
    pm_points settled = {.lost = points->lost};

    for (size_t t = 0; t < points->count; t++) {
        pm_aim target = points->to[t];

        if (target.offset.known && !pm_index_is_stable(r, target.offset, symbol, node))
            target.offset = unknown;
        add_target(&settled, &target);
    }
    *points = settled;
}

/* Returns the possible targets of a pointer variable after a change (assignment or step). before:
 * its possible targets before the change. */
static pm_points changed_points(pm_reader *r, pm_frame *frame, const pm_node *node,
                                const pm_points *before)
{
    pm_points points = *before;

    switch (node->kind) {
    case CXCursor_BinaryOperator:
        return pm_index_points(r, frame, node->first->next);
    case CXCursor_CompoundAssignOperator:
        pm_index_move(&points, pm_index_value(r, frame, node->first->next),
                      node->binary == CXBinaryOperator_SubAssign);
        return points;
    default:
        if (node->unary == CXUnaryOperator_AddrOf)
            return lost;
        pm_index_move(&points, pm_poly_constant(1),
                      node->unary == CXUnaryOperator_PostDec ||
                          node->unary == CXUnaryOperator_PreDec);
        return points;
    }
}

static pm_points first_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    if (symbol->node->kind == CXCursor_ParmDecl)
        return parameter_points(r, frame, symbol);
    if (!symbol->initializer)
        return (pm_points){.count = 0};
    return pm_index_points(r, frame, symbol->initializer);
}

/* Returns the possible targets of a pointer variable after its declaration (change PM_NONE) or
 * after one of its changes. They are computed from the targets of other variables that were found
 * so far, because the analysis repeats until no result changes. */
static pm_points definition_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                   size_t change)
{
    const pm_node *node = change == PM_NONE ? symbol->node : r->changes[change].node;
    pm_points points;

    if (change == PM_NONE)
        points = first_points(r, frame, symbol);
    else {
        points = pm_index_symbol_points(r, frame, symbol, node->first);
        points = changed_points(r, frame, node, &points);
    }
    settle(r, symbol, node, &points);
    return points;
}

/* Returns all targets that a pointer variable may have at any time, as far as the analysis has
 * found them: its targets after its declaration and after each change. */
static pm_points all_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    const size_t number = (size_t)(symbol - r->symbols);
    pm_points points = *pm_index_all(frame, number)->points;

    merge(&points, pm_index_memo(frame, number, PM_NONE)->points);
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next) {
        pm_points more = *pm_index_memo(frame, number, c)->points;

        settle(r, symbol, symbol->node, &more);
        merge(&points, &more);
    }
    return points;
}

/* ---- all pointers of a function -------------------------------------------------------------- */

static bool update(pm_memo *memo, const pm_points *points)
{
    bool changes = !is_same(memo->points, points);

    *memo->points = *points;
    return changes;
}

/* Makes a round of the search for the targets of the pointers in one frame (a function, and a
 * sequence of calls that leads to it). Computes the targets of all pointer variables from the
 * targets that were found before. Returns true if a result changed, so that another round is
 * needed. */
static bool visit(pm_reader *r, pm_frame *frame)
{
    bool changes = false;

    for (size_t s = frame->first_symbol; s < frame->first_symbol + frame->symbols; s++) {
        const pm_symbol *symbol = &r->symbols[s];
        pm_points points;

        if (!pm_points_to_array(r, symbol->node))
            continue;
        points = definition_points(r, frame, symbol, PM_NONE);
        changes |= update(pm_index_memo(frame, s, PM_NONE), &points);
        for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next) {
            points = definition_points(r, frame, symbol, c);
            changes |= update(pm_index_memo(frame, s, c), &points);
        }
        points = all_points(r, frame, symbol);
        changes |= update(pm_index_all(frame, s), &points);
    }
    return changes;
}

static void make_room(pm_reader *r, pm_frame *frame)
{
    size_t behind = frame->symbols + frame->changes;

    for (size_t m = 0; m < behind + frame->symbols; m++) {
        size_t symbol = m < frame->symbols ? frame->first_symbol + m
                        : m < behind ? r->changes[frame->first_change + m - frame->symbols].symbol
                                     : frame->first_symbol + m - behind;

        if (pm_points_to_array(r, r->symbols[symbol].node))
            frame->memo[m].points = pm_take(&r->index->memory, 1, sizeof *frame->memo[m].points);
    }
}

/* Computes the possible targets of the pointers of one function, repeatedly until no result
 * changes. After PM_MOST_ROUNDS rounds, gives up: all targets are then unknown. frame: the function
 * in one sequence of calls. */
static void find_points(pm_reader *r, pm_frame *frame)
{
    size_t rounds = 0;

    make_room(r, frame);
    frame->has_points = true;
    while (visit(r, frame))
        if (++rounds > PM_MOST_ROUNDS) {
            for (size_t m = 0; m < 2 * frame->symbols + frame->changes; m++)
                if (frame->memo[m].points)
                    frame->memo[m].points->lost = true;
            break;
        }
}

/* A pointer variable has one target, and is then moved by offsets that are equal in all work-items,
 * as in p += stride. Sets *points to this target, with a symbolic value for the equal part of the
 * present offset. Returns false if the variable is not of this kind. */
static bool moves(pm_reader *r, const pm_symbol *symbol, size_t since, const pm_node *use,
                  pm_points *points)
{
    const pm_node *definition = since == PM_NONE ? symbol->node : r->changes[since].node;
    pm_node *array;
    pm_poly varying, fixed;

    if (points->lost || points->count != 1 || !points->to[0].offset.known ||
        !pm_index_only_adds(r, symbol, since, use))
        return false;
    array = r->index->arrays[points->to[0].array].node;
    pm_poly_split(&points->to[0].offset, pm_index_varies, r->index, &varying, &fixed);
    if (pm_index_symbol(r, array)->first_change != PM_NONE ||
        !pm_index_is_stable(r, varying, symbol, definition))
        return false;
    points->to[0].offset = pm_index_symbol_value(r, symbol, &varying, array);
    return true;
}

pm_points pm_index_symbol_points(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                 const pm_node *use)
{
    size_t number = (size_t)(symbol - r->symbols), change;
    pm_points points;
    bool alone;

    if (number < frame->first_symbol || number >= frame->first_symbol + frame->symbols)
        return lost;
    if (!pm_points_to_array(r, symbol->node))
        return (pm_points){/* an OpenCL pointer of this type points to local or private memory, so
                              to none of the arrays */
                           .lost = r->ast->is_cuda};
    if (!frame->has_points)
        find_points(r, frame);
    change = pm_index_definition(r, symbol, use, &alone);
    points = *pm_index_memo(frame, number, change)->points;
    if (alone || (!frame->caller && moves(r, symbol, change, use, &points)))
        return points;
    return *pm_index_all(frame, number)->points;
}

/* Finds regions: sequences of a kernel's statements for which a tile can be filled before them. See
 * stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All work-items of a group fill a tile, and then wait at a barrier. Therefore all of them must
 * reach the start of the region, equally often. Conditions that differ between work-items can be
 * moved into the region (guard.c). Loops with different iteration counts cannot.
 */
#include <string.h>

#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* ---- regions -------------------------------------------------------------------------------- */

pm_staging_region pm_region_copy(pm_sharing *s, const pm_staging_region *region)
{
    pm_staging_region copy = *region;

    copy.counts = pm_take(s->memory, s->index.loop_count, sizeof *copy.counts);
    if (s->index.loop_count > 0)
        memcpy(copy.counts, region->counts, s->index.loop_count * sizeof *copy.counts);
    return copy;
}

bool pm_region_has(const pm_staging_region *region, const pm_node *node)
{
    for (const pm_node *at = region->first; at; at = at == region->last ? NULL : at->next)
        if (pm_ast_is_within(node, at))
            return true;
    return false;
}

/* ---- loops in a region ---------------------------------------------------------------------- */

pm_poly pm_region_form(const pm_sharing *s, const pm_staging_region *region, pm_poly form)
{
    for (size_t l = s->index.loop_count; l-- > 0 && form.known;) { /* from inner to outer loops */
        const pm_loop *loop = &s->index.loops[l];
        pm_poly start;

        if (loop->atom == PM_NO_ATOM || !pm_poly_has(&form, loop->atom) ||
            !pm_region_has(region, loop->node))
            continue;
        if (region->counts[l] == PM_NO_ATOM)
            return (pm_poly){.known = false};
        start = region->tiled == l ? pm_poly_atom(region->piece) : loop->start;
        form = pm_poly_replace(
            form, loop->atom,
            pm_poly_add(start, pm_poly_scale(pm_poly_atom(region->counts[l]), loop->step)));
    }
    return form;
}

static const char *count_text(pm_sharing *s, const pm_loop *loop)
{
    const char *text = s->index.atoms[loop->atom].text;
    pm_text start = {.memory = s->memory};
    long long zero;

    if (!pm_poly_is_constant(loop->start, &zero) || zero != 0) {
        pm_poly_operand(&loop->start, pm_index_names(&s->index, s->memory, ""), &start);
        text = pm_format(s->memory, "(%s - %s)", text, pm_text_get(&start));
    }
    return loop->step == 1 ? text : pm_format(s->memory, "(%s / %lld)", text, loop->step);
}

/* Returns a new atom (symbolic value) for the iteration number of a loop. Returns PM_NO_ATOM if the
 * loop's iteration count is unknown. */
static size_t count_atom(pm_sharing *s, const pm_staging_region *region, size_t l)
{
    const pm_loop *loop = &s->index.loops[l];
    pm_poly length = pm_poly_subtract(loop->end, loop->start);
    pm_atom atom = {
        .kind = PM_ATOM_LOOP, .variable = loop->node, .low_known = true, .high_known = true};
    long long iterations;

    if (loop->atom == PM_NO_ATOM || loop->jumps)
        return PM_NO_ATOM;
    if (!pm_poly_is_constant(pm_region_form(s, region, length), &iterations) || iterations <= 0)
        return PM_NO_ATOM;
    atom.high = (iterations - 1) / loop->step;
    atom.text = count_text(s, loop);
    return pm_stage_atom(s, &atom);
}

void pm_region_cut(pm_sharing *s, pm_staging_region *region, size_t iterations)
{
    const pm_loop *loop = &s->index.loops[region->tiled];
    const char *variable = s->index.atoms[loop->atom].text;
    pm_atom count = {.kind = PM_ATOM_LOOP,
                     .variable = loop->node,
                     .low_known = true,
                     .high_known = true,
                     .high = (long long)iterations - 1};
    pm_atom piece = {.kind = PM_ATOM_VALUE, .uniform = true};

    /* This name is provisional, for messages. Later the variable of the new outer loop gets its own
     * name. */
    if (region->piece == PM_NO_ATOM) {
        piece.text = pm_format(s->memory, "%s_first", variable);
        region->piece = pm_stage_atom(s, &piece);
    }
    count.text = pm_format(s->memory, "(%s - %s_first)", variable, variable);
    region->counts[region->tiled] = pm_stage_atom(s, &count);
    region->iterations = iterations;
}

static void find_counts(pm_sharing *s, pm_staging_region *region)
{
    region->counts = pm_take(s->memory, s->index.loop_count, sizeof *region->counts);
    for (size_t l = 0; l < s->index.loop_count; l++)
        region->counts[l] = PM_NO_ATOM;
    for (size_t l = 0; l < s->index.loop_count; l++) /* from outer to inner loops */
        if (l == region->tiled)
            pm_region_cut(s, region, 1);
        else if (pm_region_has(region, s->index.loops[l].node))
            region->counts[l] = count_atom(s, region, l);
}

/* ---- conditions for a region ---------------------------------------------------------------- */

const pm_guard *pm_stage_guard(const pm_sharing *s, const pm_node *node, bool leaves)
{
    for (size_t g = 0; g < s->index.guard_count; g++)
        if (s->index.guards[g].node == node && s->index.guards[g].leaves == leaves)
            return &s->index.guards[g];
    return NULL;
}

/* Returns true for a statement `if (..) return;` that does nothing else. */
static bool only_returns(const pm_node *node)
{
    const pm_node *then = pm_ast_child(node, 1);

    if (!then || then->next)
        return false;
    if (then->kind == CXCursor_CompoundStmt)
        then = then->first && !then->first->next ? then->first : then;
    return then->kind == CXCursor_ReturnStmt;
}

/* Returns true if some work-items may not reach a barrier before the region's statements, because
 * the code before or around them has a goto, a label, or a return in another form than `if (..)
 * return;`. *why then gets the reason. */
static bool has_jumps(const pm_sharing *s, const pm_node *node, const pm_staging_region *region,
                      pm_text *why)
{
    for (const pm_node *child = node->first; child; child = child->next) {
        const pm_guard *guard = pm_stage_guard(s, child, true);

        if (child->begin >= region->last->end)
            break;
        if (child->kind == CXCursor_GotoStmt || child->kind == CXCursor_LabelStmt ||
            child->kind == CXCursor_ReturnStmt) {
            pm_stage_why(why, child,
                         "%s in front of or around what would be staged: not all work-items come "
                         "to the barrier",
                         child->kind == CXCursor_ReturnStmt ? "return" : "goto");
            return true;
        }
        if (guard && child->kind == CXCursor_IfStmt && only_returns(child) &&
            pm_ast_is_within(region->first, node))
            continue;
        if (has_jumps(s, child, region, why))
            return true;
    }
    return false;
}

static bool may_be_in_if(const pm_sharing *s, pm_node *node, bool *divergent, pm_text *why)
{
    const pm_guard *guard = pm_stage_guard(s, node, false);

    if (guard && guard->uniform)
        return true;
    *divergent = true;
    if (node->parent->kind != CXCursor_CompoundStmt)
        return pm_stage_why(why, node,
                            "only some work-items come here; put the if in braces of its own");
    if (pm_ast_child(node, 2))
        return pm_stage_why(why, node,
                            "only some work-items come here, and there is an else: the barrier "
                            "that staging needs cannot stand in it");
    return true;
}

static bool may_be_in_loop(const pm_sharing *s, const pm_node *node, pm_text *why)
{
    for (size_t l = 0; l < s->index.loop_count; l++) {
        const pm_loop *loop = &s->index.loops[l];

        if (loop->node != node)
            continue;
        if (loop->jumps)
            pm_stage_why(why, node,
                         "the loop has break, continue, return or goto: not all "
                         "work-items run all of it");
        else if (!loop->uniform)
            pm_stage_why(why, node,
                         "work-items may run the loop differently often, so that a "
                         "barrier cannot stand in it");
        return loop->uniform && !loop->jumps;
    }
    return false;
}

/* Returns true for a statement with an attribute, such as a loop after a #pragma. */
static bool is_attributed(const pm_node *node)
{
    return node->kind == CXCursor_UnexposedStmt && node->first == node->last && node->first;
}

/* Returns true if either all work-items of a group reach the start of the region (statements before
 * which a tile is filled) or none does, possibly after conditions were moved. Otherwise sets
 * *why. */
static bool is_legal(const pm_sharing *s, const pm_staging_region *region, pm_text *why)
{
    bool divergent = false;

    for (pm_node *at = region->first->parent; at && at != s->index.body; at = at->parent) {
        bool ok = at->kind == CXCursor_CompoundStmt || is_attributed(at) ||
                  (at->kind == CXCursor_IfStmt && may_be_in_if(s, at, &divergent, why)) ||
                  (pm_is_loop(at) && may_be_in_loop(s, at, why));

        if (!ok)
            return pm_stage_why(why, at, "nothing can be staged within this statement");
    }
    for (size_t g = 0; g < s->index.guard_count; g++)
        divergent |= s->index.guards[g].leaves && !s->index.guards[g].uniform &&
                     s->index.guards[g].node->begin < region->first->begin;
    if (divergent && s->index.barrier_count > 0)
        return pm_stage_why(why, s->index.barriers[0],
                            "a barrier in code that only some work-items run");
    return !has_jumps(s, s->index.body, region, why);
}

/* Returns true if the type of the loop's variable is int or wider. A narrower variable could
 * overflow when the new outer loop advances it by a whole tile. */
static bool is_wide_enough(const pm_sharing *s, const pm_loop *loop)
{
    const pm_node *variable = s->index.atoms[loop->atom].variable;
    enum CXTypeKind kind = variable ? variable->type.kind : CXType_Invalid;

    return kind == CXType_Int || kind == CXType_UInt || kind == CXType_Long || kind == CXType_ULong;
}

/* Returns true if the loop can be tiled. Otherwise sets *why to the reason. */
static bool may_be_cut(const pm_sharing *s, size_t l, const pm_staging_region *region, pm_text *why)
{
    const pm_loop *loop = &s->index.loops[l];

    if (!may_be_in_loop(s, loop->node, why))
        return false;
    if (loop->atom == PM_NO_ATOM || !is_wide_enough(s, loop) ||
        loop->node->kind != CXCursor_ForStmt || !loop->node->first ||
        loop->node->first->kind != CXCursor_DeclStmt ||
        loop->node->first->first != loop->node->first->last || !loop->start.known ||
        !loop->end.known)
        return pm_stage_why(why, loop->node,
                            "the loop is none of the kind for (int i = a; i < b; i += c)");
    return pm_region_sees(s, region, loop->start) && pm_region_sees(s, region, loop->end);
}

/* ---- search for regions --------------------------------------------------------------------- */

static void add_region(pm_sharing *s, pm_regions *regions, pm_staging_region *region)
{
    find_counts(s, region);
    *pm_add(s->memory, regions->items, regions->count) = *region;
}

static bool is_list(const pm_node *node)
{
    return node->kind == CXCursor_CompoundStmt || node->kind == CXCursor_IfStmt || pm_is_loop(node);
}

static bool has_access(const pm_sharing *s, const size_t *accesses, size_t count,
                       const pm_node *statement)
{
    for (size_t a = 0; a < count; a++)
        if (pm_ast_is_within(s->index.accesses[accesses[a]].statement, statement))
            return true;
    return false;
}

/* Adds the region from the first to the last statement of `list` that contains an access. list: a {
 * } block, or a loop's body without braces. */
static void find_block(pm_sharing *s, pm_node *list, const size_t *accesses, size_t count,
                       pm_regions *regions, pm_text *why)
{
    pm_staging_region region = {.block = list, .tiled = PM_NONE, .piece = PM_NO_ATOM};

    for (pm_node *child = list->first; child; child = child->next) {
        if (list->kind != CXCursor_CompoundStmt &&
            (child != list->last || child->kind == CXCursor_CompoundStmt))
            continue; /* this child is part of the loop's head and not of its body */
        if (!has_access(s, accesses, count, child))
            continue;
        region.first = region.first ? region.first : child;
        region.last = child;
    }
    if (region.first && is_legal(s, &region, why))
        add_region(s, regions, &region);
}

static void find_tiled(pm_sharing *s, size_t l, const size_t *accesses, size_t count,
                       pm_regions *regions, pm_text *why)
{
    pm_node *node = s->index.loops[l].node;
    pm_staging_region region = {
        .block = node->parent, .first = node, .last = node, .tiled = l, .piece = PM_NO_ATOM};

    if (has_access(s, accesses, count, node) && is_legal(s, &region, why) &&
        may_be_cut(s, l, &region, why))
        add_region(s, regions, &region);
}

static void find_below(pm_sharing *s, pm_node *node, const size_t *accesses, size_t count,
                       pm_regions *regions, pm_text *why)
{
    if (is_list(node))
        find_block(s, node, accesses, count, regions, why);
    for (pm_node *child = node->first; child; child = child->next)
        find_below(s, child, accesses, count, regions, why);
}

void pm_regions_find(pm_sharing *s, const size_t *accesses, size_t count, pm_regions *regions,
                     pm_text *why)
{
    find_below(s, s->index.body, accesses, count, regions, why);
    for (size_t l = 0; l < s->index.loop_count; l++)
        find_tiled(s, l, accesses, count, regions, why);
}

/* ---- variables that are visible before a region --------------------------------------------- */

static bool is_named(const pm_node *node, const char *name, size_t length)
{
    return (node->kind == CXCursor_VarDecl || node->kind == CXCursor_ParmDecl) &&
           strlen(node->name) == length && strncmp(node->name, name, length) == 0;
}

/* Returns the number of declarations in the kernel with this name. *all becomes true if all of them
 * have the type `kind`. */
static size_t count_declarations(const pm_sharing *s, const char *name, size_t length,
                                 enum CXTypeKind kind, bool *all)
{
    size_t count = 0;

    PM_EACH_NODE(s->index.ast, s->index.kernel, node)
        if (is_named(node, name, length)) {
            *all &= node->type.kind == kind;
            count++;
        }
    return count;
}

bool pm_stage_declares(const pm_sharing *s, const char *name, size_t length)
{
    bool ignored = true;

    return count_declarations(s, name, length, CXType_Int, &ignored) > 0;
}

bool pm_stage_declared_as(const pm_sharing *s, const char *name, size_t length,
                          enum CXTypeKind kind)
{
    bool all = true;

    return count_declarations(s, name, length, kind, &all) > 0 && all;
}

/* Returns the declaration to which a name refers before a statement. Returns NULL if the name is
 * not a variable of the kernel. */
static const pm_node *meaning_of(const pm_sharing *s, const pm_node *statement, const char *name,
                                 size_t length)
{
    const pm_node *found = NULL;

    for (const pm_node *at = statement; at && at != s->index.kernel && !found; at = at->parent)
        for (const pm_node *before = at->parent->first; before && before != at;
             before = before->next)
            for (const pm_node *own = before->kind == CXCursor_DeclStmt ? before->first : NULL; own;
                 own = own->next)
                found = is_named(own, name, length) ? own : found;
    for (const pm_node *own = s->index.kernel->first; own && !found; own = own->next)
        found = is_named(own, name, length) ? own : found;
    return found;
}

/* Returns true if no statement of the region (statements before which a tile is filled) assigns to
 * the variable. */
static bool stays(const pm_sharing *s, const pm_staging_region *region, const pm_node *variable)
{
    for (size_t c = 0; c < s->index.change_count; c++)
        if (s->index.changes[c].variable == variable &&
            pm_region_has(region, s->index.changes[c].node))
            return false;
    return true;
}

bool pm_region_sees_text(const pm_sharing *s, const pm_staging_region *region, const char *text,
                         const pm_node *variable)
{
    size_t begin, end = 0, length = strlen(text);

    while (pm_token(text, end, length, &begin, &end)) {
        bool ignored = true;
        const char *word = text + begin;
        size_t count = count_declarations(s, word, end - begin, CXType_Int, &ignored);
        const pm_node *meant;

        if (count == 0)
            /* the name is a function, a macro, or a constant at file scope, which the region cannot
             * change */
            continue;
        meant = meaning_of(s, region->first, word, end - begin);
        if (!meant || (count > 1 && meant != variable) || !stays(s, region, meant))
            return false;
    }
    return true;
}

bool pm_region_sees(const pm_sharing *s, const pm_staging_region *region, pm_poly poly)
{
    for (size_t t = 0; t < poly.count; t++)
        for (size_t f = 0; f < poly.terms[t].factor_count; f++) {
            size_t a = poly.terms[t].factors[f];
            const pm_atom *atom = &s->index.atoms[a];

            if (a == region->piece)
                continue;
            if (atom->kind == PM_ATOM_CLAMP &&
                !(pm_region_sees(s, region, atom->inner) &&
                  pm_region_sees(s, region, atom->least) && pm_region_sees(s, region, atom->most)))
                return false;
            if ((atom->kind == PM_ATOM_VALUE || atom->kind == PM_ATOM_LOOP) &&
                !pm_region_sees_text(s, region, atom->text, atom->variable))
                return false;
        }
    return true;
}

bool pm_region_sees_axis(const pm_sharing *s, const pm_staging_region *region, const pm_axis *axis)
{
    return pm_region_sees(s, region, axis->origin) && pm_region_sees(s, region, axis->stride) &&
           pm_region_sees(s, region, axis->least) && pm_region_sees(s, region, axis->most);
}

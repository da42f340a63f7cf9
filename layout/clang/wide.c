/* Wide accesses: going through the blocks of a function. See wide.h; what makes a load or a store
 * is in wide_load.c and wide_store.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "wide_parts.h"

bool pm_wide_word(const pm_plan *plan, size_t field, pm_word *word)
{
    const pm_field *f = &plan->structure->fields[field];

    /* A vector of three has four's size, and no word is made of three. */
    if (!plan->layout.align || plan->tile > 1 || f->extent_count > 0 ||
        f->type[strlen(f->type) - 1] == '3')
        return false;
    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++) {
            const pm_part *part = &plan->parts[p];
            size_t bytes = part->align < 16 ? part->align : 16, at = part->members[m].offset;

            if (part->members[m].field != field)
                continue;
            *word = (pm_word){p, at / bytes, bytes};
            return bytes >= 8 && part->bytes % bytes == 0 &&
                   at / bytes == (at + f->bytes - 1) / bytes && (f->bytes & (f->bytes - 1)) == 0 &&
                   f->bytes % 4 == 0;
        }
    return false;
}

void pm_wide_free(pm_wide *wide)
{
    for (size_t i = 0; i < wide->load_count; i++) {
        free(wide->loads[i].reads);
        free(wide->loads[i].fields);
    }
    for (size_t i = 0; i < wide->store_count; i++) {
        free(wide->stores[i].assignments);
        free(wide->stores[i].values);
        free(wide->stores[i].fields);
    }
    free(wide->loads);
    free(wide->stores);
    *wide = (pm_wide){0};
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void free_block(pm_block *block)
{
    for (size_t i = 0; block->effects && i < block->statements.count; i++)
        pm_effects_free(&block->effects[i]);
    free(block->effects);
    pm_cursors_free(&block->statements);
}

static pm_status read_block(const pm_wide_search *s, CXCursor compound, pm_block *block,
                            pm_error *err)
{
    pm_status status = pm_cursors_of(compound, &block->statements, err);

    if (status != PM_OK)
        return status;
    block->effects = calloc(block->statements.count + 1, sizeof *block->effects);
    if (!block->effects)
        return pm_fail(err, PM_FAILED, "out of memory for the statements of a block");
    for (size_t i = 0; status == PM_OK && i < block->statements.count; i++)
        status =
            pm_effects_add(&block->effects[i], block->statements.items[i], s->match, s->user, err);
    return status;
}

/* Outer blocks come first: what they take, inner ones leave alone. */
static pm_status search(pm_wide_search *s, CXCursor cursor, pm_error *err)
{
    pm_cursors children;
    pm_status status = PM_OK;

    if (cursor.kind == CXCursor_CompoundStmt) {
        pm_block block = {0};

        status = read_block(s, cursor, &block, err);
        if (status == PM_OK)
            status = pm_wide_stores_of(s, &block, err);
        if (status == PM_OK)
            status = pm_wide_loads_of(s, &block, err);
        free_block(&block);
    }
    if (status == PM_OK)
        status = pm_cursors_of(cursor, &children, err);
    else
        return status;
    for (size_t i = 0; status == PM_OK && i < children.count; i++)
        status = search(s, children.items[i], err);
    pm_cursors_free(&children);
    return status;
}

/* ---- what is taken -------------------------------------------------------------------------- */

bool pm_wide_is_taken(const pm_wide_search *s, CXCursor access)
{
    for (size_t i = 0; i < s->wide->load_count; i++)
        for (size_t k = 0; k < s->wide->loads[i].count; k++)
            if (clang_equalCursors(s->wide->loads[i].reads[k], access))
                return true;
    return false;
}

bool pm_wide_has(const CXCursor *list, size_t count, CXCursor wanted)
{
    for (size_t i = 0; i < count; i++)
        if (clang_equalCursors(list[i], wanted))
            return true;
    return false;
}

bool pm_wide_key(const pm_wide_search *s, const pm_element_access *access, pm_element_key *key)
{
    if (!pm_element_key_of(access, key))
        return false;
    /* Through its address a variable may be written unseen. */
    for (size_t i = 0; i < key->variable_count; i++)
        if (pm_wide_has(s->addressed.items, s->addressed.count, key->variables[i]))
            return false;
    return true;
}

/* ---- the function --------------------------------------------------------------------------- */

typedef struct {
    pm_cursors *list;
    bool jumps, failed;
} addresses;

static enum CXChildVisitResult find_addresses(CXCursor cursor, CXCursor parent, CXClientData data)
{
    addresses *found = data;

    (void)parent;
    if (cursor.kind == CXCursor_GotoStmt || cursor.kind == CXCursor_IndirectGotoStmt)
        found->jumps = true;
    if (cursor.kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf) {
        pm_cursors operand;
        CXCursor variable = clang_getNullCursor();

        if (pm_cursors_of(cursor, &operand, NULL) != PM_OK) {
            found->failed = true;
            return CXChildVisit_Break;
        }
        if (operand.count > 0)
            variable = pm_named_variable(operand.items[0]);
        pm_cursors_free(&operand);
        if (!clang_Cursor_isNull(variable)) {
            CXCursor *items =
                realloc(found->list->items, (found->list->count + 1) * sizeof *found->list->items);

            found->failed = !items;
            if (!items)
                return CXChildVisit_Break;
            found->list->items = items;
            found->list->items[found->list->count++] = variable;
        }
    }
    return CXChildVisit_Recurse;
}

pm_status pm_wide_find(CXCursor function, const pm_plan *const *plans, pm_match_access match,
                       void *user, pm_wide *wide, pm_error *err)
{
    pm_wide_search s = {.plans = plans, .match = match, .user = user, .wide = wide};
    addresses found = {.list = &s.addressed};
    pm_status status = PM_OK;

    *wide = (pm_wide){0};
    clang_visitChildren(function, find_addresses, &found);
    if (found.failed)
        status = pm_fail(err, PM_FAILED, "out of memory for the source's tree");
    else if (!found.jumps)
        status = search(&s, function, err);
    pm_cursors_free(&s.addressed);
    if (status != PM_OK)
        pm_wide_free(wide);
    return status;
}

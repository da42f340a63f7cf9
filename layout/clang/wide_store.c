/* Writes to all members of a word that one store can do. See wide.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "wide_parts.h"

/* `E.f = value;`, f a scalar or vector. */
typedef struct {
    const pm_element_access *target;
    CXCursor statement, value;
} assignment;

/* The access that a statement assigns to, and to nothing else; false: it is no such statement. */
static bool read_assignment(CXCursor statement, const pm_effects *e, assignment *a)
{
    pm_cursors sides;
    pm_error ignored;
    bool plain = false;

    if (statement.kind != CXCursor_BinaryOperator ||
        clang_getCursorBinaryOperatorKind(statement) != CXBinaryOperator_Assign ||
        pm_cursors_of(statement, &sides, &ignored) != PM_OK)
        return false;
    for (size_t i = 0; sides.count == 2 && i < e->access_count; i++) {
        if (!e->accesses[i].written)
            continue;
        plain = !a->target && e->accesses[i].single &&
                clang_equalCursors(e->accesses[i].cursor, sides.items[0]);
        if (!plain)
            break;
        a->target = &e->accesses[i];
        a->value = sides.items[1];
    }
    a->statement = statement;
    pm_cursors_free(&sides);
    return plain && e->modified_count == 0 && !e->writes_memory && !e->writes_all && !e->ordered;
}

/* Whether a value reads a field that one of the statements before it writes. */
static bool reads_written(const pm_effects *e, const assignment *run, size_t count)
{
    for (size_t i = 0; i < e->access_count; i++) {
        const pm_element_access *a = &e->accesses[i];

        for (size_t k = 0; a->read && k < count; k++)
            if (a->structure == run[k].target->structure &&
                (a->field == PM_ALL_FIELDS || a->field == run[k].target->field))
                return true;
    }
    return false;
}

static bool has_field(const assignment *run, size_t count, size_t field)
{
    for (size_t i = 0; i < count; i++)
        if (run[i].target->field == field)
            return true;
    return false;
}

/* How many statements from `at` on are assignments to different fields of one element. */
static size_t read_run(const pm_wide_search *s, const pm_block *block, size_t at, assignment *run)
{
    pm_element_key first, key;
    size_t count = 0;

    for (size_t i = at; i < block->statements.count; i++, count++) {
        const pm_effects *e = &block->effects[i];
        assignment a = {0};

        if (!read_assignment(block->statements.items[i], e, &a) || !s->plans[a.target->structure] ||
            !pm_wide_key(s, a.target, &key) || key.reads_memory)
            break;
        if (count == 0)
            first = key;
        else if (strcmp(first.text, key.text) != 0 ||
                 a.target->structure != run[0].target->structure ||
                 has_field(run, count, a.target->field) || reads_written(e, run, count))
            break;
        run[count] = a;
    }
    return count;
}

static pm_status add_store(pm_wide *wide, const assignment *run, size_t count, const pm_plan *plan,
                           pm_word word, pm_error *err)
{
    pm_wide_store store = {.element = *run[0].target,
                           .word = word,
                           .assignments = calloc(count, sizeof *store.assignments),
                           .values = calloc(count, sizeof *store.values),
                           .fields = calloc(count, sizeof *store.fields)};
    pm_wide_store *stores = realloc(wide->stores, (wide->store_count + 1) * sizeof *stores);

    if (stores)
        wide->stores = stores;
    if (!stores || !store.assignments || !store.values || !store.fields) {
        free(store.assignments);
        free(store.values);
        free(store.fields);
        return pm_fail(err, PM_FAILED, "out of memory for wide stores");
    }
    for (size_t i = 0; i < count; i++) {
        pm_word own;

        if (!pm_wide_word(plan, run[i].target->field, &own) || own.part != word.part ||
            own.word != word.word)
            continue;
        store.assignments[store.count] = run[i].statement;
        store.values[store.count] = run[i].value;
        store.fields[store.count++] = run[i].target->field;
    }
    stores[wide->store_count++] = store;
    return PM_OK;
}

/* Members that have a byte in the word, and how many of them are not written; arrays are never. */
static void look_at_word(const pm_plan *plan, pm_word word, const assignment *run, size_t count,
                         size_t *members, size_t *missing)
{
    const pm_part *part = &plan->parts[word.part];
    size_t begin = word.word * word.bytes, end = begin + word.bytes;
    pm_word own;

    *members = *missing = 0;
    for (size_t m = 0; m < part->member_count; m++) {
        size_t field = part->members[m].field, at = part->members[m].offset;
        const pm_field *f = &plan->structure->fields[field];

        if (at >= end || at + f->bytes * pm_field_elements(f) <= begin)
            continue;
        ++*members;
        *missing += !has_field(run, count, field) || !pm_wide_word(plan, field, &own) ||
                    own.part != word.part || own.word != word.word;
    }
}

/* The words that a run fills. */
static pm_status store_run(pm_wide_search *s, const assignment *run, size_t count, pm_error *err)
{
    const pm_plan *plan = s->plans[run[0].target->structure];
    pm_status status = PM_OK;

    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t w = 0; status == PM_OK && w * 8 < plan->parts[p].bytes; w++) {
            size_t members, missing;
            pm_word word = {0}, own;
            bool found = false;

            for (size_t i = 0; i < count && !found; i++) {
                found = pm_wide_word(plan, run[i].target->field, &own) && own.part == p &&
                        own.word == w;
                word = own;
            }
            if (!found)
                continue;
            look_at_word(plan, word, run, count, &members, &missing);
            if (members > 1 && missing == 0)
                status = add_store(s->wide, run, count, plan, word, err);
        }
    return status;
}

pm_status pm_wide_stores_of(pm_wide_search *s, const pm_block *block, pm_error *err)
{
    assignment *run = calloc(block->statements.count + 1, sizeof *run);
    pm_status status = run ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for wide stores");

    for (size_t i = 0; status == PM_OK && i < block->statements.count;) {
        size_t count = read_run(s, block, i, run);

        if (count > 1)
            status = store_run(s, run, count, err);
        i += count > 0 ? count : 1;
    }
    free(run);
    return status;
}

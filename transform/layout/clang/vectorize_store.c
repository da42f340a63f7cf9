/* Finds assignments to all members of a vector word that one vector store can replace. See
 * vectorize.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/vectorize.h"

/* An assignment statement `E.f = value;` where the field f is a scalar or vector. */
typedef struct {
    const pm_element_access *target;
    pm_node *statement, *value;
} assignment;

/* Returns whether a statement is a single assignment to a member of an array element, and describes
 * it in *a. */
static bool read_assignment(const pm_vector_statement *statement, assignment *a)
{
    const pm_effects *e = &statement->effects;
    pm_node *node = statement->node;

    *a = (assignment){.statement = node, .value = node->last};
    if (node->binary != CXBinaryOperator_Assign || e->modified_count > 0 || e->writes_memory ||
        e->writes_all || e->ordered)
        return false;
    for (size_t i = 0; i < e->access_count; i++) {
        if (!e->accesses[i].written)
            continue;
        if (a->target || !e->accesses[i].single || e->accesses[i].node != node->first)
            return false;
        a->target = &e->accesses[i];
    }
    return a->target != NULL;
}

/* Returns true if a statement's value reads a field that an earlier assignment in run[0..count)
 * writes. */
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

/* Copies to `run` the assignments at the start of `block` that can become one vector store, and
 * returns their number. They are consecutive statements that assign to different fields of one
 * array element. No assignment reads a field that an earlier one has written. most: number of
 * statements in `block`. */
static size_t read_run(const pm_vector *wide, const pm_vector_statement *block, size_t most,
                       assignment *run)
{
    pm_element_key first, key;
    size_t count;

    for (count = 0; count < most; count++) {
        assignment a;

        if (!read_assignment(&block[count], &a) || !pm_vector_key(wide, a.target, &key) ||
            key.reads_memory)
            break;
        if (count == 0)
            first = key;
        else if (strcmp(first.text, key.text) != 0 ||
                 a.target->structure != run[0].target->structure ||
                 has_field(run, count, a.target->field) ||
                 reads_written(&block[count].effects, run, count))
            break;
        run[count] = a;
    }
    return count;
}

/* Returns true if the assignment writes a field that is in the vector word. */
static bool writes_in_word(const pm_plan *plan, const assignment *a, const pm_word *word)
{
    pm_word own;

    return pm_vector_word(plan, a->target->field, &own) && pm_vector_same_word(&own, word);
}

/* Counts the members of a vector word: *members becomes the number of members with a byte in the
 * word, and *missing the number of these that no assignment in run[0..count) writes. An array
 * counts as not written. */
static void look_at_word(const pm_plan *plan, const pm_word *word, const assignment *run,
                         size_t count, size_t *members, size_t *missing)
{
    const pm_part *part = &plan->parts[word->part];
    size_t begin = word->word * word->bytes, end = begin + word->bytes;

    *members = *missing = 0;
    for (size_t m = 0; m < part->member_count; m++) {
        size_t field = part->members[m].field, at = part->members[m].offset;
        const pm_field *f = &plan->structure->fields[field];
        bool written = false;

        if (at >= end || at + f->bytes * pm_field_elements(f) <= begin)
            continue;
        for (size_t i = 0; i < count; i++)
            written |= run[i].target->field == field && writes_in_word(plan, &run[i], word);
        ++*members;
        *missing += !written;
    }
}

/* Adds a vector store for a word, if the assignments write all members of the word. */
static void store_word(pm_vector *wide, const assignment *run, size_t count, const pm_plan *plan,
                       pm_word word)
{
    pm_wide_access store = {.element = run[0].target, .word = word};
    size_t members, missing;

    look_at_word(plan, &word, run, count, &members, &missing);
    if (members < 2 || missing > 0)
        return;
    for (size_t i = 0; i < count; i++) {
        pm_word_member member = {run[i].statement, run[i].value, run[i].target->field};

        if (writes_in_word(plan, &run[i], &word))
            *pm_add(&wide->rw->memory, store.members, store.count) = member;
    }
    *pm_add(&wide->rw->memory, wide->stores, wide->store_count) = store;
}

/* Adds vector stores for all words of which the consecutive assignments write all members. */
static void store_run(pm_vector *wide, const assignment *run, size_t count)
{
    const pm_plan *plan = pm_rewrite_plan(wide->rw, run[0].target->structure);
    pm_word word;

    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t w = 0; w * 8 < plan->parts[p].bytes; w++)
            for (size_t i = 0; i < count; i++)
                if (pm_vector_word(plan, run[i].target->field, &word) && word.part == p &&
                    word.word == w) {
                    store_word(wide, run, count, plan, word);
                    break;
                }
}

void pm_vector_find_stores(pm_vector *wide, const pm_vector_statement *block, size_t count)
{
    assignment *run = pm_take(&wide->rw->memory, count, sizeof *run);

    for (size_t i = 0; i < count;) {
        size_t length = read_run(wide, block + i, count - i, run);

        if (length > 1)
            store_run(wide, run, length);
        i += length > 0 ? length : 1;
    }
}

/* Reads of several members of a word that one load can do. See wide.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "wide_parts.h"

/* A word of an element, and where its load would stand. */
typedef struct {
    pm_wide_search *search;
    const pm_block *block;
    const pm_element_access *first; /* a read that surely happens in statement `at` */
    size_t at;
    pm_word word;
    pm_element_key key;
} proposal;

static bool same_word(const proposal *p, const pm_element_access *a)
{
    pm_word word;

    return a->structure == p->first->structure && a->field != PM_ALL_FIELDS && a->single &&
           pm_wide_word(p->search->plans[a->structure], a->field, &word) &&
           word.part == p->word.part && word.word == p->word.word;
}

static bool same_element(const proposal *p, const pm_element_access *a)
{
    pm_element_key key;

    return pm_wide_key(p->search, a, &key) && strcmp(key.text, p->key.text) == 0;
}

/* Whether the element's expression means the same behind a statement as before it. */
static bool keeps_element(const proposal *p, const pm_effects *e)
{
    for (size_t i = 0; i < p->key.variable_count; i++)
        if (pm_wide_has(e->modified, e->modified_count, p->key.variables[i]))
            return false;
    return !(p->key.reads_memory && (e->writes_memory || e->writes_all || e->access_count > 0));
}

/* Whether anything in a statement writes a field, of whatever element. */
static bool writes_field(const pm_effects *e, size_t structure, size_t field)
{
    for (size_t i = 0; i < e->access_count; i++) {
        const pm_element_access *a = &e->accesses[i];

        if (a->written && a->structure == structure &&
            (a->field == field || a->field == PM_ALL_FIELDS))
            return true;
    }
    return e->writes_all;
}

/* A statement behind whose own writes control does not go on in the block: `if (c) { ...; return;
 * }`.
 */
static bool ends_where_it_writes(CXCursor statement, const pm_effects *e)
{
    pm_cursors children, body;
    bool ends = false;
    pm_error ignored;

    if (e->writes_all)
        return false;
    for (size_t i = 0; i < e->access_count; i++)
        if (e->accesses[i].written && !e->accesses[i].conditional)
            return false;
    if (statement.kind != CXCursor_IfStmt || pm_cursors_of(statement, &children, &ignored) != PM_OK)
        return false;
    if (children.count == 2 && children.items[1].kind == CXCursor_CompoundStmt &&
        pm_cursors_of(children.items[1], &body, &ignored) == PM_OK) {
        enum CXCursorKind last = body.count ? body.items[body.count - 1].kind : CXCursor_NullStmt;

        ends = last == CXCursor_ReturnStmt || last == CXCursor_BreakStmt ||
               last == CXCursor_ContinueStmt;
        pm_cursors_free(&body);
    }
    pm_cursors_free(&children);
    return ends;
}

/* `E.f = value;`: what is on the right is read before the field is written. */
static bool reads_before_it_writes(CXCursor statement, const pm_element_access *read)
{
    return statement.kind == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(statement) == CXBinaryOperator_Assign &&
           !read->written;
}

static pm_status take(pm_wide_load *load, const pm_element_access *a, pm_error *err)
{
    CXCursor *reads = realloc(load->reads, (load->count + 1) * sizeof *reads);
    size_t *fields;

    if (reads)
        load->reads = reads;
    fields = realloc(load->fields, (load->count + 1) * sizeof *fields);
    if (fields)
        load->fields = fields;
    if (!reads || !fields)
        return pm_fail(err, PM_FAILED, "out of memory for wide loads");
    load->reads[load->count] = a->cursor;
    load->fields[load->count++] = a->field;
    return PM_OK;
}

/* Whether nothing from the load on changes a field before statement i. */
static bool is_fresh(const proposal *p, size_t i, size_t field)
{
    for (size_t k = p->at; k < i; k++)
        if (writes_field(&p->block->effects[k], p->first->structure, field) &&
            !ends_where_it_writes(p->block->statements.items[k], &p->block->effects[k]))
            return false;
    return true;
}

/* Takes the reads of statement i that the load can serve. */
static pm_status take_statement(const proposal *p, size_t i, pm_wide_load *load, pm_error *err)
{
    const pm_effects *e = &p->block->effects[i];
    CXCursor statement = p->block->statements.items[i];
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < e->access_count; k++) {
        const pm_element_access *a = &e->accesses[k];

        if (!a->read || a->written || !same_word(p, a) || !same_element(p, a) ||
            pm_wide_is_taken(p->search, a->cursor) || !is_fresh(p, i, a->field))
            continue;
        if (!writes_field(e, a->structure, a->field) || reads_before_it_writes(statement, a))
            status = take(load, a, err);
    }
    return status;
}

static pm_status collect(const proposal *p, pm_wide_load *load, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = p->at; status == PM_OK && i < p->block->statements.count; i++) {
        const pm_effects *e = &p->block->effects[i];

        if (e->ordered || !keeps_element(p, e))
            break;
        status = take_statement(p, i, load, err);
    }
    return status;
}

static bool has_two_fields(const pm_wide_load *load)
{
    for (size_t i = 1; i < load->count; i++)
        if (load->fields[i] != load->fields[0])
            return true;
    return false;
}

/* Variables of the element that are declared in the statement itself are not there before it. */
static bool is_known_before(const proposal *p)
{
    unsigned begin = pm_offset(p->block->statements.items[p->at]);

    for (size_t i = 0; i < p->key.variable_count; i++) {
        CXCursor v = p->key.variables[i];

        if (v.kind == CXCursor_VarDecl && pm_offset(v) >= begin)
            return false;
    }
    return true;
}

static pm_status propose(proposal *p, pm_error *err)
{
    pm_wide *wide = p->search->wide;
    pm_wide_load load = {
        .element = *p->first, .word = p->word, .before = p->block->statements.items[p->at]};
    pm_wide_load *loads;
    pm_status status = collect(p, &load, err);

    if (status == PM_OK && has_two_fields(&load)) {
        loads = realloc(wide->loads, (wide->load_count + 1) * sizeof *loads);
        if (loads) {
            wide->loads = loads;
            wide->loads[wide->load_count++] = load;
            return PM_OK;
        }
        status = pm_fail(err, PM_FAILED, "out of memory for wide loads");
    }
    free(load.reads);
    free(load.fields);
    return status;
}

pm_status pm_wide_loads_of(pm_wide_search *s, const pm_block *block, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; i < block->statements.count; i++)
        for (size_t k = 0; status == PM_OK && k < block->effects[i].access_count; k++) {
            const pm_element_access *a = &block->effects[i].accesses[k];
            proposal p = {.search = s, .block = block, .first = a, .at = i};

            if (!a->read || a->written || a->conditional || !a->single ||
                a->field == PM_ALL_FIELDS || !s->plans[a->structure] ||
                !pm_wide_word(s->plans[a->structure], a->field, &p.word) ||
                pm_wide_is_taken(s, a->cursor) || !pm_wide_key(s, a, &p.key) ||
                !is_known_before(&p))
                continue;
            status = propose(&p, err);
        }
    return status;
}

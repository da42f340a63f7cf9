/* Finds reads of several members of a struct that one vector load can replace. See vectorize.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/layout/clang/vectorize.h"

/* A possible vector load: a word of an array element, and the statement of a block ({ }) before
 * which the load would be inserted. */
typedef struct {
    pm_vector *wide;
    const pm_vector_statement *block;
    size_t count, at;
    /* a read of a member of the word that the statement block[at] always executes */
    const pm_element_access *first;
    pm_word word;
    pm_element_key key;
} proposal;

static bool is_taken(const pm_vector *wide, const pm_node *read)
{
    for (size_t i = 0; i < wide->load_count; i++)
        for (size_t k = 0; k < wide->loads[i].count; k++)
            if (wide->loads[i].members[k].node == read)
                return true;
    return false;
}

/* Sets *word to the vector word that contains the field that an access reads. Returns false if the
 * access does more than read one scalar or vector, if its field is in no vector word, or if a
 * vector load already replaces it. */
static bool find_word(const pm_vector *wide, const pm_element_access *a, pm_word *word)
{
    return a->read && !a->written && a->single && a->field != PM_ALL_FIELDS &&
           pm_vector_word(pm_rewrite_plan(wide->rw, a->structure), a->field, word) &&
           !is_taken(wide, a->node);
}

/* Returns true if the proposed vector load can replace an access: the access reads a field of the
 * vector word that the load reads, in the same array element. */
static bool is_served(const proposal *p, const pm_element_access *a)
{
    pm_element_key key;
    pm_word word;

    return a->structure == p->first->structure && find_word(p->wide, a, &word) &&
           pm_vector_same_word(&word, &p->word) && pm_vector_key(p->wide, a, &key) &&
           strcmp(key.text, p->key.text) == 0;
}

/* Returns true if a statement changes no variable and no memory on which the index of the load's
 * element depends. */
static bool keeps_element(const proposal *p, const pm_effects *e)
{
    for (size_t i = 0; i < p->key.variable_count; i++)
        if (pm_is_one_of(e->modified, e->modified_count, p->key.variables[i]))
            return false;
    return !(p->key.reads_memory && (e->writes_memory || e->writes_all || e->access_count > 0));
}

/* Returns true if a statement may write this field of some element of an array of the struct. */
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

/* Returns true for a statement such as `if (c) { p[i].x = 1; return; }`. Whenever it writes a
 * field, the statements after it are not executed. A value that was loaded before the statement is
 * therefore still valid after it. */
static bool ends_where_it_writes(const pm_vector_statement *statement)
{
    const pm_node *body = pm_ast_child(statement->node, 1);
    const pm_effects *e = &statement->effects;

    if (e->writes_all || statement->node->kind != CXCursor_IfStmt || !body || body->next ||
        body->kind != CXCursor_CompoundStmt || !body->last)
        return false;
    for (size_t i = 0; i < e->access_count; i++)
        if (e->accesses[i].written && !e->accesses[i].conditional)
            return false;
    return body->last->kind == CXCursor_ReturnStmt || body->last->kind == CXCursor_BreakStmt ||
           body->last->kind == CXCursor_ContinueStmt;
}

/* Returns true if the field that the load has read still has this value before statement block[i],
 * because no statement between the load and block[i] writes the field. */
static bool is_fresh(const proposal *p, size_t i, size_t field)
{
    for (size_t k = p->at; k < i; k++)
        if (writes_field(&p->block[k].effects, p->first->structure, field) &&
            !ends_where_it_writes(&p->block[k]))
            return false;
    return true;
}

/* Adds to the list of `load` those reads in statement block[i] that the proposed vector load can
 * replace. */
static void take_statement(const proposal *p, size_t i, pm_wide_access *load)
{
    const pm_effects *e = &p->block[i].effects;
    /* The assignment `E.f = value;` reads the value before it writes the field. */
    bool reads_first = p->block[i].node->binary == CXBinaryOperator_Assign;

    for (size_t k = 0; k < e->access_count; k++) {
        const pm_element_access *a = &e->accesses[k];
        pm_word_member member = {.node = a->node, .field = a->field};

        if (is_served(p, a) && is_fresh(p, i, a->field) &&
            (reads_first || !writes_field(e, a->structure, a->field)))
            *pm_add(&p->wide->rw->memory, load->members, load->count) = member;
    }
}

static void propose(const proposal *p)
{
    pm_wide_access load = {.element = p->first, .word = p->word, .before = p->block[p->at].node};

    for (size_t i = p->at; i < p->count; i++) {
        if (p->block[i].effects.ordered || !keeps_element(p, &p->block[i].effects))
            break;
        take_statement(p, i, &load);
    }
    for (size_t i = 1; i < load.count; i++)
        if (load.members[i].field != load.members[0].field) {
            *pm_add(&p->wide->rw->memory, p->wide->loads, p->wide->load_count) = load;
            return;
        }
}

/* Returns false if a variable of the element's index is declared by statement block[at] itself,
 * because the load would then use the variable before its declaration. */
static bool is_known_before(const proposal *p)
{
    for (size_t i = 0; i < p->key.variable_count; i++)
        if (p->key.variables[i]->kind == CXCursor_VarDecl &&
            p->key.variables[i]->number >= p->block[p->at].node->number)
            return false;
    return true;
}

void pm_vector_find_loads(pm_vector *wide, const pm_vector_statement *block, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < block[i].effects.access_count; k++) {
            const pm_element_access *a = &block[i].effects.accesses[k];
            proposal p = {.wide = wide, .block = block, .count = count, .at = i, .first = a};

            if (!a->conditional && find_word(wide, a, &p.word) && pm_vector_key(wide, a, &p.key) &&
                is_known_before(&p))
                propose(&p);
        }
}

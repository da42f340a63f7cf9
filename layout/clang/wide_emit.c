/* Writes the wide accesses that wide.c finds into the text. See wide.h and rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A load is a private vector of floats, or of uints where the part has other members too, before
 * the statement; its reads become components of it. A store gathers private values, which the
 * assignments become, behind the last of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_key.h"
#include "rewrite.h"
#include "wide.h"

enum { WORD = 4 };

/* The nodes of expressions by cursor: libclang gives a cursor the same hash wherever it comes from.
 */
typedef struct {
    pm_node **slots;
    size_t room; /* a power of two */
} node_table;

typedef struct {
    pm_rewrite *rw;
    node_table nodes;
    size_t *named; /* how many wide variables there are, for their names */
} emitter;

/* ---- nodes by cursor ------------------------------------------------------------------------ */

static bool index_nodes(pm_rewrite *rw, node_table *table)
{
    size_t count = rw->unit->ast.count;

    table->room = 16;
    while (table->room < 2 * count)
        table->room *= 2;
    table->slots = calloc(table->room, sizeof *table->slots);
    for (size_t i = 0; table->slots && i < count; i++) {
        pm_node *node = rw->unit->ast.nodes[i];
        size_t at = clang_hashCursor(node->cursor) & (table->room - 1);

        while (table->slots[at])
            at = (at + 1) & (table->room - 1);
        table->slots[at] = node;
    }
    return table->slots != NULL;
}

static pm_node *node_of(const emitter *e, CXCursor cursor)
{
    size_t at = clang_hashCursor(cursor) & (e->nodes.room - 1);

    while (e->nodes.slots[at] && !clang_equalCursors(e->nodes.slots[at]->cursor, cursor))
        at = (at + 1) & (e->nodes.room - 1);
    return e->nodes.slots[at];
}

/* ---- accesses ------------------------------------------------------------------------------- */

static bool match(void *user, CXCursor cursor, pm_element_access *access)
{
    const emitter *e = user;
    pm_node *node = node_of(e, cursor), *pointer;
    pm_chain chain;

    if (!node || !pm_rewrite_chain(e->rw, node, &chain))
        return false;
    pointer = pm_ast_strip(chain.pointer);
    *access = (pm_element_access){
        .cursor = cursor,
        .pointer = pm_named_variable(pointer->cursor),
        .index = chain.index ? chain.index->cursor : clang_getNullCursor(),
        .structure = chain.to.structure,
        .field = chain.field,
        .single = pm_chain_is_scalar(e->rw->unit, &chain) && pm_rewrite_has_item(e->rw, &chain)};
    if (chain.field == e->rw->unit->info.structs.items[chain.to.structure].field_count)
        access->field = PM_ALL_FIELDS;
    return true;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The vector that stands for a word: its component type, and how many there are. */
typedef struct {
    const char *base; /* float or uint */
    size_t components;
} vector;

static vector vector_of(const pm_plan *plan, pm_word word)
{
    const pm_part *part = &plan->parts[word.part];
    vector v = {"float", word.bytes / WORD};

    for (size_t m = 0; m < part->member_count; m++)
        if (strncmp(plan->structure->fields[part->members[m].field].type, "float", 5) != 0)
            v.base = "uint";
    return v;
}

static size_t offset_in_word(const pm_plan *plan, pm_word word, size_t field)
{
    const pm_part *part = &plan->parts[word.part];

    for (size_t m = 0; m < part->member_count; m++)
        if (part->members[m].field == field)
            return part->members[m].offset - word.word * word.bytes;
    return 0;
}

/* A member out of the vector of its word, as a value of its type. */
static void add_component(const pm_plan *plan, pm_word word, size_t field, const char *name,
                          pm_text *out)
{
    const pm_field *f = &plan->structure->fields[field];
    const vector v = vector_of(plan, word);
    size_t first = offset_in_word(plan, word, field) / WORD;
    size_t count = f->bytes / WORD;
    char swizzle[8] = "", type[32];

    if (count < v.components) {
        swizzle[0] = '.';
        memcpy(swizzle + 1, "xyzw" + first, count);
        swizzle[1 + count] = '\0';
    }
    if (count > 1)
        snprintf(type, sizeof type, "%s%zu", v.base, count);
    else
        snprintf(type, sizeof type, "%s", v.base);
    if (strcmp(type, f->type) == 0)
        pm_text_add(out, "%s%s", name, swizzle);
    else
        pm_text_add(out, "as_%s(%s%s)", f->type, name, swizzle);
}

/* A new line that begins as the node's does. */
static void add_new_line(const emitter *e, const pm_node *node, pm_text *out)
{
    const char *text = e->rw->unit->ast.text;
    size_t line = node->begin, end;

    while (line > 0 && text[line - 1] != '\n')
        line--;
    end = line + strspn(text + line, " \t");
    pm_text_add(out, "\n");
    pm_text_put(out, text + line, (end < node->begin ? end : node->begin) - line);
}

/* The word in memory, as an lvalue. */
static void add_place(emitter *e, pm_node *access, pm_word word, const vector *v, bool store,
                      pm_text *out)
{
    pm_chain chain;
    const char *space;

    if (!pm_rewrite_chain(e->rw, access, &chain))
        return;
    space = chain.to.constant ? "__constant" : "__global";
    pm_text_add(out, word.word ? "((%s %s%s%zu *)&" : "*(%s %s%s%zu *)&", space,
                store ? "" : "const ", v->base, v->components);
    pm_rewrite_item(e->rw, access, word.part, out);
    if (word.word)
        pm_text_add(out, ")[%zu]", word.word);
}

/* Puts text into a place that may have some; *place is NULL or of malloc. */
static void put(emitter *e, char **place, pm_text *text, bool in_front)
{
    pm_text whole = {0};

    if (in_front)
        pm_text_add(&whole, "%s%s", pm_text_get(text), *place ? *place : "");
    else
        pm_text_add(&whole, "%s%s", *place ? *place : "", pm_text_get(text));
    free(*place);
    *place = pm_text_take(&whole);
    if (!*place)
        pm_rewrite_no_memory(e->rw);
    pm_text_free(text);
}

/* A name that neither the source nor the generated types have; to free. */
static char *new_name(emitter *e, const pm_element_access *element)
{
    CXString pointer = clang_getCursorSpelling(element->pointer);
    pm_text name = {0};

    do {
        pm_text_free(&name);
        pm_text_add(&name, "%s_w%zu", clang_getCString(pointer), (*e->named)++);
    } while (!name.failed && (pm_names_has(&e->rw->source, pm_text_get(&name)) ||
                              pm_names_has(&e->rw->types, pm_text_get(&name))));
    clang_disposeString(pointer);
    return pm_text_take(&name);
}

/* The text to change must be the source's own. */
static bool is_clean(emitter *e, const pm_node *node)
{
    if (node && node->in_main && node->begins_clean && node->ends_clean)
        return true;
    e->rw->hidden = true;
    return false;
}

/* ---- loads ---------------------------------------------------------------------------------- */

/* The fields that a load is for, each once, for people. */
static void add_fields(const pm_plan *plan, const pm_wide_load *load, pm_text *out)
{
    pm_text_add(out, " /*");
    for (size_t i = 0; i < load->count; i++) {
        bool first = true;

        for (size_t k = 0; k < i; k++)
            first = first && load->fields[k] != load->fields[i];
        if (first)
            pm_text_add(out, "%s %s", i ? "," : "", plan->structure->fields[load->fields[i]].path);
    }
    pm_text_add(out, " */");
}

static void emit_load(emitter *e, const pm_wide_load *load)
{
    const pm_plan *plan = e->rw->structs[load->element.structure].names.plan;
    const vector v = vector_of(plan, load->word);
    pm_node *statement = node_of(e, load->before), *access = node_of(e, load->element.cursor);
    char *name = new_name(e, &load->element);
    pm_text text = {0};

    if (!name)
        pm_rewrite_no_memory(e->rw);
    if (name && access && is_clean(e, statement)) {
        pm_text_add(&text, "const %s%zu %s = ", v.base, v.components, name);
        add_place(e, access, load->word, &v, false, &text);
        pm_text_add(&text, ";");
        add_fields(plan, load, &text);
        add_new_line(e, statement, &text);
        put(e, &e->rw->before[statement->number], &text, false);
        e->rw->wide_loads++;
        for (size_t i = 0; i < load->count; i++) {
            pm_node *read = node_of(e, load->reads[i]);
            pm_text component = {0};

            if (!is_clean(e, read))
                break;
            add_component(plan, load->word, load->fields[i], name, &component);
            put(e, &e->rw->replace[read->number], &component, false);
            e->rw->edit_count++;
        }
    }
    pm_text_free(&text);
    free(name);
}

/* ---- stores --------------------------------------------------------------------------------- */

/* The private value of one assignment: `const float name = value;`. */
static void emit_value(emitter *e, const pm_field *field, const char *name, pm_node *assignment,
                       pm_node *value)
{
    pm_text text = {0};

    pm_text_add(&text, "const %s %s = ", field->type, name);
    pm_rewrite_text(e->rw, value, &text);
    pm_text_add(&text, ";");
    put(e, &e->rw->replace[assignment->number], &text, false);
    e->rw->edit_count++;
}

/* What stands at byte `at` of the word: a value, or padding. Returns its bytes. */
static size_t add_value_at(const pm_plan *plan, const pm_wide_store *store, const vector *v,
                           size_t at, const char *name, pm_text *out)
{
    for (size_t i = 0; i < store->count; i++) {
        const pm_field *f = &plan->structure->fields[store->fields[i]];

        if (offset_in_word(plan, store->word, store->fields[i]) != at)
            continue;
        if (strncmp(f->type, v->base, strlen(v->base)) == 0)
            pm_text_add(out, "%s_%s", name, f->name);
        else if (f->bytes > WORD)
            pm_text_add(out, "as_%s%zu(%s_%s)", v->base, f->bytes / WORD, name, f->name);
        else
            pm_text_add(out, "as_%s(%s_%s)", v->base, name, f->name);
        return f->bytes;
    }
    pm_text_add(out, v->base[0] == 'f' ? "0.0f" : "0u");
    return WORD;
}

static void emit_store(emitter *e, const pm_wide_store *store)
{
    const pm_plan *plan = e->rw->structs[store->element.structure].names.plan;
    const vector v = vector_of(plan, store->word);
    pm_node *access = node_of(e, store->element.cursor), *last = NULL;
    char *name = new_name(e, &store->element);
    pm_text text = {0};

    if (!name)
        pm_rewrite_no_memory(e->rw);
    for (size_t i = 0; name && access && i < store->count; i++) {
        pm_node *assignment = node_of(e, store->assignments[i]);
        pm_node *value = node_of(e, store->values[i]);
        const pm_field *field = &plan->structure->fields[store->fields[i]];

        if (!is_clean(e, assignment) || !value)
            break;
        pm_text_add(&text, "%s_%s", name, field->name);
        emit_value(e, field, pm_text_get(&text), assignment, value);
        pm_text_free(&text);
        last = assignment;
    }
    if (last && !e->rw->hidden) {
        add_new_line(e, last, &text);
        add_place(e, access, store->word, &v, true, &text);
        pm_text_add(&text, " = (%s%zu)(", v.base, v.components);
        for (size_t at = 0; at < store->word.bytes;) {
            pm_text_add(&text, at ? ", " : "");
            at += add_value_at(plan, store, &v, at, name, &text);
        }
        pm_text_add(&text, ");");
        put(e, &e->rw->replace[last->number], &text, false);
        e->rw->wide_stores++;
    }
    pm_text_free(&text);
    free(name);
}

/* ---- functions ------------------------------------------------------------------------------ */

static void emit_function(emitter *e, const pm_plan *const *plans, const pm_node *function)
{
    pm_wide wide;

    if (pm_wide_find(function->cursor, plans, match, e, &wide, e->rw->err) != PM_OK) {
        e->rw->status = PM_FAILED;
        return;
    }
    for (size_t i = 0; e->rw->status == PM_OK && i < wide.load_count; i++)
        emit_load(e, &wide.loads[i]);
    for (size_t i = 0; e->rw->status == PM_OK && i < wide.store_count; i++)
        emit_store(e, &wide.stores[i]);
    pm_wide_free(&wide);
}

void pm_rewrite_wide(pm_rewrite *rw)
{
    size_t structs = rw->unit->info.structs.count, named = 0;
    const pm_plan **plans = calloc(structs + 1, sizeof *plans);
    emitter e = {.rw = rw, .named = &named};

    if (!plans || !index_nodes(rw, &e.nodes)) {
        free(plans);
        pm_rewrite_no_memory(rw);
        return;
    }
    for (size_t s = 0; s < structs; s++)
        plans[s] = pm_rewrite_active(rw, s) ? rw->structs[s].names.plan : NULL;
    for (pm_node *node = rw->unit->ast.root->first; node && rw->status == PM_OK; node = node->next)
        if (node->kind == CXCursor_FunctionDecl && clang_isCursorDefinition(node->cursor) &&
            node->in_main)
            emit_function(&e, plans, node);
    free(e.nodes.slots);
    free(plans);
}

/* Writes the vector accesses that vectorize.c found into the source. See vectorize.h and rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For a load, a private vector is declared before the statement, and each replaced read becomes a
 * component of it. The vector has floats, or uints if the loaded struct has other members, too. For
 * a store, each assignment becomes the declaration of a private variable. The variables are stored
 * after the last assignment.
 */
#include <string.h>

#include "transform/layout/clang/vectorize.h"
#include "transform/layout/cuda_bits.h"

enum { WORD = 4 };

/* ---- code of words -------------------------------------------------------------------------- */

/* Returns the name of the vector type of an accessed word, such as float4. */
static const char *type_of(pm_rewrite *rw, const pm_wide_access *wide)
{
    pm_rewrite_struct *s = &rw->structs[wide->element->structure];
    pm_text out = {.memory = &rw->memory};

    s->has_words[wide->word.part] = true;
    pm_plan_text_word(&out, &s->names, wide->word.part);
    return pm_text_get(&out);
}

static size_t offset_in_word(const pm_plan *plan, const pm_word *word, size_t field)
{
    size_t part, member;

    pm_plan_find(plan, field, &part, &member);
    return plan->parts[part].members[member].offset - word->word * word->bytes;
}

/* Returns code for the value of a member: components of the vector variable `name`, converted to
 * the member's type. */
static const char *component(pm_rewrite *rw, const pm_plan *plan, const pm_word *word, size_t field,
                             const char *name)
{
    const pm_field *f = &plan->structure->fields[field];
    const pm_plan_word v = pm_plan_word_of(plan, word->part);
    size_t first = offset_in_word(plan, word, field) / WORD, count = f->bytes / WORD;

    if (rw->words->is_cuda) {
        const pm_cuda_words words = {.name = name, .floats = v.base[0] == 'f'};
        pm_text out = {.memory = &rw->memory};

        pm_cuda_bits_value(&out, f->type, first * WORD, &words);
        return pm_text_get(&out);
    }

    if (count < v.bytes / WORD)
        name = pm_format(&rw->memory, "%s.%.*s", name, (int)count, "xyzw" + first);
    if (strcmp(count > 1 ? pm_format(&rw->memory, "%s%zu", v.base, count) : v.base, f->type) == 0)
        return name;
    return pm_format(&rw->memory, "as_%s(%s)", f->type, name);
}

/* Returns a newline, followed by the indentation of the line on which the node begins. */
static const char *new_line(pm_rewrite *rw, const pm_node *node)
{
    const char *text = rw->unit->ast.text;
    size_t line = pm_line_start(text, node->begin), end = line + strspn(text + line, " \t");

    return pm_format(&rw->memory, "\n%.*s", (int)((end < node->begin ? end : node->begin) - line),
                     text + line);
}

/* Returns code for a vector word in a part (buffer of the new layout), as an lvalue. */
static const char *word_in_memory(pm_rewrite *rw, const pm_wide_access *wide, bool store)
{
    pm_chain chain;
    const char *pointer;

    /* This call cannot fail, because pm_vector_find() accepts only accesses to array elements. */
    pm_rewrite_chain(rw, wide->element->node, &chain);
    pointer = pm_format(
        &rw->memory, "(%s%s%s *)&%s", chain.to.constant ? rw->words->constant : rw->words->global,
        store ? "" : "const ", type_of(rw, wide), pm_rewrite_item(rw, &chain, wide->word.part));
    return wide->word.word ? pm_format(&rw->memory, "(%s)[%zu]", pointer, wide->word.word)
                           : pm_format(&rw->memory, "*%s", pointer);
}

/* Returns a new name for a private variable, such as p_w0 for an access through the pointer p,
 * which neither the source nor the generated types use. *named: number for the next name in the
 * function. */
static const char *new_name(pm_rewrite *rw, const pm_element_access *element, size_t *named)
{
    const char *name;

    do
        name = pm_format(&rw->memory, "%s_w%zu", element->pointer->name, (*named)++);
    while (pm_names_has(&rw->source, name) || pm_names_has(&rw->types, name));
    return name;
}

/* Records `text` as the code that replaces the node. */
static void replace(pm_rewrite *rw, const pm_node *node, const char *text)
{
    rw->replace[node->number] = text;
    rw->edit_count++;
}

/* ---- loads ---------------------------------------------------------------------------------- */

/* Returns the fields that a load reads, each once, for a comment in the new source. */
static const char *fields_of(pm_rewrite *rw, const pm_plan *plan, const pm_wide_access *load)
{
    pm_text out = {.memory = &rw->memory};

    for (size_t i = 0; i < load->count; i++) {
        bool first = true;

        for (size_t k = 0; k < i; k++)
            first = first && load->members[k].field != load->members[i].field;
        if (first)
            pm_text_add(&out, "%s %s", i ? "," : "",
                        plan->structure->fields[load->members[i].field].path);
    }
    return pm_text_get(&out);
}

static void emit_load(pm_rewrite *rw, const pm_wide_access *load, size_t *named)
{
    const pm_plan *plan = pm_rewrite_plan(rw, load->element->structure);
    const char *name = new_name(rw, load->element, named);
    const char **before = &rw->before[load->before->number];

    pm_rewrite_need(rw, pm_ast_is_own(load->before));
    *before = pm_format(&rw->memory, "%sconst %s %s = %s; /*%s */%s", *before ? *before : "",
                        type_of(rw, load), name, word_in_memory(rw, load, false),
                        fields_of(rw, plan, load), new_line(rw, load->before));
    rw->wide_loads++;
    for (size_t i = 0; i < load->count; i++) {
        const pm_word_member *read = &load->members[i];

        pm_rewrite_need(rw, pm_ast_is_own(read->node));
        replace(rw, read->node, component(rw, plan, &load->word, read->field, name));
    }
}

/* ---- stores --------------------------------------------------------------------------------- */

/* Appends OpenCL C code for the component at byte `at` of a vector word that is stored. The
 * component is the private variable that has the assigned value, or 0 for padding. Returns the
 * component's size in bytes. */
static size_t add_value_at(const pm_plan *plan, const pm_wide_access *store, const pm_plan_word *v,
                           size_t at, const char *name, pm_text *out)
{
    for (size_t i = 0; i < store->count; i++) {
        const pm_field *f = &plan->structure->fields[store->members[i].field];

        if (offset_in_word(plan, &store->word, store->members[i].field) != at)
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

/* Appends CUDA code for the four bytes at byte `at` of a word that is stored. */
static void add_cuda_word_at(pm_rewrite *rw, const pm_plan *plan, const pm_wide_access *store,
                             const pm_plan_word *v, size_t at, const char *name, pm_text *out)
{
    pm_cuda_terms terms = {.out = out, .floats = v->base[0] == 'f'};

    for (size_t i = 0; i < store->count; i++) {
        const pm_field *f = &plan->structure->fields[store->members[i].field];
        size_t begin = offset_in_word(plan, &store->word, store->members[i].field);

        if (at >= begin && at < begin + f->bytes)
            for (size_t from = at - begin; from < at - begin + WORD;)
                from += pm_cuda_bits_term(&terms, f->type,
                                          pm_format(&rw->memory, "%s_%s", name, f->name), from,
                                          begin + from);
    }
    if (terms.count == 0)
        pm_text_add(out, terms.floats ? "0.0f" : "0u");
}

static void emit_store(pm_rewrite *rw, const pm_wide_access *store, size_t *named)
{
    const pm_plan *plan = pm_rewrite_plan(rw, store->element->structure);
    const pm_plan_word v = pm_plan_word_of(plan, store->word.part);
    const bool is_cuda = rw->words->is_cuda;
    const pm_node *last = store->members[store->count - 1].node;
    const char *name = new_name(rw, store->element, named);
    pm_text text = {.memory = &rw->memory};

    for (size_t i = 0; i < store->count; i++) {
        const pm_word_member *member = &store->members[i];
        const pm_field *field = &plan->structure->fields[member->field];

        pm_rewrite_need(rw, pm_ast_is_own(member->node));
        replace(rw, member->node,
                pm_format(&rw->memory, "const %s %s_%s = %s;",
                          pm_kernel_type(rw->words, field->type), name, field->name,
                          pm_rewrite_text(rw, member->value)));
    }
    pm_text_add(&text, "%s%s%s = ", rw->replace[last->number], new_line(rw, last),
                word_in_memory(rw, store, true));
    pm_text_add(&text, is_cuda ? "%s{" : "(%s)(", type_of(rw, store));
    for (size_t at = 0; at < store->word.bytes;) {
        pm_text_add(&text, at ? ", " : "");
        if (is_cuda)
            add_cuda_word_at(rw, plan, store, &v, at, name, &text);
        at += is_cuda ? WORD : add_value_at(plan, store, &v, at, name, &text);
    }
    pm_text_add(&text, is_cuda ? "};" : ");");
    rw->replace[last->number] = pm_text_get(&text);
    rw->wide_stores++;
}

/* ---- functions ------------------------------------------------------------------------------ */

void pm_rewrite_wide(pm_rewrite *rw)
{
    size_t named = 0;

    for (pm_node *node = rw->unit->ast.root->first; node; node = node->next) {
        pm_vector wide;

        if (node->kind != CXCursor_FunctionDecl || !clang_isCursorDefinition(node->cursor) ||
            !node->in_main)
            continue;
        pm_vector_find(rw, node, &wide);
        for (size_t i = 0; i < wide.load_count; i++)
            emit_load(rw, &wide.loads[i], &named);
        for (size_t i = 0; i < wide.store_count; i++)
            emit_store(rw, &wide.stores[i], &named);
    }
}

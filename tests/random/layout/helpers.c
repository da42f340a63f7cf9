/* Random helper functions that take arrays, elements, structs by value, and array members; and
 * calls of those that are statements of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "structs.h"

/* ---- functions ------------------------------------------------------------------------------ */

/* Chooses a helper's parameters, and writes its head. @1: name; @2: struct; @3 and @4: parameters;
 * $const: const if the struct is const. */
typedef struct {
    const char *name, *head;
    int first, second; /* kinds */
} form;

static const form forms[] = {
    [LR_PEEK] = {"peek", "__function uint @1(__global $const @2 *@3, uint @4)", LR_ARRAY,
                 LR_NUMBER},
    [LR_POKE] = {"poke", "__function uint @1(__global @2 *@3, uint @4)", LR_ELEMENT, LR_NUMBER},
    [LR_BY_VALUE] = {"value", "__function uint @1($const @2 @3)", LR_VALUE, 0},
    [LR_MAKE] = {"make", "__function @2 @1(__global const @2 *@3, uint @4)", LR_ELEMENT, LR_NUMBER},
    [LR_AT] = {"at", "__function __global $const @2 *@1(__global $const @2 *@3, uint @4)", LR_ARRAY,
               LR_NUMBER},
    [LR_TOUCH] = {"touch", "__function uint @1(@2 *@3, uint @4)", LR_PRIVATE, LR_NUMBER}};

static lr_helper *helper(const rd_gen *g)
{
    return &g->layout->helpers[g->layout->helper_count];
}

static rd_var *parameter(rd_gen *g, int kind, const lr_record *record)
{
    rd_var *var = rd_declare(g, NULL);

    var->kind = kind;
    var->record = record;
    var->pinned = true;
    return var;
}

static const char *constness(rd_gen *g)
{
    return helper(g)->takes_const ? "const" : "";
}

static const char *statements(rd_gen *g)
{
    lr_statements(g, 1 + rd_below(g, 3));
    return "";
}

/* Returns a struct by value: a changed copy, or the struct itself. */
static void make_body(rd_gen *g, const lr_record *record, const char *element)
{
    const char *copy;

    if (rd_chance(g, 30)) {
        rd_emit(g, "return *%s;", element);
        return;
    }
    copy = rd_declare(g, NULL)->name;
    rd_emit(g, "%s %s = *%s;", record->spelling, copy, element);
    g->vars[g->var_count - 1].kind = LR_VALUE;
    g->vars[g->var_count - 1].record = record;
    g->vars[g->var_count - 1].writable = g->vars[g->var_count - 1].pinned = true;
    lr_sum(g, "1u");
    rd_emit(g, "$statements\nreturn %s;", copy);
}

static void struct_helper(rd_gen *g, const lr_record *record)
{
    lr_helper *h = helper(g);
    const form *f;
    const char *head;
    rd_var *first, *second;
    unsigned depth = g->depth;

    h->kind = (lr_helper_kind)rd_below(g, LR_ROW);
    h->record = record;
    h->takes_const = rd_chance(g, 60);
    f = &forms[h->kind];
    h->name = lr_global(g, rd_format(g, "%s%zu", f->name, g->layout->helper_count));
    first = parameter(g, f->first, record);
    second = f->second ? parameter(g, f->second, NULL) : first;
    first->writable =
        h->kind == LR_POKE || h->kind == LR_TOUCH || (h->kind == LR_BY_VALUE && !h->takes_const);
    second->own = h->kind == LR_PEEK;
    head = rd_format(g, "$(|static |static inline )%s",
                     rd_format_with(g, f->head,
                                    (const char *const[]){h->name, record->spelling, first->name,
                                                          second->name}));
    if (h->kind == LR_AT) {
        rd_emit(g, "%1$s\n{ return $(%2$s + %3$s|&%2$s[%3$s]); }", head, first->name, second->name);
        return;
    }
    rd_emit(g, "$25(%1$s;\n)%1$s\n{", head);
    g->depth = 1;
    g->indent++;
    if (h->kind == LR_MAKE)
        make_body(g, record, first->name);
    else {
        const char *sum = lr_sum(g, "1u");

        rd_emit(g, "$statements\n$fold\nreturn %s;", sum);
    }
    g->indent--;
    g->depth = depth;
    rd_emit(g, "}");
}

static void row_helper(rd_gen *g, const lr_record *record)
{
    lr_helper *h = helper(g);
    const lr_member *found = NULL;

    for (unsigned i = 0; i < record->count; i++)
        if (record->members[i].dims > 0 && !record->members[i].record &&
            record->members[i].width == 1)
            found = &record->members[i];
    h->kind = LR_ROW;
    h->name = lr_global(g, "row");
    h->scalar = found ? found->scalar : LR_FLOAT;
    h->in_private = rd_chance(g, 30);
    rd_emit(g,
            "$(|static |static inline )__function uint %s(%sconst %s *a, uint count) {\n"
            "    uint sum = count;\n    for (uint k = 0; k < count; k++)\n"
            "        sum = sum * 7u + %sa[k]);\n    return sum;\n}",
            h->name, h->in_private ? "" : "__global ", lr_scalar_type(h->scalar),
            h->scalar == LR_FLOAT    ? "as_uint("
            : h->scalar == LR_DOUBLE ? "as_uint((float)"
                                     : "(uint)(");
}

void lr_helpers(rd_gen *g)
{
    unsigned count = rd_has(g, LR_HELPER) ? 1 + rd_below(g, 6) : 0;
    bool row = rd_has(g, LR_ROWS);

    for (unsigned i = 0; i < count + row; i++) {
        const lr_record *record = lr_any_record(g);

        if (i < count && !record->spelling)
            continue;
        g->var_count = g->block = 0;
        g->layout->own = g->layout->words = g->layout->index = NULL;
        g->layout->loops = 1;
        (i < count ? struct_helper : row_helper)(g, record);
        g->layout->helper_count++;
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

typedef struct {
    const lr_record *record;
    bool write;
} wanted;

static bool is_element(const rd_var *var, const void *with)
{
    const wanted *w = with;

    return (var->kind == LR_ELEMENT || var->kind == LR_ARRAY) && var->record == w->record &&
           !var->in_constant && var->mode != LR_COUNT_UP && (var->writable || !w->write);
}

static bool is_local_copy(const rd_var *var, const void *record)
{
    return (var->kind == LR_VALUE || var->kind == LR_PRIVATE) && var->record == record &&
           var->writable;
}

/* Returns a pointer to an element; NULL: there is none. */
static const char *element(rd_gen *g, const lr_record *record, bool write)
{
    wanted with = {record, write};
    const rd_var *var = rd_find(g, is_element, &with);

    if (!var || var->kind == LR_ELEMENT)
        return var ? var->name : NULL;
    return rd_format(g, "$60(&%1$s[%2$s]|%1$s + %2$s)", var->name, lr_index(g, var));
}

static const char *call_row(rd_gen *g, const lr_helper *h)
{
    lr_place place;

    for (unsigned tries = 0; tries < 6; tries++) {
        if (!lr_place_find(g, NULL, false, &place) || place.in_constant ||
            place.in_private != h->in_private)
            continue;
        for (unsigned i = 0; i < place.record->count; i++) {
            const lr_member *m = &place.record->members[i];
            const char *first;

            if (m->record || m->raw || m->dims == 0 || m->width > 1 || m->scalar != h->scalar)
                continue;
            first = m->dims == 2 ? rd_format(g, "[$uint %% %uu]", m->dim[0]) : "";
            return rd_format(g, "%s(%s%s%s%s, %uu)", h->name, place.text, place.join, m->name,
                             first, m->dim[m->dims - 1]);
        }
    }
    return NULL;
}

static const char *call_make(rd_gen *g, const lr_helper *h)
{
    const char *from = element(g, h->record, false), *name = rd_name(g, "made_");
    lr_place to;

    if (!from)
        return NULL;
    if (rd_chance(g, 50) && lr_place_find(g, h->record, true, &to)) {
        rd_emit(g, "%s = %s(%s, $uint);", lr_place_value(g, &to), h->name, from);
    } else {
        rd_emit(g, "%s %s = %s(%s, $uint);", h->record->spelling, name, h->name, from);
        lr_struct_variable(g, name, LR_VALUE, h->record);
    }
    return "";
}

static const char *call_statement(rd_gen *g)
{
    size_t count = g->layout->helper_count;
    const lr_helper *h = count ? &g->layout->helpers[rd_below(g, (unsigned)count)] : NULL;
    const rd_var *var;
    const char *text = NULL;

    switch (h ? h->kind : LR_PEEK) {
    case LR_POKE:
        text = element(g, h->record, true);
        break;
    case LR_TOUCH:
        var = rd_find(g, is_local_copy, h->record);
        text = var ? rd_format(g, "%s%s", var->kind == LR_VALUE ? "&" : "", var->name) : NULL;
        break;
    case LR_MAKE:
        return call_make(g, h);
    case LR_ROW:
        text = call_row(g, h);
        return text ? lr_fold(g, text) : NULL;
    default:
        break;
    }
    return text ? lr_fold(g, rd_format(g, "%s(%s, $uint)", h->name, text)) : NULL;
}

const rd_rule lr_call_rules[] = {
    {"const", constness}, {"statements", statements}, {"call_statement", call_statement}, {NULL}};

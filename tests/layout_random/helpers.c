/* Random helper functions that take arrays, elements, structs by value, and array members; and
 * calls of those that are statements of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

static const char *const storage[] = {"", "static ", "static inline "};

static const char *start(lr_gen *g, lr_helper_kind kind, const lr_record *record)
{
    static const char *const names[] = {"peek", "poke", "value", "make", "at", "touch", "row"};
    lr_helper *h = &g->helpers[g->helper_count];

    *h = (lr_helper){.name = lr_format(g, "%s%u", names[kind], (unsigned)g->helper_count),
                     .kind = kind,
                     .record = record,
                     .takes_const = lr_chance(g, 60)};
    g->var_count = g->block = 0;
    g->own = g->words = g->index = NULL;
    g->loops = 1;
    return h->name;
}

static lr_var *parameter(lr_gen *g, lr_var_kind kind, const lr_record *record)
{
    lr_var *var = lr_declare(g);

    var->kind = kind;
    var->record = record;
    var->pinned = true;
    return var;
}

/* Opens the function, sometimes after a declaration of it. */
static void open_body(lr_gen *g, const char *head)
{
    if (lr_chance(g, 25))
        lr_emit(g, "%s;", head);
    lr_emit(g, "%s", head);
    lr_emit(g, "{");
    g->indent++;
}

/* The sum that statements fold into. */
static const char *start_sum(lr_gen *g)
{
    lr_var *sum = lr_declare(g);

    sum->pinned = true;
    sum->writable = true;
    sum->kind = LR_VAR_UINT;
    lr_emit(g, "uint %s = 1u;", sum->name);
    return sum->name;
}

static void body(lr_gen *g)
{
    const char *sum = start_sum(g);

    lr_statements(g, 1 + lr_below(g, 3), 1);
    lr_fold(g, lr_uint(g, 2));
    lr_emit(g, "return %s;", sum);
    g->indent--;
    lr_emit(g, "}");
}

static void peek(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_PEEK, record);
    bool is_const = g->helpers[g->helper_count].takes_const;
    lr_var *array = parameter(g, LR_VAR_ARRAY, record), *i = parameter(g, LR_VAR_UINT, NULL);

    i->own = true;
    open_body(g, lr_format(g, "%suint %s(__global %s%s *%s, uint %s)", storage[lr_below(g, 3)],
                           name, is_const ? "const " : "", record->spelling, array->name, i->name));
    body(g);
}

static void poke(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_POKE, record);
    lr_var *element = parameter(g, LR_VAR_ELEMENT, record), *v = parameter(g, LR_VAR_UINT, NULL);

    element->writable = true;
    open_body(g, lr_format(g, "%suint %s(__global %s *%s, uint %s)", storage[lr_below(g, 3)], name,
                           record->spelling, element->name, v->name));
    body(g);
}

static void by_value(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_VALUE, record);
    lr_var *value = parameter(g, LR_VAR_VALUE, record);

    value->writable = lr_chance(g, 70);
    open_body(g, lr_format(g, "%suint %s(%s%s %s)", storage[lr_below(g, 3)], name,
                           value->writable ? "" : "const ", record->spelling, value->name));
    body(g);
}

static void make(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_MAKE, record);
    lr_var *element = parameter(g, LR_VAR_ELEMENT, record), *v = parameter(g, LR_VAR_UINT, NULL);
    lr_var *copy = lr_declare(g);

    open_body(g, lr_format(g, "%s%s %s(__global const %s *%s, uint %s)", storage[lr_below(g, 3)],
                           record->spelling, name, record->spelling, element->name, v->name));
    if (lr_chance(g, 30)) {
        lr_emit(g, "return *%s;", element->name);
    } else {
        lr_emit(g, "%s %s = *%s;", record->spelling, copy->name, element->name);
        copy->pinned = true;
        copy->kind = LR_VAR_VALUE;
        copy->record = record;
        copy->writable = true;
        start_sum(g);
        lr_statements(g, 1 + lr_below(g, 3), 1);
        lr_emit(g, "return %s;", copy->name);
    }
    g->indent--;
    lr_emit(g, "}");
}

static void at(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_AT, record);
    const char *is_const = g->helpers[g->helper_count].takes_const ? "const " : "";
    lr_var *array = parameter(g, LR_VAR_ARRAY, record), *i = parameter(g, LR_VAR_UINT, NULL);

    lr_emit(g, "%s__global %s%s *%s(__global %s%s *%s, uint %s)", storage[lr_below(g, 3)], is_const,
            record->spelling, name, is_const, record->spelling, array->name, i->name);
    lr_emit(g, lr_chance(g, 50) ? "{ return %s + %s; }" : "{ return &%s[%s]; }", array->name,
            i->name);
}

static void touch(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_TOUCH, record);
    lr_var *value = parameter(g, LR_VAR_PRIVATE, record), *v = parameter(g, LR_VAR_UINT, NULL);

    value->writable = true;
    open_body(g, lr_format(g, "%suint %s(%s *%s, uint %s)", storage[lr_below(g, 3)], name,
                           record->spelling, value->name, v->name));
    body(g);
}

static void row(lr_gen *g, const lr_record *record)
{
    const char *name = start(g, LR_HELPER_ROW, NULL);
    lr_helper *h = &g->helpers[g->helper_count];
    const lr_member *found = NULL;

    for (unsigned i = 0; i < record->count; i++)
        if (record->members[i].dims > 0 && !record->members[i].record &&
            record->members[i].width == 1)
            found = &record->members[i];
    h->scalar = found ? found->scalar : LR_FLOAT;
    h->in_private = lr_chance(g, 30);
    lr_emit(g, "%suint %s(%sconst %s *a, uint count) {", storage[lr_below(g, 3)], name,
            h->in_private ? "" : "__global ", lr_type(g, h->scalar, 1));
    lr_emit(g, "    uint sum = count;");
    lr_emit(g, "    for (uint k = 0; k < count; k++)");
    lr_emit(g, "        sum = sum * 7u + %sa[k]%s;",
            h->scalar == LR_FLOAT    ? "as_uint("
            : h->scalar == LR_DOUBLE ? "as_uint((float)"
                                     : "(uint)(",
            ")");
    lr_emit(g, "    return sum;");
    lr_emit(g, "}");
}

void lr_helpers_generate(lr_gen *g)
{
    static void (*const kinds[])(lr_gen * g, const lr_record *record) = {peek, poke, by_value,
                                                                         make, at,   touch};
    const lr_program *p = g->program;
    lr_unit unit;
    unsigned count = lr_has(g, LR_F_HELPERS) ? 1 + lr_below(g, 6) : 0;

    for (unsigned i = 0; i < count; i++) {
        const lr_record *record = p->records[lr_below(g, (unsigned)p->record_count)];

        if (!record->spelling)
            continue;
        unit = lr_unit_begin(g);
        kinds[lr_below(g, 6)](g, record);
        g->helper_count++;
        lr_emit(g, "%s", "");
        lr_unit_end(g, unit);
    }
    if (lr_has(g, LR_F_ROWS)) {
        unit = lr_unit_begin(g);
        row(g, p->records[lr_below(g, (unsigned)p->record_count)]);
        g->helper_count++;
        lr_emit(g, "%s", "");
        lr_unit_end(g, unit);
    }
}

/* ---- calls ------------------------------------------------------------------------------------
 */

typedef struct {
    const lr_record *record;
    bool write;
} wanted;

static bool is_element(const lr_var *var, const void *with)
{
    const wanted *w = with;

    return (var->kind == LR_VAR_ELEMENT || var->kind == LR_VAR_ARRAY) && var->record == w->record &&
           !var->in_constant && var->mode != LR_COUNT_UP && (var->writable || !w->write);
}

/* A pointer to an element; NULL: there is none. */
static const char *element(lr_gen *g, const lr_record *record, bool write, unsigned depth)
{
    wanted with = {record, write};
    const lr_var *var = lr_find(g, is_element, &with);
    const char *index;

    if (!var || var->kind == LR_VAR_ELEMENT)
        return var ? var->name : NULL;
    index = var->mode == LR_OWN ? lr_own(g) : lr_any(g, depth);
    return lr_format(g, lr_chance(g, 60) ? "&%s[%s]" : "%s + %s", var->name, index);
}

static bool call_row(lr_gen *g, const lr_helper *h, unsigned depth)
{
    lr_place place;

    for (unsigned tries = 0; tries < 6; tries++) {
        if (!lr_place_find(g, NULL, false, depth, &place) || place.in_constant ||
            place.in_private != h->in_private)
            continue;
        for (unsigned i = 0; i < place.record->count; i++) {
            const lr_member *m = &place.record->members[i];
            const char *first;

            if (m->record || m->raw || m->dims == 0 || m->width > 1 || m->scalar != h->scalar)
                continue;
            first = m->dims == 2 ? lr_format(g, "[%s %% %uu]", lr_uint(g, depth), m->dim[0]) : "";
            lr_fold(g, lr_format(g, "%s(%s%s%s%s, %uu)", h->name, place.text, place.join, m->name,
                                 first, m->dim[m->dims - 1]));
            return true;
        }
    }
    return false;
}

static bool call_make(lr_gen *g, const lr_helper *h, unsigned depth)
{
    const char *from = element(g, h->record, false, depth);
    lr_place to;

    if (!from)
        return false;
    if (lr_chance(g, 50) && lr_place_find(g, h->record, true, depth, &to)) {
        lr_emit(g, "%s = %s(%s, %s);", lr_place_value(g, &to), h->name, from, lr_uint(g, depth));
    } else {
        const char *name = lr_format(g, "made_%u", g->names++);
        const char *value = lr_uint(g, depth);
        lr_var *var = lr_declare(g);

        lr_emit(g, "%s %s = %s(%s, %s);", h->record->spelling, name, h->name, from, value);
        *var = (lr_var){.name = name, .kind = LR_VAR_VALUE, .record = h->record, .writable = true};
    }
    return true;
}

static bool is_local_copy(const lr_var *var, const void *with)
{
    return (var->kind == LR_VAR_VALUE || var->kind == LR_VAR_PRIVATE) && var->record == with &&
           var->writable;
}

bool lr_call_statement(lr_gen *g, unsigned depth)
{
    const lr_helper *h =
        g->helper_count ? &g->helpers[lr_below(g, (unsigned)g->helper_count)] : NULL;
    const lr_var *var;
    const char *text;

    switch (h ? h->kind : LR_HELPER_PEEK) {
    case LR_HELPER_POKE:
        text = element(g, h->record, true, depth);
        if (text)
            lr_fold(g, lr_format(g, "%s(%s, %s)", h->name, text, lr_uint(g, depth)));
        return text;
    case LR_HELPER_MAKE:
        return call_make(g, h, depth);
    case LR_HELPER_TOUCH:
        var = lr_find(g, is_local_copy, h->record);
        if (var)
            lr_fold(g, lr_format(g, "%s(%s%s, %s)", h->name, var->kind == LR_VAR_VALUE ? "&" : "",
                                 var->name, lr_uint(g, depth)));
        return var;
    case LR_HELPER_ROW:
        return call_row(g, h, depth);
    default:
        return false;
    }
}

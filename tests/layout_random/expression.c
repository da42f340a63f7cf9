/* Random expressions: numbers of every kind, and the structs and members that they are read from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every expression is one operand: in parentheses where it has to be. None has side effects.
 */
#include <stdio.h>

#include "gen.h"

const char *lr_gap(lr_gen *g)
{
    static const char *const gaps[] = {" ", "/* p[i].x */", " /* [ */ ", "/**/", "\n        "};

    return lr_has(g, LR_F_COMMENTS) && lr_chance(g, 6) ? gaps[lr_below(g, 5)] : "";
}

/* ---- which element ----------------------------------------------------------------------------
 */

static bool is_own(const lr_var *var, const void *with)
{
    (void)with;
    return var->own;
}

const char *lr_own(lr_gen *g)
{
    static const char *const ways[] = {"%s", "%s", "%s", "(%s)", "%s + 0u", "0u + %s"};
    const lr_var *var = lr_find(g, is_own, NULL);
    const char *text = var && (!g->own || lr_chance(g, 80)) ? var->name : g->own;

    switch (lr_below(g, (unsigned)(sizeof ways / sizeof *ways))) {
    case 3:
        return lr_format(g, "(%s)", text);
    case 4:
        return lr_format(g, "(%s + 0u)", text);
    case 5:
        return lr_format(g, "(0u + %s)", text);
    default:
        return text;
    }
}

/* An INDEX member of a struct in scope; NULL: there is none. */
static const char *index_member(lr_gen *g, unsigned depth)
{
    lr_place place;

    if (!lr_place_find(g, NULL, false, depth, &place))
        return NULL;
    for (unsigned i = 0; i < place.record->count; i++)
        if (place.record->members[i].role == LR_INDEX)
            return lr_format(g, "%s%s%s", place.text, place.join, place.record->members[i].name);
    return NULL;
}

const char *lr_any(lr_gen *g, unsigned depth)
{
    const char *text = NULL;
    unsigned n = (unsigned)g->program->n;

    switch (lr_below(g, depth > 0 ? 6 : 2)) {
    case 0:
        return lr_format(g, "%uu", lr_below(g, n));
    case 1:
        return lr_format(g, "%u", lr_below(g, n));
    case 2:
        if (g->index)
            text = lr_format(g, "%s[%s]", g->index, lr_any(g, depth - 1));
        break;
    case 3:
    case 4:
        text = index_member(g, depth - 1);
        break;
    default:
        break;
    }
    return text ? text : lr_format(g, "(%s %% %uu)", lr_uint(g, depth ? depth - 1 : 0), n);
}

/* ---- structs ----------------------------------------------------------------------------------
 */

typedef struct {
    const lr_record *record;
    bool write;
} wanted;

static bool has_struct(const lr_var *var, const void *with)
{
    const wanted *w = with;

    return var->kind >= LR_VAR_VALUE && (!w->record || var->record == w->record) &&
           (!w->write || var->writable);
}

static const lr_helper *find_at(lr_gen *g, const lr_var *var, bool write)
{
    for (size_t i = 0; i < g->helper_count; i++) {
        const lr_helper *h = &g->helpers[i];

        if (h->kind == LR_HELPER_AT && h->record == var->record && !var->in_constant &&
            (h->takes_const ? !write : var->writable))
            return h;
    }
    return NULL;
}

static void array_place(lr_gen *g, const lr_var *var, bool write, unsigned depth, lr_place *place)
{
    const char *index = var->mode == LR_OWN ? lr_own(g) : lr_any(g, depth);
    const lr_helper *at = find_at(g, var, write);
    const char *a = lr_gap(g), *b = lr_gap(g);

    place->join = ".";
    if (at && lr_chance(g, 15)) {
        place->text = lr_format(g, "%s(%s, %s)", at->name, var->name, index);
        place->join = "->";
    } else if (lr_has(g, LR_F_MACROS) && lr_chance(g, 20)) {
        place->text = lr_format(g, "AT(%s, %s)", var->name, index);
    } else if (var->mode != LR_OWN && lr_has(g, LR_F_SPELLING) && lr_chance(g, 10)) {
        place->text = var->name; /* the first */
        place->join = "->";
    } else if (lr_has(g, LR_F_SPELLING) && lr_chance(g, 40)) {
        switch (lr_below(g, 5)) {
        case 0:
            place->text = lr_format(g, "(*(%s + %s))", var->name, index);
            break;
        case 1:
            place->text = lr_format(g, "(%s + %s)", var->name, index);
            place->join = "->";
            break;
        case 2:
            place->text = lr_format(g, "(&%s[%s])", var->name, index);
            place->join = "->";
            break;
        case 3:
            place->text = lr_format(g, "(%s)[%s]", index, var->name);
            break;
        default:
            place->text = lr_format(g, "(*&(%s)[%s])", var->name, index);
        }
    } else {
        place->text = lr_format(g, "%s%s[%s%s]", var->name, a, index, b);
    }
}

static void element_place(lr_gen *g, const lr_var *var, lr_place *place)
{
    *place = (lr_place){.text = var->name, .join = "->"};
    if (lr_chance(g, 25))
        *place = (lr_place){.text = lr_format(g, "(*%s)", var->name), .join = "."};
    else if (lr_chance(g, 15))
        *place = (lr_place){.text = lr_format(g, "%s[0]", var->name), .join = "."};
}

bool lr_place_find(lr_gen *g, const lr_record *record, bool write, unsigned depth, lr_place *place)
{
    wanted with = {record, write};
    const lr_var *var = lr_find(g, has_struct, &with);

    if (!var)
        return false;
    switch (var->kind) {
    case LR_VAR_VALUE:
        *place = (lr_place){.text = var->name, .join = "."};
        break;
    case LR_VAR_PRIVATE:
    case LR_VAR_ELEMENT:
        element_place(g, var, place);
        break;
    case LR_VAR_TILE:
        place->join = ".";
        place->text = var->mode == LR_OWN ? lr_format(g, "%s[get_local_id(0)]", var->name)
                                          : lr_format(g, "%s[%s %% get_local_size(0)]", var->name,
                                                      lr_uint(g, depth ? depth - 1 : 0));
        break;
    default:
        array_place(g, var, write, depth, place);
    }
    place->record = var->record;
    place->counted = var->mode == LR_COUNT_UP;
    place->in_private = var->kind == LR_VAR_VALUE || var->kind == LR_VAR_PRIVATE;
    place->in_constant = var->in_constant || var->kind == LR_VAR_TILE;
    return true;
}

const char *lr_place_value(lr_gen *g, const lr_place *place)
{
    return place->join[0] == '.' ? place->text : lr_format(g, "*%s", place->text);
}

/* ---- members ----------------------------------------------------------------------------------
 */

const char *lr_subscripts(lr_gen *g, const lr_member *member, unsigned depth)
{
    const char *text = "";

    for (unsigned d = 0; d < member->dims; d++)
        text = lr_chance(g, 50) || member->dim[d] == 1
                   ? lr_format(g, "%s[%u]", text, lr_below(g, member->dim[d]))
                   : lr_format(g, "%s[%s %% %uu]", text, lr_uint(g, depth ? depth - 1 : 0),
                               member->dim[d]);
    return text;
}

static const lr_member *choose_member(lr_gen *g, const lr_record *record, bool counted)
{
    const lr_member *found = NULL;
    unsigned count = 0;

    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (m->role != LR_RAW && !(m->role == LR_ATOMIC && counted) && lr_below(g, ++count) == 0)
            found = m;
    }
    return found;
}

bool lr_leaf_find(lr_gen *g, const lr_place *place, unsigned depth, lr_leaf *leaf)
{
    const lr_member *m = choose_member(g, place->record, place->counted);
    const char *text = place->text, *join = place->join;

    while (m) {
        if (lr_has(g, LR_F_MACROS) && lr_chance(g, 10))
            text = lr_format(g, "%s(%s, %s)%s", *join == '.' ? "GET" : "PGET", text, m->name,
                             lr_subscripts(g, m, depth));
        else
            text = lr_format(g, "%s%s%s%s%s%s", text, lr_gap(g), join, lr_gap(g), m->name,
                             lr_subscripts(g, m, depth));
        join = ".";
        if (!m->record) {
            *leaf = (lr_leaf){text, m};
            return true;
        }
        m = choose_member(g, m->record, place->counted);
    }
    return false;
}

const char *lr_component(lr_gen *g, const lr_leaf *leaf)
{
    unsigned i = lr_below(g, leaf->member->width);

    if (leaf->member->width == 1)
        return leaf->text;
    return lr_chance(g, 70) ? lr_format(g, "%s.%c", leaf->text, "xyzw"[i])
                            : lr_format(g, "%s.s%u", leaf->text, i);
}

const char *lr_leaf_uint(lr_gen *g, const lr_leaf *leaf)
{
    const char *text = lr_component(g, leaf);

    switch (leaf->member->scalar) {
    case LR_FLOAT:
        return lr_format(g, lr_has(g, LR_F_AS) ? "as_uint(%s)" : "(uint)(int)%s", text);
    case LR_DOUBLE:
        return lr_format(g, lr_has(g, LR_F_AS) ? "as_uint((float)%s)" : "(uint)(int)%s", text);
    case LR_UINT:
        return text;
    default:
        return lr_format(g, "(uint)%s", text);
    }
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

static bool is_kind(const lr_var *var, const void *kind)
{
    return var->kind == *(const lr_var_kind *)kind;
}

static const char *leaf_of(lr_gen *g, lr_scalar scalar, unsigned depth)
{
    lr_place place;
    lr_leaf leaf;

    for (unsigned tries = 0; tries < 6; tries++)
        if (lr_place_find(g, NULL, false, depth, &place) && lr_leaf_find(g, &place, depth, &leaf) &&
            leaf.member->scalar == scalar)
            return lr_component(g, &leaf);
    return NULL;
}

static bool is_array_of(const lr_var *var, const void *with)
{
    const lr_helper *h = with;

    return var->kind == LR_VAR_ARRAY && var->record == h->record && !var->in_constant &&
           var->mode != LR_COUNT_UP && (h->takes_const || var->writable);
}

/* A call of a helper that reads an array or takes a struct by value; NULL: there is none. */
static const char *call(lr_gen *g, unsigned depth)
{
    const lr_helper *h =
        g->helper_count ? &g->helpers[lr_below(g, (unsigned)g->helper_count)] : NULL;
    const lr_var *var;
    lr_place place;

    if (h && h->kind == LR_HELPER_PEEK && (var = lr_find(g, is_array_of, h)))
        return lr_format(g, "%s(%s, %s)", h->name, var->name,
                         var->mode == LR_OWN ? lr_own(g) : lr_any(g, depth - 1));
    if (h && h->kind == LR_HELPER_VALUE && lr_place_find(g, h->record, false, depth - 1, &place) &&
        !place.counted)
        return lr_format(g, "%s(%s)", h->name, lr_place_value(g, &place));
    return NULL;
}

static const char *uint_operand(lr_gen *g, unsigned depth)
{
    static const lr_var_kind uint_kind = LR_VAR_UINT;
    const lr_var *var = lr_find(g, is_kind, &uint_kind);
    const lr_record *record;
    lr_place place;
    lr_leaf leaf;

    switch (lr_below(g, depth > 0 ? 10 : 3)) {
    case 0:
        break;
    case 1:
    case 2:
        if (var)
            return var->name;
        break;
    case 3:
        if (g->words)
            return lr_format(g, "%s[%s %% %uu]", g->words, lr_uint(g, depth - 1), LR_WORDS);
        break;
    case 4:
        record = g->program->records[lr_below(g, (unsigned)g->program->record_count)];
        if (lr_chance(g, 30))
            return "(uint)STEPS";
        if (lr_has(g, LR_F_SIZEOF) && record->spelling)
            return lr_format(g, "(uint)sizeof(%s)", record->spelling);
        break;
    default:
        if (lr_place_find(g, NULL, false, depth - 1, &place) &&
            lr_leaf_find(g, &place, depth - 1, &leaf))
            return lr_leaf_uint(g, &leaf);
    }
    return lr_format(g, "%uu", lr_below(g, 100));
}

static const char *uint_operation(lr_gen *g, unsigned depth)
{
    const char *a = lr_uint(g, depth - 1), *b = lr_uint(g, depth - 1);

    switch (lr_below(g, 10)) {
    case 0:
        return lr_format(g, "(%s >> %u)", a, lr_below(g, 31));
    case 1:
        return lr_format(g, "(%s %% %uu)", a, 1 + lr_below(g, 30));
    case 2:
        return lr_format(g, "(%s / %uu)", a, 1 + lr_below(g, 30));
    case 3:
        return lr_format(g, "(%s < %s ? %s : %s)", a, b, lr_uint(g, depth - 1),
                         lr_uint(g, depth - 1));
    case 4:
        return lr_format(g, "(uint)(%s > %s)", lr_float(g, depth - 1), lr_float(g, depth - 1));
    case 5:
        return lr_format(g, "(%s, %s)", a, b);
    case 6:
        return lr_format(g, "~%s", a);
    default:
        return lr_format(g, "(%s %c %s)", a, "+-*^|&"[lr_below(g, 6)], b);
    }
}

const char *lr_uint(lr_gen *g, unsigned depth)
{
    const char *text = NULL;

    if (depth > 0 && lr_chance(g, 15))
        text = call(g, depth);
    if (text)
        return text;
    return depth > 0 && lr_chance(g, 45) ? uint_operation(g, depth) : uint_operand(g, depth);
}

const char *lr_float(lr_gen *g, unsigned depth)
{
    static const lr_var_kind float_kind = LR_VAR_FLOAT;
    static const char *const constants[] = {"0.5f", "1.0f", "-2.0f", "3.25f"};
    const lr_var *var = lr_find(g, is_kind, &float_kind);
    const char *text = NULL;

    switch (lr_below(g, depth > 0 ? 8 : 2)) {
    case 0:
        break;
    case 1:
        if (var)
            return var->name;
        break;
    case 2:
        return lr_format(g, "(float)(%s & 255u)", lr_uint(g, depth - 1));
    case 3:
        return lr_format(g, "(%s * 0.5f %c %s * 0.5f)", lr_float(g, depth - 1),
                         "+-"[lr_below(g, 2)], lr_float(g, depth - 1));
    case 4:
        text = leaf_of(g, LR_DOUBLE, depth - 1);
        text = text ? lr_format(g, "(float)%s", text) : NULL;
        break;
    default:
        text = leaf_of(g, LR_FLOAT, depth - 1);
    }
    return text ? text : constants[lr_below(g, 4)];
}

const char *lr_double(lr_gen *g, unsigned depth)
{
    const char *text = NULL;

    switch (lr_below(g, depth > 0 ? 4 : 1)) {
    case 0:
        return lr_format(g, "(double)%s", lr_float(g, depth));
    case 1:
        return lr_format(g, "(%s * 0.5 %c %s * 0.5)", lr_double(g, depth - 1), "+-"[lr_below(g, 2)],
                         lr_double(g, depth - 1));
    default:
        text = leaf_of(g, LR_DOUBLE, depth - 1);
    }
    return text ? text : "0.125";
}

const char *lr_scalar_value(lr_gen *g, const lr_member *member, unsigned depth)
{
    if (member->role == LR_INDEX)
        return lr_format(g, "(int)%s", lr_any(g, depth));
    switch (member->scalar) {
    case LR_FLOAT:
        return lr_float(g, depth);
    case LR_DOUBLE:
        return lr_double(g, depth);
    case LR_UINT:
        return lr_uint(g, depth);
    case LR_ULONG:
        return lr_format(g, "((ulong)%s * 65537ul)", lr_uint(g, depth));
    default:
        return lr_format(g, "(%s)%s", lr_type(g, member->scalar, 1), lr_uint(g, depth));
    }
}

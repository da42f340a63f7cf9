/* Random expressions: numbers of every kind, and the structs and members that they are read from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "structs.h"

static const char *gap(rd_gen *g)
{
    static const char *const gaps[] = {" ",    "/* p[i].x */", " /* [ */ ",
                                       "/**/", "\n        ",   NULL};

    return rd_has(g, LR_COMMENTS) && rd_chance(g, 6) ? rd_pick(g, gaps) : "";
}

/* ---- choice of an element ------------------------------------------------------------------- */

static bool is_own(const rd_var *var, const void *with)
{
    (void)with;
    return var->own;
}

static const char *own(rd_gen *g)
{
    const rd_var *var = rd_find(g, is_own, NULL);
    const char *always = g->layout->own;

    return rd_format(g, "$50(%1$s|$((%1$s)|(%1$s + 0u)|(0u + %1$s)))",
                     var && (!always || rd_chance(g, 80)) ? var->name : always);
}

/* Texts for an element of an array. In the texts, @1 is the array, @2 the index and @3 a helper
 * function. A text that begins with > is a pointer to the element. */
static const char *index_member(rd_gen *g)
{
    lr_place place;

    if (!lr_place_find(g, NULL, false, &place))
        return NULL;
    for (unsigned i = 0; i < place.record->count; i++)
        if (place.record->members[i].role == LR_INDEX)
            return rd_format(g, "%s%s%s", place.text, place.join, place.record->members[i].name);
    return NULL;
}

static const char *element_number(rd_gen *g)
{
    unsigned n = (unsigned)g->layout->shape->n;

    return rd_format(g, "%u$(u|)", rd_below(g, n));
}

static const char *count(rd_gen *g)
{
    return rd_format(g, "%zuu", g->layout->shape->n);
}

static const char *index_buffer(rd_gen *g)
{
    return g->layout->index;
}

static const char *word_buffer(rd_gen *g)
{
    return g->layout->words;
}

const char *lr_index(rd_gen *g, const rd_var *array)
{
    return rd_format(g, array->mode == LR_OWN ? "$own" : "$any");
}

/* ---- structs -------------------------------------------------------------------------------- */

typedef struct {
    const lr_record *record;
    bool write;
} wanted;

static bool has_struct(const rd_var *var, const void *with)
{
    const wanted *w = with;

    return var->kind >= LR_VALUE && (!w->record || var->record == w->record) &&
           (!w->write || var->writable);
}

static const lr_helper *find_at(rd_gen *g, const rd_var *var, bool write)
{
    for (size_t i = 0; i < g->layout->helper_count; i++) {
        const lr_helper *h = &g->layout->helpers[i];

        if (h->kind == LR_AT && h->record == var->record && !var->in_constant &&
            (h->takes_const ? !write : var->writable))
            return h;
    }
    return NULL;
}

/* Texts for element @2 of array @1; @3 is a helper. >: the text is a pointer. */
static const char *choose_spelling(rd_gen *g, const rd_var *var, const lr_helper *at)
{
    static const char *const spellings[] = {".(*(@1 + @2))", ">(@1 + @2)",    ">(&@1[@2])",
                                            ".(@2)[@1]",     ".(*&(@2)[@1])", NULL};

    if (at && rd_chance(g, 15))
        return ">@3(@1, @2)";
    if (rd_has(g, LR_MACROS) && rd_chance(g, 20))
        return ".AT(@1, @2)";
    if (var->mode != LR_OWN && rd_has(g, LR_SPELLING) && rd_chance(g, 10))
        return ">@1"; /* the first */
    if (rd_has(g, LR_SPELLING) && rd_chance(g, 40))
        return rd_pick(g, spellings);
    return ".@1$gap[@2$gap]";
}

bool lr_place_find(rd_gen *g, const lr_record *record, bool write, lr_place *place)
{
    wanted with = {record, write};
    const rd_var *var = rd_find(g, has_struct, &with);
    const lr_helper *at;
    const char *form = ".@1", *index = "";

    if (!var)
        return false;
    at = find_at(g, var, write);
    if (var->kind == LR_PRIVATE || var->kind == LR_ELEMENT) {
        form = rd_chance(g, 25) ? ".(*@1)" : rd_chance(g, 15) ? ".@1[0]" : ">@1";
    } else if (var->kind == LR_TILE) {
        form = var->mode == LR_OWN ? ".@1[get_local_id(0)]" : ".@1[$uint % get_local_size(0)]";
    } else if (var->kind == LR_ARRAY) {
        index = lr_index(g, var);
        form = choose_spelling(g, var, at);
    }
    *place =
        (lr_place){.text = rd_format_with(
                       g, form + 1, (const char *const[]){var->name, index, at ? at->name : ""}),
                   .join = *form == '>' ? "->" : ".",
                   .record = var->record,
                   .counted = var->mode == LR_COUNT_UP,
                   .in_private = var->kind == LR_VALUE || var->kind == LR_PRIVATE,
                   .in_constant = var->in_constant || var->kind == LR_TILE};
    return true;
}

const char *lr_place_value(rd_gen *g, const lr_place *place)
{
    return *place->join == '.' ? place->text : rd_format(g, "*%s", place->text);
}

/* ---- members -------------------------------------------------------------------------------- */

const char *lr_subscripts(rd_gen *g, const lr_member *member)
{
    const char *text = "";

    for (unsigned d = 0; d < member->dims; d++)
        text = rd_format(g, member->dim[d] == 1 ? "%1$s[0]" : "%1$s[$50($[0-%2$u]|$uint %% %3$uu)]",
                         text, member->dim[d] - 1, member->dim[d]);
    return text;
}

static const lr_member *choose_member(rd_gen *g, const lr_record *record, bool counted)
{
    const lr_member *found = NULL;
    unsigned count = 0;

    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];

        if (m->role != LR_RAW && !(m->role == LR_ATOMIC && counted) && rd_below(g, ++count) == 0)
            found = m;
    }
    return found;
}

bool lr_leaf_find(rd_gen *g, const lr_place *place, lr_leaf *leaf)
{
    const lr_member *m = choose_member(g, place->record, place->counted);
    const char *text = place->text, *join = place->join, *subscripts;

    for (; m; m = choose_member(g, m->record, place->counted)) {
        subscripts = lr_subscripts(g, m);
        if (rd_has(g, LR_MACROS) && rd_chance(g, 10))
            text = rd_format(g, "%s(%s, %s)%s", *join == '.' ? "GET" : "PGET", text, m->name,
                             subscripts);
        else
            text = rd_format(g, "%s$gap%s%s%s%s", text, join, gap(g), m->name, subscripts);
        join = ".";
        if (!m->record) {
            *leaf = (lr_leaf){text, m};
            return true;
        }
    }
    return false;
}

const char *lr_component(rd_gen *g, const lr_leaf *leaf)
{
    unsigned i = rd_below(g, leaf->member->width);

    if (leaf->member->width == 1)
        return leaf->text;
    return rd_chance(g, 70) || rd_is_cuda(g) ? rd_format(g, "%s.%c", leaf->text, "xyzw"[i])
                                             : rd_format(g, "%s.s%u", leaf->text, i);
}

const char *lr_leaf_uint(rd_gen *g, const lr_leaf *leaf)
{
    const char *text = lr_component(g, leaf);

    switch (leaf->member->scalar) {
    case LR_FLOAT:
        return rd_format(g, rd_has(g, LR_AS) ? "as_uint(%s)" : "(uint)(int)%s", text);
    case LR_DOUBLE:
        return rd_format(g, rd_has(g, LR_AS) ? "as_uint((float)%s)" : "(uint)(int)%s", text);
    case LR_UINT:
        return text;
    default:
        return rd_format(g, "(uint)%s", text);
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

static const char *variable(rd_gen *g, int kind)
{
    const rd_var *var = rd_find_kind(g, kind);

    return var ? var->name : NULL;
}

static const char *uint_variable(rd_gen *g)
{
    return variable(g, LR_NUMBER);
}

static const char *float_variable(rd_gen *g)
{
    return variable(g, LR_REAL);
}

static const char *leaf_of(rd_gen *g, lr_scalar scalar)
{
    lr_place place;
    lr_leaf leaf;

    for (unsigned tries = 0; tries < 6; tries++)
        if (lr_place_find(g, NULL, false, &place) && lr_leaf_find(g, &place, &leaf) &&
            leaf.member->scalar == scalar)
            return lr_component(g, &leaf);
    return NULL;
}

static const char *float_leaf(rd_gen *g)
{
    return leaf_of(g, LR_FLOAT);
}

static const char *double_leaf(rd_gen *g)
{
    return leaf_of(g, LR_DOUBLE);
}

static const char *uint_leaf(rd_gen *g)
{
    lr_place place;
    lr_leaf leaf;

    return lr_place_find(g, NULL, false, &place) && lr_leaf_find(g, &place, &leaf)
               ? lr_leaf_uint(g, &leaf)
               : NULL;
}

static const char *size_of(rd_gen *g)
{
    const char *spelling = lr_any_record(g)->spelling;

    return spelling ? rd_format(g, "(uint)sizeof(%s)", spelling) : NULL;
}

static bool is_array_of(const rd_var *var, const void *with)
{
    const lr_helper *h = with;

    return var->kind == LR_ARRAY && var->record == h->record && !var->in_constant &&
           var->mode != LR_COUNT_UP && (h->takes_const || var->writable);
}

/* Returns a call of a helper that reads an array or takes a struct by value; NULL: there is
 * none. */
static const char *call(rd_gen *g)
{
    size_t count = g->layout->helper_count;
    const lr_helper *h = count ? &g->layout->helpers[rd_below(g, (unsigned)count)] : NULL;
    const rd_var *var;
    lr_place place;

    if (h && h->kind == LR_PEEK && (var = rd_find(g, is_array_of, h)))
        return rd_format(g, "%s(%s, %s)", h->name, var->name, lr_index(g, var));
    if (h && h->kind == LR_BY_VALUE && lr_place_find(g, h->record, false, &place) && !place.counted)
        return rd_format(g, "%s(%s)", h->name, lr_place_value(g, &place));
    return NULL;
}

const char *lr_scalar_value(rd_gen *g, const lr_member *member)
{
    if (member->role == LR_INDEX)
        return rd_format(g, "(int)$any");
    switch (member->scalar) {
    case LR_FLOAT:
        return rd_format(g, "$float");
    case LR_DOUBLE:
        return rd_format(g, "$double");
    case LR_UINT:
        return rd_format(g, "$uint");
    case LR_ULONG:
        return rd_format(g, "((ulong)$uint * 65537ul)");
    default:
        return rd_format(g, "(%s)$uint", lr_scalar_type(member->scalar));
    }
}

/* ---- rules ---------------------------------------------------------------------------------- */

static const rd_form any_simple[] = {{2, "$number"}, {1, "($uint % $n)"}, {0}};
static const rd_form any[] = {
    {2, "$number"}, {1, "$index[$any]"}, {2, "$index_member"}, {1, "($uint % $n)"}, {0}};
static const rd_form uint_simple[] = {{1, "$[0-99]u"}, {2, "$uint_variable"}, {0}};
static const rd_form uints[] = {{5, "$[0-99]u"},
                                {9, "$uint_variable"},
                                {5, "$words[$uint % 64u]"},
                                {1, "(uint)STEPS"},
                                {3, "$sizeof", LR_SIZEOF},
                                {23, "$uint_leaf"},
                                {15, "$call"},
                                {4, "($uint >> $[0-30])"},
                                {4, "($uint % $[1-30]u)"},
                                {4, "($uint / $[1-30]u)"},
                                {4, "($uint < $uint ? $uint : $uint)"},
                                {4, "(uint)($float > $float)"},
                                {4, "($uint, $uint)"},
                                {4, "~$uint"},
                                {12, "($uint $operator $uint)"},
                                {0}};
static const rd_form operators[] = {{1, "+"}, {1, "-"}, {1, "*"}, {1, "^"},
                                    {1, "|"}, {1, "&"}, {0}};
static const rd_form bitwise[] = {{1, "^"}, {1, "|"}, {1, "&"}, {0}};
static const rd_form float_simple[] = {
    {1, "$(0.5f|1.0f|-2.0f|3.25f)"}, {1, "$float_variable"}, {0}};
static const rd_form floats[] = {{1, "$(0.5f|1.0f|-2.0f|3.25f)"},
                                 {1, "$float_variable"},
                                 {1, "(float)($uint & 255u)"},
                                 {1, "($float * 0.5f $(+|-) $float * 0.5f)"},
                                 {1, "(float)$double_leaf"},
                                 {3, "$float_leaf"},
                                 {0}};
static const rd_form double_simple[] = {{1, "(double)$float"}, {0}};
static const rd_form doubles[] = {{2, "(double)$float"},
                                  {2, "($double * 0.5 $(+|-) $double * 0.5)"},
                                  {4, "$double_leaf"},
                                  {1, "0.125"},
                                  {0}};
static const rd_form conditions[] = {{1, "$uint & $[1-3]u"},
                                     {1, "$float $relation $float"},
                                     {1, "$uint $relation $uint && $uint"},
                                     {1, "$uint $relation $uint"},
                                     {0}};
static const rd_form relations[] = {{1, "<"},  {1, ">"},  {1, "<="}, {1, ">="},
                                    {1, "=="}, {1, "!="}, {0}};

const rd_rule lr_expression_rules[] = {{"gap", gap},
                                       {"own", own},
                                       {"number", element_number},
                                       {"n", count},
                                       {"index", index_buffer},
                                       {"words", word_buffer},
                                       {"index_member", index_member},
                                       {"any", .forms = any, .simple = any_simple},
                                       {"uint", .forms = uints, .simple = uint_simple},
                                       {"uint_variable", uint_variable},
                                       {"uint_leaf", uint_leaf},
                                       {"sizeof", size_of},
                                       {"call", call},
                                       {"operator", .forms = operators},
                                       {"bitwise", .forms = bitwise},
                                       {"float", .forms = floats, .simple = float_simple},
                                       {"float_variable", float_variable},
                                       {"float_leaf", float_leaf},
                                       {"double", .forms = doubles, .simple = double_simple},
                                       {"double_leaf", double_leaf},
                                       {"condition", .forms = conditions},
                                       {"relation", .forms = relations},
                                       {NULL}};

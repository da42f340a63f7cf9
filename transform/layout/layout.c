/* Parses memory layouts of structs from strings such as soa (one array for each field) or
 * cluster:a+b/c (one struct of the fields a and b, and one of c), and writes them as strings. See
 * layout.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/layout.h"

#include <stdio.h>
#include <string.h>

/* A substring, which has no NUL at its end. */
typedef struct {
    const char *text;
    size_t length;
} span;

/* largest number of characters of a wrong word that a message shows */
enum { SHOWN = 60 };

static int shown(span word)
{
    return (int)(word.length < SHOWN ? word.length : SHOWN);
}

static bool is_word(span word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

/* ---- kinds of layouts --------------------------------------------------------------------- */

typedef struct {
    const char *name;
    pm_layout_kind kind;
    unsigned align;
    /* description of the text that must follow the colon, as in asta:32, for messages; NULL: no
     * colon may follow this kind of layout */
    const char *needs;
} kind_row;

static const kind_row kinds[] = {
    {"aos", PM_LAYOUT_AOS, 0, NULL},
    {"aos-align", PM_LAYOUT_AOS, 16, NULL},
    {"aos-align8", PM_LAYOUT_AOS, 8, NULL},
    {"soa", PM_LAYOUT_SOA, 0, NULL},
    {"asta", PM_LAYOUT_ASTA, 0, "the structs of a tile, as in asta:32"},
    {"cluster", PM_LAYOUT_CLUSTER, 0, "fields, as in cluster:a+b/c or cluster:2-1"},
    {"cluster-align", PM_LAYOUT_CLUSTER, 16, "fields, as in cluster-align:a+b/c"},
    {"cluster-align8", PM_LAYOUT_CLUSTER, 8, "fields, as in cluster-align8:a+b/c"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const kind_row *find_kind(span name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (is_word(name, kinds[i].name))
            return &kinds[i];
    return NULL;
}

/* ---- fields ------------------------------------------------------------------------------- */

/* Writes the names of a struct's fields as "a, b, c" for a message. If the buffer is full, the list
 * ends in "...". */
static void list_fields(const pm_struct *structure, char *list, size_t size)
{
    size_t used = 0;

    list[0] = '\0';
    for (size_t f = 0; f < structure->field_count; f++) {
        int more =
            snprintf(list + used, size - used, "%s%s", f ? ", " : "", structure->fields[f].path);

        if (more < 0 || (size_t)more >= size - used) {
            memcpy(list + (used < size - 4 ? used : size - 4), "...", 4);
            return;
        }
        used += (size_t)more;
    }
}

static size_t find_field(const pm_struct *structure, span name)
{
    char word[256];

    if (name.length >= sizeof word)
        return structure->field_count;
    memcpy(word, name.text, name.length);
    word[name.length] = '\0';
    return pm_struct_field(structure, word);
}

/* ---- clusters ----------------------------------------------------------------------------- */

static pm_cluster *add_cluster(pm_memory *memory, pm_layout *layout)
{
    return pm_add(memory, layout->clusters, layout->cluster_count);
}

static size_t parse_field(const pm_memory *memory, span name, const pm_struct *structure,
                          bool *taken)
{
    size_t field = find_field(structure, name);
    char list[600];

    if (field == structure->field_count) {
        list_fields(structure, list, sizeof list);
        pm_leave(memory, PM_BAD_INPUT, "layout: struct %s has no field \"%.*s\"; it has: %s",
                 structure->name, shown(name), name.text, list);
    }
    if (taken[field])
        pm_leave(memory, PM_BAD_INPUT,
                 "layout: field %s of struct %s stands twice; each field goes into one cluster",
                 structure->fields[field].path, structure->name);
    taken[field] = true;
    return field;
}

static void parse_names(pm_memory *memory, span body, const pm_struct *structure, pm_layout *layout)
{
    const char *at = body.text, *end = body.text + body.length;
    bool *taken = pm_take(memory, structure->field_count, sizeof *taken);
    pm_cluster *cluster = add_cluster(memory, layout);

    for (;; at++) {
        span name = {at, 0};

        while (at < end && *at != '+' && *at != '/')
            at++;
        name.length = (size_t)(at - name.text);
        *pm_add(memory, cluster->fields, cluster->count) =
            parse_field(memory, name, structure, taken);
        if (at == end)
            break;
        if (*at == '/')
            cluster = add_cluster(memory, layout);
    }
    for (size_t f = 0; f < structure->field_count; f++)
        if (!taken[f])
            pm_leave(memory, PM_BAD_INPUT,
                     "layout: field %s of struct %s is in no cluster of \"%.*s\"; add it with +%s "
                     "or /%s",
                     structure->fields[f].path, structure->name, shown(body), body.text,
                     structure->fields[f].name, structure->fields[f].name);
}

/* Reads decimal digits at *at and moves *at past them. Returns 0 if there are no digits or the
 * number is larger than `most`. */
static size_t parse_number(const char **at, const char *end, size_t most)
{
    size_t number = 0;

    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        if (number <= most)
            number = number * 10 + (size_t)(**at - '0');
    return number > most ? 0 : number;
}

static void parse_counts(pm_memory *memory, span body, const pm_struct *structure,
                         pm_layout *layout)
{
    const char *at = body.text, *end = body.text + body.length;
    size_t field = 0;

    for (;; at++) {
        size_t count = parse_number(&at, end, structure->field_count);
        pm_cluster *cluster;

        if (count == 0 || count > structure->field_count - field || (at < end && *at != '-'))
            break;
        cluster = add_cluster(memory, layout);
        for (size_t last = field + count; field < last; field++)
            *pm_add(memory, cluster->fields, cluster->count) = field;
        if (at == end && field == structure->field_count)
            return;
        if (at == end)
            break;
    }
    pm_leave(memory, PM_BAD_INPUT,
             "layout: \"%.*s\" should be counts of fields that add up to the %zu of struct %s, as "
             "in %zu-%zu",
             shown(body), body.text, structure->field_count, structure->name,
             structure->field_count - structure->field_count / 2, structure->field_count / 2);
}

/* ---- text of one layout ------------------------------------------------------------------- */

static unsigned parse_tile(const pm_memory *memory, span body)
{
    const char *at = body.text;
    size_t tile = parse_number(&at, body.text + body.length, PM_LAYOUT_MOST_TILE);

    if (tile < 2 || (tile & (tile - 1)) != 0 || at != body.text + body.length)
        pm_leave(memory, PM_BAD_INPUT,
                 "layout: a tile of \"%.*s\" structs; it must be a power of two from 2 to %d",
                 shown(body), body.text, PM_LAYOUT_MOST_TILE);
    return (unsigned)tile;
}

static _Noreturn void unknown_kind(const pm_memory *memory, span name)
{
    char list[256] = "";

    for (size_t i = 0; i < KINDS; i++)
        pm_list_add(list, sizeof list, "%s%s", kinds[i].name,
                    kinds[i].kind == PM_LAYOUT_ASTA ? ":TILE"
                    : kinds[i].needs                ? ":FIELDS"
                                                    : "");
    pm_leave(memory, PM_BAD_INPUT, "no layout \"%.*s\"; there are: %s", shown(name), name.text,
             list);
}

pm_layout pm_layout_parse(pm_memory *memory, const char *text, const pm_struct *structure)
{
    span name = {text, strcspn(text, ":")};
    const bool has_body = text[name.length] == ':';
    const kind_row *row = find_kind(name);
    span body = {has_body ? text + name.length + 1 : "", 0};
    pm_layout layout = {0};

    if (!row)
        unknown_kind(memory, name);
    if (row->needs && !has_body)
        pm_leave(memory, PM_BAD_INPUT, "layout: %s needs %s", row->name, row->needs);
    if (!row->needs && has_body)
        pm_leave(memory, PM_BAD_INPUT, "layout: nothing stands behind %s: it is \"%.*s\"",
                 row->name, SHOWN, text);
    body.length = strlen(body.text);
    layout.kind = row->kind;
    layout.align = row->align;
    if (row->kind == PM_LAYOUT_ASTA)
        layout.tile = parse_tile(memory, body);
    else if (row->kind == PM_LAYOUT_CLUSTER && *body.text >= '0' && *body.text <= '9')
        parse_counts(memory, body, structure, &layout);
    else if (row->kind == PM_LAYOUT_CLUSTER)
        parse_names(memory, body, structure, &layout);
    return layout;
}

/* Returns the word by which a layout's text names a field. Usually this is the field's name, a C
 * identifier such as pos_x. If another field has this name as its path in the source, the word is
 * the path of the field itself, such as pos.x. */
static const char *word_for(const pm_struct *structure, size_t field)
{
    const char *name = structure->fields[field].name;

    return pm_struct_field(structure, name) == field ? name : structure->fields[field].path;
}

void pm_layout_text(pm_text *out, const pm_layout *layout, const pm_struct *structure)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].kind == layout->kind && kinds[i].align == layout->align)
            pm_text_add(out, "%s", kinds[i].name);
    if (layout->kind == PM_LAYOUT_ASTA)
        pm_text_add(out, ":%u", layout->tile);
    for (size_t c = 0; c < layout->cluster_count; c++)
        for (size_t f = 0; f < layout->clusters[c].count; f++)
            pm_text_add(out, "%c%s",
                        f   ? '+'
                        : c ? '/'
                            : ':',
                        word_for(structure, layout->clusters[c].fields[f]));
}

bool pm_layout_is_same(const pm_layout *a, const pm_layout *b)
{
    bool same = a->kind == b->kind && a->align == b->align && a->tile == b->tile &&
                a->cluster_count == b->cluster_count;

    for (size_t c = 0; same && c < a->cluster_count; c++)
        same = a->clusters[c].count == b->clusters[c].count &&
               memcmp(a->clusters[c].fields, b->clusters[c].fields,
                      a->clusters[c].count * sizeof *a->clusters[c].fields) == 0;
    return same;
}

bool pm_layouts_is_text(const char *text)
{
    span name = {text, strcspn(text, ":;@=")};

    return text[name.length] == '=' || find_kind(name) != NULL;
}

/* ---- text of several layouts --------------------------------------------------------------- */

/* An entry of a text with several layouts: STRUCT=LAYOUT@KERNEL+KERNEL. The text has a ';' between
 * entries. */
typedef struct {
    span structure; /* structure.text NULL: the layout applies to any struct */
    span layout;
    span kernels; /* kernels.text NULL: the layout applies in any kernel */
} entry;

/* Splits *rest at the first character `mark`. *head becomes the text before it, and *rest the text
 * after it. If the text has no such character, *head becomes the whole text, and the result is
 * false. */
static bool split(span *rest, char mark, span *head)
{
    const char *at = memchr(rest->text, mark, rest->length);

    *head = *rest;
    if (!at)
        return false;
    head->length = (size_t)(at - rest->text);
    rest->text = at + 1;
    rest->length -= head->length + 1;
    return true;
}

static entry read_entry(span text)
{
    entry e = {0};
    span head;

    if (split(&text, '=', &head))
        e.structure = head;
    if (split(&text, '@', &e.layout))
        e.kernels = text;
    return e;
}

/* *rest: a text that consists of entries with ';' between them. Removes the first entry from *rest
 * and returns it. An empty text has one empty entry. *more becomes true if another entry
 * follows. */
static entry next_entry(span *rest, bool *more)
{
    span text;

    *more = split(rest, ';', &text);
    return read_entry(text);
}

static bool entry_fits(const entry *e, const pm_struct *structure, const char *kernel)
{
    span rest = e->kernels, name;
    bool more = true;

    if (e->structure.text && !is_word(e->structure, structure->name))
        return false;
    if (!rest.text)
        return true;
    while (kernel && more) {
        more = split(&rest, '+', &name);
        if (is_word(name, kernel))
            return true;
    }
    return false;
}

static pm_layout parse_span(pm_memory *memory, span text, const pm_struct *structure)
{
    return pm_layout_parse(memory, pm_format(memory, "%.*s", (int)text.length, text.text),
                           structure);
}

pm_layout pm_layouts_find(pm_memory *memory, const char *text, const pm_struct *structure,
                          const char *kernel)
{
    span rest = {text, strlen(text)}, found = {"aos", 3};
    bool more = true;

    while (more) {
        entry e = next_entry(&rest, &more);

        if (entry_fits(&e, structure, kernel))
            found = e.layout;
    }
    return parse_span(memory, found, structure);
}

/* ---- checks of the text ------------------------------------------------------------------- */

static void check_struct(const pm_memory *memory, span name, const pm_structs *structs,
                         const char *left)
{
    char list[512] = "";

    for (size_t s = 0; s < structs->count; s++) {
        if (is_word(name, structs->items[s].name))
            return;
        pm_list_add(list, sizeof list, "%s", structs->items[s].name);
    }
    if (left)
        pm_leave(memory, PM_BAD_INPUT,
                 "layout: no struct \"%.*s\" can be laid out; these can: %s (%.400s)", shown(name),
                 name.text, list, left);
    pm_leave(memory, PM_BAD_INPUT,
             "layout: the kernels take no array of a struct \"%.*s\"; they do of: %s", shown(name),
             name.text, list);
}

static void check_kernels(const pm_memory *memory, span rest, const char *const *kernels,
                          size_t count)
{
    char list[512] = "";
    bool more = true;

    while (more) {
        bool known = false;
        span name;

        more = split(&rest, '+', &name);
        for (size_t k = 0; k < count && !known; k++)
            known = is_word(name, kernels[k]);
        if (known)
            continue;
        for (size_t k = 0; k < count; k++)
            pm_list_add(list, sizeof list, "%s", kernels[k]);
        pm_leave(memory, PM_BAD_INPUT, "layout: no kernel \"%.*s\"; there are: %s", shown(name),
                 name.text, list);
    }
}

/* A layout that is parsed only to see whether it is valid. It is a single layout, or the layout
 * that a text with several layouts, such as "aos;soa@force", gives to one kernel. */
typedef struct {
    pm_memory memory;
    const char *text, *kernel;
    const span *layout; /* the layout to parse; NULL: the layout that `text` gives to `kernel` */
    const pm_struct *structure;
} trying;

static void try_layout(void *user)
{
    trying *t = user;

    if (t->layout)
        parse_span(&t->memory, *t->layout, t->structure);
    else
        pm_layouts_find(&t->memory, t->text, t->structure, t->kernel);
}

static pm_status try(trying t, pm_error *what)
{
    pm_status status = pm_attempt(&t.memory, try_layout, &t, what);

    pm_memory_free(&t.memory);
    return status;
}

/* Checks one entry of a text with several layouts, such as STRUCT=LAYOUT@KERNEL+KERNEL, even if
 * later entries override it. Raises an error if the struct or a kernel is unknown, or if the layout
 * is valid for none of the structs to which the entry applies. */
static void check_entry(const pm_memory *memory, const entry *e, const pm_structs *structs,
                        const char *left, const char *const *kernels, size_t kernel_count)
{
    pm_error first = {0}, what;

    if (e->structure.text)
        check_struct(memory, e->structure, structs, left);
    if (e->kernels.text)
        check_kernels(memory, e->kernels, kernels, kernel_count);
    for (size_t s = 0; s < structs->count; s++) {
        if (e->structure.text && !is_word(e->structure, structs->items[s].name))
            continue;
        if (try((trying){.layout = &e->layout, .structure = &structs->items[s]}, &what) == PM_OK)
            return;
        first = first.status == PM_OK ? what : first;
    }
    if (first.status != PM_OK)
        pm_leave(memory, first.status, "%s", first.text);
}

void pm_layouts_check(pm_memory *memory, const char *text, const pm_structs *structs,
                      const char *left, const char *const *kernels, size_t kernel_count)
{
    span rest = {text, strlen(text)};
    bool more = true;
    pm_error what;

    while (more) {
        entry e = next_entry(&rest, &more);

        if (e.layout.length == 0)
            pm_leave(memory, PM_BAD_INPUT,
                     "layout \"%.*s\": an empty one, before or behind a ';', '=' or '@'", SHOWN,
                     text);
        check_entry(memory, &e, structs, left, kernels, kernel_count);
    }
    for (size_t s = 0; s < structs->count; s++)
        for (size_t k = 0; k < kernel_count; k++) {
            const trying t = {.text = text, .kernel = kernels[k], .structure = &structs->items[s]};

            if (try(t, &what) != PM_OK)
                pm_leave(memory, what.status, "%.700s%s", what.text,
                         structs->count == 1 ? ""
                                             : "; a layout for one struct alone is STRUCT=LAYOUT");
        }
}

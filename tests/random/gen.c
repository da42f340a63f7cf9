/* Random choices, texts and variables. See gen.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gen.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *rd_need(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* ---- choices -------------------------------------------------------------------------------- */

/* SplitMix64. */
uint64_t rd_hash(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t rd_random(rd_gen *g)
{
    return rd_hash(g->random += 0x9e3779b97f4a7c15u);
}

unsigned rd_below(rd_gen *g, unsigned n)
{
    return (unsigned)(rd_random(g) >> 33) % n;
}

bool rd_chance(rd_gen *g, unsigned percent)
{
    return rd_below(g, 100) < percent;
}

const char *rd_pick(rd_gen *g, const char *const *strings)
{
    unsigned count = 0;

    while (strings[count])
        count++;
    return strings[rd_below(g, count)];
}

unsigned rd_features(rd_gen *g, unsigned count, unsigned percent)
{
    unsigned features = 0;

    for (unsigned i = 0; i < count; i++)
        features |= rd_chance(g, percent) ? 1u << i : 0;
    return features;
}

bool rd_is_cuda(const rd_gen *g)
{
    return g->program->language == RD_CUDA;
}

bool rd_has(const rd_gen *g, unsigned feature)
{
    return (g->features & feature) == feature;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Lines of the source are indented, and none is empty. */
static void put(rd_gen *g, pm_text *to, const char *text, size_t length)
{
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t line = end ? (size_t)(end - text) + 1 : length;
        bool starts = to == &g->text && (to->length == 0 || to->data[to->length - 1] == '\n');

        if (starts && *text != '#' && *text != '\n')
            pm_text_add(to, "%*s", (int)(4 * g->indent), "");
        if (!starts || *text != '\n')
            pm_text_put(to, text, line);
        text += line;
        length -= line;
    }
    if (to->failed)
        rd_need(NULL);
}

static bool expand(rd_gen *g, const char *text, size_t length, pm_text *to);

/* Expands the text. If that fails, leaves text and variables as they were. */
static bool attempt(rd_gen *g, const char *text, size_t length, pm_text *to)
{
    size_t before = to->length, vars = g->var_count;

    if (expand(g, text, length, to))
        return true;
    g->var_count = vars;
    to->length = before;
    if (to->data)
        to->data[before] = '\0';
    return false;
}

static bool expand_forms(rd_gen *g, const rd_form *forms, bool once, pm_text *to)
{
    bool tried[RD_FORMS] = {false};
    const rd_form *chosen;

    do {
        unsigned weights = 0;

        chosen = NULL;
        for (const rd_form *f = forms; f->weight; f++) {
            if (tried[f - forms] || (!once && !rd_has(g, f->needs)))
                continue;
            weights += f->weight;
            chosen = rd_below(g, weights) < f->weight ? f : chosen;
        }
        if (chosen && rd_has(g, chosen->needs) &&
            attempt(g, chosen->text, strlen(chosen->text), to))
            return true;
        if (chosen)
            tried[chosen - forms] = true;
    } while (chosen && !once);
    return false;
}

static const rd_rule *find_rule(const rd_gen *g, const char *name, size_t length)
{
    for (const rd_rule *const *rules = g->rules; *rules; rules++)
        for (const rd_rule *r = *rules; r->name; r++)
            if (strncmp(r->name, name, length) == 0 && !r->name[length])
                return r;
    fprintf(stderr, "no rule $%.*s\n", (int)length, name);
    abort();
}

static bool expand_rule(rd_gen *g, const char *name, size_t length, pm_text *to)
{
    const rd_rule *r = find_rule(g, name, length);
    const char *text;
    unsigned depth = g->depth;
    bool made;

    if (r->make) {
        text = r->make(g);
        if (text)
            put(g, to, text, strlen(text));
        return text;
    }
    g->depth -= r->simple && depth > 0;
    made = expand_forms(g, r->simple && depth == 0 ? r->simple : r->forms, r->once, to);
    g->depth = depth;
    return made;
}

/* Returns the length of the text up to the next | or ) outside of nested parentheses. */
static size_t choice_length(const char *text)
{
    size_t length = 0;

    for (unsigned open = 0; open > 0 || (text[length] != '|' && text[length] != ')'); length++)
        open += (text[length] == '(') - (text[length] == ')');
    return length;
}

/* Expands the first choice of $(a|b) or, if percent <= 100, of $40(a|b). *end: the text after
 * it. */
static bool expand_choice(rd_gen *g, const char *text, unsigned percent, const char **end,
                          pm_text *to)
{
    const char *chosen = "", *at = text;
    size_t length = 0;
    unsigned count = 0;
    bool first = percent <= 100 && rd_chance(g, percent);

    for (;; at++) {
        size_t own = choice_length(at);

        count++;
        if (percent <= 100 ? first == (count == 1) : rd_below(g, count) == 0) {
            chosen = at;
            length = own;
        }
        at += own;
        if (*at == ')')
            break;
    }
    *end = at + 1;
    return expand(g, chosen, length, to);
}

/* Expands $[1-9]; returns the text after it. */
static const char *expand_number(rd_gen *g, const char *text, pm_text *to)
{
    char number[16], *next;
    unsigned long low = strtoul(text, &next, 10), high = strtoul(next + 1, &next, 10);
    int digits =
        snprintf(number, sizeof number, "%lu", low + rd_below(g, (unsigned)(high - low + 1)));

    put(g, to, number, (size_t)digits);
    return next + 1;
}

static bool expand(rd_gen *g, const char *text, size_t length, pm_text *to)
{
    const char *end = text + length;

    while (text < end) {
        size_t plain = 0, name = 1;
        char *next;
        unsigned long percent;

        while (text + plain < end && text[plain] != '$' && !(text[plain] == '@' && g->arguments))
            plain++;
        put(g, to, text, plain);
        text += plain;
        if (text == end)
            break;
        if (*text == '@') {
            put(g, to, g->arguments[text[1] - '1'], strlen(g->arguments[text[1] - '1']));
            text += 2;
            continue;
        }
        while (islower((unsigned char)text[name]) || text[name] == '_')
            name++;
        percent = strtoul(text + 1, &next, 10);
        if (name > 1) {
            if (!expand_rule(g, text + 1, name - 1, to))
                return false;
            text += name;
        } else if (text[1] == '[')
            text = expand_number(g, text + 2, to);
        else if (!expand_choice(g, next + 1, next > text + 1 ? (unsigned)percent : 101, &text, to))
            return false;
    }
    return true;
}

static const char *keep(rd_gen *g, pm_text *text, bool made)
{
    char *kept = NULL;

    if (made) {
        kept = rd_program_memory(g->program, text->length + 1);
        memcpy(kept, pm_text_get(text), text->length + 1);
    }
    pm_text_free(text);
    return kept;
}

static char *print(const char *format, va_list arguments)
{
    char *text;

    return vasprintf(&text, format, arguments) < 0 ? rd_need(NULL) : text;
}

const char *rd_format(rd_gen *g, const char *format, ...)
{
    pm_text text = {0};
    va_list arguments;
    char *printed;
    bool made;

    va_start(arguments, format);
    printed = print(format, arguments);
    va_end(arguments);
    made = expand(g, printed, strlen(printed), &text);
    free(printed);
    return keep(g, &text, made);
}

const char *rd_format_with(rd_gen *g, const char *text, const char *const *arguments)
{
    const char *const *before = g->arguments;
    pm_text made = {0};
    bool ok;

    g->arguments = arguments;
    ok = expand(g, text, strlen(text), &made);
    g->arguments = before;
    return keep(g, &made, ok);
}

static void end_line(rd_gen *g)
{
    if (g->text.length > 0 && g->text.data[g->text.length - 1] != '\n')
        put(g, &g->text, "\n", 1);
}

const char *rd_emit(rd_gen *g, const char *format, ...)
{
    va_list arguments;
    char *printed;
    bool made;

    va_start(arguments, format);
    printed = print(format, arguments);
    va_end(arguments);
    made = attempt(g, printed, strlen(printed), &g->text);
    free(printed);
    end_line(g);
    return made ? "" : NULL;
}

const char *rd_emit_with(rd_gen *g, const char *text, const char *const *arguments)
{
    const char *const *before = g->arguments;
    bool made;

    g->arguments = arguments;
    made = attempt(g, text, strlen(text), &g->text);
    g->arguments = before;
    end_line(g);
    return made ? "" : NULL;
}

const char *rd_name(rd_gen *g, const char *like)
{
    return rd_format(g, "%s%u", like, g->names++);
}

void rd_finish(rd_gen *g)
{
    pm_text source = {0};

    rd_language_write(pm_text_get(&g->text), g->program->language, g->program->seed, &source);
    pm_text_free(&g->text);
    if (source.failed)
        rd_need(NULL);
    g->program->source = keep(g, &source, true);
}

/* ---- variables ------------------------------------------------------------------------------ */

static bool taken(const rd_gen *g, const char *name)
{
    for (size_t i = 0; i < g->var_count; i++)
        if (strcmp(g->vars[i].name, name) == 0 && !(g->hides && i < g->block && !g->vars[i].pinned))
            return true;
    return false;
}

rd_var *rd_declare(rd_gen *g, const char *name)
{
    static const char *const names[] = {"x",   "y",   "v",   "t",  "k",   "j",   "a",
                                        "b",   "acc", "_0",  "s",  "r",   "q",   "id",
                                        "pos", "_10", "sum", "w_", "x_0", "n_x", NULL};
    rd_var *var = &g->vars[g->var_count];

    if (g->var_count + 1 >= RD_VARS) {
        fputs("too many variables in a random program\n", stderr);
        abort();
    }
    if (!name)
        name = rd_pick(g, names);
    if (taken(g, name))
        name = rd_format(g, "%s_%u", name, g->names++);
    while (taken(g, name))
        name = rd_name(g, "v");
    g->var_count++;
    *var = (rd_var){.name = name};
    return var;
}

static bool hidden(const rd_gen *g, size_t var)
{
    for (size_t i = var + 1; i < g->var_count; i++)
        if (strcmp(g->vars[i].name, g->vars[var].name) == 0)
            return true;
    return false;
}

const rd_var *rd_find(rd_gen *g, rd_fits fits, const void *with)
{
    const rd_var *found = NULL;
    unsigned count = 0;

    for (size_t i = 0; i < g->var_count; i++)
        if (fits(&g->vars[i], with) && !hidden(g, i) &&
            (count++ == 0 || (g->latest ? rd_chance(g, g->latest) : rd_below(g, count) == 0)))
            found = &g->vars[i];
    return found;
}

static bool is_kind(const rd_var *var, const void *kind)
{
    return var->kind == *(const int *)kind;
}

const rd_var *rd_find_kind(rd_gen *g, int kind)
{
    return rd_find(g, is_kind, &kind);
}

rd_mark rd_open(rd_gen *g)
{
    rd_mark mark = {g->var_count, g->block};

    g->block = g->var_count;
    g->indent++;
    return mark;
}

void rd_close(rd_gen *g, rd_mark mark)
{
    g->var_count = mark.count;
    g->block = mark.block;
    g->indent--;
}

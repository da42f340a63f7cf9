/* Rewrites random CUDA programs so that they use templates and references. See cplusplus.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is taken as the generators write it: functions begin and end at the beginning of a line,
 * statements are in lines of their own.
 */
#include "cplusplus.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { NAME = 100, NUMBER = 8 };

typedef struct {
    rd_program *program;
    uint64_t random;
    pm_text out;
    const char *source;
    char number[24]; /* number at the end of the program's names */
} rewriting;

static unsigned below(rewriting *w, unsigned limit)
{
    w->random = rd_hash(w->random + 0x9e3779b97f4a7c15u);
    return (unsigned)(w->random % limit);
}

static bool chance(rewriting *w, unsigned percent)
{
    return below(w, 100) < percent;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_at(const char *text)
{
    size_t length = 0;

    while (is_word(text[length]))
        length++;
    return length;
}

static bool is_token(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- templates ------------------------------------------------------------------------------ */

/* A function in the text. */
typedef struct {
    const char *begin, *end; /* end: behind its } */
    char name[NAME];
    bool is_kernel;
} function;

/* Returns whether a definition begins here. Its name is before the first ( and after the qualifier;
 * for a kernel after void. */
static bool find_function(const char *line, function *f)
{
    const char *end = strchr(line, '\n'), *body = strstr(line, "\n}"), *open, *name;
    const char *qualifier = strstr(line, "__device__ ");

    f->is_kernel = starts(line, "__global__ ");
    if (f->is_kernel)
        qualifier = strstr(line, "void ");
    if (!qualifier || !end || !body ||
        (!f->is_kernel &&
         (qualifier > end || (!starts(line, "__device__ ") && !starts(line, "static ")))))
        return false;
    open = strchr(qualifier, '(');
    if (!open || open > body || memchr(line, ';', (size_t)(end - line)))
        return false;
    for (name = open; name > line && is_word(name[-1]);)
        name--;
    if (name == open || open - name >= NAME)
        return false;
    snprintf(f->name, sizeof f->name, "%.*s", (int)(open - name), name);
    f->begin = line;
    f->end = starts(end, "\n{ ") ? end + 1 + strcspn(end + 1, "\n") : body + 2;
    return true;
}

/* A function that is declared before its definition is not changed, because the declaration would
 * have to be a template, too. */
static bool is_declared(const rewriting *w, const function *f)
{
    char call[NAME + 1];
    const char *at;

    snprintf(call, sizeof call, "%s(", f->name);
    at = strstr(w->source, call);
    return at && at < f->begin;
}

static bool has_word(const char *text, const char *end, const char *word)
{
    for (; text < end; text += text[0] ? (word_at(text) ? word_at(text) : 1) : 1)
        if (is_token(text, word_at(text), word))
            return true;
    return false;
}

/* Returns the length of a number, such as 17 or 17u; 0: there is none. before: the text before
 * it. */
static size_t number_at(const char *text, char before)
{
    const size_t digits = strspn(text, "0123456789"), length = word_at(text);

    return digits > 0 && digits < 4 && text[digits] != '.' && before != '.' && !is_word(before) &&
                   (length == digits || (length == digits + 1 && text[digits] == 'u'))
               ? length
               : 0;
}

/* Picks a number in the function; "": it has none. */
static void pick_number(rewriting *w, const function *f, char *number)
{
    unsigned count = 0;

    *number = '\0';
    for (const char *at = f->begin + 1; at < f->end; at++) {
        const size_t length = number_at(at, at[-1]);

        if (length > 0 && below(w, ++count) == 0)
            snprintf(number, NUMBER, "%.*s", (int)length, at);
    }
}

/* Returns the length of "unsigned" or "unsigned int" at the text; 0: it is neither. */
static size_t unsigned_at(const char *text)
{
    const char *behind = text + 8;

    if (!is_token(text, word_at(text), "unsigned"))
        return 0;
    behind += strspn(behind, " ");
    if (is_token(behind, word_at(behind), "int"))
        return (size_t)(behind + 3 - text);
    return is_word(*behind) &&
                   (starts(behind, "char") || starts(behind, "short") || starts(behind, "long"))
               ? 0
               : 8;
}

/* Writes the function with template parameters in place of types and numbers. */
static void write_body(rewriting *w, const function *f, const char *number)
{
    bool directive = false;

    for (const char *at = f->begin; at < f->end;) {
        const size_t type = unsigned_at(at), length = word_at(at) ? word_at(at) : 1;
        const char before = at > f->begin ? at[-1] : '\n';

        directive = *at == '#' || (directive && *at != '\n');
        if (type && !directive && !is_word(before) && chance(w, 50)) {
            pm_text_add(&w->out, "Word");
            at += type;
        } else if (number_at(at, before) && !directive && is_token(at, length, number) &&
                   chance(w, 70)) {
            pm_text_add(&w->out, "SIZE");
            at += length;
        } else {
            pm_text_put(&w->out, at, length);
            at += length;
        }
    }
}

static void name_launches(const rewriting *w, const function *f, const char *number)
{
    for (size_t l = 0; l < w->program->launch_count; l++)
        if (strcmp(w->program->launches[l].kernel, f->name) == 0) {
            char *name = rd_program_memory(w->program, NAME + 40);

            snprintf(name, NAME + 40, "%s<unsigned int, %lu>", f->name, strtoul(number, NULL, 10));
            w->program->launches[l].kernel = name;
        }
}

static void write_function(rewriting *w, const function *f)
{
    char number[NUMBER];
    const char *type;

    pick_number(w, f, number);
    if (!*number || !chance(w, 85) || has_word(f->begin, f->end, "Word") ||
        has_word(f->begin, f->end, "SIZE") || (!f->is_kernel && is_declared(w, f))) {
        pm_text_put(&w->out, f->begin, (size_t)(f->end - f->begin));
        return;
    }
    type = strchr(number, 'u') ? "unsigned" : "int";
    if (f->is_kernel)
        pm_text_add(&w->out, "template <typename Word, %s SIZE>\n", type);
    else
        pm_text_add(&w->out, "template <typename Word = unsigned, %s SIZE = %s>\n", type, number);
    write_body(w, f, number);
    if (f->is_kernel)
        name_launches(w, f, number);
}

static void write_templates(rewriting *w)
{
    for (const char *line = w->source; *line;) {
        const size_t length = strcspn(line, "\n");
        function f;

        if (find_function(line, &f)) {
            write_function(w, &f);
            line = f.end;
            continue;
        }
        pm_text_put(&w->out, line, length + (line[length] == '\n'));
        line += length + (line[length] == '\n');
    }
}

/* ---- references ----------------------------------------------------------------------------- */

/* Returns the position after an element such as a[i].x or p->y[2]; `text`: no element is there. */
static const char *skip_element(const char *text)
{
    const char *at = text + word_at(text);
    unsigned depth = 0;
    bool element = false;

    if (at == text || isdigit((unsigned char)*text))
        return text;
    for (; *at && *at != '\n'; at++) {
        if (depth == 0 && *at != '[' && *at != '.' && !starts(at, "->") && !is_word(*at) &&
            !(at[0] == '>' && at[-1] == '-'))
            break;
        depth += *at == '[' || *at == '(';
        depth -= *at == ']' || *at == ')';
        element |= *at == '[' || *at == '>';
    }
    return element && depth == 0 ? at : text;
}

/* Returns whether the statement has a comma outside of brackets, and therefore two assignments. */
static bool has_comma(const char *text, const char *end)
{
    int depth = 0;

    for (; text < end; text++) {
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
        if (depth == 0 && *text == ',')
            return true;
    }
    return false;
}

/* A line that consists of `element = value;` or `element += value;`. */
typedef struct {
    const char *begin, *element_end, *value, *end; /* end: at the ; */
    bool adds;
} assignment;

static bool find_assignment(const char *line, assignment *a)
{
    const char *at, *end = line + strcspn(line, "\n");

    a->begin = line + strspn(line, " ");
    a->element_end = skip_element(a->begin);
    at = a->element_end;
    if (at == a->begin || *at != ' ')
        return false;
    a->adds = starts(at, " += ");
    if (!a->adds && !starts(at, " = "))
        return false;
    a->value = at + (a->adds ? 4 : 3);
    a->end = end - 1;
    return a->end > a->value && *a->end == ';' && !has_comma(a->value, a->end) &&
           !memchr(a->value, ';', (size_t)(a->end - a->value)) &&
           !memchr(a->value, '{', (size_t)(a->end - a->value)) &&
           !memchr(line, '#', (size_t)(end - line)) && !memchr(line, '\\', (size_t)(end - line));
}

static void write_assignment(rewriting *w, const char *line, const assignment *a)
{
    const int indent = (int)(a->begin - line), element = (int)(a->element_end - a->begin),
              value = (int)(a->end - a->value);
    const char *sign = a->adds ? "+=" : "=";
    const unsigned number = below(w, 1000);

    if (chance(w, 50))
        pm_text_add(&w->out, "%*s{ auto &name_%u = %.*s; name_%u %s %.*s; }", indent, "", number,
                    element, a->begin, number, sign, value, a->value);
    else
        pm_text_add(&w->out, "%*s%s_%s(%.*s, (%.*s));", indent, "", a->adds ? "add" : "set",
                    w->number, element, a->begin, value, a->value);
}

/* A line `T *p = &a[i];` becomes a reference if p is only used as p->. */
static const char *find_pointer(const char *line, const char **name, const char **element)
{
    const char *end = line + strcspn(line, "\n"), *sign = strstr(line, " = &"), *star;

    if (!sign || sign > end || *line != ' ' || end[-1] != ';')
        return NULL;
    for (*name = sign; is_word((*name)[-1]);)
        (*name)--;
    star = *name - 1;
    *element = sign + 4;
    if (star <= line || *star != '*' || memchr(line, '*', (size_t)(star - line)) ||
        skip_element(*element) != end - 1)
        return NULL;
    return star;
}

/* Returns whether the rest of the function uses the name with ->. */
static bool is_used_by_arrow(const char *text, const char *name, size_t length)
{
    const char *end = strstr(text, "\n}");

    for (const char *at = text; end && at < end;) {
        const size_t word = word_at(at);

        if (word == length && strncmp(at, name, word) == 0 && !starts(at + word, "->"))
            return false;
        at += word ? word : 1;
    }
    return end != NULL;
}

/* Writes the rest of the function with name-> replaced by `name.`. */
static const char *write_dots(rewriting *w, const char *text, const char *name, size_t length)
{
    const char *end = strstr(text, "\n}");

    while (text < end) {
        const size_t word = word_at(text);

        pm_text_put(&w->out, text, word ? word : 1);
        if (word == length && strncmp(text, name, word) == 0) {
            pm_text_add(&w->out, ".");
            text += 2;
        }
        text += word ? word : 1;
    }
    return text;
}

/* Returns whether the line starts a statement. */
static bool starts_statement(const rewriting *w, const char *line)
{
    while (line > w->source && isspace((unsigned char)line[-1]))
        line--;
    return line > w->source && strchr(";{})", line[-1]);
}

static const char *write_line(rewriting *w, const char *line)
{
    const size_t length = strcspn(line, "\n");
    const char *name, *element, *star = find_pointer(line, &name, &element);
    assignment a;

    if (star && chance(w, 60)) {
        const size_t word = word_at(name);

        if (is_used_by_arrow(line + length, name, word)) {
            pm_text_put(&w->out, line, (size_t)(star - line));
            pm_text_add(&w->out, "&%.*s = %.*s", (int)word, name, (int)(line + length - element),
                        element);
            return write_dots(w, line + length, name, word);
        }
    }
    if (*line == ' ' && starts_statement(w, line) && find_assignment(line, &a) && chance(w, 40)) {
        write_assignment(w, line, &a);
        return line + length;
    }
    pm_text_put(&w->out, line, length);
    return line + length;
}

static void write_references(rewriting *w)
{
    pm_text_add(&w->out,
                "template <typename To, typename Value>\n__device__ void add_%s(To &to, Value by)\n"
                "{\n    to += by;\n}\n"
                "template <typename To, typename Value>\n__device__ void set_%s(To &to, Value by)\n"
                "{\n    to = by;\n}\n",
                w->number, w->number);
    for (const char *line = w->source; *line;) {
        line = write_line(w, line);
        if (*line)
            pm_text_put(&w->out, line++, 1);
    }
}

/* ---- the whole program ---------------------------------------------------------------------- */

/* Returns the text that `write` makes from `text`. Frees `text`. */
static char *pass(rewriting *w, char *text, void (*write)(rewriting *w))
{
    w->source = text;
    w->out = (pm_text){0};
    write(w);
    free(text);
    if (w->out.failed)
        rd_need(NULL);
    return rd_need(pm_text_take(&w->out));
}

void rd_cplusplus(rd_program *program)
{
    rewriting w = {.program = program, .random = rd_hash(program->seed ^ 0xc0ffee)};
    char *text, *kept;

    if (program->language != RD_CUDA)
        return;
    text = rd_need(strdup(program->source));
    snprintf(w.number, sizeof w.number, "%llu", (unsigned long long)program->seed);
    if (chance(&w, 35))
        text = pass(&w, text, write_templates);
    if (chance(&w, 35))
        text = pass(&w, text, write_references);
    kept = rd_program_memory(program, strlen(text) + 1);
    strcpy(kept, text);
    free(text);
    program->source = kept;
}

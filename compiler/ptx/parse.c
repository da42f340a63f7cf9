/* Parses PTX modules. See tree.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grammar is that of NVIDIA's "Parallel Thread Execution ISA", version 9.0. Directives that do
 * not change the code, such as debug sections, are skipped.
 */
#include "compiler/ptx/parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens ---------------------------------------------------------------------------------- */

void pm_ptx_advance(pm_ptx_parser *p)
{
    p->token = pm_ptx_next(&p->lexer);
}

bool pm_ptx_at_sign(const pm_ptx_parser *p, char sign)
{
    return p->token.kind == PM_PTX_SIGN && p->token.sign == sign;
}

bool pm_ptx_at_dotted(const pm_ptx_parser *p, const char *word)
{
    return p->token.kind == PM_PTX_DOTTED && strcmp(p->token.text, word) == 0;
}

bool pm_ptx_take_sign(pm_ptx_parser *p, char sign)
{
    const bool is_there = pm_ptx_at_sign(p, sign);

    if (is_there)
        pm_ptx_advance(p);
    return is_there;
}

bool pm_ptx_take_dotted(pm_ptx_parser *p, const char *word)
{
    const bool is_there = pm_ptx_at_dotted(p, word);

    if (is_there)
        pm_ptx_advance(p);
    return is_there;
}

static const char *name_token(const pm_ptx_parser *p)
{
    switch (p->token.kind) {
    case PM_PTX_END:
        return "the end of the file";
    case PM_PTX_SIGN:
        return pm_format(p->memory, "%c", p->token.sign);
    case PM_PTX_DOTTED:
        return pm_format(p->memory, ".%.60s", p->token.text);
    case PM_PTX_WORD:
        return pm_format(p->memory, "%.60s", p->token.text);
    case PM_PTX_STRING:
        return "a string";
    default:
        return "a number";
    }
}

_Noreturn void pm_ptx_unexpected(pm_ptx_parser *p, const char *what)
{
    pm_ptx_fault(p, p->token.line, "%s is expected, and not %s", what, name_token(p));
}

void pm_ptx_demand_sign(pm_ptx_parser *p, char sign, const char *after)
{
    if (!pm_ptx_take_sign(p, sign))
        pm_ptx_unexpected(p, pm_format(p->memory, "%c after %s", sign, after));
}

const char *pm_ptx_demand_word(pm_ptx_parser *p, const char *what)
{
    const char *text = p->token.text;

    if (p->token.kind != PM_PTX_WORD)
        pm_ptx_unexpected(p, what);
    pm_ptx_advance(p);
    return text;
}

uint64_t pm_ptx_demand_integer(pm_ptx_parser *p, const char *what)
{
    const uint64_t value = p->token.integer;

    if (p->token.kind != PM_PTX_INTEGER)
        pm_ptx_unexpected(p, what);
    pm_ptx_advance(p);
    return value;
}

void pm_ptx_enter(pm_ptx_parser *p)
{
    if (++p->depth > PM_PTX_DEEPEST)
        pm_ptx_fault(p, p->token.line, "braces are nested more than %d deep", PM_PTX_DEEPEST);
}

pm_ptx_meaning *pm_ptx_bind(pm_ptx_parser *p, const char *name, pm_ptx_meaning_kind kind)
{
    pm_ptx_meaning *meaning = pm_take(p->memory, 1, sizeof *meaning);

    meaning->kind = kind;
    pm_ptx_names_add(p->memory, &p->names, name, meaning);
    return meaning;
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Reads the directive .address_size. A size of 32, which only GPUs before compute capability 2.0
 * need, is refused. */
static void read_address_size(pm_ptx_parser *p)
{
    const unsigned line = p->token.line;

    pm_ptx_advance(p);
    if (pm_ptx_demand_integer(p, "64 after .address_size") != 64)
        pm_ptx_fault(p, line, "addresses of 32 bits cannot be traced: compile for 64 bits");
}

/* Skips the words behind .version and .target up to the next directive. */
static void skip_words(pm_ptx_parser *p)
{
    pm_ptx_advance(p);
    while (p->token.kind != PM_PTX_DOTTED && p->token.kind != PM_PTX_END)
        pm_ptx_advance(p);
}

static void skip_statement(pm_ptx_parser *p)
{
    while (p->token.kind != PM_PTX_END && !pm_ptx_take_sign(p, ';'))
        pm_ptx_advance(p);
}

/* Skips linking directives (.visible, .weak, .extern) before a declaration. Returns whether .extern
 * is one of them. */
static bool read_linking(pm_ptx_parser *p)
{
    bool is_extern = false;

    for (;;) {
        if (pm_ptx_take_dotted(p, "extern"))
            is_extern = true;
        else if (!pm_ptx_take_dotted(p, "visible") && !pm_ptx_take_dotted(p, "weak") &&
                 !pm_ptx_take_dotted(p, "common"))
            return is_extern;
    }
}

static void read_declaration(pm_ptx_parser *p)
{
    const bool is_extern = read_linking(p);
    pm_ptx_space space;

    if (pm_ptx_take_dotted(p, "entry")) {
        pm_ptx_read_function(p, true);
    } else if (pm_ptx_take_dotted(p, "func")) {
        pm_ptx_read_function(p, false);
    } else if (pm_ptx_at_space(p, &space)) {
        pm_ptx_advance(p);
        pm_ptx_read_variables(p, space, is_extern);
    } else {
        pm_ptx_unexpected(p, "a function or a variable");
    }
}

static void read_item(pm_ptx_parser *p)
{
    if (pm_ptx_at_dotted(p, "version") || pm_ptx_at_dotted(p, "target"))
        skip_words(p);
    else if (pm_ptx_at_dotted(p, "address_size"))
        read_address_size(p);
    else if (pm_ptx_at_dotted(p, "alias"))
        skip_statement(p);
    else if (!pm_ptx_skip_directive(p))
        read_declaration(p);
}

static const char *last_name(const char *path, size_t length)
{
    const char *end = path + length;

    while (end > path && end[-1] != '/')
        end--;
    return end;
}

/* Returns the file number that a directive .file gives to the source `path`; 0: no directive names
 * it. Compares only the last components of paths, because compilers make paths absolute. Searches
 * the whole text in advance, because the directives .file follow the functions in which .loc uses
 * their numbers. */
static uint64_t find_source(const char *text, const char *path)
{
    static const char directive[] = "\n\t.file\t";
    const char *wanted = last_name(path, strlen(path));

    for (const char *at = text; (at = strstr(at, directive));) {
        char *end;
        const uint64_t number = strtoull(at + strlen(directive), &end, 10);
        const char *name = strncmp(end, " \"", 2) == 0 ? end + 2 : "\"";
        const size_t length = strcspn(name, "\"\n");
        const char *last = last_name(name, length);

        if ((size_t)(name + length - last) == strlen(wanted) &&
            strncmp(last, wanted, strlen(wanted)) == 0)
            return number;
        at = end;
    }
    return 0;
}

pm_ptx_module *pm_ptx_parse(pm_memory *memory, const char *text, const char *path)
{
    pm_ptx_module *module = pm_take(memory, 1, sizeof *module);
    pm_ptx_parser p = {.memory = memory,
                       .lexer = {.memory = memory, .path = path, .at = text, .line = 1},
                       .module = module,
                       .source_file = find_source(text, path)};

    module->path = path;
    if (!pm_ptx_is_text(text))
        pm_leave(memory, PM_BAD_INPUT, "%s: PTX begins with the directive .version", path);
    pm_ptx_advance(&p);
    while (p.token.kind != PM_PTX_END)
        read_item(&p);
    return module;
}

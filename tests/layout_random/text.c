/* Random choices, texts that live as long as their program, and the variables in scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

struct lr_chunk {
    struct lr_chunk *next;
    char text[];
};

/* SplitMix64. */
uint64_t lr_random(lr_gen *g)
{
    uint64_t z = g->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned lr_below(lr_gen *g, unsigned n)
{
    return (unsigned)(lr_random(g) >> 33) % n;
}

bool lr_chance(lr_gen *g, unsigned percent)
{
    return lr_below(g, 100) < percent;
}

bool lr_has(const lr_gen *g, unsigned feature)
{
    return g->features & feature;
}

void *lr_need(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

const char *lr_format(lr_gen *g, const char *format, ...)
{
    struct lr_chunk *chunk;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    chunk = lr_need(malloc(sizeof *chunk + (size_t)length + 1));
    va_start(arguments, format);
    vsnprintf(chunk->text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    chunk->next = g->program->chunks;
    g->program->chunks = chunk;
    return chunk->text;
}

void lr_chunks_free(struct lr_chunk *chunks)
{
    while (chunks) {
        struct lr_chunk *next = chunks->next;

        free(chunks);
        chunks = next;
    }
}

void lr_emit(lr_gen *g, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (g->length + (size_t)length + g->indent * 4 + 2 > g->room) {
        g->room = 2 * g->room + (size_t)length + 4096;
        g->text = lr_need(realloc(g->text, g->room));
    }
    for (unsigned i = 0; i < g->indent * 4; i++)
        g->text[g->length++] = ' ';
    va_start(arguments, format);
    vsnprintf(g->text + g->length, g->room - g->length, format, arguments);
    va_end(arguments);
    g->length += (size_t)length;
    g->text[g->length++] = '\n';
    g->text[g->length] = '\0';
}

lr_unit lr_unit_begin(lr_gen *g)
{
    return (lr_unit){g->program->units++, g->length};
}

bool lr_unit_end(lr_gen *g, lr_unit unit)
{
    if (!g->dropped || unit.number >= LR_UNITS || !g->dropped[unit.number])
        return false;
    g->length = unit.length;
    g->text[g->length] = '\0';
    return true;
}

/* ---- variables ------------------------------------------------------------------------------ */

static const char *const names[] = {"x", "y", "v", "t",  "k",   "j",   "a",   "b",  "acc", "_0",
                                    "s", "r", "q", "id", "pos", "_10", "sum", "w_", "x_0", "n_x"};

static bool taken(const lr_gen *g, const char *name)
{
    for (size_t i = 0; i < g->var_count; i++) {
        bool hidden_is_fine = lr_has(g, LR_F_SHADOW) && i < g->block && !g->vars[i].pinned;

        if (strcmp(g->vars[i].name, name) == 0 && !hidden_is_fine)
            return true;
    }
    return false;
}

lr_var *lr_declare(lr_gen *g)
{
    const char *name = names[lr_below(g, sizeof names / sizeof *names)];
    lr_var *var = &g->vars[g->var_count];

    if (g->var_count + 1 >= LR_VARS) {
        fputs("too many variables in a random program\n", stderr);
        abort();
    }
    if (taken(g, name))
        name = lr_format(g, "%s_%u", name, g->names++);
    while (taken(g, name))
        name = lr_format(g, "v%u", g->names++);
    g->var_count++;
    *var = (lr_var){.name = name};
    return var;
}

static bool hidden(const lr_gen *g, size_t var)
{
    for (size_t i = var + 1; i < g->var_count; i++)
        if (strcmp(g->vars[i].name, g->vars[var].name) == 0)
            return true;
    return false;
}

const lr_var *lr_find(lr_gen *g, bool (*fits)(const lr_var *var, const void *with),
                      const void *with)
{
    const lr_var *found = NULL;
    unsigned count = 0;

    for (size_t i = 0; i < g->var_count; i++)
        if (fits(&g->vars[i], with) && !hidden(g, i) && lr_below(g, ++count) == 0)
            found = &g->vars[i];
    return found;
}

lr_mark lr_open(lr_gen *g)
{
    lr_mark mark = {g->var_count, g->block};

    g->block = g->var_count;
    g->indent++;
    return mark;
}

void lr_close(lr_gen *g, lr_mark mark)
{
    g->var_count = mark.count;
    g->block = mark.block;
    g->indent--;
}

/* Random choices, and texts that live as long as their program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

struct sr_chunk {
    struct sr_chunk *next;
    char text[];
};

/* SplitMix64. */
uint64_t sr_random(sr_gen *g)
{
    uint64_t z = g->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned sr_below(sr_gen *g, unsigned n)
{
    return (unsigned)(sr_random(g) >> 33) % n;
}

bool sr_chance(sr_gen *g, unsigned percent)
{
    return sr_below(g, 100) < percent;
}

bool sr_has(const sr_gen *g, unsigned feature)
{
    return g->features & feature;
}

void *sr_need(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

const char *sr_format(sr_gen *g, const char *format, ...)
{
    struct sr_chunk *chunk;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    chunk = sr_need(malloc(sizeof *chunk + (size_t)length + 1));
    va_start(arguments, format);
    vsnprintf(chunk->text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    chunk->next = g->program->chunks;
    g->program->chunks = chunk;
    return chunk->text;
}

void sr_chunks_free(struct sr_chunk *chunks)
{
    while (chunks) {
        struct sr_chunk *next = chunks->next;

        free(chunks);
        chunks = next;
    }
}

void sr_emit(sr_gen *g, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (g->length + (size_t)length + (size_t)g->indent * 4 + 2 > g->room) {
        g->room = 2 * g->room + (size_t)length + 4096;
        g->text = sr_need(realloc(g->text, g->room));
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

const char *sr_pick(sr_gen *g, const char *const *strings)
{
    unsigned count = 0;

    while (strings[count])
        count++;
    return strings[sr_below(g, count)];
}

const char *sr_gap(sr_gen *g)
{
    static const char *const gaps[] = {"/* a[0] */", "/**/", " /* ) { */ ", "// ]\n        ",
                                       "\\\n",       "  ",   NULL};

    return sr_has(g, SR_F_COMMENTS) && sr_chance(g, 10) ? sr_pick(g, gaps) : "";
}

const char *sr_name(sr_gen *g, const char *like)
{
    return sr_format(g, "%s%u", like, g->made++);
}

sr_piece sr_piece_begin(sr_gen *g)
{
    return (sr_piece){g->program->units++, g->length};
}

void sr_piece_end(sr_gen *g, sr_piece piece)
{
    if (!g->dropped || piece.number >= SR_UNITS || !g->dropped[piece.number])
        return;
    g->length = piece.length;
    g->text[g->length] = '\0';
}

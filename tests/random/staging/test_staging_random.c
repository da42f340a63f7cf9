/* Random loop nests with random arrays staged in local memory: what the transform makes of a kernel
 * must compute the same bits, without a race or an access outside of an array, or the transform
 * must refuse with a line of the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "generate.h"

/* ---- transforms ----------------------------------------------------------------------------- */

/* The transform chooses the arrays in the first variant. The other variants name some. */
static void choose(const rd_program *p, unsigned variant, rd_case *c)
{
    static const unsigned char tiles[] = {4, 8, 16, 3, 1};
    rd_gen g = {.random = p->seed * 3 + variant + 12345};
    size_t names = 0, count = p->nest->array_count, start = rd_below(&g, (unsigned)count);
    const char *end = c->spec + sizeof c->spec;
    char *to = c->spec;

    to += snprintf(to, sizeof c->spec, "shared");
    for (size_t i = 0; variant > 0 && i < count && names < 2; i++) {
        const st_array *a = &p->nest->arrays[(start + i) % count];

        if ((a->written && !rd_chance(&g, 8)) || (names > 0 && rd_chance(&g, 60)))
            continue;
        if (a->written && !*c->odd)
            snprintf(c->odd, sizeof c->odd, "a written array is named");
        to += snprintf(to, (size_t)(end - to), "%c%s", names++ ? '+' : ':', a->name);
    }
    if (names > 0 && rd_chance(&g, 40))
        to += snprintf(to, (size_t)(end - to), "/%u", tiles[rd_below(&g, sizeof tiles)]);
    if (variant > 0 && rd_chance(&g, 10))
        snprintf(to, (size_t)(end - to), "@%s", p->launches[0].kernel);
}

/* ---- deliberate faults ---------------------------------------------------------------------- */

/* Returns the source with `length` bytes at `at` replaced by `with`. */
static void replace(pm_workload *w, const char *at, size_t length, const char *with)
{
    size_t bytes = strlen(w->source) + strlen(with) + 1;
    char *source = rd_need(malloc(bytes));

    snprintf(source, bytes, "%.*s%s%s", (int)(at - w->source), w->source, with, at + length);
    free(w->source);
    w->source = source;
}

static bool drop_barriers(pm_workload *w, const rd_program *p)
{
    const bool is_cuda = p->language == RD_CUDA;
    const char *barrier = is_cuda ? "__syncthreads()" : "barrier(";
    char *at = strstr(w->source, barrier);
    bool found = at;

    for (; at; at = strstr(w->source, barrier))
        replace(w, at, strlen(barrier), is_cuda ? "(void)0" : "(void)(");
    return found;
}

/* In a read-only array, the last element that the source names becomes the next one. */
static bool shift_index(pm_workload *w, const rd_program *p)
{
    for (size_t a = 0; a < p->nest->array_count; a++) {
        const char *name = p->nest->arrays[a].name, *found = NULL;
        size_t length = strlen(name);

        for (const char *at = w->source; (at = strstr(at, name)) && !p->nest->arrays[a].written;
             at++)
            if (at[length] == '[' && at > w->source && !isalnum((unsigned char)at[-1]) &&
                at[-1] != '_')
                found = at;
        if (!found)
            continue;
        replace(w, found + length, 1, "[1 + ");
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    static const rd_suite suite = {
        .name = "test_staging_random",
        .create = st_create,
        .fit = st_fit,
        .choose = choose,
        .breaks = {{"barrier", drop_barriers, 2}, {"copy", shift_index, 2}},
        .compile = "-O0",
        .refused = {0.43, 0.51},
        .unsound = {0.03, 0.03},
        .programs = 64,
        .variants = 3,
        .devices = 2,
        .oclgrind = 2,
    };

    return rd_main(&suite, argc, argv);
}

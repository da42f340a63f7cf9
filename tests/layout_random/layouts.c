/* Random layouts for a random program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { MAX_FIELDS = 64 };

/* Paths of a struct's fields as layouts take them apart. */
static unsigned paths(lr_gen *g, const lr_record *record, const char *before, const char **list,
                      unsigned count)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        const char *path = lr_format(g, "%s%s", before, m->name);

        if (m->record)
            count = paths(g, m->record, lr_format(g, "%s.", path), list, count);
        else if (count < MAX_FIELDS)
            list[count++] = path;
    }
    return count;
}

static const char *by_name(lr_gen *g, const char *const *list, unsigned count)
{
    unsigned clusters = 1 + lr_below(g, count < 4 ? count : 4);
    const char *text = "";
    unsigned of[MAX_FIELDS];

    for (unsigned i = 0; i < count; i++)
        of[i] = lr_below(g, clusters);
    for (unsigned c = 0; c < clusters; c++) {
        const char *cluster = "";

        for (unsigned i = 0; i < count; i++)
            if (of[i] == c)
                cluster = lr_format(g, "%s%s%s", cluster, *cluster ? "+" : "", list[i]);
        if (*cluster)
            text = lr_format(g, "%s%s%s", text, *text ? "/" : "", cluster);
    }
    return text;
}

static const char *by_number(lr_gen *g, unsigned count)
{
    const char *text = "";

    while (count > 0) {
        unsigned part = 1 + lr_below(g, count < 4 ? count : 4);

        text = lr_format(g, "%s%s%u", text, *text ? "-" : "", part);
        count -= part;
    }
    return text;
}

static const char *one(lr_gen *g, const lr_record *record)
{
    static const char *const aligns[] = {"", "", "-align", "-align8"};
    const char *list[MAX_FIELDS];
    unsigned count;

    switch (lr_below(g, record ? 8 : 4)) {
    case 0:
    case 1:
        return "soa";
    case 2:
        return lr_chance(g, 50) ? "aos-align" : "aos-align8";
    case 3:
        return lr_format(g, "asta:%u", 2u << lr_below(g, 6));
    default:
        count = paths(g, record, "", list, 0);
        return lr_format(g, "cluster%s:%s", aligns[lr_below(g, 4)],
                         lr_chance(g, 60) ? by_name(g, list, count) : by_number(g, count));
    }
}

static const char *some_kernels(lr_gen *g, const lr_program *p)
{
    const char *text = "";

    for (size_t k = 0; k < p->kernel_count; k++)
        if (lr_chance(g, 40))
            text = lr_format(g, "%s%s%s", text, *text ? "+" : "@", p->kernels[k].name);
    return text;
}

char *lr_layout(const lr_program *program, unsigned which)
{
    lr_program texts = {0};
    lr_gen g = {.random = program->seed * 1000003 + which * 7919 + 5, .program = &texts};
    const char *text = "";
    char *result;

    if (lr_chance(&g, 30))
        text = one(&g, NULL);
    for (size_t r = 0; r < program->record_count; r++) {
        const lr_record *record = program->records[r];

        if (record->top && (!*text || lr_chance(&g, 50)))
            text =
                lr_format(&g, "%s%s%s=%s", text, *text ? ";" : "", record->name, one(&g, record));
        if (record->top && lr_chance(&g, 15))
            text =
                lr_format(&g, "%s;%s=%s%s", text, record->name,
                          lr_chance(&g, 40) ? "aos" : one(&g, record), some_kernels(&g, program));
    }
    result = lr_need(strdup(text));
    lr_chunks_free(texts.chunks);
    return result;
}

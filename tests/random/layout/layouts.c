/* Random layouts for a random program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "structs.h"

enum { MOST_FIELDS = 64 };

/* Paths of a struct's fields, as layouts name them. */
static unsigned paths(rd_gen *g, const lr_record *record, const char *before, const char **list,
                      unsigned count)
{
    for (unsigned i = 0; i < record->count; i++) {
        const lr_member *m = &record->members[i];
        const char *path = rd_format(g, "%s%s", before, m->name);

        if (m->record)
            count = paths(g, m->record, rd_format(g, "%s.", path), list, count);
        else if (count < MOST_FIELDS)
            list[count++] = path;
    }
    return count;
}

static const char *by_name(rd_gen *g, const char *const *list, unsigned count)
{
    unsigned clusters = 1 + rd_below(g, count < 4 ? count : 4);
    const char *text = "";
    unsigned of[MOST_FIELDS];

    for (unsigned i = 0; i < count; i++)
        of[i] = rd_below(g, clusters);
    for (unsigned c = 0; c < clusters; c++) {
        const char *cluster = "";

        for (unsigned i = 0; i < count; i++)
            if (of[i] == c)
                cluster = rd_format(g, "%s%s%s", cluster, *cluster ? "+" : "", list[i]);
        if (*cluster)
            text = rd_format(g, "%s%s%s", text, *text ? "/" : "", cluster);
    }
    return text;
}

static const char *by_number(rd_gen *g, unsigned count)
{
    const char *text = "";

    while (count > 0) {
        unsigned part = 1 + rd_below(g, count < 4 ? count : 4);

        text = rd_format(g, "%s%s%u", text, *text ? "-" : "", part);
        count -= part;
    }
    return text;
}

static const char *plain(rd_gen *g)
{
    return rd_format(g, "$(soa|soa|$(aos-align|aos-align8)|asta:$(2|4|8|16|32|64))");
}

static const char *one(rd_gen *g, const lr_record *record)
{
    const char *list[MOST_FIELDS];
    unsigned count = paths(g, record, "", list, 0);

    if (rd_chance(g, 50))
        return plain(g);
    return rd_format(g, "cluster$(||-align|-align8):%s",
                     rd_chance(g, 60) ? by_name(g, list, count) : by_number(g, count));
}

static const char *some_kernels(rd_gen *g, const struct lr_shape *shape)
{
    const char *text = "";

    for (size_t k = 0; k < shape->kernel_count; k++)
        if (rd_chance(g, 40))
            text = rd_format(g, "%s%s%s", text, *text ? "+" : "@", shape->kernels[k]);
    return text;
}

void lr_layout(const rd_program *program, unsigned which, char *to, size_t size)
{
    rd_gen g = {.random = program->seed * 1000003 + which * 7919 + 5,
                .program = rd_program_create(program->seed, program->language)};
    const char *text = rd_chance(&g, 30) ? plain(&g) : "";

    for (size_t r = 0; r < program->shape->record_count; r++) {
        const lr_record *record = &program->shape->records[r];

        if (record->top && (!*text || rd_chance(&g, 50)))
            text =
                rd_format(&g, "%s%s%s=%s", text, *text ? ";" : "", record->name, one(&g, record));
        if (record->top && rd_chance(&g, 15)) {
            const char *layout = rd_chance(&g, 40) ? "aos" : one(&g, record);

            text = rd_format(&g, "%s;%s=%s%s", text, record->name, layout,
                             some_kernels(&g, program->shape));
        }
    }
    snprintf(to, size, "%s", text);
    rd_program_free(g.program);
}

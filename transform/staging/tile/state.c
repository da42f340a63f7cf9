/* Reads and changes the state of staging (copying arrays to local memory) for one kernel,
 * pm_sharing: symbolic values, candidate tiles, chosen tiles, and the reasons why an array gets no
 * tile. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transform/staging/tile/stage.h"

void *pm_stage_need(const pm_sharing *s, void *memory)
{
    if (!memory)
        pm_leave(s->memory, PM_FAILED, "%s: out of memory for staging", s->unit->path);
    return memory;
}

size_t pm_stage_atom(pm_sharing *s, const pm_atom *atom)
{
    *pm_add(s->memory, s->index.atoms, s->index.atom_count) = *atom;
    return s->index.atom_count - 1;
}

bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
{
    char text[400];
    va_list args;

    if (why->length > 0)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pm_text_add(why, "%s", pm_ast_reason(why->memory, node, "%s", text));
    return false;
}

/* Allocates the arrays of a tile. Boxes are not set to zero, because each has tens of kilobytes and
 * most are never used. */
void pm_tile_room(pm_sharing *s, pm_tile *tile, size_t members)
{
    tile->members = pm_stage_need(s, calloc(members, sizeof *tile->members));
    tile->member_count = members;
    tile->boxes = pm_stage_need(s, malloc(2 * PM_MOST_BOXES * sizeof *tile->boxes));
    tile->outs = tile->boxes + PM_MOST_BOXES;
}

void pm_stage_add_candidate(pm_sharing *s, pm_tile *tile)
{
    s->candidates =
        pm_stage_need(s, realloc(s->candidates, (s->candidate_count + 1) * sizeof *tile));
    s->candidates[s->candidate_count++] = *tile;
}

void pm_tile_free(pm_tile *tile)
{
    free(tile->members);
    free(tile->boxes);
    *tile = (pm_tile){.name = NULL};
}

pm_tile *pm_stage_chosen(const pm_sharing *s, size_t i)
{
    return &s->candidates[s->chosen[i]];
}

bool pm_stage_has_tile(const pm_sharing *s, size_t array)
{
    for (size_t i = 0; i < s->chosen_count; i++)
        if (pm_stage_chosen(s, i)->array == array)
            return true;
    return false;
}

bool pm_stage_is_scratch(const pm_sharing *s, const pm_index_array *array)
{
    const char *names = s->request->scratch;
    bool any = false, all = true;

    while (names && *names) {
        size_t length = strcspn(names, "+");

        if (strlen(array->name) == length && strncmp(array->name, names, length) == 0)
            return true;
        names += length + (names[length] == '+');
    }
    for (size_t l = 0; l < s->launch_count; l++)
        if (array->argument < s->launches[l]->arg_count) {
            any = true;
            all &= s->launches[l]->args[array->argument].scratch;
        }
    return any && all;
}

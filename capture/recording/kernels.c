/* Stores the kernels of the captured program, with the number and the times of their launches. See
 * recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/recording/recording.h"

static bool make_room(pm_recording *rec)
{
    size_t room = rec->entry_room * 2 + 16;
    pm_rec_entry **grown;

    if (rec->entry_count < rec->entry_room)
        return true;
    grown = reallocarray(rec->entries, room, sizeof(pm_rec_entry *));
    if (!grown)
        return false;
    rec->entries = grown;
    rec->entry_room = room;
    return true;
}

pm_rec_entry *pm_rec_new_entry(unsigned program, int kind, const char *name, unsigned args)
{
    pm_recording *rec = pm_recording_get();
    pm_rec_entry *entry = make_room(rec) ? calloc(1, sizeof *entry) : NULL;

    if (!entry)
        return NULL;
    entry->name = strdup(name);
    entry->read_only = calloc((size_t)args + 1, sizeof *entry->read_only);
    if (!entry->name || !entry->read_only) {
        free(entry->name);
        free(entry->read_only);
        free(entry);
        return NULL;
    }
    entry->id = ++rec->next_id;
    entry->program = program;
    entry->kind = kind;
    rec->entries[rec->entry_count++] = entry;
    return entry;
}

void pm_rec_count(pm_rec_entry *entry, pm_left_out reason, bool timed, uint64_t ns)
{
    entry->totals[reason].launches++;
    entry->totals[reason].ns += ns;
    entry->totals[reason].untimed += !timed;
    entry->totals[reason].changed = true;
}

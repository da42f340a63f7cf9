/* Which launches are recorded. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of buffers are needed before a launch, and only after it is known how long it took.
 * So of the launches that take longest, those are recorded that are expected to: a launch takes
 * what the last one of its kernel with as many work-items took. One that is not known yet is
 * recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/layer/layer.h"

/* How much longer than the shortest recorded launch one must promise to take: times of equal
 * launches differ. */
static const double worth = 1.25;

/* ---- what was chosen ------------------------------------------------------------------------- */

/* longest=N first=N from=N to=N bytes=N seconds=X, then kernels= NAME NAME... */
bool pm_layer_choice_read(const char *text, pm_layer_choice *choice)
{
    unsigned long long longest, first, from, to, bytes, milliseconds;
    int length = 0;

    if (sscanf(text, "longest=%llu first=%llu from=%llu to=%llu bytes=%llu ms=%llu kernels=%n",
               &longest, &first, &from, &to, &bytes, &milliseconds, &length) != 6 ||
        length == 0)
        return false;
    *choice = (pm_layer_choice){.longest = longest,
                                .first = first,
                                .from = from,
                                .to = to,
                                .most_bytes = bytes,
                                .most_seconds = (double)milliseconds / 1000};
    if (!text[length])
        return true;
    choice->kernels = strdup(text + length);
    return choice->kernels != NULL;
}

/* Whether the kernel is one of those that were named. */
static bool is_named(const pm_layer_choice *choice, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = choice->kernels; at && (at = strstr(at, name)) != NULL; at += length)
        if (at > choice->kernels && at[-1] == ' ' && (at[length] == ' ' || !at[length]))
            return true;
    return !choice->kernels;
}

/* ---- what launches take ---------------------------------------------------------------------- */

void pm_layer_learn(pm_layer_entry *entry, uint64_t items, uint64_t ns)
{
    unsigned i = 0;

    while (i < entry->size_count && entry->sizes[i].items != items)
        i++;
    if (i == PM_LAYER_SIZES) {
        i = entry->size_next;
        entry->size_next = (i + 1) % PM_LAYER_SIZES;
    } else if (i == entry->size_count) {
        entry->size_count++;
    }
    entry->sizes[i].items = items;
    entry->sizes[i].ns = ns;
}

/* By the size that is nearest: fewer work-items take no longer, more take proportionally longer. */
static double expected_ns(const pm_layer_entry *entry, uint64_t items)
{
    uint64_t below = 0, above = UINT64_MAX;
    double ns = 1e18;

    for (unsigned i = 0; i < entry->size_count; i++) {
        const uint64_t known = entry->sizes[i].items;

        if (known >= items && known < above) {
            above = known;
            ns = (double)entry->sizes[i].ns;
        } else if (known < items && known >= below && above == UINT64_MAX) {
            below = known;
            ns = (double)entry->sizes[i].ns * (double)items / (double)(known ? known : 1);
        }
    }
    return ns;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The recorded launch that is dropped first: the shortest, but not the only one of its kernel. */
static size_t next_to_drop(const pm_layer *layer)
{
    size_t shortest = SIZE_MAX;

    for (size_t i = 0; i < layer->kept_count; i++)
        if (layer->kept[i].entry->kept > 1 &&
            (shortest == SIZE_MAX || layer->kept[i].ns < layer->kept[shortest].ns))
            shortest = i;
    return shortest;
}

/* The launch of the kernel that is recorded; there is one. */
static uint64_t only_ns(const pm_layer *layer, const pm_layer_entry *entry)
{
    size_t i = 0;

    while (layer->kept[i].entry != entry)
        i++;
    return layer->kept[i].ns;
}

static bool is_among_longest(const pm_layer *layer, const pm_layer_entry *entry, uint64_t items)
{
    const double ns = expected_ns(entry, items);
    size_t shortest;

    if (entry->kept == 0 || layer->kept_count < layer->choice.longest)
        return true;
    shortest = next_to_drop(layer);
    if (shortest != SIZE_MAX)
        return ns > worth * (double)layer->kept[shortest].ns;
    return ns > worth * (double)only_ns(layer, entry);
}

pm_left_out pm_layer_choose(pm_layer_entry *entry, uint64_t items)
{
    pm_layer *layer = pm_layer_get();
    const pm_layer_choice *choice = &layer->choice;
    uint64_t number, seen;

    if (!is_named(choice, entry->name))
        return PM_LEFT_NOT_CHOSEN;
    number = layer->launches++;
    seen = entry->seen++;
    if (entry->kind == PM_FROM_SEVERAL)
        return PM_LEFT_LINKED;
    if (entry->kind != PM_FROM_SOURCE)
        return PM_LEFT_KIND;
    if (choice->to > 0 && (number < choice->from || number >= choice->to))
        return PM_LEFT_NOT_CHOSEN;
    if (choice->first > 0 && seen >= choice->first)
        return PM_LEFT_NOT_CHOSEN;
    if (choice->longest > 0 && !is_among_longest(layer, entry, items))
        return PM_LEFT_NOT_LONGEST;
    if (entry->too_large)
        return PM_LEFT_BYTES; /* it takes long to find out again */
    return layer->spent >= choice->most_seconds ? PM_LEFT_SECONDS : PM_CAPTURED;
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* The record that it is dropped comes before its contents go: a program may be killed between. */
static void drop(pm_layer *layer, size_t i)
{
    pm_layer_kept *kept = &layer->kept[i];
    pm_text record = {0};

    pm_text_add(&record, "drop %llu", (unsigned long long)kept->number);
    if (pm_layer_record(&record))
        for (size_t c = 0; c < kept->contents_count; c++)
            pm_layer_contents_leave(kept->contents[c]);
    kept->entry->kept--;
    kept->entry->totals[PM_CAPTURED].launches--;
    kept->entry->totals[PM_CAPTURED].ns -= kept->ns;
    kept->entry->totals[PM_CAPTURED].changed = true;
    pm_layer_count(kept->entry, PM_LEFT_NOT_LONGEST, true, kept->ns);
    free(kept->contents);
    layer->kept[i] = layer->kept[--layer->kept_count];
}

bool pm_layer_keep(const pm_layer_kept *launch)
{
    pm_layer *layer = pm_layer_get();

    if (layer->kept_count == layer->kept_room) {
        size_t room = layer->kept_room * 2 + 16;
        pm_layer_kept *grown = reallocarray(layer->kept, room, sizeof *grown);

        if (!grown)
            return false;
        layer->kept = grown;
        layer->kept_room = room;
    }
    layer->kept[layer->kept_count++] = *launch;
    launch->entry->kept++;
    if (layer->choice.longest > 0 && layer->kept_count > layer->choice.longest) {
        size_t i = next_to_drop(layer);

        if (i != SIZE_MAX)
            drop(layer, i);
    }
    return true;
}

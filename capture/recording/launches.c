/* Stores the contents of a launch's buffers before and after it, and writes the record of the
 * launch. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/recording/recording.h"

bool pm_rec_copy_arg(pm_rec_arg *to, const pm_rec_arg *from)
{
    *to = *from;
    if (!from->value)
        return true;
    to->value = malloc(from->bytes + 1);
    if (to->value)
        memcpy(to->value, from->value, from->bytes);
    return to->value != NULL;
}

void pm_rec_free_args(pm_rec_launch *launch)
{
    for (unsigned i = 0; i < launch->arg_count; i++)
        free(launch->args[i].value);
    launch->arg_count = 0;
}

/* ---- contents -------------------------------------------------------------------------------- */

pm_left_out pm_rec_before(pm_rec_launch *launch, pm_rec_take take, void *user)
{
    pm_left_out reason = PM_CAPTURED;

    pm_rec_lock();
    pm_recording_get()->launch_bytes = 0;
    pm_rec_unlock();
    for (size_t i = 0; i < launch->region_count; i++) {
        launch->regions[i].before = take(user, &launch->regions[i], &reason);
        if (launch->regions[i].before == SIZE_MAX)
            return reason;
    }
    return PM_CAPTURED;
}

pm_left_out pm_rec_after(pm_rec_launch *launch, pm_rec_take take, void *user)
{
    pm_left_out reason = PM_CAPTURED;

    for (size_t i = 0; i < launch->region_count; i++) {
        if (launch->regions[i].read_only || launch->regions[i].spare)
            continue;
        launch->regions[i].after = take(user, &launch->regions[i], &reason);
        if (launch->regions[i].after == SIZE_MAX)
            return reason;
    }
    return PM_CAPTURED;
}

static void leave_contents(const pm_rec_launch *launch)
{
    for (size_t i = 0; i < launch->region_count; i++) {
        if (launch->regions[i].before != SIZE_MAX)
            pm_rec_contents_leave(launch->regions[i].before);
        if (launch->regions[i].after != SIZE_MAX)
            pm_rec_contents_leave(launch->regions[i].after);
    }
}

/* ---- the record ------------------------------------------------------------------------------ */

static void add_extent(pm_text *record, const size_t *values, unsigned dimensions)
{
    for (unsigned d = 0; d < dimensions; d++)
        pm_text_add(record, "%s%zu", d ? "," : " ", values[d]);
}

static const char *id_of(size_t contents)
{
    return contents == SIZE_MAX ? "-" : pm_recording_get()->contents[contents].id;
}

static void add_argument(pm_text *record, const pm_rec_launch *launch, unsigned i)
{
    const pm_rec_arg *arg = &launch->args[i];
    size_t n = 0;

    while (n < launch->region_count && launch->regions[n].arg != i)
        n++;
    if (n < launch->region_count) {
        const pm_rec_region *region = &launch->regions[n];

        pm_text_add(record, " buffer:%u:%zu:%zu:%zu:%s:%s", region->id, region->offset,
                    region->bytes, region->at, id_of(region->before),
                    region->unknown ? "?" : id_of(region->after));
        return;
    }
    if (!arg->value) {
        pm_text_add(record, " local:%zu", arg->bytes);
        return;
    }
    pm_text_add(record, " value:");
    for (size_t b = 0; b < arg->bytes; b++)
        pm_text_add(record, "%02x", ((const unsigned char *)arg->value)[b]);
}

static void add_symbols(pm_text *record, const pm_rec_launch *launch)
{
    for (size_t n = 0; n < launch->region_count; n++) {
        const pm_rec_region *region = &launch->regions[n];

        if (region->symbol)
            pm_text_add(record, " symbol:%s:%zu:%s", region->symbol, region->bytes,
                        id_of(region->before));
    }
}

/* Adds the words memory:... to the record of a launch: addresses and contents of its memory. The
 * addresses are needed later to find pointers in the contents. */
static void add_memories(pm_text *record, const pm_rec_launch *launch)
{
    for (size_t n = 0; launch->has_pointers && n < launch->region_count; n++) {
        const pm_rec_region *region = &launch->regions[n];

        if (!region->symbol && !region->handle)
            pm_text_add(record, " memory:%u:%zu:%zu:%s:%s", region->id, region->start,
                        region->bytes, id_of(region->before), id_of(region->after));
    }
}

static bool write_record(const pm_rec_launch *launch, uint64_t number)
{
    pm_text record = {0};

    pm_rec_write_entry(launch->entry);
    pm_text_add(&record, "launch %llu %u %llu", (unsigned long long)number, launch->entry->id,
                (unsigned long long)launch->ns);
    add_extent(&record, launch->global, launch->dimensions);
    add_extent(&record, launch->local, launch->dimensions);
    add_extent(&record, launch->offset, launch->dimensions);
    for (unsigned i = 0; i < launch->arg_count; i++)
        add_argument(&record, launch, i);
    if (launch->shared > 0)
        pm_text_add(&record, " shared:%zu", launch->shared);
    add_symbols(&record, launch);
    add_memories(&record, launch);
    return pm_rec_write(&record);
}

static void keep(const pm_rec_launch *launch, uint64_t number)
{
    pm_rec_kept kept = {.number = number, .ns = launch->ns, .entry = launch->entry};

    kept.contents = calloc(2 * launch->region_count + 1, sizeof *kept.contents);
    for (size_t i = 0; kept.contents && i < launch->region_count; i++) {
        kept.contents[kept.contents_count++] = launch->regions[i].before;
        if (launch->regions[i].after != SIZE_MAX)
            kept.contents[kept.contents_count++] = launch->regions[i].after;
    }
    if (!kept.contents || !pm_rec_keep(&kept))
        free(kept.contents);
}

void pm_rec_done(pm_rec_launch *launch, pm_left_out reason)
{
    uint64_t number;

    pm_rec_lock();
    number = pm_recording_get()->number++;
    pm_rec_learn(launch->entry, launch->items, launch->ns);
    if (reason == PM_CAPTURED && !write_record(launch, number))
        reason = PM_LEFT_UNREADABLE;
    pm_rec_count(launch->entry, reason, true, launch->ns);
    launch->entry->too_large |= reason == PM_LEFT_BYTES;
    if (reason != PM_CAPTURED)
        leave_contents(launch);
    else
        keep(launch, number);
    pm_rec_unlock();
}

void pm_rec_undone(pm_rec_launch *launch, pm_left_out reason)
{
    pm_rec_lock();
    leave_contents(launch);
    launch->entry->too_large |= reason == PM_LEFT_BYTES;
    pm_rec_unlock();
}

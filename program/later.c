/* Postpones the computation of a large buffer's initial contents until they are needed, because
 * some commands never need them. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/contents/fill.h"
#include "program/workload.h"

/* Approximate number of bytes that are computed at a time. A piece has only whole elements. */
enum { PIECE = 1 << 20 };

struct pm_contents_later {
    pm_fills *rules;
    pthread_mutex_t lock; /* of `written` */
    bool written;
};

void pm_contents_later_free(pm_contents_later *later)
{
    if (!later)
        return;
    pthread_mutex_destroy(&later->lock);
    pm_fills_free(later->rules);
    free(later);
}

void *pm_workload_later(pm_workload *workload, pm_fills *rules)
{
    pm_contents_later *later = calloc(1, sizeof *later);
    void *data = later ? pm_workload_contents(workload, rules->bytes) : NULL;
    pm_contents *contents;

    if (later)
        pthread_mutex_init(&later->lock, NULL);
    if (!data || pm_workload_contents_file(workload, data) < 0) {
        if (workload && workload->error.status == PM_OK)
            pm_fail(&workload->error, PM_FAILED,
                    "%s: no memory for a buffer of %zu bytes whose contents are computed later",
                    workload->program, rules->bytes);
        free(data);
        pm_contents_later_free(later);
        pm_fills_free(rules);
        return NULL;
    }
    later->rules = rules;
    contents = &workload->contents[workload->contents_count - 1];
    contents->later = later;
    return data;
}

static pm_contents_later *later_of(const pm_workload *workload, const void *data)
{
    for (size_t i = 0; data && i < workload->contents_count; i++)
        if (workload->contents[i].data == data)
            return workload->contents[i].later;
    for (size_t i = 0; data && i < workload->buffer_count; i++)
        if (workload->buffers[i].lender && workload->buffers[i].initial == data)
            return later_of(workload->buffers[i].lender, data);
    return NULL;
}

const pm_fills *pm_workload_rules(const pm_workload *workload, size_t buffer)
{
    const pm_contents_later *later = later_of(workload, workload->buffers[buffer].initial);

    return later ? later->rules : NULL;
}

static pm_status write_all(const pm_fills *rules, uint8_t *to, const pm_buffer *buffer,
                           pm_error *err)
{
    const size_t each = rules->element_bytes;
    const size_t piece = each > PIECE ? each : PIECE / each * each;
    pm_fill_room *room = pm_fill_room_create();
    char fault[PM_EXPRESSION_FAULT] = "out of memory";
    bool done = room != NULL;

    for (size_t at = 0; done && at < rules->bytes; at += piece) {
        const size_t left = rules->bytes - at;

        done = pm_fills_write(rules, at, left < piece ? left : piece, to + at, room, fault);
    }
    pm_fill_room_free(room);
    if (done)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s: buffer %s, %s", buffer->origin ? buffer->origin : "",
                   buffer->name, fault);
}

pm_status pm_workload_write(const pm_workload *workload, size_t buffer, pm_error *err)
{
    const pm_buffer *of = &workload->buffers[buffer];
    pm_contents_later *later = later_of(workload, of->initial);
    pm_status status = PM_OK;

    if (!later || !later->rules)
        return PM_OK;
    pthread_mutex_lock(&later->lock);
    if (!later->written)
        status = write_all(later->rules, of->initial, of, err);
    later->written |= status == PM_OK;
    pthread_mutex_unlock(&later->lock);
    return status;
}

pm_status pm_workload_settle(pm_workload *workload, size_t buffer, pm_error *err)
{
    pm_contents_later *later = later_of(workload, workload->buffers[buffer].initial);

    if (pm_workload_write(workload, buffer, err) != PM_OK)
        return err->status;
    if (later) {
        pm_fills_free(later->rules);
        later->rules = NULL;
    }
    return PM_OK;
}

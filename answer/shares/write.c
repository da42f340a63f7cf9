/* Appends results to a shard file, the file with the results of one part (shard) of a divided run.
 * See shares.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/shares/shares.h"
#include "base/append.h"
#include "base/error.h"
#include "base/text.h"

struct pm_finished {
    int fd;
    const char *path;
    const pm_log *log;
    size_t bytes; /* size of the complete lines */
    /* true: an incomplete line at the end of the file could not be removed, so that nothing may be
     * appended */
    bool broken;
    json_t *items; /* values of items by key */
    pm_memory memory;
};

/* State while a shard file is opened. */
typedef struct {
    pm_finished *share;
    json_t *head;
    pm_finished_lines lines;
} opening;

static const char to_mend[] = "go on with the same command, choose another file with -o, or remove "
                              "this one";

static void check_head(const opening *o)
{
    pm_memory *memory = &o->share->memory;
    const char *other;

    if (o->lines.count == 0)
        pm_leave(memory, PM_BAD_INPUT,
                 "%s: no share of a run, which begins with a line of what it "
                 "is: choose another file with -o",
                 o->share->path);
    other = pm_finished_difference(memory, o->lines.lines[0], o->head);
    if (other)
        pm_leave(memory, PM_BAD_INPUT, "%s:1: a share of another run, %s now: %s", o->share->path,
                 other, to_mend);
}

static void take_items(const opening *o)
{
    pm_finished *s = o->share;

    for (size_t i = 1; i < o->lines.count; i++) {
        const char *key;
        size_t place;
        json_t *value;

        if (!pm_finished_item_of(o->lines.lines[i], &key, &place, &value))
            pm_leave(&s->memory, PM_BAD_INPUT, "%s:%zu: no item of a share: take the line out",
                     s->path, i + 1);
        if (json_object_set(s->items, key, value) != 0)
            pm_leave(&s->memory, PM_FAILED, "out of memory for %s", s->path);
    }
}

static void cut_torn(const opening *o)
{
    pm_finished *s = o->share;

    s->bytes = o->lines.whole_bytes;
    if (!o->lines.torn)
        return;
    if (ftruncate(s->fd, (off_t)s->bytes) != 0 || fdatasync(s->fd) != 0)
        pm_leave(&s->memory, pm_place_status(errno),
                 "%s:%zu: the torn line cannot be cut off: %s; choose another file with -o",
                 s->path, o->lines.count + 1, strerror(errno));
    pm_notice(s->log, "%s:%zu: the last line is torn, so it is removed and done anew", s->path,
              o->lines.count + 1);
}

static void open_share(void *user)
{
    opening *o = user;
    pm_finished *s = o->share;
    pm_text first = {.memory = &s->memory};
    char *text = o->head ? json_dumps(o->head, JSON_COMPACT) : NULL;

    s->items = json_object();
    if (!text || !s->items) {
        free(text);
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "%s: a name in the workloads is not UTF-8, or memory ran out", s->path);
    }
    pm_text_add(&first, "%s\n", text);
    free(text);
    s->fd = pm_append_open(s->path, pm_text_get(&first), first.length, s->memory.err);
    if (s->fd < 0)
        pm_give_up(&s->memory, s->memory.err->status);
    pm_finished_read_lines(&o->lines, s->path);
    check_head(o);
    take_items(o);
    cut_torn(o);
}

pm_finished *pm_finished_open(const char *path, const pm_finished_head *head, const pm_log *log,
                              pm_error *err)
{
    pm_finished *share = calloc(1, sizeof *share);
    opening o = {.share = share, .head = pm_finished_head_json(head)};
    pm_status status;

    if (!share) {
        json_decref(o.head);
        pm_fail(err, PM_FAILED, "out of memory for %s", path);
        return NULL;
    }
    *share = (pm_finished){.fd = -1, .path = path, .log = log};
    o.lines.memory = &share->memory;
    status = pm_attempt(&share->memory, open_share, &o, err);
    json_decref(o.head);
    pm_finished_lines_free(&o.lines);
    if (status == PM_OK)
        return share;
    pm_finished_close(share);
    return NULL;
}

void pm_finished_close(pm_finished *share)
{
    if (!share)
        return;
    if (share->fd >= 0)
        close(share->fd); /* each line was flushed */
    json_decref(share->items);
    pm_memory_free(&share->memory);
    free(share);
}

const json_t *pm_finished_find(const pm_finished *share, const char *key)
{
    return json_object_get(share->items, key);
}

static pm_status cut_back(pm_finished *share, pm_error *err)
{
    const int reason = errno;

    share->broken = ftruncate(share->fd, (off_t)share->bytes) != 0;
    return pm_fail(err, pm_place_status(reason),
                   "%s: a line could not be written: %s; make room, then run it again to go on",
                   share->path, strerror(reason));
}

pm_status pm_finished_add(pm_finished *share, const char *key, size_t place, json_t *value,
                          pm_error *err)
{
    json_t *line = json_pack("{s:s,s:O}", "key", key, "value", value);
    char *text = NULL;
    size_t length;
    pm_status status = PM_OK;

    if (line && place != PM_NO_PLACE)
        json_object_set_new(line, "place", json_integer((json_int_t)place));
    if (line)
        text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    if (!text || !value) {
        free(text);
        json_decref(value);
        return pm_fail(err, PM_FAILED, "%s: %s: a name is not UTF-8, or memory ran out",
                       share->path, key);
    }
    length = strlen(text);
    /* the line feed takes the place of the terminating 0, which is not needed any more */
    text[length] = '\n';
    if (share->broken)
        status = pm_fail(err, PM_FAILED, "%s: an earlier line could not be cut off: run it again",
                         share->path);
    else if (json_object_get(share->items, key))
        ;
    else if (!pm_append_put(share->fd, text, length + 1))
        status = cut_back(share, err);
    else if (json_object_set(share->items, key, value) != 0)
        status = pm_fail(err, PM_FAILED, "out of memory for %s", share->path);
    else
        share->bytes += length + 1;
    free(text);
    json_decref(value);
    return status;
}

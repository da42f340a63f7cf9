/* What shares of a run have finished: files of JSON lines that grow, go on after a kill, and are
 * joined.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * {"perfmodel": VERSION, "share": COMMAND, "format": 1, "index": I, "of": N, "planned": COUNT,
 *  "run": {...}}
 * {"key": TEXT, "place": NUMBER, "value": ...}
 * ...
 *
 * `run` is alike in all shares of a run: whatever their results depend on. A line is an item that
 * is finished. Its place is that among the items of all shares, and puts results into the order of
 * one run; `planned` counts the items with a place that the share has to have. An item without a
 * place is something that several of the others need. All that a run's results are made of stands
 * in these lines, so that it does not matter which share did what, or how often it was started.
 */
#ifndef PM_SHARES_SHARES_H
#define PM_SHARES_SHARES_H

#include <jansson.h>

#include "base/memory.h"
#include "base/strings.h"

#define PM_NO_PLACE SIZE_MAX

typedef struct {
    const char *command;
    pm_shard shard;
    size_t planned;
    const json_t *run;
} pm_finished_head;

/* The path of a share of what is to be joined into output: NAME-2of3.jsonl for NAME.json. */
pm_status pm_finished_path(const pm_shard *shard, const char *output, char *path, size_t size,
                           pm_error *err);

/* ---- write.c: one share --------------------------------------------------------------------- */

typedef struct pm_finished pm_finished;

/* Opens the share's file to go on with it, or a new one. Whatever a kill has left behind the last
 * whole line is cut off. A file of another run, share or version is PM_BAD_INPUT, and says what is
 * another; one that somebody else writes to is PM_FAILED. */
pm_finished *pm_finished_open(const char *path, const pm_finished_head *head, const pm_log *log,
                              pm_error *err);
/* The value of a finished item, which belongs to the share; NULL: it is not finished. */
const json_t *pm_finished_find(const pm_finished *share, const char *key);
/* Adds a finished item, flushed to the disk; value is released. One that is there already stays as
 * it is. */
pm_status pm_finished_add(pm_finished *share, const char *key, size_t place, json_t *value,
                          pm_error *err);
void pm_finished_close(pm_finished *share);

/* ---- read.c: all of them --------------------------------------------------------------------- */

typedef struct {
    const char *key;
    size_t place;
    json_t *value;
    const char *path; /* where it was read */
    size_t line;
} pm_finished_item;

typedef struct {
    const char *command, *path; /* of the first file */
    json_t *run;
    size_t missing; /* items that shares which are there have not finished, and shares that are not
                       there */
    size_t count;
    pm_finished_item *items; /* of each key one: by place, those without one last, by key */
    size_t file_count;
    struct pm_finished_file *files;
    pm_hash_index keys;
    pm_memory memory;
} pm_joined;

/* The command whose share a file is; NULL: it is none. */
const char *pm_finished_command(const char *path);

/* Reads the shares of a run (paths is NULL-terminated). Files that are no shares of one run are
 * PM_BAD_INPUT, and so are items that are in several lines and not the same, with the first member
 * that differs and both values. A torn last line is dropped, and shares that are missing or not
 * finished are named, with a notice. */
pm_joined *pm_joined_read(const char *const *paths, const pm_log *log, pm_error *err);
void pm_joined_free(pm_joined *shares);
/* The item of a key; NULL: there is none. */
const pm_finished_item *pm_joined_find(const pm_joined *shares, const char *key);

/* ---- line.c: what both are made of ----------------------------------------------------------- */

/* A file's whole lines as documents, in memory's attempt. All zero but for that: none. */
typedef struct {
    pm_memory *memory;
    char *text;
    size_t count;
    json_t **lines;
    size_t whole_bytes; /* of these lines, each of which ends in a newline */
    bool torn;          /* something stands behind them */
} pm_finished_lines;
/* A line that is no JSON object is PM_BAD_INPUT. What was read is to free also then. */
void pm_finished_read_lines(pm_finished_lines *lines, const char *path);
void pm_finished_lines_free(pm_finished_lines *lines);
/* Whether a line is an item: its key, place and value, which stay the line's. */
bool pm_finished_item_of(const json_t *line, const char **key, size_t *place, json_t **value);
json_t *pm_finished_head_json(const pm_finished_head *head);
/* Where two documents differ first, as "MEMBER.MEMBER[3]: VALUE and VALUE"; NULL: nowhere. */
const char *pm_finished_difference(pm_memory *memory, const json_t *a, const json_t *b);

#endif

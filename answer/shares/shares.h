/* Shard files. A long run can be divided into shards (parts) for several processes or machines.
 * Each shard appends its results to a file of its own, one JSON text per line, and continues from
 * this file if it is started again. Later the files of all shards are joined.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * {"perfmodel": VERSION, "share": COMMAND, "format": 1, "index": I, "of": N, "planned": COUNT,
 *  "run": {...}}
 * {"key": TEXT, "place": NUMBER, "value": ...}
 * ...
 *
 * The first line is the head of the file. `run` is everything that results depend on, and is equal
 * in all shard files of a run. `planned` is the number of items with a place that the complete file
 * has. Each other line is a finished item. `place` is the item's index in the order in which one
 * run without shards would finish the items. An item without a place is data that several other
 * items need. Results are computed from these lines alone. They do not depend on which shard did an
 * item, or on how often a shard was restarted.
 */
#ifndef PM_ANSWER_SHARES_SHARES_H
#define PM_ANSWER_SHARES_SHARES_H

#include <jansson.h>

#include "base/memory.h"
#include "base/strings.h"

/* value of `place` (index of an item in the order of a run without shards) for an item without such
 * an index */
#define PM_NO_PLACE SIZE_MAX

/* First line of a shard file. The file has the results of one part (shard) of a run that is
 * divided among several processes. */
typedef struct {
    const char *command; /* command that writes the file: check, trace or tune */
    pm_shard shard;
    /* number of items that the complete file will have, without items that have no index
     * (PM_NO_PLACE) */
    size_t planned;
    /* JSON object with everything on which the results depend, such as options and targets; all
     * shards of a run have an equal one */
    const json_t *run;
} pm_finished_head;

/* Writes the path of a shard's file into path: NAME-2of3.jsonl if output is NAME.json. Without
 * shards (shard->count 0) it is output. PM_BAD_INPUT if the path is too long. */
pm_status pm_finished_path(const pm_shard *shard, const char *output, char *path, size_t size,
                           pm_error *err);

/* ---- write.c: appends to one shard file ----------------------------------------------------- */

typedef struct pm_finished pm_finished;

/* Opens a shard file to append to it, and creates it if it does not exist. An incomplete last line,
 * which an interrupted run may leave, is cut off with a notice. path and log must outlive the
 * result. Close the result with pm_finished_close. NULL on failure: PM_BAD_INPUT if the file is of
 * another run, shard or version, and the message names the difference; PM_FAILED if another process
 * writes to it. */
pm_finished *pm_finished_open(const char *path, const pm_finished_head *head, const pm_log *log,
                              pm_error *err);
/* Returns the value that the shard file has for a finished item, such as a checked program. `share`
 * owns the value. NULL: the item is not finished. */
const json_t *pm_finished_find(const pm_finished *share, const char *key);
/* Appends a finished item to the shard file and flushes the file to the disk. Takes ownership of
 * value, also on failure. If the file already has an item with this key, nothing changes. */
pm_status pm_finished_add(pm_finished *share, const char *key, size_t place, json_t *value,
                          pm_error *err);
void pm_finished_close(pm_finished *share);

/* ---- read.c: joins all shard files of a run ------------------------------------------------- */

/* One result in a shard file, which has the results of one part (shard) of a divided run. */
typedef struct {
    const char *key;
    size_t place; /* index of the result in a run without shards, or PM_NO_PLACE */
    json_t *value;
    const char *path; /* file that has the item */
    size_t line;      /* line of the item in that file, from 1 */
} pm_finished_item;

/* The results of all shards (parts) of a run that was divided among several processes, joined
 * from their files. The struct owns all that its members point to, except paths. */
typedef struct {
    const char *command, *path; /* command that wrote the first file, and the path of that file */
    json_t *run;                /* member `run` of the head of the first file */
    /* number of items that the given files lack, plus the number of files that were not given */
    size_t missing;
    size_t count;
    /* The items of all files, one for each key. They are sorted by their index in a run without
     * shards; items without an index come last, sorted by key. */
    pm_finished_item *items;
    size_t file_count;
    struct pm_finished_file *files;
    pm_hash_index keys;
    pm_memory memory;
} pm_joined;

/* Returns the name of the command that wrote a shard file (check, trace or tune), a static text.
 * NULL: the file is no shard file. */
const char *pm_finished_command(const char *path);

/* Reads the shard files of a run. paths is NULL-terminated and must outlive the result. An
 * incomplete last line of a file is dropped with a notice. Missing and incomplete shards are named
 * in notices. Free the result with pm_joined_free. NULL on failure. PM_BAD_INPUT if the files are
 * not of one run, or if two lines have the same key and differ; the message has the first member
 * that differs and both values. */
pm_joined *pm_joined_read(const char *const *paths, const pm_log *log, pm_error *err);
void pm_joined_free(pm_joined *shares);
/* Returns the item with this key, which `shares` owns. NULL: there is none. */
const pm_finished_item *pm_joined_find(const pm_joined *shares, const char *key);

/* ---- line.c: lines, used by read.c and write.c ---------------------------------------------- */

/* Complete lines of a file, parsed as JSON. Functions that read them raise errors with `memory`
 * (base/memory.h). Initialize all other members with 0. */
typedef struct {
    pm_memory *memory;
    char *text; /* text of the file */
    size_t count;
    json_t **lines;     /* `count` documents */
    size_t whole_bytes; /* number of bytes of the complete lines, including their newlines */
    bool torn;          /* true: an incomplete line follows the complete lines */
} pm_finished_lines;
/* Reads the lines of a file. PM_BAD_INPUT if a line is no JSON object. Call pm_finished_lines_free
 * in any case. */
void pm_finished_read_lines(pm_finished_lines *lines, const char *path);
void pm_finished_lines_free(pm_finished_lines *lines);
/* Returns true if a line of a shard file is a finished item rather than the head or something else.
 * Sets *key, *place (PM_NO_PLACE: none) and *value then. key and value belong to `line`. */
bool pm_finished_item_of(const json_t *line, const char **key, size_t *place, json_t **value);
/* Makes the JSON object in the first line of a shard file. The caller releases it. NULL: out of
 * memory, or a text is not UTF-8. */
json_t *pm_finished_head_json(const pm_finished_head *head);
/* Returns the first difference of two documents as a text in memory: "MEMBER.MEMBER[3]: VALUE and
 * VALUE". NULL: they are equal. */
const char *pm_finished_difference(pm_memory *memory, const json_t *a, const json_t *b);

#endif

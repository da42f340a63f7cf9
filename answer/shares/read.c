/* Joins the shard files of a run. See shares.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/shares/shares.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

enum { MOST_SHARES = 1000000 };

typedef struct pm_finished_file {
    const char *path;
    pm_finished_lines lines;
    unsigned index, of;
    size_t planned, finished;
} pm_finished_file;

typedef struct {
    const char *const *paths;
    const pm_log *log;
    pm_joined *shares;
} joining;

/* ---- heads ---------------------------------------------------------------------------------- */

/* Returns a copy of a shard file's head with only the members that are equal in all shard files of
 * a run. NULL: out of memory. */
static json_t *common_of(const json_t *head)
{
    json_t *common = json_copy((json_t *)head);

    json_object_del(common, "index");
    json_object_del(common, "planned");
    return common;
}

static void check_alike(const joining *j, const pm_finished_file *file)
{
    const pm_finished_file *first = &j->shares->files[0];
    pm_memory *memory = &j->shares->memory;
    json_t *a = common_of(first->lines.lines[0]), *b = common_of(file->lines.lines[0]);
    const char *other = a && b ? pm_finished_difference(memory, a, b) : "out of memory";

    json_decref(a);
    json_decref(b);
    if (other)
        pm_leave(memory, PM_BAD_INPUT,
                 "%s:1: not of the run of %s, %s: shares of one run are joined", file->path,
                 first->path, other);
}

static void read_head(const joining *j, pm_finished_file *file)
{
    pm_joined *s = j->shares;
    json_t *run;
    const char *command, *version;
    json_int_t index, of, planned;
    int format;

    if (file->lines.count == 0 ||
        json_unpack(file->lines.lines[0], "{s:s,s:s,s:i,s:I,s:I,s:I,s:o!}", "perfmodel", &version,
                    "share", &command, "format", &format, "index", &index, "of", &of, "planned",
                    &planned, "run", &run) != 0 ||
        index < 1 || index > of || of > MOST_SHARES || planned < 0 || !json_is_object(run))
        pm_leave(
            &s->memory, PM_BAD_INPUT,
            "%s:1: no share of a run, which perfmodel tune, trace and check write with --shard",
            file->path);
    if (strcmp(version, PM_VERSION) != 0)
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "%s:1: perfmodel %.40s wrote it, and this is " PM_VERSION
                 ": join shares with the version that wrote them",
                 file->path, version);
    file->index = (unsigned)index;
    file->of = (unsigned)of;
    file->planned = (size_t)planned;
    if (file == s->files) {
        s->command = command;
        s->run = run;
        s->path = file->path;
    }
    check_alike(j, file);
}

static void read_file(const joining *j, const char *path)
{
    pm_joined *s = j->shares;
    pm_finished_file *file = pm_add(&s->memory, s->files, s->file_count);

    *file = (pm_finished_file){.path = path, .lines = {.memory = &s->memory}};
    pm_finished_read_lines(&file->lines, path);
    read_head(j, file);
    if (file->lines.torn)
        pm_notice(j->log, "%s:%zu: the last line is torn, and dropped", path,
                  file->lines.count + 1);
}

/* ---- items ---------------------------------------------------------------------------------- */

typedef struct {
    const pm_joined *shares;
    const char *key;
} wanted;

static bool is_key(const void *key, size_t value)
{
    const wanted *w = key;

    return strcmp(w->shares->items[value].key, w->key) == 0;
}

const pm_finished_item *pm_joined_find(const pm_joined *shares, const char *key)
{
    const wanted w = {shares, key};
    const size_t found = pm_hash_index_find(&shares->keys, pm_hash_text(key), is_key, &w);

    return found == PM_NO_ENTRY ? NULL : &shares->items[found];
}

static void check_same(pm_joined *s, const pm_finished_item *first, const pm_finished_item *again)
{
    const char *other;

    if (first->place != again->place)
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "%s:%zu: %.120s has another place than in %s:%zu: take "
                 "one of the two out",
                 again->path, again->line, again->key, first->path, first->line);
    other = pm_finished_difference(&s->memory, first->value, again->value);
    if (other)
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "%s:%zu: %.120s is another item than in %s:%zu, %s: take one of the two out",
                 again->path, again->line, again->key, first->path, first->line, other);
}

static void take_item(pm_joined *s, pm_finished_file *file, size_t i)
{
    pm_finished_item item = {.path = file->path, .line = i + 1};
    const pm_finished_item *there;

    if (!pm_finished_item_of(file->lines.lines[i], &item.key, &item.place, &item.value))
        pm_leave(&s->memory, PM_BAD_INPUT, "%s:%zu: no item of a share: take the line out",
                 file->path, i + 1);
    file->finished += item.place != PM_NO_PLACE;
    there = pm_joined_find(s, item.key);
    if (there) {
        check_same(s, there, &item);
        return;
    }
    if (!pm_hash_index_add(&s->keys, pm_hash_text(item.key), s->count))
        pm_leave(&s->memory, PM_FAILED, "out of memory for %s", file->path);
    *pm_add(&s->memory, s->items, s->count) = item;
}

static int by_place(const void *a, const void *b)
{
    const pm_finished_item *x = a, *y = b;

    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : strcmp(x->key, y->key);
}

static void sort(pm_joined *s)
{
    if (s->count > 0)
        qsort(s->items, s->count, sizeof *s->items, by_place);
    pm_hash_index_clear(&s->keys);
    for (size_t i = 0; i < s->count; i++)
        if (!pm_hash_index_add(&s->keys, pm_hash_text(s->items[i].key), i))
            pm_leave(&s->memory, PM_FAILED, "out of memory for %s", s->path);
}

/* ---- missing items -------------------------------------------------------------------------- */

static const pm_finished_file *share_of(const pm_joined *s, unsigned index)
{
    const pm_finished_file *best = NULL;

    for (size_t i = 0; i < s->file_count; i++)
        if (s->files[i].index == index && (!best || s->files[i].finished > best->finished))
            best = &s->files[i];
    return best;
}

static void tell_missing(const joining *j)
{
    pm_joined *s = j->shares;
    char list[256] = "";

    for (unsigned index = 1; index <= s->files[0].of; index++) {
        const pm_finished_file *file = share_of(s, index);

        if (!file) {
            pm_list_add(list, sizeof list, "%u", index);
            s->missing++;
        } else if (file->finished < file->planned) {
            pm_notice(j->log, "%s: %zu of its %zu items are not finished: run that share again",
                      file->path, file->planned - file->finished, file->planned);
            s->missing += file->planned - file->finished;
        }
    }
    if (*list)
        pm_notice(j->log, "of %u shares these are missing: %s", s->files[0].of, list);
}

/* ---- joining -------------------------------------------------------------------------------- */

static void join(void *user)
{
    const joining *j = user;
    pm_joined *s = j->shares;

    for (const char *const *path = j->paths; *path; path++)
        read_file(j, *path);
    for (size_t f = 0; f < s->file_count; f++)
        for (size_t i = 1; i < s->files[f].lines.count; i++)
            take_item(s, &s->files[f], i);
    sort(s);
    tell_missing(j);
}

pm_joined *pm_joined_read(const char *const *paths, const pm_log *log, pm_error *err)
{
    joining j = {.paths = paths, .log = log, .shares = calloc(1, sizeof *j.shares)};

    if (!j.shares) {
        pm_fail(err, PM_FAILED, "out of memory for shares");
        return NULL;
    }
    if (!*paths)
        pm_fail(err, PM_BAD_INPUT, "no shares to join: name the files that --shard has written");
    else if (pm_attempt(&j.shares->memory, join, &j, err) == PM_OK)
        return j.shares;
    pm_joined_free(j.shares);
    return NULL;
}

void pm_joined_free(pm_joined *shares)
{
    if (!shares)
        return;
    for (size_t i = 0; i < shares->file_count; i++)
        pm_finished_lines_free(&shares->files[i].lines);
    pm_hash_index_clear(&shares->keys);
    pm_memory_free(&shares->memory);
    free(shares);
}

const char *pm_finished_command(const char *path)
{
    static const char *const commands[] = {"check", "trace", "tune"};
    pm_error ignored = {0};
    char start[256], word[40];
    const int fd = pm_file_open(path, &ignored);
    const ssize_t bytes = fd < 0 ? -1 : pread(fd, start, sizeof start - 1, 0);

    if (fd >= 0)
        close(fd);
    if (bytes < 0)
        return NULL;
    start[bytes] = '\0';
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(word, sizeof word, "\"share\":\"%s\"", commands[i]);
        if (strncmp(start, "{\"perfmodel\":", 13) == 0 && strstr(start, word))
            return commands[i];
    }
    return NULL;
}

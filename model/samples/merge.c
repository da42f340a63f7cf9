/* Merges datasets that several processes have measured, each of which did one part (shard) of the
 * programs. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are copied byte by byte from their files. They are sorted by the order in which an unsharded
 * run would have collected them. The provenance of each shard records this order ("plan"). Rows
 * without a position come last, in the order of the files.
 */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/session/session.h"
#include "base/text.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

enum { MOST_BYTES = 1 << 30 };
static const char another[] = "choose another file with -o";

typedef struct {
    const char *path;
    char *text;         /* content of the file */
    const char **lines; /* lines[i]: address of the start of line i in `text` */
    size_t line_count;
    pm_dataset *dataset; /* parsed content of the same file */
    json_t *document;    /* provenance; NULL if there is none */
} share;

typedef struct {
    const share *from;
    const pm_sample *sample;
    const char *line;
    size_t length;
    /* place: position of the row's workload in a run without shards ("plan" in the provenance);
     * number: index of the row among all rows, in the order of the files */
    size_t place, number;
} row;

typedef struct {
    const char *const *paths;
    const char *output;
    const pm_log *log;
    size_t share_count, row_count;
    share *shares;
    row *rows;
    pm_memory memory;
} merging;

/* ---- reading -------------------------------------------------------------------------------- */

static void split(merging *m, share *s)
{
    const char *line = s->text;

    for (const char *end; (end = strchr(line, '\n')); line = end + 1)
        *pm_add(&m->memory, s->lines, s->line_count) = line;
}

static void read_document(merging *m, share *s)
{
    char path[PATH_MAX];
    json_error_t why;
    char *text;

    pm_require(&m->memory, pm_provenance_path(s->path, path, m->memory.err));
    if (access(path, F_OK) != 0)
        return;
    pm_require(&m->memory,
               pm_file_read(path, MOST_BYTES, "the provenance of a dataset", &text, m->memory.err));
    s->document = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!json_is_object(s->document) || !json_is_array(json_object_get(s->document, "runs")))
        pm_leave(&m->memory, PM_BAD_INPUT,
                 "%s: no provenance of a dataset; move it away, and the order of rows is that of "
                 "the files",
                 path);
}

/* Reads a shard. A shard may have no rows, if it had nothing to measure. */
static void read_dataset(merging *m, share *s)
{
    pm_error *err = m->memory.err;
    const int fd = pm_file_open(s->path, err);

    if (fd >= 0) {
        s->dataset = pm_dataset_read_fd(fd, s->path, err);
        close(fd);
    }
    if (!s->dataset)
        pm_give_up(&m->memory, err->status);
    if (s->dataset->end.torn_line)
        pm_notice(m->log,
                  "%s:%zu: the last row has no newline at its end and may be cut short, so it is "
                  "dropped",
                  s->path, s->dataset->end.torn_line);
    pm_require(&m->memory, pm_file_read(s->path, MOST_BYTES, "a dataset", &s->text, err));
    if (!strchr(s->text, '\n'))
        pm_leave(&m->memory, PM_BAD_INPUT, "%s:1: its header has no end: collect it again",
                 s->path);
}

static void read_share(merging *m, share *s)
{
    read_dataset(m, s);
    split(m, s);
    read_document(m, s);
}

/* Returns the number of bytes of the header line with its newline. */
static size_t header_length(const share *s)
{
    return (size_t)(strchr(s->text, '\n') - s->text) + 1;
}

/* Returns the number of bytes of row i with its newline. A row spans several lines if a cell has a
 * line break. */
static size_t row_length(const share *s, size_t i)
{
    const size_t line = pm_dataset_sample(s->dataset, i)->line;
    const size_t torn = s->dataset->end.torn_line;
    const char *end = strrchr(s->text, '\n') + 1;

    if (i + 1 < pm_dataset_rows(s->dataset))
        end = s->lines[pm_dataset_sample(s->dataset, i + 1)->line - 1];
    else if (torn > 0 && torn <= s->line_count)
        end = s->lines[torn - 1];
    return (size_t)(end - s->lines[line - 1]);
}

/* Raises an error if the shard has other columns or another device than the first shard. */
static void check_alike(const merging *m, const share *s)
{
    const share *first = &m->shares[0];
    const size_t length = header_length(first);

    if (header_length(s) != length || memcmp(s->text, first->text, length) != 0)
        pm_leave(&m->memory, PM_BAD_INPUT,
                 "%s:1: its columns are not those of %s: shares of one run are joined", s->path,
                 first->path);
    for (size_t i = 0; i < pm_dataset_rows(s->dataset); i++) {
        const pm_sample *sample = pm_dataset_sample(s->dataset, i);

        if (m->row_count > 0 && strcmp(sample->device, m->rows[0].sample->device) != 0)
            pm_leave(&m->memory, PM_BAD_INPUT, "%s:%zu: is of %.60s, and %s of %.60s", s->path,
                     sample->line, sample->device, m->rows[0].from->path,
                     m->rows[0].sample->device);
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

static size_t place_of(const share *s, const pm_sample *sample)
{
    const json_t *plan = json_object_get(s->document, "plan");
    const json_t *sizes = json_object_get(json_object_get(plan, sample->program), sample->variant);
    const json_t *place = json_object_get(sizes, sample->size);

    return json_is_integer(place) && json_integer_value(place) >= 0
               ? (size_t)json_integer_value(place)
               : SIZE_MAX;
}

static void take_rows(merging *m, const share *s)
{
    for (size_t i = 0; i < pm_dataset_rows(s->dataset); i++) {
        const pm_sample *sample = pm_dataset_sample(s->dataset, i);
        const char *line = s->lines[sample->line - 1];
        const row new = {s, sample, line, row_length(s, i), place_of(s, sample), m->row_count};

        *pm_add(&m->memory, m->rows, m->row_count) = new;
    }
}

static int by_key(const void *a, const void *b)
{
    const row *x = a, *y = b;
    const char *const left[] = {x->sample->program, x->sample->variant, x->sample->size,
                                x->sample->kernel, x->sample->counter_source};
    const char *const right[] = {y->sample->program, y->sample->variant, y->sample->size,
                                 y->sample->kernel, y->sample->counter_source};
    int order = 0;

    for (size_t i = 0; order == 0 && i < sizeof left / sizeof *left; i++)
        order = strcmp(left[i], right[i]);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_place(const void *a, const void *b)
{
    const row *x = a, *y = b;

    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->number > y->number) - (x->number < y->number);
}

static bool is_same_key(const row *a, const row *b)
{
    row x = *a, y = *b;

    x.number = y.number = 0;
    return by_key(&x, &y) == 0;
}

/* Removes all but the first of identical rows, and sorts the rows by position. Raises an error if
 * two rows with the same key (program, variant, size, kernel and so on) differ. */
static void drop_duplicates(merging *m)
{
    size_t kept = 0;

    qsort(m->rows, m->row_count, sizeof *m->rows, by_key);
    for (size_t i = 0; i < m->row_count; i++) {
        const row *r = &m->rows[i], *last = kept > 0 ? &m->rows[kept - 1] : NULL;

        if (last && is_same_key(last, r)) {
            if (last->length != r->length || memcmp(last->line, r->line, r->length) != 0)
                pm_leave(&m->memory, PM_BAD_INPUT,
                         "%s:%zu: %s %s %s, kernel %s, is another row than in %s:%zu: take one of "
                         "the two out",
                         r->from->path, r->sample->line, r->sample->program, r->sample->variant,
                         r->sample->size, r->sample->kernel, last->from->path, last->sample->line);
            continue;
        }
        m->rows[kept++] = *r;
    }
    m->row_count = kept;
    qsort(m->rows, m->row_count, sizeof *m->rows, by_place);
}

/* ---- provenance ----------------------------------------------------------------------------- */

/* Logs a notice with the indices of the shards that have no entry in `runs`, the provenance's list
 * of runs. */
static void tell_missing(const merging *m, const json_t *runs)
{
    const json_t *run;
    size_t i;
    int index, count = 0, of;
    char list[256] = "";

    json_array_foreach(runs, i, run)
    {
        if (json_unpack((json_t *)json_object_get(run, "shard"), "[i,i!]", &index, &of) == 0)
            count = of;
    }
    for (int want = 1; want <= count; want++) {
        bool found = false;

        json_array_foreach(runs, i, run)
        {
            found = found || (json_unpack((json_t *)json_object_get(run, "shard"), "[i,i!]", &index,
                                          &of) == 0 &&
                              index == want && of == count);
        }
        if (!found)
            pm_list_add(list, sizeof list, "%d", want);
    }
    if (*list)
        pm_notice(m->log, "%s: of %d shares these are missing: %s", m->output, count, list);
}

/* Adds two properties of one shard's provenance to the merged dataset's provenance: the workloads'
 * digests ("definitions") and the languages of sources. */
static void add_variants(json_t *to, const json_t *from)
{
    static const char *const keys[] = {"definitions", "languages"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *there = json_object_get(to, keys[i]);
        const json_t *new = json_object_get(from, keys[i]);

        if (json_is_object(new) && !json_is_object(there))
            json_object_set_new(to, keys[i], json_deep_copy(new));
        else if (json_is_object(new))
            json_object_update_recursive(there, (json_t *)new);
    }
}

static void write_provenance(merging *m)
{
    char path[PATH_MAX], *text;
    json_t *whole = NULL;
    pm_status status;

    for (size_t i = 0; i < m->share_count; i++) {
        const json_t *document = m->shares[i].document;

        if (!document)
            continue;
        if (!whole) {
            whole = json_deep_copy(document);
            json_object_del(whole, "plan");
            continue;
        }
        json_array_extend(json_object_get(whole, "runs"), json_object_get(document, "runs"));
        add_variants(whole, document);
    }
    if (!whole)
        return;
    tell_missing(m, json_object_get(whole, "runs"));
    status = pm_provenance_path(m->output, path, m->memory.err);
    text = json_dumps(whole, JSON_INDENT(2));
    json_decref(whole);
    if (!text)
        pm_leave(&m->memory, PM_FAILED, "out of memory for the provenance of %s", m->output);
    if (status == PM_OK)
        status = pm_file_write(path, text, another, m->memory.err);
    free(text);
    pm_require(&m->memory, status);
}

/* ---- the merged dataset --------------------------------------------------------------------- */

static void write_rows(merging *m)
{
    pm_text text = {.memory = &m->memory};

    pm_text_put(&text, m->shares[0].text, header_length(&m->shares[0]));
    for (size_t i = 0; i < m->row_count; i++)
        pm_text_put(&text, m->rows[i].line, m->rows[i].length);
    pm_require(&m->memory, pm_file_write(m->output, pm_text_get(&text), another, m->memory.err));
}

static void merge(void *user)
{
    merging *m = user;

    while (m->paths[m->share_count])
        m->share_count++;
    m->shares = pm_take(&m->memory, m->share_count, sizeof *m->shares);
    for (size_t i = 0; i < m->share_count; i++) {
        m->shares[i].path = m->paths[i];
        read_share(m, &m->shares[i]);
        check_alike(m, &m->shares[i]);
        take_rows(m, &m->shares[i]);
    }
    drop_duplicates(m);
    write_provenance(m);
    write_rows(m);
}

pm_status pm_merge(pm_session *session, const char *const *paths, const char *output, pm_error *err)
{
    merging m = {.paths = paths, .output = output, .log = pm_session_log(session)};
    pm_status status;

    if (!paths || !*paths)
        return pm_fail(err, PM_BAD_INPUT, "no shares to join: name those that collect has written");
    status = pm_attempt(&m.memory, merge, &m, err);
    for (size_t i = 0; m.shares && i < m.share_count; i++) {
        free(m.shares[i].text);
        pm_dataset_free(m.shares[i].dataset);
        json_decref(m.shares[i].document);
    }
    pm_memory_free(&m.memory);
    return status;
}

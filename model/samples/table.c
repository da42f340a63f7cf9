/* Stores a dataset (a table of measured kernels) in memory: its columns, its rows, and hash indices
 * to find a row by its names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/samples/table.h"

#include "base/error.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "model/samples/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const pm_known_column pm_known_columns[PM_KNOWN_COLUMNS] = {
    {"device", true, true, offsetof(pm_sample, device)},
    {"program", true, true, offsetof(pm_sample, program)},
    {"variant", true, true, offsetof(pm_sample, variant)},
    {"size", true, true, offsetof(pm_sample, size)},
    {"kernel", true, true, offsetof(pm_sample, kernel)},
    {"counter_source", true, true, offsetof(pm_sample, counter_source)},
    {"origin", false, false, offsetof(pm_sample, origin)},
    {"time_s", true, true, offsetof(pm_sample, time_s)},
    {"time_mad_s", false, true, offsetof(pm_sample, time_mad_s)},
    {"runs", false, true, offsetof(pm_sample, runs)},
    {"work_items", false, true, offsetof(pm_sample, work_items)},
    {"work_group", false, true, offsetof(pm_sample, work_group)},
};

/* Columns that identify a row, as a range of text columns: begin <= column < end. whole_key: all
 * key columns. */
typedef struct {
    size_t begin, end;
} key_columns;
static const key_columns whole_key = {0, PM_KEY_COLUMNS};
/* place_key: the columns program, variant, size and kernel, by which a row is found whatever its
 * device and its source of counters */
static const key_columns place_key = {1, 5};

size_t pm_known_column_of(const char *name)
{
    for (size_t i = 0; i < PM_KNOWN_COLUMNS; i++)
        if (strcmp(pm_known_columns[i].name, name) == 0)
            return i;
    return PM_NO_ENTRY;
}

const char **pm_sample_text(pm_sample *sample, size_t known)
{
    return (const char **)((char *)sample + pm_known_columns[known].offset);
}

double *pm_sample_number(pm_sample *sample, size_t known)
{
    return (double *)((char *)sample + pm_known_columns[known].offset);
}

static const char *text_of(const pm_sample *sample, size_t known)
{
    return *(const char *const *)((const char *)sample + pm_known_columns[known].offset);
}

pm_dataset *pm_dataset_create(const char *path)
{
    pm_dataset *dataset = calloc(1, sizeof *dataset);
    if (!dataset)
        return NULL;
    dataset->path = strdup(path);
    if (!dataset->path) {
        free(dataset);
        return NULL;
    }
    return dataset;
}

void pm_dataset_free(pm_dataset *dataset)
{
    if (!dataset)
        return;
    free(dataset->path);
    pm_strings_clear(&dataset->strings);
    free(dataset->columns);
    free(dataset->counters);
    free(dataset->samples);
    free(dataset->values);
    pm_hash_index_clear(&dataset->keys);
    pm_hash_index_clear(&dataset->places);
    free(dataset);
}

/* ---- keys: equal strings of a dataset have one address, so addresses are compared ----------- */

static uint64_t hash_key(const pm_sample *sample, key_columns columns)
{
    uint64_t hash = 0;
    for (size_t i = columns.begin; i < columns.end; i++) {
        hash = (hash ^ (uintptr_t)text_of(sample, i)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

typedef struct {
    const pm_dataset *dataset;
    const pm_sample *sample;
    key_columns columns;
} row_key;

static bool same_row(const void *key, size_t row)
{
    const row_key *wanted = key;
    const pm_sample *there = &wanted->dataset->samples[row];
    for (size_t i = wanted->columns.begin; i < wanted->columns.end; i++)
        if (text_of(there, i) != text_of(wanted->sample, i))
            return false;
    return true;
}

/* Returns the index of a row by its key columns; PM_NO_ENTRY: there is none. The sample's texts
 * must be pointers that dataset->strings owns, because they are compared by address. */
static size_t find_row(const pm_dataset *dataset, const pm_hash_index *index,
                       const pm_sample *sample, key_columns columns)
{
    row_key key = {dataset, sample, columns};
    return pm_hash_index_find(index, hash_key(sample, columns), same_row, &key);
}

static size_t find_like(const pm_dataset *dataset, const pm_hash_index *index,
                        const pm_sample *like, key_columns columns)
{
    pm_sample sample = *like;
    for (size_t i = columns.begin; i < columns.end; i++) {
        const char **text = pm_sample_text(&sample, i);
        *text = *text ? pm_strings_find(&dataset->strings, *text) : NULL;
        if (!*text)
            return PM_NO_ENTRY;
    }
    return find_row(dataset, index, &sample, columns);
}

size_t pm_dataset_find_key(const pm_dataset *dataset, const pm_sample *like)
{
    return find_like(dataset, &dataset->keys, like, whole_key);
}

const pm_sample *pm_dataset_find(const pm_dataset *dataset, const pm_sample *like)
{
    size_t row = find_like(dataset, &dataset->places, like, place_key);
    return row == PM_NO_ENTRY ? NULL : &dataset->samples[row];
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool grow(pm_dataset *dataset)
{
    size_t capacity = dataset->capacity ? dataset->capacity * 2 : 8;
    pm_sample *samples = reallocarray(dataset->samples, capacity, sizeof *samples);
    if (!samples)
        return false;
    dataset->samples = samples;
    if (dataset->counter_count) {
        if (capacity > SIZE_MAX / dataset->counter_count)
            return false;
        double *values =
            reallocarray(dataset->values, capacity * dataset->counter_count, sizeof *values);
        if (!values)
            return false;
        dataset->values = values;
        for (size_t row = 0; row < dataset->rows; row++)
            samples[row].counters = values + row * dataset->counter_count;
    }
    dataset->capacity = capacity;
    return true;
}

bool pm_dataset_add(pm_dataset *dataset, const pm_sample *sample, size_t *earlier)
{
    pm_sample kept = *sample;
    size_t found = PM_NO_ENTRY;

    for (size_t i = 0; i < PM_TEXT_COLUMNS; i++) {
        const char **text = pm_sample_text(&kept, i);
        *text = pm_strings_add(&dataset->strings, *text ? *text : "");
        if (!*text)
            return false;
    }
    found = find_row(dataset, &dataset->keys, &kept, whole_key);
    if (earlier)
        *earlier = found;
    if (found != PM_NO_ENTRY || (dataset->rows == dataset->capacity && !grow(dataset)))
        return false;

    size_t row = dataset->rows;
    if (dataset->counter_count) {
        double *values = dataset->values + row * dataset->counter_count;
        memcpy(values, sample->counters, dataset->counter_count * sizeof *values);
        kept.counters = values;
    } else {
        kept.counters = NULL;
    }
    dataset->samples[row] = kept;
    if (!pm_hash_index_add(&dataset->keys, hash_key(&kept, whole_key), row))
        return false;
    if (find_row(dataset, &dataset->places, &kept, place_key) == PM_NO_ENTRY &&
        !pm_hash_index_add(&dataset->places, hash_key(&kept, place_key), row))
        return false;
    dataset->rows++;
    return true;
}

static bool text_fault(const pm_sample *sample, char text[PM_FAULT_SIZE])
{
    char shown[PM_SHOWN_CELL];
    for (size_t i = 0; i < PM_TEXT_COLUMNS; i++) {
        const char *cell = text_of(sample, i), *column = pm_known_columns[i].name;
        if (!cell) /* only the text `origin` may be NULL */
            continue;
        if (!*cell && i != PM_ORIGIN_COLUMN && cell != sample->counter_source) {
            snprintf(text, PM_FAULT_SIZE, "%s is empty; name it", column);
            return true;
        }
        if (!pm_is_utf8(cell)) {
            snprintf(text, PM_FAULT_SIZE, "%s is '%s', which is not UTF-8; write it in UTF-8",
                     column, pm_shown(cell, shown, sizeof shown));
            return true;
        }
    }
    return false;
}

static bool number_fault(const pm_sample *sample, char text[PM_FAULT_SIZE])
{
    pm_sample copy = *sample;
    for (size_t i = PM_TIME_COLUMN; i < PM_KNOWN_COLUMNS; i++) {
        double value = *pm_sample_number(&copy, i);
        bool zero = value == 0 && i != PM_TIME_COLUMN;
        if (isnan(value) || (isfinite(value) && value > 0) || zero)
            continue;
        snprintf(text, PM_FAULT_SIZE, "%s is %g; %s, so measure this row again or remove it",
                 pm_known_columns[i].name, value,
                 i == PM_TIME_COLUMN ? "a time is above zero"
                                     : "it is never below zero or infinite");
        return true;
    }
    return false;
}

static bool counters_fault(const pm_sample *sample, size_t counters, char text[PM_FAULT_SIZE])
{
    bool known = !isnan(sample->time_s);
    for (size_t i = 0; i < counters; i++) {
        known = known || !isnan(sample->counters[i]);
        if (isinf(sample->counters[i])) {
            snprintf(text, PM_FAULT_SIZE, "counter %zu is infinite; leave it unknown", i + 1);
            return true;
        }
    }
    if (!known)
        snprintf(text, PM_FAULT_SIZE,
                 "time_s is empty and no counter is known; measure this row again or remove it");
    return !known;
}

bool pm_sample_fault(const pm_sample *sample, size_t counters, char text[PM_FAULT_SIZE])
{
    return text_fault(sample, text) || number_fault(sample, text) ||
           counters_fault(sample, counters, text);
}

/* ---- the public functions ------------------------------------------------------------------- */

const char *pm_dataset_path(const pm_dataset *dataset)
{
    return dataset->path;
}

size_t pm_dataset_rows(const pm_dataset *dataset)
{
    return dataset->rows;
}

size_t pm_dataset_counters(const pm_dataset *dataset)
{
    return dataset->counter_count;
}

const char *pm_dataset_counter_name(const pm_dataset *dataset, size_t counter)
{
    return counter < dataset->counter_count ? dataset->counters[counter] : NULL;
}

size_t pm_dataset_counter_at(const pm_dataset *dataset, const char *name)
{
    size_t i = 0;

    while (i < dataset->counter_count && strcmp(dataset->counters[i], name) != 0)
        i++;
    return i;
}

double pm_dataset_counter(const pm_dataset *dataset, const pm_sample *sample, const char *name)
{
    const size_t at = pm_dataset_counter_at(dataset, name);

    return at < dataset->counter_count ? sample->counters[at] : (double)NAN;
}

bool pm_dataset_counter_is_error(const pm_dataset *dataset, size_t counter)
{
    const char *name = pm_dataset_counter_name(dataset, counter);
    size_t length;

    if (!name || !pm_ends_in(name, "_se"))
        return false;
    length = strlen(name) - strlen("_se");
    for (size_t i = 0; i < dataset->counter_count; i++)
        if (strlen(dataset->counters[i]) == length &&
            strncmp(dataset->counters[i], name, length) == 0)
            return true;
    return false;
}

const pm_sample *pm_dataset_sample(const pm_dataset *dataset, size_t row)
{
    return row < dataset->rows ? &dataset->samples[row] : NULL;
}

/* ---- datasets in memory, without a file ------------------------------------------------------ */

static pm_status no_memory(const char *name, pm_error *err)
{
    return pm_fail(err, PM_FAILED, "%s: out of memory for its rows", name);
}

pm_dataset *pm_dataset_memory(const char *name, const char *const *counters, size_t count,
                              pm_error *err)
{
    pm_dataset *dataset = pm_dataset_create(name);
    bool sound = dataset && (dataset->counters = calloc(count + 1, sizeof *dataset->counters));

    for (size_t i = 0; sound && i < count; i++) {
        dataset->counters[i] = pm_strings_add(&dataset->strings, counters[i]);
        sound = dataset->counters[i];
    }
    if (!sound) {
        pm_dataset_free(dataset);
        no_memory(name, err);
        return NULL;
    }
    dataset->counter_count = count;
    return dataset;
}

pm_status pm_dataset_append(pm_dataset *dataset, const pm_sample *sample, pm_error *err)
{
    char why[PM_FAULT_SIZE];

    if (pm_sample_fault(sample, dataset->counter_count, why))
        return pm_fail(err, PM_FAILED, "%s %s %s %s: %s", sample->program, sample->variant,
                       sample->size, sample->kernel, why);
    if (pm_dataset_find_key(dataset, sample) != PM_NO_ENTRY)
        return PM_OK;
    return pm_dataset_add(dataset, sample, NULL) ? PM_OK : no_memory(dataset->path, err);
}

pm_status pm_dataset_append_all(pm_dataset *dataset, const pm_dataset *from, pm_error *err)
{
    size_t n = dataset->counter_count;
    double *values = calloc(n ? n : 1, sizeof *values);
    /* place[k]: index in `from` of counter k of `dataset` */
    size_t *place = calloc(n ? n : 1, sizeof *place);
    pm_status status = values && place ? PM_OK : no_memory(dataset->path, err);

    for (size_t i = 0; status == PM_OK && i < n; i++)
        place[i] = pm_dataset_counter_at(from, dataset->counters[i]);
    for (size_t row = 0; status == PM_OK && row < from->rows; row++) {
        pm_sample sample = from->samples[row];

        for (size_t i = 0; i < n; i++)
            values[i] = place[i] < from->counter_count ? sample.counters[place[i]] : (double)NAN;
        sample.counters = values;
        status = pm_dataset_append(dataset, &sample, err);
    }
    free(place);
    free(values);
    return status;
}

pm_dataset *pm_dataset_memory_like(const pm_dataset *other, pm_error *err)
{
    return pm_dataset_memory(other->path, other->counters, other->counter_count, err);
}

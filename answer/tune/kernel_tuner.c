/* Reads tuning parameters and measured times of versions from files of Kernel Tuner, another
 * autotuner. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cache file has one entry per version: its parameters by name, and its time in milliseconds
 * or a word for the kind of failure. An interrupted run leaves a file without its closing
 * brackets; such a file is read to its end. Two formats of the autotuning community are also
 * read. T1 describes a tuning task (a kernel to tune): its parameters with their values, and
 * conditions on them. T4 lists the results of measured versions. Parameters are matched by name
 * with the workload's [tune] section. A parameter with a single value in the file may be missing
 * from the section.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/condition.h"
#include "answer/tune/parts.h"
#include "answer/tune/python_list.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

enum { MOST_BYTES = 1 << 30 };

typedef struct {
    pm_tuner *tuner;
    const char *path;
    json_t *root; /* the parsed file; belongs to tuner->files */
    /* parameters of the new search space: names from the workload, values from the file */
    pm_tuned *parameters;
    int64_t **values;
    int64_t *version;   /* parameter values in the entry of the file that is being read */
    pm_tune_take *take; /* callback for each version; its first argument is `user` */
    void *user;
    size_t taken;
    /* true: the file has a list of versions (combinations of tuning parameters) that describes a
     * search space; the parameter values of these versions are collected in `parameters` */
    bool makes_space;
} reading;

#define fault(r, ...) pm_leave(&(r)->tuner->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- values ---------------------------------------------------------------------------------- */

static bool whole_number(const json_t *value, int64_t *number)
{
    if (json_is_boolean(value))
        *number = json_is_true(value);
    else if (json_is_integer(value))
        *number = json_integer_value(value);
    else if (json_is_real(value) && json_real_value(value) == floor(json_real_value(value)) &&
             fabs(json_real_value(value)) < 1e15)
        *number = (int64_t)json_real_value(value);
    else
        return false;
    return true;
}

static void note_value(reading *r, size_t p, int64_t value)
{
    pm_tuned *tuned = &r->parameters[p];

    for (size_t k = 0; k < tuned->count; k++)
        if (tuned->values[k] == value)
            return;
    r->values[p] = pm_more(&r->tuner->memory, r->values[p], tuned->count, sizeof(int64_t));
    r->values[p][tuned->count++] = value;
    tuned->values = r->values[p];
}

static size_t parameter_of(const reading *r, const char *name)
{
    const pm_tune_space *space = r->tuner->program->space;
    size_t p = 0;

    while (p < space->count && strcmp(space->parameters[p].name, name) != 0)
        p++;
    return p;
}

/* ---- versions -------------------------------------------------------------------------------- */

/* Reads the values of the parameters from an entry of the file into r->version. A parameter that
 * the entry lacks must have only one value in the search space, which is then used. */
static void read_version(reading *r, json_t *entry)
{
    const pm_tune_space *space = r->tuner->program->space;

    for (size_t p = 0; p < space->count; p++) {
        const char *name = space->parameters[p].name;
        const json_t *value = json_object_get(entry, name);

        r->version[p] = space->parameters[p].values[0];
        if (value && !whole_number(value, &r->version[p]))
            fault(r, "%s: a value of %s is no whole number", r->path, name);
        if (!value && space->parameters[p].count > 1)
            fault(r, "%s: a version has no parameter %s", r->path, name);
        if (r->makes_space)
            note_value(r, p, r->version[p]);
    }
}

static void add_version(reading *r, json_t *entry, double time_s)
{
    read_version(r, entry);
    r->take(r->user, r->version, time_s);
    r->taken++;
}

static double cached_time(const json_t *entry)
{
    const json_t *time = json_object_get(entry, "time");

    return json_is_number(time) && !json_object_get(entry, "__error__")
               ? json_number_value(time) * 1e-3
               : 0;
}

/* Returns whether one of Kernel Tuner's observers sets the parameter on the GPU itself
 * (nvml_gr_clock, nvml_pwr_limit, tegra_gr_clock). */
static bool is_of_gpu(const char *name)
{
    static const char *const observers[] = {"nvml_", "tegra_", "amdsmi_", "ps_", "pmt_"};

    for (size_t i = 0; i < sizeof observers / sizeof *observers; i++)
        if (strncmp(name, observers[i], strlen(observers[i])) == 0)
            return true;
    return false;
}

/* Raises an error because the workload has no parameter of that name. */
static _Noreturn void refuse_parameter(const reading *r, const char *name)
{
    if (is_of_gpu(name))
        fault(r,
              "%s: parameter %s is a setting of the GPU, not of the kernel, and is not predicted: "
              "take it out of the file, or keep one value of it",
              r->path, name);
    fault(r, "%s: parameter %s is not in the [tune] section of %s: add it there", r->path, name,
          r->tuner->program->path);
}

/* Checks that the parameters of the file are those of the workload's [tune] section. A parameter
 * that has several values in the file must be in the section. A parameter that has several values
 * in the section must be in the first entry of the file. */
static void check_names(const reading *r, json_t *first, json_t *names)
{
    const char *name;
    json_t *value;
    size_t i;

    json_array_foreach(names, i, value)
    {
        const json_t *values;

        name = json_string_value(value);
        if (!name || parameter_of(r, name) < r->tuner->program->space->count)
            continue;
        values = json_object_get(json_object_get(r->root, "tune_params"), name);
        if (json_array_size(values) != 1)
            refuse_parameter(r, name);
    }
    for (size_t p = 0; first && p < r->tuner->program->space->count; p++) {
        const pm_tuned *tuned = &r->tuner->program->space->parameters[p];

        if (tuned->count > 1 && !json_object_get(first, tuned->name))
            fault(r, "%s: it has no parameter %s, which the [tune] section of %s has", r->path,
                  tuned->name, r->tuner->program->path);
    }
}

static void read_cache(reading *r, json_t *cache)
{
    const char *key;
    json_t *entry;

    check_names(r, json_object_iter_value(json_object_iter(cache)),
                json_object_get(r->root, "tune_params_keys"));
    json_object_foreach(cache, key, entry) add_version(r, entry, cached_time(entry));
}

/* Returns the time of a T4 result in seconds. The first letter of its unit is read: m, s, u or n.
 * Without a unit the time is in milliseconds. 0: no valid time. */
static double measured_time(const json_t *result)
{
    const json_t *list = json_object_get(result, "measurements"), *one;
    const char *invalid = json_string_value(json_object_get(result, "invalidity"));
    size_t i;

    if (invalid && strcmp(invalid, "correct") != 0)
        return 0;
    json_array_foreach(list, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *unit = json_string_value(json_object_get(one, "unit"));
        const json_t *value = json_object_get(one, "value");

        if (name && strcmp(name, "time") == 0 && json_is_number(value))
            return json_number_value(value) * (!unit || *unit == 'm' ? 1e-3
                                               : *unit == 's'        ? 1
                                               : *unit == 'u'        ? 1e-6
                                                                     : 1e-9);
    }
    return 0;
}

/* Raises an error if results in the T4 format have a parameter that the workload does not have,
 * unless it has the same value in all results. */
static void check_others(const reading *r, json_t *results)
{
    json_t *first = json_object_get(json_array_get(results, 0), "configuration"), *result, *value;
    const char *name;
    size_t i;

    json_array_foreach(results, i, result)
    {
        json_object_foreach(json_object_get(result, "configuration"), name, value)
        {
            if (parameter_of(r, name) == r->tuner->program->space->count &&
                !json_equal(value, json_object_get(first, name)))
                refuse_parameter(r, name);
        }
    }
}

static void read_results(reading *r, json_t *results)
{
    json_t *result;
    size_t i;

    check_names(r, json_object_get(json_array_get(results, 0), "configuration"), NULL);
    check_others(r, results);
    json_array_foreach(results, i, result)
        add_version(r, json_object_get(result, "configuration"), measured_time(result));
}

/* ---- a problem ------------------------------------------------------------------------------- */

/* Reads the list of values of parameter number p from `text`, which is JSON or a Python
 * expression. */
static void read_values(reading *r, size_t p, const char *text)
{
    json_t *list = json_loads(text, JSON_DECODE_ANY, NULL), *value;
    bool sound = json_is_array(list) && json_array_size(list) > 0;
    pm_python_list python;
    size_t i;

    json_array_foreach(list, i, value)
    {
        int64_t number = 0;

        sound = sound && whole_number(value, &number);
        if (sound)
            note_value(r, p, number);
    }
    json_decref(list);
    if (sound)
        return;
    r->parameters[p].count = 0;
    python = pm_python_list_read(
        &r->tuner->memory, text,
        pm_format(&r->tuner->memory, "%s: values of %s", r->path, r->parameters[p].name));
    for (i = 0; i < python.count; i++)
        note_value(r, p, python.items[i]);
}

/* Adds a condition of the file. The restrictions of the workload's [tune] section still apply. */
static void read_condition(reading *r, const json_t *condition)
{
    pm_tuner *t = r->tuner;
    const char *text = json_string_value(json_object_get(condition, "Expression"));

    if (!text)
        fault(r, "%s: a condition has no Expression", r->path);
    *pm_add(&t->memory, t->conditions, t->condition_count) =
        pm_condition_read(&t->memory, text, r->path, t->program->space);
}

static void read_problem(reading *r, json_t *list)
{
    const pm_tune_space *space = r->tuner->program->space;
    json_t *parameter, *conditions, *condition;
    size_t i;

    json_array_foreach(list, i, parameter)
    {
        const char *name = json_string_value(json_object_get(parameter, "Name"));
        const char *values = json_string_value(json_object_get(parameter, "Values"));
        const size_t p = name ? parameter_of(r, name) : space->count;

        if (!name || !values)
            fault(r, "%s: a tuning parameter has no Name or no Values", r->path);
        if (p == space->count && is_of_gpu(name) &&
            pm_python_list_read(&r->tuner->memory, values, name).count == 1)
            continue;
        if (p == space->count)
            refuse_parameter(r, name);
        read_values(r, p, values);
    }
    for (size_t p = 0; p < space->count; p++)
        if (r->parameters[p].count == 0)
            note_value(r, p, space->parameters[p].values[0]);
    conditions = json_object_get(json_object_get(r->root, "ConfigurationSpace"), "Conditions");
    json_array_foreach(conditions, i, condition) read_condition(r, condition);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Parses a cache file that lacks its end. Appends the two closing brackets as Kernel Tuner does. */
static json_t *parse_open(reading *r, const char *text)
{
    pm_text closed = {.memory = &r->tuner->memory};
    size_t length = strlen(text);

    while (length > 0 && strchr(", \n\r\t", text[length - 1]))
        length--;
    pm_text_put(&closed, text, length);
    pm_text_add(&closed, "}\n}");
    return json_loads(pm_text_get(&closed), 0, NULL);
}

static void parse(reading *r)
{
    static const char wanted[] = "a cache file of Kernel Tuner, a T1 problem or T4 results";
    char *text = NULL;
    json_error_t why;

    pm_require(&r->tuner->memory,
               pm_file_read(r->path, MOST_BYTES, wanted, &text, r->tuner->memory.err));
    r->root = json_loads(text, 0, &why);
    if (!r->root)
        r->root = parse_open(r, text);
    free(text);
    if (!r->root)
        fault(r, "%s:%d: no JSON: %s; %s is wanted", r->path, why.line, why.text, wanted);
}

static void read_root(reading *r)
{
    json_t *cache = json_object_get(r->root, "cache");
    json_t *results = json_object_get(r->root, "results");
    json_t *problem =
        json_object_get(json_object_get(r->root, "ConfigurationSpace"), "TuningParameters");

    if (json_is_object(cache))
        read_cache(r, cache);
    else if (json_is_array(results))
        read_results(r, results);
    else if (json_is_array(problem))
        read_problem(r, problem);
    else
        fault(r,
              "%s: it has neither cache nor results nor ConfigurationSpace; a cache file of "
              "Kernel Tuner, a T1 problem or T4 results is wanted",
              r->path);
    if (!json_is_array(problem) && r->taken == 0)
        fault(r, "%s: it has no version", r->path);
}

/* Opens and parses a file. `take` is called for each version of the file with `user` as its first
 * argument. The tuner owns the parsed document, because names and texts point into it. */
static reading open_file(pm_tuner *t, const char *path, pm_tune_take *take, void *user)
{
    const pm_tune_space *space = t->program->space;
    reading r = {.tuner = t, .path = path, .take = take, .user = user};

    r.parameters = pm_take(&t->memory, space->count, sizeof *r.parameters);
    r.values = pm_take(&t->memory, space->count, sizeof *r.values);
    r.version = pm_take(&t->memory, space->count, sizeof *r.version);
    for (size_t p = 0; p < space->count; p++)
        r.parameters[p].name = space->parameters[p].name;
    parse(&r);
    t->files = t->files ? t->files : json_array();
    if (json_array_append_new(t->files, r.root) != 0)
        pm_leave(&t->memory, PM_FAILED, "%s: out of memory", path);
    return r;
}

static void add_to_space(void *user, const int64_t *values, double time_s)
{
    pm_tune_add(user, values, time_s);
}

void pm_tune_read_space(pm_tuner *t, const char *path)
{
    pm_tune_space *own = pm_take(&t->memory, 1, sizeof *own);
    reading r = open_file(t, path, add_to_space, t);

    r.makes_space = true;
    read_root(&r);
    *own = (pm_tune_space){t->program->space->count, r.parameters};
    t->space = own;
    if (t->count == 0)
        pm_tune_enumerate(t);
}

void pm_tune_read_times(pm_tuner *t, const char *path, pm_tune_take *take, void *user)
{
    reading r = open_file(t, path, take, user);

    if (!json_is_object(json_object_get(r.root, "cache")) &&
        !json_is_array(json_object_get(r.root, "results")))
        fault(&r, "%s: it has no times: a cache file of Kernel Tuner or T4 results is wanted",
              path);
    read_root(&r);
}

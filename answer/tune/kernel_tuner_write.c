/* Writes predicted times as files of Kernel Tuner. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In its simulation mode, Kernel Tuner reads times from such a file in place of running versions.
 * It needs the names of the device and the kernel, the parameters in order, and one entry for each
 * version of the space. The key of an entry is its values joined by commas, and its time is in
 * milliseconds. All durations of compilation and benchmarking are 0, because nothing was compiled
 * or run.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "perfmodel.h"

static const char ADVICE[] = "name another file";

/* Writes a JSON document to a file and releases the document. */
static pm_status write_document(json_t *document, const char *path, pm_error *err)
{
    char *text = document ? json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    pm_status status = text ? pm_file_write(path, text, ADVICE, err)
                            : pm_fail(err, PM_FAILED, "%s: out of memory", path);

    json_decref(document);
    free(text);
    return status;
}

static json_t *entry_of(const pm_tuning *tuning, const int64_t *values)
{
    static const char *const durations[] = {"compile_time", "verification_time", "benchmark_time",
                                            "strategy_time", "framework_time"};
    json_t *entry = json_object();

    for (size_t p = 0; p < tuning->parameter_count; p++)
        json_object_set_new(entry, tuning->parameters[p].name, json_integer(values[p]));
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++)
        json_object_set_new(entry, durations[i], json_real(0));
    return entry;
}

static pm_status add_entry(json_t *cache, const pm_tuning *tuning, const int64_t *values,
                           json_t *time, pm_error *err)
{
    pm_text key = {0};
    json_t *entry = entry_of(tuning, values);
    bool done;

    for (size_t p = 0; p < tuning->parameter_count; p++)
        pm_text_add(&key, "%s%" PRId64, p ? "," : "", values[p]);
    if (json_is_real(time))
        json_object_set_new(entry, "times", json_pack("[f]", json_real_value(time)));
    done = !key.failed && json_object_set_new(entry, "time", time) == 0 &&
           json_object_set_new(cache, pm_text_get(&key), entry) == 0;
    pm_text_free(&key);
    return done ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the cache file");
}

static json_t *parameters_of(const pm_tuning *tuning)
{
    json_t *parameters = json_object();

    for (size_t p = 0; p < tuning->parameter_count; p++) {
        json_t *values = json_array();

        for (size_t k = 0; k < tuning->parameters[p].count; k++)
            json_array_append_new(values, json_integer(tuning->parameters[p].values[k]));
        json_object_set_new(parameters, tuning->parameters[p].name, values);
    }
    return parameters;
}

static json_t *names_of(const pm_tuning *tuning)
{
    json_t *names = json_array();

    for (size_t p = 0; p < tuning->parameter_count; p++)
        json_array_append_new(names, json_string(tuning->parameters[p].name));
    return names;
}

pm_status pm_tuning_write_cache(const pm_tuning *tuning, const char *path, pm_error *err)
{
    json_t *cache = json_object();
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < tuning->n; i++)
        status = add_entry(cache, tuning, tuning->choices[i].values,
                           json_real(tuning->choices[i].predicted_s * 1e3), err);
    for (size_t i = 0; status == PM_OK && i < tuning->failed; i++)
        status = add_entry(cache, tuning, tuning->failures + i * tuning->parameter_count,
                           json_string("CompilationFailedConfig"), err);
    if (status == PM_OK)
        return write_document(json_pack("{s:s,s:s,s:o,s:o,s:s,s:o}", "device_name", tuning->target,
                                        "kernel_name", tuning->kernel, "tune_params_keys",
                                        names_of(tuning), "tune_params", parameters_of(tuning),
                                        "objective", "time", "cache", cache),
                              path, err);
    json_decref(cache);
    return status;
}

static void add_version(json_t *list, const pm_tuning *tuning, size_t choice)
{
    json_t *version = json_array();

    for (size_t p = 0; p < tuning->parameter_count; p++)
        json_array_append_new(version, json_integer(tuning->choices[choice].values[p]));
    json_array_append_new(list, version);
}

pm_status pm_tuning_write_ranking(const pm_tuning *tuning, const char *path, pm_error *err)
{
    json_t *list = json_array();
    bool *taken = calloc(tuning->n + 1, sizeof *taken);

    if (!taken) {
        json_decref(list);
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    for (size_t i = 0; i < tuning->first_count; i++) {
        add_version(list, tuning, tuning->first[i]);
        taken[tuning->first[i]] = true;
    }
    for (size_t i = 0; i < tuning->n; i++)
        if (!taken[i])
            add_version(list, tuning, i);
    free(taken);
    return write_document(list, path, err);
}

/* Reads and writes the provenance of a dataset, a JSON file in the same folder. The file has the
 * device's properties and, for each run of collect, its date, tool, command and system.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "base/file.h"
#include "base/json_read.h"
#include "base/numbers.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT = 1, MOST_CORES = 65536 };

pm_status pm_provenance_path(const char *dataset_path, char path[PATH_MAX], pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    size_t length = strlen(dataset_path);
    if (length > 4 && strcmp(dataset_path + length - 4, ".csv") == 0)
        length -= 4;
    int size = length > INT_MAX / 2
                   ? -1
                   : snprintf(path, PATH_MAX, "%.*s.json", (int)length, dataset_path);
    if (size < 0 || size >= PATH_MAX)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                       pm_shown(dataset_path, shown, sizeof shown));
    return PM_OK;
}

/* Returns a text as a JSON string. Bytes that are not UTF-8, for example in a driver's name or a
 * command line, are written as \xNN. NULL becomes null. */
static json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    if (pm_is_utf8(text))
        return json_string(text);
    size_t size = strlen(text) * 4 + 16;
    char *shown = malloc(size);
    if (!shown)
        return NULL;
    json_t *value = json_string(pm_shown(text, shown, size));
    free(shown);
    return value;
}

static json_t *json_count(unsigned long long value)
{
    if (value <= LLONG_MAX)
        return json_integer((json_int_t)value);
    char text[32]; /* a string, because jansson's signed integers cannot hold all values */
    snprintf(text, sizeof text, "%llu", value);
    return json_string(text);
}

static json_t *describe_device(const pm_device *device)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:b,s:o,s:o,s:o,s:o,s:o}", "id", json_text(device->id),
                     "name", json_text(device->name), "vendor", json_text(device->vendor),
                     "platform", json_text(device->platform), "driver", json_text(device->driver),
                     "is_cpu", (int)device->is_cpu, "compute_units",
                     json_count(device->compute_units), "clock_mhz", json_count(device->clock_mhz),
                     "memory_bytes", json_count(device->memory_bytes), "local_memory_bytes",
                     json_count(device->local_memory_bytes), "max_work_group",
                     json_count(device->max_work_group));
}

static json_t *date_now(void)
{
    char text[32];
    struct tm utc;
    time_t now = time(NULL);
    if (now == (time_t)-1 || !gmtime_r(&now, &utc) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return json_null();
    return json_string(text);
}

static json_t *host_system(void)
{
    struct utsname host;
    char text[sizeof host.sysname + sizeof host.release + sizeof host.machine + 2];
    if (uname(&host) != 0)
        return json_null();
    snprintf(text, sizeof text, "%s %s %s", host.sysname, host.release, host.machine);
    return json_text(text);
}

/* Returns the fraction of the work-groups that the trace engine runs, or "auto", as JSON. */
static json_t *describe_sample(const pm_provenance_run *run)
{
    if (!run->counter_target)
        return json_null();
    return run->sample > 0 ? json_real(run->sample) : json_string("auto");
}

static json_t *describe_run(const pm_device *device, const pm_provenance_run *run)
{
    json_t *described = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "date", date_now(), "tool",
        json_text("perfmodel " PM_VERSION), "command", json_text(run->command), "counter_source",
        json_text(run->counter_source), "counter_tool", json_text(run->counter_tool),
        "counter_target", json_text(run->counter_target), "registers_source",
        json_text(run->registers_source), "sample", describe_sample(run), "seed",
        json_count(run->seed), "driver", json_text(device->driver), "host_os", host_system());

    if (described && run->shard.count > 0)
        json_object_set_new(described, "shard",
                            json_pack("[i,i]", (int)run->shard.index, (int)run->shard.count));
    return described;
}

/* ---- an existing file ------------------------------------------------------------------------ */

static pm_status broken(const char *path, int line, const char *what, pm_error *err)
{
    char shown[PM_SHOWN_PATH], text[PM_SHOWN_PATH / 2];
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%d: %s; mend this file or move it away, then collect again",
                   pm_shown(path, shown, sizeof shown), line, pm_shown(what, text, sizeof text));
}

/* A property (such as the device) that must be the same in all runs of `perfmodel collect` that
 * add rows to one dataset. The members `what` and `cure` are parts of the error message. */
typedef struct {
    /* key: name of the property in the JSON object of a run. usual: value of the property if a run
     * with traced counters does not name it; NULL: none. */
    const char *key, *usual;
    const char *what, *cure;
} kept_same;

/* Raises an error if an earlier run of `collect` to the same dataset has another value of a
 * property than `now`, the value in the current run. kept: the property. now NULL: no check. */
static pm_status check_same(const char *path, const json_t *runs, const kept_same *kept,
                            const char *now, pm_error *err)
{
    char shown[PM_SHOWN_PATH], there[PM_SHOWN_CELL], new[PM_SHOWN_CELL];
    const json_t *run;
    size_t i;

    json_array_foreach(runs, i, run)
    {
        const char *before = json_string_value(json_object_get(run, kept->key));

        if (!before && json_string_value(json_object_get(run, "counter_target")))
            before = kept->usual;
        if (now && before && strcmp(before, now) != 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s:1: the dataset's %s %s, not %s; collect into another file with -o, "
                           "or with that %s",
                           pm_shown(path, shown, sizeof shown), kept->what,
                           pm_shown(before, there, sizeof there), pm_shown(now, new, sizeof new),
                           kept->cure);
    }
    return PM_OK;
}

/* Raises an error if an earlier run traced for another target GPU, or had another source of
 * register counts. A dataset must not mix them. */
static pm_status check_runs(const char *path, const json_t *runs, const pm_provenance_run *run,
                            pm_error *err)
{
    static const kept_same target = {"counter_target", NULL, "counters are by the rules of",
                                     "--target"},
                           registers = {"registers_source", "estimate", "registers are by",
                                        "--ptxas, or without it"};
    pm_status status = check_same(path, runs, &target, run->counter_target, err);

    return status == PM_OK ? check_same(path, runs, &registers, run->registers_source, err)
                           : status;
}

static pm_status check_document(const char *path, const json_t *document, const pm_device *device,
                                const pm_provenance_run *run, pm_error *err)
{
    const json_t *format = json_object_get(document, "format");
    const json_t *id = json_object_get(json_object_get(document, "device"), "id");
    char what[256], shown[PM_SHOWN_CELL], now[PM_SHOWN_CELL];

    if (!json_is_object(document))
        return broken(path, 1, "not a JSON object", err);
    if (!json_is_integer(format) || json_integer_value(format) != FORMAT)
        return broken(path, 1, "\"format\" is not 1", err);
    if (!json_is_array(json_object_get(document, "runs")))
        return broken(path, 1, "\"runs\" is not a list", err);
    if (!json_is_string(id))
        return broken(path, 1, "\"device\" has no \"id\"", err);
    if (strcmp(json_string_value(id), device->id) == 0)
        return check_runs(path, json_object_get(document, "runs"), run, err);
    snprintf(what, sizeof what, "the dataset is of device %s, not %s",
             pm_shown(json_string_value(id), shown, sizeof shown),
             pm_shown(device->id, now, sizeof now));
    return broken(path, 1, what, err);
}

/* Reads the provenance of a dataset into *document. If the file does not exist, makes a provenance
 * without runs. */
static pm_status load(const char *path, const pm_device *device, const pm_provenance_run *run,
                      json_t **document, pm_error *err)
{
    json_error_t json_error;
    int fd;

    if (access(path, F_OK) != 0 && errno == ENOENT) {
        *document = json_pack("{s:i, s:{}, s:[]}", "format", FORMAT, "device", "runs");
        return *document ? PM_OK : pm_fail(err, PM_FAILED, "not enough memory for %s", path);
    }
    fd = pm_file_open(path, err);
    if (fd < 0)
        return PM_BAD_INPUT;
    *document = pm_json_read(fd, &json_error);
    close(fd);
    if (!*document)
        return broken(path, json_error.line < 1 ? 1 : json_error.line, json_error.text, err);
    pm_status status = check_document(path, *document, device, run, err);
    if (status != PM_OK) {
        json_decref(*document);
        *document = NULL;
    }
    return status;
}

static pm_status save(const char *path, const json_t *document, pm_error *err)
{
    char shown[PM_SHOWN_PATH], *text = json_dumps(document, JSON_INDENT(2)), *whole = NULL;
    pm_status status;

    if (!text || asprintf(&whole, "%s\n", text) < 0) {
        free(text);
        return pm_fail(err, PM_FAILED, "%s: not enough memory to write it",
                       pm_shown(path, shown, sizeof shown));
    }
    status = pm_file_write(path, whole,
                           "make room in its folder and make it writable, or choose another file "
                           "with -o",
                           err);
    free(text);
    free(whole);
    return status;
}

/* Returns a JSON object with the cells of a row of devices.csv that are not empty. */
static json_t *describe_row(const pm_probe_row *row)
{
    json_t *cells = json_object();

    for (size_t c = 0; c < row->count; c++)
        if (*row->cells[c].value &&
            json_object_set_new(cells, row->cells[c].name, json_text(row->cells[c].value)) != 0) {
            json_decref(cells);
            return NULL;
        }
    return cells;
}

/* Replaces the description of the device in the provenance by a description of `device`. The
 * description has the device's row of devices.csv: run->row or, if that is NULL, the row that the
 * provenance already has. */
static bool put_device(json_t *document, const pm_device *device, const pm_provenance_run *run)
{
    json_t *described = describe_device(device);
    json_t *row = run->row
                      ? describe_row(run->row)
                      : json_incref(json_object_get(json_object_get(document, "device"), "row"));

    if (!described || (run->row && !row) || (row && json_object_set(described, "row", row) != 0)) {
        json_decref(row);
        json_decref(described);
        return false;
    }
    json_decref(row);
    return json_object_set_new(document, "device", described) == 0;
}

pm_status pm_provenance_write(const char *dataset_path, const pm_device *device,
                              const pm_provenance_run *run, pm_error *err)
{
    char path[PATH_MAX];
    json_t *document = NULL;

    pm_status status = pm_provenance_path(dataset_path, path, err);
    if (status == PM_OK)
        status = load(path, device, run, &document, err);
    if (status != PM_OK)
        return status;
    if (put_device(document, device, run) &&
        json_array_append_new(json_object_get(document, "runs"), describe_run(device, run)) == 0)
        status = save(path, document, err);
    else
        status = pm_fail(err, PM_FAILED, "not enough memory to describe the device");
    json_decref(document);
    return status;
}

json_t *pm_provenance_load(const char *dataset_path)
{
    char path[PATH_MAX];
    json_t *document = NULL;
    int fd = pm_provenance_path(dataset_path, path, NULL) == PM_OK ? pm_file_open(path, NULL) : -1;

    if (fd >= 0) {
        document = pm_json_read(fd, NULL);
        close(fd);
    }
    return document;
}

unsigned pm_provenance_cores(const char *dataset_path)
{
    json_t *document = pm_provenance_load(dataset_path);
    const json_t *device = json_object_get(document, "device");
    const json_int_t cores = json_is_true(json_object_get(device, "is_cpu"))
                                 ? json_integer_value(json_object_get(device, "compute_units"))
                                 : 0;

    json_decref(document);
    return cores > 0 && cores <= MOST_CORES ? (unsigned)cores : 0;
}

void pm_provenance_target(const char *dataset_path, char target[64])
{
    const char *name = NULL;
    json_t *document = pm_provenance_load(dataset_path);

    /* All runs of collect in the provenance have the same target GPU, so the first run that names a
     * GPU decides. */
    for (size_t i = 0; !name && i < json_array_size(json_object_get(document, "runs")); i++)
        name = json_string_value(json_object_get(
            json_array_get(json_object_get(document, "runs"), i), "counter_target"));
    snprintf(target, 64, "%s", name ? name : "");
    json_decref(document);
}

/* ---- definitions and plans ------------------------------------------------------------------- */

/* Reads the provenance file that pm_provenance_write wrote before. */
static pm_status load_again(const char *path, json_t **document, pm_error *err)
{
    json_error_t json_error;
    int fd = pm_file_open(path, err);

    if (fd < 0)
        return PM_BAD_INPUT;
    *document = pm_json_read(fd, &json_error);
    close(fd);
    if (*document)
        return PM_OK;
    return broken(path, json_error.line < 1 ? 1 : json_error.line, json_error.text, err);
}

pm_status pm_provenance_compiler(const char *dataset_path, const char *compiler, pm_error *err)
{
    char path[PATH_MAX];
    json_t *document = NULL, *runs, *last;
    pm_status status = pm_provenance_path(dataset_path, path, err);

    if (status == PM_OK)
        status = load_again(path, &document, err);
    if (status != PM_OK)
        return status;
    runs = json_object_get(document, "runs");
    last = json_array_get(runs, json_array_size(runs) - 1);
    if (last && json_object_set_new(last, "cuda_compiler", json_text(compiler)) == 0)
        status = save(path, document, err);
    else
        status = pm_fail(err, PM_FAILED, "%s: has no run to tell the compiler of", path);
    json_decref(document);
    return status;
}

pm_status pm_definition_read(const char *dataset_path, const pm_defined *of, char text[PM_DEFINED],
                             pm_error *err)
{
    char path[PATH_MAX];
    const json_t *found;
    json_t *document = NULL;
    pm_status status = pm_provenance_path(dataset_path, path, err);

    text[0] = '\0';
    if (status == PM_OK)
        status = load_again(path, &document, err);
    if (status != PM_OK)
        return status;
    found = json_object_get(document, "definitions");
    found = json_object_get(json_object_get(found, of->program), of->variant);
    found = json_object_get(found, of->size);
    if (json_is_string(found) && json_string_length(found) < PM_DEFINED)
        strcpy(text, json_string_value(found));
    json_decref(document);
    return PM_OK;
}

/* Returns the JSON object under a key, which is created if necessary. NULL if memory runs out. */
static json_t *object_under(json_t *object, const char *key)
{
    if (!json_is_object(json_object_get(object, key)) &&
        json_object_set_new(object, key, json_object()) != 0)
        return NULL;
    return json_object_get(object, key);
}

/* Sets the value for a program, variant and size in an object of the form {PROGRAM: {VARIANT:
 * {SIZE: VALUE}}}. The object owns the value, also on failure. False if memory runs out. */
static bool set_of(json_t *object, const pm_defined *of, json_t *value)
{
    json_t *at = object ? object_under(object, of->program) : NULL;

    at = at ? object_under(at, of->variant) : NULL;
    if (at)
        return json_object_set_new(at, of->size, value) == 0;
    json_decref(value);
    return false;
}

/* Records under "languages" whether a variant is a CUDA source. */
static bool set_language(json_t *document, const pm_defined *of)
{
    json_t *languages = json_object_get(document, "languages");
    json_t *of_program = json_object_get(languages, of->program);

    if (!of->cuda) {
        json_object_del(of_program, of->variant); /* no error if it is missing */
        return true;
    }
    languages = object_under(document, "languages");
    of_program = languages ? object_under(languages, of->program) : NULL;
    return of_program && json_object_set_new(of_program, of->variant, json_string(PM_CUDA)) == 0;
}

pm_status pm_definition_write(const char *dataset_path, const pm_defined *of, const char *text,
                              pm_error *err)
{
    char path[PATH_MAX];
    json_t *document = NULL;
    pm_status status = pm_provenance_path(dataset_path, path, err);

    if (status == PM_OK)
        status = load_again(path, &document, err);
    if (status != PM_OK)
        return status;
    if ((!text || set_of(object_under(document, "definitions"), of, json_string(text))) &&
        set_language(document, of))
        status = save(path, document, err);
    else
        status = pm_fail(err, PM_FAILED, "not enough memory to describe %s", of->program);
    json_decref(document);
    return status;
}

pm_status pm_plan_write(const char *dataset_path, const pm_planned *places, size_t count,
                        pm_error *err)
{
    char path[PATH_MAX];
    json_t *document = NULL, *plan;
    pm_status status = pm_provenance_path(dataset_path, path, err);
    bool made = true;

    if (status == PM_OK)
        status = load_again(path, &document, err);
    if (status != PM_OK)
        return status;
    plan = json_object();
    for (size_t i = 0; made && i < count; i++)
        made = set_of(plan, &places[i].of, json_integer((json_int_t)places[i].place));
    if (json_object_set_new(document, "plan", plan) == 0 && made)
        status = save(path, document, err);
    else
        status = pm_fail(err, PM_FAILED, "%s: not enough memory for its plan", dataset_path);
    json_decref(document);
    return status;
}

/* The subcommand `perfmodel devices`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/table/table.h"

/* ---- the list ------------------------------------------------------------------------------ */

enum { ORIGINS = 16 };

/* Number of known run times of a GPU that has a row in devices.csv. */
typedef struct {
    size_t measured, published;
    /* names of the publishers of the times; the datasets own the texts */
    const char *origins[ORIGINS];
    size_t origin_count;
} known_times;

typedef struct {
    pm_device *devices;
    pm_target *targets;
    char **profiles;
    known_times *times; /* times[profile]: known times of the GPU with this profile */
    size_t device_count, target_count, profile_count;
    pm_error no_devices;
} known;

/* Returns true if a dataset has counters that were traced for this GPU. Predictions then need no
 * tracing. */
static bool is_traced(const char *profile, const char *folder)
{
    char name[128], path[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s-trace", profile);

    return length > 0 && (size_t)length < sizeof name &&
           pm_dataset_locate(name, folder, path, sizeof path, NULL) == PM_OK;
}

static void add_origin(known_times *times, const char *origin)
{
    for (size_t i = 0; i < times->origin_count; i++)
        if (strcmp(times->origins[i], origin) == 0)
            return;
    if (times->origin_count < ORIGINS)
        times->origins[times->origin_count++] = origin;
}

/* Counts the known run times of all GPUs in devices.csv. An unreadable dataset of published times
 * ends the command with an error. */
static pm_status find_times(pm_session *session, known *all, pm_error *err)
{
    all->times = calloc(all->profile_count + 1, sizeof *all->times);
    if (!all->times)
        return pm_fail(err, PM_FAILED, "not enough memory to list the GPUs; free some");
    for (size_t i = 0; i < all->profile_count; i++) {
        known_times *times = &all->times[i];
        const pm_dataset *dataset = pm_dataset_published(session, all->profiles[i], err);

        if (!dataset && err->status != PM_OK)
            return err->status;
        times->published = dataset ? pm_dataset_rows(dataset) : 0;
        for (size_t r = 0; r < times->published; r++)
            add_origin(times, pm_dataset_sample(dataset, r)->origin);
        for (size_t t = 0; t < all->target_count; t++)
            if (strcmp(all->targets[t].name, all->profiles[i]) == 0)
                times->measured = all->targets[t].samples;
    }
    return PM_OK;
}

static void put_profile(pm_table *t, const known_times *times, const char *name, bool traced)
{
    char origins[200] = "";

    for (size_t i = 0; i < times->origin_count; i++)
        pm_list_add(origins, sizeof origins, "%s", times->origins[i]);
    pm_cell_put(t, "%s", name);
    pm_cell_put(t, times->measured ? "%zu" : "-", times->measured);
    pm_cell_put(t, times->published ? "%zu" : "-", times->published);
    PM_CELLS(t, *origins ? origins : "-", traced ? "yes" : "-");
}

static json_t *times_json(const known_times *times, bool traced)
{
    json_t *origins = json_array();

    for (size_t i = 0; i < times->origin_count; i++)
        json_array_append_new(origins, pm_json_text(times->origins[i]));
    return json_pack("{s:I,s:I,s:o,s:b}", "measured", (json_int_t)times->measured, "published",
                     (json_int_t)times->published, "published_by", origins, "traced", (int)traced);
}

static json_t *device_json(size_t number, const pm_device *d)
{
    return json_pack("{s:I,s:o,s:o,s:o,s:o,s:o,s:b,s:I,s:I,s:I}", "number", (json_int_t)number,
                     "id", pm_json_text(d->id), "name", pm_json_text(d->name), "vendor",
                     pm_json_text(d->vendor), "platform", pm_json_text(d->platform), "driver",
                     pm_json_text(d->driver), "cpu", (int)d->is_cpu, "compute_units",
                     (json_int_t)d->compute_units, "clock_mhz", (json_int_t)d->clock_mhz,
                     "memory_bytes", (json_int_t)d->memory_bytes);
}

static bool is_shipped(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');

    return slash && pm_share_path("datasets", folder, sizeof folder, NULL) == PM_OK &&
           strlen(folder) == (size_t)(slash - path) &&
           strncmp(path, folder, (size_t)(slash - path)) == 0;
}

static void put_target(pm_table *t, const pm_target *target)
{
    char copies[200] = "";

    for (size_t i = 0; i < target->copy_count; i++)
        pm_list_add(copies, sizeof copies, "%s %.1f", target->copies[i].variant,
                    target->copies[i].gb_per_s);
    pm_cell_put(t, "%s", target->name);
    pm_cell_put(t, "%zu", target->samples);
    PM_CELLS(t, *copies ? copies : "-", is_shipped(target->path) ? "shipped" : target->path);
}

static json_t *target_json(const pm_target *t)
{
    json_t *copies = json_object();

    for (size_t i = 0; i < t->copy_count; i++)
        json_object_set_new(copies, t->copies[i].variant, json_real(t->copies[i].gb_per_s));
    return json_pack("{s:o,s:o,s:I,s:o}", "name", pm_json_text(t->name), "path",
                     pm_json_text(t->path), "samples", (json_int_t)t->samples, "copy_gb_per_s",
                     copies);
}

static void print_devices(const pm_screen *screen, const known *all)
{
    static const pm_table_column columns[] = {
        {.name = "#", .number = true},
        {.name = "device", .gap = 2},
        {.name = "name", .gap = 2},
        {.name = "units", .number = true, .gap = 2},
        {.name = "MHz", .number = true, .gap = 2, .weight = 20},
        {.name = "GB", .number = true, .gap = 2, .weight = 30},
        {.name = "platform", .gap = 2, .weight = 10}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    pm_screen_say(screen, "Devices of this machine");
    for (size_t i = 0; i < all->device_count; i++) {
        const pm_device *d = &all->devices[i];

        pm_cell_put(&t, "%zu", i);
        PM_CELLS(&t, d->id, d->name);
        pm_cell_put(&t, "%u", d->compute_units);
        pm_cell_put(&t, "%u", d->clock_mhz);
        pm_cell_put(&t, "%.1f", (double)d->memory_bytes * 1e-9);
        PM_CELLS(&t, d->platform);
    }
    if (all->device_count > 0) {
        pm_table_print(&t, screen, 2);
    } else {
        pm_table_close(&t);
        pm_screen_say(screen, "  none: %s", all->no_devices.text);
    }
}

static void print_profiles(const pm_screen *screen, const known *all, const char *folder)
{
    static const pm_table_column columns[] = {{.name = "GPU"},
                                              {.name = "measured", .number = true, .gap = 2},
                                              {.name = "published", .number = true, .gap = 2},
                                              {.name = "by", .gap = 2, .weight = 10},
                                              {.name = "traced", .gap = 2, .weight = 20}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    pm_screen_say(screen, "\nGPUs with a profile, and times that perfmodel measured or others "
                          "published");
    for (size_t i = 0; i < all->profile_count; i++)
        put_profile(&t, &all->times[i], all->profiles[i], is_traced(all->profiles[i], folder));
    if (all->profile_count > 0) {
        pm_table_print(&t, screen, 2);
    } else {
        pm_table_close(&t);
        pm_screen_say(screen, "  none");
    }
    pm_screen_note(screen, "Times can be predicted for each. traced: counters by its rules are "
                           "shipped, so that a prediction for the suite need not count.");
}

static void print_known(const pm_screen *screen, const known *all, const char *folder)
{
    static const pm_table_column columns[] = {{.name = "target"},
                                              {.name = "samples", .number = true, .gap = 2},
                                              {.name = "copy GB/s", .gap = 2, .weight = 20},
                                              {.name = "path", .gap = 2, .weight = 10}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);

    print_devices(screen, all);
    print_profiles(screen, all, folder);
    pm_screen_say(screen, "\nTargets with a dataset");
    for (size_t i = 0; i < all->target_count; i++)
        put_target(&t, &all->targets[i]);
    pm_table_print(&t, screen, 2);
}

static json_t *known_json(const known *all, const char *folder)
{
    json_t *devices = json_array(), *targets = json_array(), *profiles = json_array();
    json_t *traced = json_array(), *times = json_object();

    for (size_t i = 0; i < all->device_count; i++)
        json_array_append_new(devices, device_json(i, &all->devices[i]));
    for (size_t i = 0; i < all->profile_count; i++) {
        const bool is_there = is_traced(all->profiles[i], folder);

        json_array_append_new(profiles, pm_json_text(all->profiles[i]));
        json_object_set_new(times, all->profiles[i], times_json(&all->times[i], is_there));
        if (is_there)
            json_array_append_new(traced, pm_json_text(all->profiles[i]));
    }
    for (size_t i = 0; i < all->target_count; i++)
        json_array_append_new(targets, target_json(&all->targets[i]));
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "devices", devices, "profiles", profiles, "times",
                     times, "traced", traced, "targets", targets);
}

static int list_known(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_screen screen = cli_screen(o);
    known all = {0};
    int code = PM_OK;

    if (pm_devices(&all.devices, &all.device_count, &all.no_devices) != PM_OK)
        all.device_count = 0;
    if (pm_profiles(session, &all.profiles, &all.profile_count, err) != PM_OK ||
        pm_targets(session, &all.targets, &all.target_count, err) != PM_OK)
        code = PM_FAILED;
    else if (find_times(session, &all, err) != PM_OK)
        code = (int)err->status;
    else if (o->json)
        code = cli_print_document(o, known_json(&all, o->datasets));
    else
        print_known(&screen, &all, o->datasets);
    free(all.devices);
    free(all.times);
    pm_profiles_free(all.profiles);
    pm_targets_free(all.targets, all.target_count);
    return code;
}

/* ---- probing a device (--probe) ------------------------------------------------------------ */

static json_t *row_json(const pm_probe_row *row)
{
    json_t *columns = json_object();

    for (size_t c = 0; c < row->count; c++)
        json_object_set_new(columns, row->cells[c].name,
                            json_pack("{s:o,s:o}", "value", pm_json_text(row->cells[c].value),
                                      "how", pm_json_text(row->cells[c].how)));
    return json_pack("{s:o,s:o}", "device", pm_json_text(row->device.id), "columns", columns);
}

/* Lists the empty cells of a row on standard error, because standard output is a table. */
static void print_empty(const pm_probe_row *row)
{
    const char *before = "perfmodel: to be filled in by hand: ";

    for (size_t c = 0; c < row->count; c++) {
        if (*row->cells[c].value)
            continue;
        fprintf(stderr, "%s%s", before, row->cells[c].name);
        before = ", ";
    }
    if (before[0] == ',')
        fputc('\n', stderr);
}

static int print_row(const cli_options *o, const pm_probe_row *row, pm_error *err)
{
    char *csv;

    print_empty(row);
    if (o->json)
        return cli_print_document(o, row_json(row));
    if (o->output) {
        printf("%s: a row of %s\n", o->output, row->device.id);
        return PM_OK;
    }
    csv = pm_probe_csv(row, err);
    if (!csv)
        return PM_FAILED;
    fputs(csv, stdout);
    free(csv);
    return PM_OK;
}

static int probe(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_probe_options options = {.device = o->device, .output = o->output};
    pm_probe_row *row = pm_probe_run(session, &options, err);
    int code;

    cli_progress_clear();
    code = row ? print_row(o, row, err) : PM_FAILED;
    pm_probe_free(row);
    return code;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    return o->probe ? probe(session, o, err) : list_known(session, o, err);
}

const cli_command cli_devices = {
    .bit = CLI_DEVICES,
    .name = "devices",
    .what = "list the devices of this machine and the known targets",
    .about = "Lists the OpenCL devices of this machine, the GPUs with a profile"
             " (a complete row of devices.csv) and the number of kernel times "
             "that were measured or published for each, and the GPUs with a "
             "dataset and their measured copy bandwidth. With --probe, measures"
             " the profile of a device and prints it as a row of devices.csv.",
    .examples = "Examples:\n  perfmodel devices --json\n"
                "  perfmodel devices --probe -o mine/devices.csv\n",
    .rows = "times",
    .run = run};

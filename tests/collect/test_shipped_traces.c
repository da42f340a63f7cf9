/* Checks the shipped datasets NAME-trace, which have counters that were traced for GPUs without
 * measurements. Each belongs to a row of devices.csv. All have the same kernels, those of the whole
 * suite, with the same work as on an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "base/strings.h"
#include "machine/devices_table.h"
#include "session_fixture.h"

#define FOLDER PM_SOURCE_DIR "/datasets"

typedef struct {
    pm_strings devices; /* devices of devices.csv with traced counters */
} fixture;

static void path_of(char path[512], const char *name, const char *ending)
{
    assert_true(snprintf(path, 512, "%s/%s%s", FOLDER, name, ending) < 512);
}

static pm_dataset *read_dataset(const char *name, const char *ending)
{
    char path[512];

    path_of(path, name, ending);
    return owned_dataset(pm_dataset_read(path, NULL, told()));
}

static bool is_measured(const char *device)
{
    char path[512];

    path_of(path, device, ".csv");
    return access(path, F_OK) == 0;
}

static bool is_traced(const char *device)
{
    char path[512];

    path_of(path, device, "-trace.csv");
    return access(path, F_OK) == 0;
}

static int setup(void **state)
{
    static fixture f;
    pm_strings rows = {0};

    /* the shipped tables, not a user's own */
    if (unsetenv("PERFMODEL_DATASETS") != 0 || setenv("XDG_DATA_HOME", FOLDER "/none", 1) != 0 ||
        pm_device_names(FOLDER, &rows, told()) != PM_OK)
        return -1;
    for (size_t d = 0; d < rows.count; d++)
        if (is_traced(rows.items[d]) && !pm_strings_add(&f.devices, rows.items[d]))
            return -1;
    pm_strings_clear(&rows);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    pm_strings_clear(&((fixture *)*state)->devices);
    return 0;
}

static bool is_listed(const pm_strings *devices, const char *name, size_t length)
{
    for (size_t d = 0; d < devices->count; d++)
        if (strlen(devices->items[d]) == length && strncmp(devices->items[d], name, length) == 0)
            return true;
    return false;
}

TEST(traced_counters_are_of_a_profile)
{
    const fixture *f = *state;
    size_t traced = 0;
    glob_t files;

    assert_int_equal(glob(FOLDER "/*-trace.csv", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *name = strrchr(files.gl_pathv[i], '/') + 1;

        if (strstr(name, "-shared") || strstr(name, "-corpus") || strstr(name, "-cuda") ||
            strstr(name, "-modern"))
            continue;
        traced++;
        if (!is_listed(&f->devices, name, strlen(name) - strlen("-trace.csv")))
            fail_msg("%s: devices.csv has no row of that GPU", name);
    }
    globfree(&files);
    assert_true(f->devices.count > 2);
    assert_int_equal(traced, f->devices.count);
}

/* ---- the suite ------------------------------------------------------------------------------ */

/* Other layouts that a program lists are not in the traced datasets of GPUs without
 * measurements. */
static bool is_of_the_suite(const pm_program_info *program, const char *variant)
{
    static const char *const layouts[] = {"aos", "aos-align", "soa"};

    if (strcmp(program->variants[0], "aos") != 0)
        return true;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(variant, layouts[i]) == 0)
            return true;
    return false;
}

static size_t rows_of(const pm_dataset *dataset, const char *program, const char *variant,
                      const char *size)
{
    size_t found = 0;

    for (size_t i = 0; i < pm_dataset_rows(dataset); i++) {
        const pm_sample *s = pm_dataset_sample(dataset, i);

        found += strcmp(s->program, program) == 0 && strcmp(s->variant, variant) == 0 &&
                 strcmp(s->size, size) == 0;
    }
    return found;
}

static void check_suite(const pm_dataset *dataset)
{
    size_t rows = 0;

    for (size_t p = 0; p < pm_program_count(); p++) {
        const pm_program_info *program = pm_program_at(p);

        for (size_t v = 0; program->variants[v]; v++)
            for (size_t s = 0; is_of_the_suite(program, program->variants[v]) && program->sizes[s];
                 s++) {
                size_t found =
                    rows_of(dataset, program->name, program->variants[v], program->sizes[s]);

                if (found == 0)
                    fail_msg("%s: no row of %s %s %s", pm_dataset_path(dataset), program->name,
                             program->variants[v], program->sizes[s]);
                rows += found;
            }
    }
    assert_int_equal(rows, pm_dataset_rows(dataset));
}

TEST(all_have_the_whole_suite)
{
    const fixture *f = *state;
    pm_dataset *first = NULL;

    for (size_t d = 0; d < f->devices.count; d++) {
        pm_dataset *dataset;

        if (is_measured(f->devices.items[d]))
            continue;
        dataset = read_dataset(f->devices.items[d], "-trace.csv");
        if (!first) {
            check_suite(dataset);
            first = dataset;
            continue;
        }
        assert_int_equal(pm_dataset_rows(dataset), pm_dataset_rows(first));
        for (size_t i = 0; i < pm_dataset_rows(first); i++)
            if (!pm_dataset_find(dataset, pm_dataset_sample(first, i)))
                fail_msg("%s: no row of %s %s", pm_dataset_path(dataset),
                         pm_dataset_sample(first, i)->kernel, pm_dataset_sample(first, i)->size);
    }
    assert_non_null(first);
}

/* ---- contents of the datasets --------------------------------------------------------------- */

static void check_rows(const char *device, const pm_dataset *dataset)
{
    for (size_t i = 0; i < pm_dataset_rows(dataset); i++) {
        const pm_sample *s = pm_dataset_sample(dataset, i);

        assert_string_equal(s->device, device);
        assert_string_equal(s->counter_source, "trace");
        assert_true(isnan(s->time_s));
        for (size_t c = 0; c < pm_dataset_counters(dataset); c++) {
            double value = s->counters[c];

            if (isinf(value) || value < 0)
                fail_msg("%s:%zu: %s is %g", pm_dataset_path(dataset), s->line,
                         pm_dataset_counter_name(dataset, c), value);
            if (strcmp(pm_dataset_counter_name(dataset, c), "inst_executed") == 0)
                assert_true(value > 0);
        }
    }
}

/* The number of work-items equals the workload's number, in traced and measured datasets. */
static void check_work(const pm_dataset *dataset, const pm_dataset *measured)
{
    for (size_t i = 0; i < pm_dataset_rows(measured); i++) {
        const pm_sample *ran = pm_dataset_sample(measured, i);
        const pm_sample *traced = pm_dataset_find(dataset, ran);

        if (!traced || traced->work_items != ran->work_items ||
            traced->work_group != ran->work_group)
            fail_msg("%s: %s %s %s is not what ran on an H100", pm_dataset_path(dataset),
                     ran->kernel, ran->variant, ran->size);
    }
}

TEST(rows_are_counts_of_what_runs)
{
    const fixture *f = *state;
    pm_dataset *measured = read_dataset("h100", ".csv");

    for (size_t d = 0; d < f->devices.count; d++) {
        pm_dataset *dataset = read_dataset(f->devices.items[d], "-trace.csv");

        check_rows(f->devices.items[d], dataset);
        check_work(dataset, measured);
    }
}

/* Provenance exists and contains no path of the machine that made it. */
TEST(provenance_is_there)
{
    const fixture *f = *state;

    for (size_t d = 0; d < f->devices.count; d++) {
        char path[512];
        json_t *root, *runs;

        path_of(path, f->devices.items[d], "-trace.json");
        root = json_load_file(path, 0, NULL);
        runs = json_object_get(root, "runs");
        assert_true(json_array_size(runs) > 0);
        for (size_t r = 0; r < json_array_size(runs); r++) {
            const json_t *run = json_array_get(runs, r);
            const char *command = json_string_value(json_object_get(run, "command"));

            assert_string_equal(json_string_value(json_object_get(run, "counter_target")),
                                f->devices.items[d]);
            assert_non_null(command);
            assert_null(strstr(command, " /"));
        }
        json_decref(root);
    }
}

/* Lists of targets do not contain GPUs without times. */
TEST(traced_counters_are_no_target)
{
    pm_target *targets;
    pm_session *session = session_of(FOLDER);
    size_t count;

    assert_int_equal(pm_targets(session, &targets, &count, told()), PM_OK);
    assert_true(count > 0);
    for (size_t t = 0; t < count; t++)
        assert_null(strstr(targets[t].name, "-trace"));
    pm_targets_free(targets, count);
}

TEST_MAIN(setup, teardown)

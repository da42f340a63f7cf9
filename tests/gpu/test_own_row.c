/* Tests rows of devices.csv that are in the JSON files of datasets: which of several rows is used,
 * and invalid rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "machine/own_row.h"
#include "machine/profile.h"
#include "machine/rules.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

enum { CORES = 3 };

OWNED(device_row, pm_device_row, pm_device_row_free)

static const pm_device cpu = {.id = "pocl", .name = "a CPU", .is_cpu = true, .compute_units = 2};

static const char *json_of(const fixture *f)
{
    static char path[PATH_MAX];

    assert_int_equal(pm_provenance_path(f->file, path, told()), PM_OK);
    return path;
}

/* The shipped row of a device as a probe would have filled it, with another number of cores. */
static pm_probe_row *probed(const char *device, char *cores)
{
    pm_device_row *table = NULL;
    pm_probe_row *row = room(1, sizeof *row);

    assert_int_equal(
        pm_device_row_read_at(device, PM_SOURCE_DIR "/datasets/devices.csv", &table, told()),
        PM_OK);
    owned_device_row(table);
    row->device = cpu;
    row->count = table->columns;
    row->cells = room(row->count, sizeof *row->cells);
    for (size_t c = 0; c < row->count; c++) {
        row->cells[c].name = table->names[c];
        row->cells[c].value =
            strcmp(table->names[c], "compute_units") == 0 ? cores : table->values[c];
    }
    return row;
}

static void write_row(const fixture *f, const pm_probe_row *row)
{
    const pm_provenance_run run = {.counter_source = "trace", .row = row};

    assert_int_equal(pm_provenance_write(f->file, &cpu, &run, told()), PM_OK);
}

static double cores_of(const fixture *f)
{
    pm_profile profile;

    assert_int_equal(pm_profile_of_dataset("pocl", json_of(f), NULL, &profile, told()), PM_OK);
    assert_true(profile.present && profile.loops);
    return profile.compute_units;
}

FOLDER_TEST(the_row_of_a_dataset_counts)
{
    pm_device_row *shipped;
    pm_profile profile;

    write_row(f, probed("pocl", "3"));
    assert_true(cores_of(f) == CORES);
    /* a dataset without a row of its own uses the table's row */
    assert_int_equal(unlink(json_of(f)), 0);
    assert_int_equal(pm_device_row_read_table("pocl", NULL, &shipped, told()), PM_OK);
    owned_device_row(shipped);
    assert_int_equal(pm_profile_find("pocl", NULL, &profile, told()), PM_OK);
    assert_true(cores_of(f) == profile.compute_units && profile.compute_units != CORES);
}

/* A device name finds the row in the user's dataset of that name. */
FOLDER_TEST(the_row_is_found_by_the_devices_name)
{
    pm_gpu gpu;
    pm_profile profile;

    snprintf(f->file, sizeof f->file, "%s/pocl.csv", f->folder);
    write_row(f, probed("pocl", "3"));
    assert_int_equal(pm_gpu_find("pocl", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(gpu.compute_units, CORES);
    assert_int_equal(pm_profile_need("pocl", f->folder, &profile, told()), PM_OK);
    assert_true(profile.compute_units == CORES);
}

/* A GPU has the same row on all machines. */
FOLDER_TEST(a_gpu_has_the_tables_row)
{
    pm_gpu gpu;

    snprintf(f->file, sizeof f->file, "%s/h100.csv", f->folder);
    write_row(f, probed("h100", "3"));
    assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(gpu.compute_units, 132);
}

/* If collecting resumes, the row by which the counters were counted stays. */
FOLDER_TEST(another_run_keeps_the_row)
{
    write_row(f, probed("pocl", "3"));
    write_row(f, NULL);
    assert_true(cores_of(f) == CORES);
}

FOLDER_TEST(what_is_no_row_is_refused)
{
    static const char *const wrong[] = {"3", "[]", "{}", "{\"compute_units\": 3}",
                                        "{\"name\": null}"};
    const char *path = json_of(f);
    pm_profile profile;
    char text[256];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int size = snprintf(text, sizeof text, "{\"device\": {\"row\": %s}}", wrong[i]);

        write_file(path, text, (size_t)size);
        assert_int_equal(pm_profile_of_dataset("pocl", path, NULL, &profile, told()), PM_BAD_INPUT);
        assert_non_null(strstr(last_error.text, path));
        assert_non_null(strstr(last_error.text, "mend"));
    }
}

/* A cell of the row is checked by the rules of devices.csv. */
FOLDER_TEST(a_cell_that_is_wrong_is_named)
{
    pm_profile profile;

    write_row(f, probed("pocl", "-3"));
    assert_int_equal(pm_profile_of_dataset("pocl", json_of(f), NULL, &profile, told()),
                     PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "compute_units is '-3'"));
}

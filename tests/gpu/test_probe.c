/* Tests `perfmodel devices --probe` on a CPU device: the row that it writes can be read and has
 * possible values. Also tests invalid output files, and which rows are complete enough for
 * predictions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "base/numbers.h"
#include "collector/probe/probe.h"
#include "machine/devices_table.h"
#include "machine/profile.h"
#include "session_fixture.h"

/* Returns the row of a device of this machine, measured once for all tests; NULL: there is no
 * device. */
static pm_probe_row *measured(void)
{
    pm_probe_options options = {0};
    pm_device *devices;
    size_t count;
    pm_probe_row *row;

    if (pm_devices(&devices, &count, told()) != PM_OK) {
        print_message("SKIPPED: %s\n", last_error.text);
        return NULL;
    }
    free(devices);
    row = pm_probe_run(NULL, &options, told());
    assert_ok(row);
    return row;
}

static const char *value_of(const pm_probe_row *row, const char *column)
{
    for (size_t c = 0; c < row->count; c++)
        if (strcmp(row->cells[c].name, column) == 0)
            return row->cells[c].value;
    fail_msg("no cell %s", column);
    return NULL;
}

static double number_of(const pm_probe_row *row, const char *column)
{
    double value;

    if (!pm_number_parse(value_of(row, column), &value))
        fail_msg("%s is '%s'", column, value_of(row, column));
    return value;
}

static pm_probe_row *row_here;

OWNED(row, pm_probe_row, pm_probe_free)
OWNED(device_row, pm_device_row, pm_device_row_free)

/* Returns a made-up row, which needs no device. */
static pm_probe_row *made_up(void)
{
    static const pm_device device = {.id = "some", .name = "Some, \"quoted\" GPU", .driver = "1"};
    pm_probe_row *row = pm_probe_row_create(&device);
    pm_probe probe = {.row = row};

    owned_row(row);
    pm_probe_text(&probe, "device", PM_PROBE_ASKED, "some", "");
    pm_probe_text(&probe, "name", PM_PROBE_ASKED, device.name, "");
    pm_probe_number(&probe, "clock_mhz", PM_PROBE_ASKED, 1234.5, "");
    return row;
}

static pm_device_row *row_of(const char *device, const char *path)
{
    pm_device_row *table = NULL;

    (void)pm_device_row_read_at(device, path, &table, told());
    return owned_device_row(table);
}

TEST(a_row_has_the_columns_of_the_shipped_table)
{
    pm_probe_row *row = made_up();
    const pm_device_row *table = row_of("h100", PM_SOURCE_DIR "/datasets/devices.csv");
    size_t c = 0;

    for (; c < table->columns; c++) {
        assert_true(c < row->count);
        assert_string_equal(row->cells[c].name, table->names[c]);
    }
    assert_int_equal(c, row->count);
}

TEST(what_is_measured_is_possible)
{
    const pm_probe_row *row = row_here;
    static const char *const rates[] = {"fma_per_cycle", "alu_per_cycle", "xu_per_cycle",
                                        "lsu_per_cycle", "dram_gb_s",     "launch_us"};
    static const char *const latencies[] = {"alu_latency_cycles", "shared_load_cycles",
                                            "load_dram_cycles"};

    if (!row)
        skip();
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_true(number_of(row, rates[i]) > 0 && number_of(row, rates[i]) < 1e5);
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++)
        assert_true(number_of(row, latencies[i]) > 0.5 && number_of(row, latencies[i]) < 1e5);
    assert_true(number_of(row, "dram_copy_share") > 0);
    assert_true(number_of(row, "dram_copy_share") <= 1);
    assert_true(number_of(row, "issue_per_cycle") >= number_of(row, "fma_per_cycle"));
    /* Latencies must not decrease with the distance of the memory. Sizes of caches must be present
     * if the driver reports them. */
    if (*value_of(row, "load_l1_cycles"))
        assert_true(number_of(row, "load_l1_cycles") <= number_of(row, "load_dram_cycles"));
    if (*value_of(row, "load_l2_cycles") && *value_of(row, "load_l1_cycles"))
        assert_true(number_of(row, "load_l1_cycles") <= number_of(row, "load_l2_cycles"));
    for (size_t c = 0; c < row->count; c++)
        assert_int_equal(row->cells[c].origin == PM_PROBE_UNKNOWN, !*row->cells[c].value);
}

TEST(the_sources_name_each_cell)
{
    const pm_probe_row *row = row_here;
    const char *sources;

    if (!row)
        skip();
    sources = value_of(row, "sources");
    assert_non_null(strstr(sources, "perfmodel devices --probe"));
    assert_non_null(strstr(sources, row->device.driver));
    for (size_t c = 0; c < row->count; c++)
        if (*row->cells[c].value && strcmp(row->cells[c].name, "sources") != 0)
            assert_non_null(strstr(sources, row->cells[c].name));
}

FOLDER_TEST(a_row_is_read_back)
{
    pm_probe_row *row = made_up();
    const char *text;

    assert_int_equal(pm_probe_output_write(f->file, row, &f->log, told()), PM_OK);
    for (size_t c = 0; c < row->count; c++) {
        pm_device_row *table = row_of("some", f->file);

        assert_true(table->line > 0);
        assert_int_equal(pm_device_row_cell(table, row->cells[c].name, &text, told()), PM_OK);
        assert_string_equal(text, row->cells[c].value);
    }
    /* a file must get the same bytes as standard output */
    size_t size;
    assert_string_equal(file_bytes(f->file, &size), owned_memory(pm_probe_csv(row, told())));
}

FOLDER_TEST(a_row_is_appended_in_the_columns_of_the_table)
{
    static const char before[] = "note,clock_mhz,device\n\"a, b\",1,other\n";
    pm_probe_row *row = made_up();

    write_text(f->file, before);
    assert_int_equal(pm_probe_output_check(f->file, "some", told()), PM_OK);
    assert_int_equal(pm_probe_output_write(f->file, row, &f->log, told()), PM_OK);
    assert_bytes(f->file, "note,clock_mhz,device\n\"a, b\",1,other\n,1234.5,some\n");
    assert_int_equal(f->notices, 1); /* a notice about `name`, for which the table has no column */
    assert_non_null(strstr(f->notice, "'name'"));
    /* now it is there */
    assert_int_equal(pm_probe_output_write(f->file, row, &f->log, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, ":3: a row of some is there already; remove it");
    assert_int_equal(pm_probe_output_check(f->file, "some", told()), PM_BAD_INPUT);
}

FOLDER_TEST(places_that_are_wrong_are_told_first)
{
    static const struct {
        const char *text, *words;
    } tables[] = {{"name,clock_mhz\na,1\n", "no column 'device'"},
                  {"device,clock_mhz\na\n", "1 cells, the header has 2"},
                  {"device,clock_mhz\na,1", "the last line does not end"},
                  {"device,program\na,1\n", "no devices.csv"},
                  {"", "it is empty"}};
    pm_probe_options options = {.output = f->file};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        write_text(f->file, tables[i].text);
        assert_int_equal(pm_probe_output_check(f->file, "some", told()), PM_BAD_INPUT);
        assert_error(PM_BAD_INPUT, tables[i].words);
        assert_null(strchr(last_error.text, '\n'));
        assert_bytes(f->file, tables[i].text);
    }
    assert_int_equal(pm_probe_output_check(in_folder(f, "missing/devices.csv"), "some", told()),
                     PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "choose another with -o");
    assert_int_equal(pm_probe_output_check(f->folder, "some", told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "not a regular file");
    assert_int_equal(pm_probe_output_check("/dev/full", "some", told()), PM_BAD_INPUT);
    options.device = "no_such_device";
    assert_null(pm_probe_run(NULL, &options, told()));
    assert_error(PM_BAD_INPUT, "no device 'no_such_device' here");
}

/* Cells are copied from a GPU of the same architecture that agrees in most values. The device's own
 * row is used only if there is no other. */
FOLDER_TEST(a_gpu_like_it_lends_its_rules)
{
    static const char text[] = "device,architecture,max_warps,l1_ways,l1_unified,l1_bytes,year,"
                               "issue_per_cycle\n"
                               "old,kepler,64,1,no,16384,2012,9\n"
                               "far,hopper,48,2,yes,131072,2020,4\n"
                               "some,hopper,64,3,yes,262144,2021,4\n"
                               "near,hopper,64,4,yes,262144,2022,4\n";
    pm_probe_row *row = made_up();
    pm_probe probe = {.row = row, .issue = {.median = 3.9}, .l1_bytes = 221184};

    write_text(in_folder(f, "devices.csv"), text);
    pm_probe_text(&probe, "architecture", PM_PROBE_ASKED, "hopper", "");
    pm_probe_number(&probe, "max_warps", PM_PROBE_ASKED, 64, "");
    assert_int_equal(pm_probe_like(&probe, f->folder, told()), PM_OK);
    assert_string_equal(value_of(row, "l1_ways"), "4");
    assert_string_equal(pm_probe_cell_find(row, "l1_ways")->how, "as near's");
    assert_string_equal(value_of(row, "issue_per_cycle"), "4");
    assert_string_equal(value_of(row, "l1_bytes"), "262144");
    assert_non_null(strstr(pm_probe_cell_find(row, "l1_bytes")->how, "221184 bytes of it were L1"));
    /* values that differ between chips are not copied */
    assert_string_equal(value_of(row, "year"), "");
    assert_string_equal(value_of(row, "l1_sector"), "");
}

FOLDER_TEST(profiles_are_the_rows_without_gaps)
{
    pm_session *shipped = session_of(PM_SOURCE_DIR "/datasets"), *broken = session_of(f->folder);
    char **names;
    size_t count;

    assert_int_equal(pm_profiles(shipped, &names, &count, told()), PM_OK);
    assert_true(count >= 2);
    for (size_t i = 0; i < count; i++) {
        pm_profile profile;

        assert_int_equal(pm_profile_find(names[i], PM_SOURCE_DIR "/datasets", &profile, told()),
                         PM_OK);
        assert_true(profile.present);
    }
    assert_null(names[count]);
    assert_string_equal(names[0], "b200"); /* as the rows stand */
    pm_profiles_free(names);
    write_text(in_folder(f, "devices.csv"), "device\na\n");
    assert_int_equal(pm_profiles(broken, &names, &count, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "no column");
}

int main(void)
{
    int failed;

    row_here = measured();
    failed = run_all_tests(NULL, NULL);
    pm_probe_free(row_here);
    return failed;
}

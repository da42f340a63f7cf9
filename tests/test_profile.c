/* Reading devices.csv: the shipped one, a user's own, and files that are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "model/profile.h"

#define HEADER                                                                                     \
    "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,fmaheavy_per_cycle,"             \
    "alu_per_cycle,xu_per_cycle,lsu_per_cycle,l1_wavefronts_per_cycle,l2_bytes_per_cycle,"         \
    "dram_gb_s\n"

/* The user's table is this text. */
static pm_status find_in(fixture *f, const char *text, const char *device, pm_profile *profile,
                         pm_error *err)
{
    snprintf(f->file, sizeof f->file, "%s/devices.csv", f->folder);
    write_file(f->file, text, strlen(text));
    assert_int_equal(setenv("PERFMODEL_DATASETS", f->folder, 1), 0);
    *err = (pm_error){0};
    return pm_profile_find(device, NULL, profile, err);
}

static void the_shipped_gpus_are_known(void **state)
{
    pm_profile profile;
    pm_error err = {0};

    (void)state;
    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_int_equal(pm_profile_find("h100", NULL, &profile, &err), PM_OK);
    assert_true(profile.present);
    assert_true(profile.compute_units == 132 && profile.clock_mhz == 1980);
    assert_true(profile.xu_per_cycle == 0.5 && profile.dram_gb_s == 3350);
    assert_int_equal(pm_profile_find("h200", NULL, &profile, &err), PM_OK);
    assert_true(profile.present);
    assert_true(profile.compute_units == 132 && profile.dram_gb_s == 4800);
    assert_int_equal(pm_profile_find("abacus", NULL, &profile, &err), PM_OK);
    assert_false(profile.present);
}

static void a_row_is_read_by_the_names_of_its_columns(void **state)
{
    pm_profile p;
    pm_error err;

    assert_int_equal(find_in(*state,
                             HEADER "a,1,200,3,4,5,6,7,8,9,10,11\nb,1,100,1,1,1,1,1,1,1,1,1\n", "a",
                             &p, &err),
                     PM_OK);
    assert_true(p.present && p.compute_units == 1 && p.clock_mhz == 200 && p.issue_per_cycle == 3 &&
                p.fma_per_cycle == 4 && p.fmaheavy_per_cycle == 5 && p.alu_per_cycle == 6 &&
                p.xu_per_cycle == 7 && p.lsu_per_cycle == 8 && p.l1_wavefronts_per_cycle == 9 &&
                p.l2_bytes_per_cycle == 10 && p.dram_gb_s == 11);
    /* another order, columns that nobody asks for, a row of another GPU that is no good */
    assert_int_equal(
        find_in(*state,
                "dram_gb_s,note,l2_bytes_per_cycle,l1_wavefronts_per_cycle,lsu_per_cycle,"
                "xu_per_cycle,alu_per_cycle,fmaheavy_per_cycle,fma_per_cycle,issue_per_cycle,"
                "clock_mhz,compute_units,device\n"
                "x,,,,,,,,,,,,b\n11,\"mine, all\",10,9,8,7,6,5,4,3,200,1,a\n",
                "a", &p, &err),
        PM_OK);
    assert_true(p.present && p.compute_units == 1 && p.dram_gb_s == 11);
    assert_int_equal(find_in(*state, HEADER "a,1,200,3,4,5,6,7,8,9,10,11\n", "c", &p, &err), PM_OK);
    assert_false(p.present);
}

/* The GPU is not one that the units model can do, and another fault of its row still counts. */
static void an_empty_cell_is_unknown(void **state)
{
    pm_profile p;
    pm_error err;

    assert_int_equal(find_in(*state, HEADER "a,1,200,3,4,5,,7,8,9,10,11\n", "a", &p, &err), PM_OK);
    assert_false(p.present);
    assert_int_equal(find_in(*state, HEADER "a,1,200,3,4,5,,7,8,9,10,0\n", "a", &p, &err),
                     PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "dram_gb_s"));
    assert_int_equal(pm_profile_need("a", NULL, &p, &err), PM_BAD_INPUT);
    assert_int_equal(find_in(*state, HEADER "a,1,200,3,4,5,,7,8,9,10,11\n", "a", &p, &err), PM_OK);
    assert_int_equal(pm_profile_need("a", NULL, &p, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "alu_per_cycle is empty"));
    assert_int_equal(pm_profile_need("c", NULL, &p, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "name one of: a"));
}

/* What the units model can do without, and what it then takes. */
static void some_cells_may_be_empty(void **state)
{
    static const char more[] = "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,"
                               "fmaheavy_per_cycle,alu_per_cycle,xu_per_cycle,lsu_per_cycle,"
                               "l1_wavefronts_per_cycle,l2_bytes_per_cycle,dram_gb_s,l2_bytes,"
                               "dram_copy_share,launch_us,load_l2_cycles,architecture,year\n";
    char text[1024];
    pm_profile p;
    pm_error err;

    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,,11,0,,,,,\n", more);
    assert_int_equal(find_in(*state, text, "a", &p, &err), PM_OK);
    assert_true(p.present && p.fmaheavy_per_cycle == 0 && p.l2_bytes_per_cycle == 0);
    assert_true(p.launch_s == 0 && p.l2_cycles == 0 && p.year == 0 && !*p.architecture);
    assert_true(p.dram_share > 0.5 && p.dram_share < 1);
    /* one that has an L2 has a rate of it */
    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,,11,4096,,,,,\n", more);
    assert_int_equal(find_in(*state, text, "a", &p, &err), PM_OK);
    assert_false(p.present);
    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,10,11,4096,0.7,2.5,90,kepler,2012\n", more);
    assert_int_equal(find_in(*state, text, "a", &p, &err), PM_OK);
    assert_true(p.present && p.dram_share == 0.7 && p.l2_cycles == 90 && p.year == 2012);
    assert_true(fabs(p.launch_s - 2.5e-6) < 1e-12);
    assert_string_equal(p.architecture, "kepler");
}

static void a_named_folder_goes_first(void **state)
{
    fixture *f = *state;
    pm_profile p;
    pm_error err;

    assert_int_equal(find_in(f, HEADER "h100,1,200,3,4,5,6,7,8,9,10,11\n", "h100", &p, &err),
                     PM_OK);
    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_int_equal(pm_profile_find("h100", f->folder, &p, &err), PM_OK);
    assert_true(p.present && p.compute_units == 1);
    /* a folder without a table leaves the choice to the places after it */
    assert_int_equal(unlink(f->file), 0);
    assert_int_equal(pm_profile_find("h100", f->folder, &p, &err), PM_OK);
    assert_true(p.present && p.compute_units == 132);
}

static void wrong_files_are_named_with_their_line(void **state)
{
    static const struct {
        const char *text, *line, *what;
    } cases[] = {
        {"device,compute_units\na,1\n", ":1:", "clock_mhz"},
        {"compute_units,clock_mhz\n1,2\n", ":1:", "device"},
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,much\n", ":2:", "much"},
        {HEADER "b,1,100,1,1,1,1,1,1,1,1,1\na,-1,200,3,4,5,6,7,8,9,10,11\n",
         ":3:", "compute_units"},
        {HEADER "a,1,200,3,0,5,6,7,8,9,10,11\n", ":2:", "fma_per_cycle"},
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,nan\n", ":2:", "dram_gb_s"},
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,1e999\n", ":2:", "dram_gb_s"},
        {HEADER "a,1,1.2,3,4,5,6,7,8,9,10,11\n", ":2:", "clock_mhz"},   /* in GHz */
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,3e11\n", ":2:", "dram_gb_s"}, /* in bytes */
        {HEADER "a,1,200,3,4,5,6,7,8,9,10\n", ":2:", "11 cells"},
        {HEADER "b,1\n", ":2:", "2 cells"}, /* of whatever GPU */
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,11\na,1,200,3,4,5,6,7,8,9,10,11\n", ":3:", "second"},
        {HEADER "a,1,200,3,4,5,6,7,8,9,10,11", ":2:", "newline"},
        {"", ":", "empty"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture *f = *state;
        pm_profile profile;
        pm_error err;
        char place[PATH_MAX + 8];

        assert_int_equal(find_in(f, cases[k].text, "a", &profile, &err), PM_BAD_INPUT);
        assert_false(profile.present);
        snprintf(place, sizeof place, "%s%s", f->file, cases[k].line);
        if (strncmp(err.text, place, strlen(place)) != 0 || !strstr(err.text, cases[k].what))
            fail_msg("case %zu: %s", k, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shipped_gpus_are_known),
        IN_FOLDER(a_row_is_read_by_the_names_of_its_columns),
        IN_FOLDER(an_empty_cell_is_unknown),
        IN_FOLDER(some_cells_may_be_empty),
        IN_FOLDER(a_named_folder_goes_first),
        IN_FOLDER(wrong_files_are_named_with_their_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

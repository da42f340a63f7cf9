/* Reading devices.csv: the shipped one, a user's own, and files that are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "machine/profile.h"

#define HEADER                                                                                     \
    "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,fmaheavy_per_cycle,"             \
    "alu_per_cycle,xu_per_cycle,lsu_per_cycle,l1_wavefronts_per_cycle,l2_bytes_per_cycle,"         \
    "dram_gb_s\n"

/* Reads a profile from a user's table with this text. */
static pm_status find_in(fixture *f, const char *text, const char *device, pm_profile *profile,
                         pm_error *err)
{
    snprintf(f->file, sizeof f->file, "%s/devices.csv", f->folder);
    write_text(f->file, text);
    assert_int_equal(setenv("PERFMODEL_DATASETS", f->folder, 1), 0);
    *err = (pm_error){0};
    return pm_profile_find(device, NULL, profile, err);
}

TEST(the_shipped_gpus_are_known)
{
    pm_profile profile;

    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_int_equal(pm_profile_find("h100", NULL, &profile, told()), PM_OK);
    assert_true(profile.present);
    assert_true(profile.compute_units == 132 && profile.clock_mhz == 1980);
    assert_true(profile.xu_per_cycle == 0.5 && profile.dram_gb_s == 3350);
    assert_true(profile.year == 2022 && strcmp(profile.architecture, "hopper") == 0);
    assert_true(profile.launch_s > 1e-7 && profile.launch_s < 1e-4);
    assert_int_equal(pm_profile_find("h200", NULL, &profile, told()), PM_OK);
    assert_true(profile.present);
    assert_true(profile.compute_units == 132 && profile.dram_gb_s == 4800);
    assert_int_equal(pm_profile_find("abacus", NULL, &profile, told()), PM_OK);
    assert_false(profile.present);
}

FOLDER_TEST(a_row_is_read_by_the_names_of_its_columns)
{
    pm_profile p;

    assert_int_equal(find_in(f, HEADER "a,1,200,3,4,5,6,7,8,9,10,11\nb,1,100,1,1,1,1,1,1,1,1,1\n",
                             "a", &p, told()),
                     PM_OK);
    assert_true(p.present && p.compute_units == 1 && p.clock_mhz == 200 && p.issue_per_cycle == 3 &&
                p.fma_per_cycle == 4 && p.fmaheavy_per_cycle == 5 && p.alu_per_cycle == 6 &&
                p.xu_per_cycle == 7 && p.lsu_per_cycle == 8 && p.l1_wavefronts_per_cycle == 9 &&
                p.l2_bytes_per_cycle == 10 && p.dram_gb_s == 11);
    /* the columns are in another order, and another GPU's row is invalid */
    assert_int_equal(
        find_in(f,
                "dram_gb_s,l2_bytes_per_cycle,l1_wavefronts_per_cycle,lsu_per_cycle,"
                "xu_per_cycle,alu_per_cycle,fmaheavy_per_cycle,fma_per_cycle,issue_per_cycle,"
                "clock_mhz,compute_units,device\n"
                "x,,,,,,,,,,,b\n11,10,9,8,7,6,5,4,3,200,1,a\n",
                "a", &p, told()),
        PM_OK);
    assert_true(p.present && p.compute_units == 1 && p.dram_gb_s == 11);
    assert_int_equal(find_in(f, HEADER "a,1,200,3,4,5,6,7,8,9,10,11\n", "c", &p, told()), PM_OK);
    assert_false(p.present);
}

/* Properties that are read from a column with another name, and optional properties. */
FOLDER_TEST(every_column_has_its_member)
{
    static const char text[] =
        "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,alu_per_cycle,xu_per_cycle,"
        "lsu_per_cycle,l1_wavefronts_per_cycle,l2_bytes_per_cycle,dram_gb_s,warp_width,"
        "fp64_per_cycle,dram_copy_share,alu_latency_cycles,shared_load_cycles,load_l1_cycles,"
        "load_l2_cycles,load_dram_cycles,year,launch_us,architecture,l2_bytes\n"
        "a,1,200,3,4,6,7,8,9,10,11,64,0.5,0.75,5,25,35,250,600,2016,2.5,pascal,4096\n"
        "b,1,200,3,4,6,7,8,9,,11,,,,,,,,,,,,0\n";
    pm_profile p;

    assert_int_equal(find_in(f, text, "a", &p, told()), PM_OK);
    assert_true(p.present && p.warp_width == 64 && p.fp64_per_cycle == 0.5 &&
                p.dram_share == 0.75 && p.alu_cycles == 5 && p.shared_cycles == 25 &&
                p.l1_cycles == 35 && p.l2_cycles == 250 && p.dram_cycles == 600 && p.year == 2016 &&
                fabs(p.launch_s - 2.5e-6) < 1e-18);
    assert_string_equal(p.architecture, "pascal");
    /* unknown values become 0, except the fraction of DRAM bandwidth; a GPU without L2 needs no
     * rate of L2 */
    assert_int_equal(find_in(f, text, "b", &p, told()), PM_OK);
    assert_true(p.present && p.l2_bytes_per_cycle == 0 && p.warp_width == 0 &&
                p.fp64_per_cycle == 0 && p.alu_cycles == 0 && p.dram_cycles == 0 && p.year == 0 &&
                p.launch_s == 0 && !*p.architecture);
    assert_true(p.dram_share > 0.5 && p.dram_share <= 1);
}

/* The units model does not support this GPU. Another fault of its row is still an error. */
FOLDER_TEST(an_empty_cell_is_unknown)
{
    pm_profile p;

    assert_int_equal(find_in(f, HEADER "a,1,200,3,4,5,,7,8,9,10,11\n", "a", &p, told()), PM_OK);
    assert_false(p.present);
    assert_int_equal(find_in(f, HEADER "a,1,200,3,4,5,,7,8,9,10,0\n", "a", &p, told()),
                     PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "dram_gb_s");
    assert_int_equal(pm_profile_need("a", NULL, &p, told()), PM_BAD_INPUT);
    assert_int_equal(find_in(f, HEADER "a,1,200,3,4,5,,7,8,9,10,11\n", "a", &p, told()), PM_OK);
    assert_int_equal(pm_profile_need("a", NULL, &p, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "alu_per_cycle is empty");
    assert_int_equal(pm_profile_need("c", NULL, &p, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "there is: a");
}

/* Cells that the units model does not need, and the defaults that it then uses. */
FOLDER_TEST(some_cells_may_be_empty)
{
    static const char more[] = "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,"
                               "fmaheavy_per_cycle,alu_per_cycle,xu_per_cycle,lsu_per_cycle,"
                               "l1_wavefronts_per_cycle,l2_bytes_per_cycle,dram_gb_s,l2_bytes,"
                               "dram_copy_share,launch_us,load_l2_cycles,architecture,year\n";
    char text[1024];
    pm_profile p;

    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,,11,0,,,,,\n", more);
    assert_int_equal(find_in(f, text, "a", &p, told()), PM_OK);
    assert_true(p.present && p.fmaheavy_per_cycle == 0 && p.l2_bytes_per_cycle == 0);
    assert_true(p.launch_s == 0 && p.l2_cycles == 0 && p.year == 0 && !*p.architecture);
    assert_true(p.dram_share > 0.5 && p.dram_share < 1);
    /* a GPU with an L2 needs the rate of L2 */
    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,,11,4096,,,,,\n", more);
    assert_int_equal(find_in(f, text, "a", &p, told()), PM_OK);
    assert_false(p.present);
    snprintf(text, sizeof text, "%sa,1,200,3,4,,6,7,8,9,10,11,4096,0.7,2.5,90,kepler,2012\n", more);
    assert_int_equal(find_in(f, text, "a", &p, told()), PM_OK);
    assert_true(p.present && p.dram_share == 0.7 && p.l2_cycles == 90 && p.year == 2012);
    assert_true(fabs(p.launch_s - 2.5e-6) < 1e-12);
    assert_string_equal(p.architecture, "kepler");
}

FOLDER_TEST(a_named_folder_goes_first)
{
    pm_profile p;

    assert_int_equal(find_in(f, HEADER "h100,1,200,3,4,5,6,7,8,9,10,11\n", "h100", &p, told()),
                     PM_OK);
    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_int_equal(pm_profile_find("h100", f->folder, &p, told()), PM_OK);
    assert_true(p.present && p.compute_units == 1);
    /* if the folder has no table, the next folders are searched */
    assert_int_equal(unlink(f->file), 0);
    assert_int_equal(pm_profile_find("h100", f->folder, &p, told()), PM_OK);
    assert_true(p.present && p.compute_units == 132);
}

#define WIDE                                                                                       \
    "device,compute_units,clock_mhz,issue_per_cycle,fma_per_cycle,alu_per_cycle,xu_per_cycle,"     \
    "lsu_per_cycle,l1_wavefronts_per_cycle,l2_bytes_per_cycle,dram_gb_s,year,launch_us,"           \
    "load_l1_cycles,load_l2_cycles,load_dram_cycles,dram_copy_share,architecture\n"

/* A GPU whose cells are missing cannot be predicted. The error is one line with file, line and
 * column. */
FOLDER_TEST(what_is_needed_is_asked_for)
{
    static const struct {
        const char *cells;
        const char *words[2];
    } cases[] = {
        {"a,1,200,3,,6,7,8,9,10,11,2016,2.5,35,250,600,0.8,x",
         {":2: fma_per_cycle is empty", "64"}},
        {"a,1,200,3,4,6,7,8,9,,11,2016,2.5,35,250,600,0.8,x",
         {":2: l2_bytes_per_cycle is empty", "1e+06"}},
        {"a,1,1.98,3,4,6,7,8,9,10,11,2016,2.5,35,250,600,0.8,x", {":2: clock_mhz is '1.98'", "50"}},
        {"a,1,200,3,4,6,7,8,9,10,3.35e12,2016,2.5,35,250,600,0.8,x",
         {":2: dram_gb_s is '3.35e12'", "1e+06"}},
        {"a,1,200,3,4,6,7,8,9,10,11,16,2.5,35,250,600,0.8,x", {":2: year is '16'", "2000"}},
        {"a,1,200,3,4,6,7,8,9,10,11,2016,2.5e-6,35,250,600,0.8,x",
         {":2: launch_us is '2.5e-6'", "0.01"}},
        {"a,1,200,3,4,6,7,8,9,10,11,2016,2.5,35,250,600,80,x",
         {":2: dram_copy_share is '80'", "1"}},
        {"a,1,200,3,4,6,7,8,9,10,11,2016,2.5,300,250,600,0.8,x",
         {":2: load_l1_cycles is '300'", "no more than load_l2_cycles"}},
        {"a,1,200,3,4,6,7,8,9,10,11,2016,2.5,35,700,600,0.8,x",
         {":2: load_l2_cycles is '700'", "no more than load_dram_cycles"}},
        {"a,1,200,3,4,6,7,8,9,10,11,2016,2.5,35,250,600,0.8,"
         "0123456789012345678901234567890123456789",
         {":2: architecture is", "31"}},
        {"b,1,200,3,4,6,7,8,9,10,11,2016,2.5,35,250,600,0.8,x", {"no GPU 'a'", "there is: b"}},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pm_profile profile;
        char text[1024];

        snprintf(text, sizeof text, "%s%s\n", WIDE, cases[k].cells);
        find_in(f, text, "a", &profile, told());
        assert_int_equal(pm_profile_need("a", NULL, &profile, told()), PM_BAD_INPUT);
        assert_false(profile.present);
        if (!strstr(last_error.text, f->file) || strchr(last_error.text, '\n') ||
            !strstr(last_error.text, cases[k].words[0]) ||
            !strstr(last_error.text, cases[k].words[1]))
            fail_msg("case %zu: %s", k, last_error.text);
    }
}

TEST(years_are_of_development)
{
    const pm_profile kepler = {.year = 2012, .architecture = "kepler"};
    const pm_profile later_kepler = {.year = 2014, .architecture = "kepler"};
    const pm_profile pascal = {.year = 2016, .architecture = "pascal"};
    const pm_profile nameless = {.year = 2016}, undated = {.architecture = "volta"}, none = {0};

    assert_true(pm_profile_years_apart(&kepler, &later_kepler) == 0);
    assert_true(pm_profile_years_apart(&kepler, &pascal) == 4);
    assert_true(pm_profile_years_apart(&pascal, &kepler) == 4);
    assert_true(pm_profile_years_apart(&nameless, &pascal) == 0);
    assert_true(pm_profile_years_apart(&kepler, &nameless) == 4);
    assert_true(pm_profile_years_apart(&undated, &pascal) == PM_FAR_YEARS);
    assert_true(pm_profile_years_apart(&undated, &undated) == 0);
    /* GPUs without a name of an architecture are not related */
    assert_true(pm_profile_years_apart(&none, &none) == PM_FAR_YEARS);
}

FOLDER_TEST(wrong_files_are_named_with_their_line)
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
        pm_profile profile;
        char place[PATH_MAX + 8];

        assert_int_equal(find_in(f, cases[k].text, "a", &profile, told()), PM_BAD_INPUT);
        assert_false(profile.present);
        snprintf(place, sizeof place, "%s%s", f->file, cases[k].line);
        if (strncmp(last_error.text, place, strlen(place)) != 0 ||
            !strstr(last_error.text, cases[k].what))
            fail_msg("case %zu: %s", k, last_error.text);
    }
}

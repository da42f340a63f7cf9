/* Tests the properties by which the trace engine simulates a GPU: those of the shipped rows of
 * devices.csv, the occupancy that follows from them, and invalid rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include "machine/counters/events.h"
#include "machine/rules.h"
#include "owned.h"

static pm_gpu shipped(const char *device)
{
    pm_gpu gpu;

    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_ok(pm_gpu_find(device, NULL, &gpu, told()) == PM_OK);
    assert_string_equal(gpu.device, device);
    return gpu;
}

/* ---- the shipped rows ---------------------------------------------------------------------- */

TEST(every_shipped_gpu_has_rules)
{
    static const struct {
        const char *device;
        pm_coalescing coalescing;
        bool l1_global;
        size_t l2_kb;
    } gpus[] = {
        {"gtx280", PM_COALESCE_SEGMENTS, false, 0},    {"gtx285", PM_COALESCE_SEGMENTS, false, 0},
        {"gtx480", PM_COALESCE_LINES, true, 768},      {"c2050", PM_COALESCE_LINES, true, 768},
        {"gtx680", PM_COALESCE_SECTORS, false, 512},   {"k20c", PM_COALESCE_SECTORS, false, 1280},
        {"gtx980", PM_COALESCE_SECTORS, false, 2048},  {"p100", PM_COALESCE_SECTORS, true, 4096},
        {"v100", PM_COALESCE_SECTORS, true, 6144},     {"t4", PM_COALESCE_SECTORS, true, 4096},
        {"rtx3090", PM_COALESCE_SECTORS, true, 6144},  {"a100", PM_COALESCE_SECTORS, true, 40960},
        {"rtx4090", PM_COALESCE_SECTORS, true, 73728}, {"l40s", PM_COALESCE_SECTORS, true, 98304},
        {"h100", PM_COALESCE_SECTORS, true, 51200},    {"h200", PM_COALESCE_SECTORS, true, 61440},
        {"b200", PM_COALESCE_SECTORS, true, 129024},   {"hd5870", PM_COALESCE_SECTORS, false, 512},
    };

    for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++) {
        pm_gpu gpu = shipped(gpus[g].device);

        assert_int_equal(gpu.coalescing, gpus[g].coalescing);
        assert_int_equal(gpu.l1_global, gpus[g].l1_global);
        assert_int_equal(gpu.l2_bytes, gpus[g].l2_kb * 1024);
        assert_int_equal(gpu.warp_width, strcmp(gpus[g].device, "hd5870") == 0 ? 64 : 32);
    }
}

TEST(the_h100_is_read_whole)
{
    pm_gpu gpu = shipped("h100");

    assert_int_equal(gpu.compute_units, 132);
    assert_true(gpu.l1_unified);
    assert_int_equal(gpu.l1_bytes, 256 * 1024);
    assert_int_equal(gpu.l1_line, 128);
    assert_int_equal(gpu.l1_sector, 32);
    assert_int_equal(gpu.l1_ways, 64);
    assert_int_equal(gpu.shared_bytes, 228 * 1024);
    assert_int_equal(gpu.shared_group_bytes, 227 * 1024);
    assert_int_equal(gpu.shared_reserved, 1024);
    assert_int_equal(gpu.shared_unit, 128);
    assert_int_equal(gpu.shared_banks, 32);
    assert_int_equal(gpu.shared_bank_bytes, 4);
    assert_int_equal(gpu.carveout_count, 10);
    assert_int_equal(gpu.carveouts[5], 100 * 1024);
    assert_int_equal(gpu.shared_spare, 132 * 1024);
    assert_int_equal(gpu.l2_line, 128);
    assert_int_equal(gpu.l2_sector, 32);
    assert_int_equal(gpu.l2_ways, 20);
    assert_true(gpu.l2_far == 0.5);
    assert_int_equal(gpu.max_warps, 64);
    assert_int_equal(gpu.max_groups, 32);
    assert_int_equal(gpu.registers, 65536);
    assert_int_equal(gpu.register_scope, PM_REGISTERS_WARP);
    assert_int_equal(gpu.register_unit, 256);
    assert_int_equal(gpu.warp_unit, 4);
    assert_int_equal(gpu.max_registers, 255);
}

/* ---- occupancy ----------------------------------------------------------------------------- */

static double counter(const pm_dataset *dataset, const pm_sample *sample, const char *name)
{
    for (size_t c = 0; c < pm_dataset_counters(dataset); c++)
        if (strcmp(pm_dataset_counter_name(dataset, c), name) == 0)
            return sample->counters[c];
    fail_msg("no counter %s", name);
    return NAN;
}

/* Compares with the CUDA driver's values for every measured kernel. */
static void check_dataset(const char *device)
{
    char path[PATH_MAX];
    pm_gpu gpu = shipped(device);
    size_t seen = 0;

    snprintf(path, sizeof path, "%s/datasets/%s.csv", PM_SOURCE_DIR, device);
    pm_dataset *dataset = owned_dataset(pm_dataset_read(path, NULL, told()));
    for (size_t row = 0; row < pm_dataset_rows(dataset); row++) {
        const pm_sample *sample = pm_dataset_sample(dataset, row);
        double resident = counter(dataset, sample, "resident_groups");
        double registers = counter(dataset, sample, "registers");
        double shared = counter(dataset, sample, "shared_bytes");

        if (isnan(resident))
            continue;
        seen++;
        if (pm_gpu_resident(&gpu, (unsigned)sample->work_group, (unsigned)registers, (size_t)shared,
                            NULL) != resident)
            fail_msg("%s:%zu", path, sample->line);
    }
    assert_true(seen > 100);
}

TEST(occupancy_is_the_drivers)
{
    check_dataset("h100");
    check_dataset("h200");
}

/* Expected values were computed by hand from the rules of the occupancy calculator. */
TEST(each_limit_is_found)
{
    static const struct {
        const char *device;
        unsigned work_items, registers;
        size_t shared;
        unsigned resident;
        const char *limit;
    } cases[] = {
        {"h100", 32, 16, 0, 32, "groups"},
        {"h100", 256, 16, 0, 8, "warps"},
        {"h100", 250, 16, 0, 8, "warps"}, /* a partly filled warp counts as a warp */
        /* 1280 registers per warp: 51 warps fit into the register file, but only 12 into each
         * quarter, so 48 */
        {"h100", 64, 34, 0, 24, "registers"},
        {"h100", 256, 0, 0, 8, "warps"},
        {"h100", 1024, 300, 0, 1, "registers"},
        {"h100", 128, 16, 16384, 13, "shared"}, /* 233472 / (16384 + 1024) */
        {"h100", 128, 16, SIZE_MAX, 1, "shared"},
        {"h100", UINT_MAX, UINT_MAX, 0, 1, "warps"},
        {"h100", 0, 0, 0, 32, "groups"},
        {"v100", 128, 16, 16384, 6, "shared"}, /* nothing is reserved */
        {"gtx280", 256, 10, 0, 4, "warps"},
        {"gtx280", 256, 17, 0, 3, "registers"}, /* 8 warps x 17 x 32 = 4352, rounded to 4608 */
        {"gtx280", 96, 20, 0, 6, "registers"},  /* 3 warps count as 4: 2560, 16384 / 2560 */
        {"gtx280", 64, 10, 2000, 8, "groups"},  /* 2048 each fit 8 times */
        {"gtx280", 64, 10, 2049, 6, "shared"},  /* rounded to 2560 */
        /* 640 registers per warp: 51 warps fit, of which 50 can be allocated in pairs */
        {"gtx480", 192, 20, 0, 8, "groups"},
        {"gtx480", 256, 21, 0, 5, "registers"}, /* 672 registers, rounded to 704: 46 warps */
        {"mi100", 64, 16, 0, 40, "groups"},     /* a work-group of one wavefront needs no barrier */
        {"mi100", 128, 16, 0, 16, "groups"},
        {"mi100", 64, 16, 16384, 4, "shared"},
        {"w6600", 64, 16, 0, 16, "groups"}, /* two wavefronts each */
        {"w6600", 32, 16, 0, 32, "groups"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pm_gpu gpu = shipped(cases[k].device);
        const char *limit = NULL;
        unsigned resident =
            pm_gpu_resident(&gpu, cases[k].work_items, cases[k].registers, cases[k].shared, &limit);

        if (resident != cases[k].resident || strcmp(limit, cases[k].limit) != 0)
            fail_msg("case %zu: %u by %s", k, resident, limit);
    }
}

/* Wavefronts per SIMD by registers of a work-item, as LLVM's AMDGPU target reports them
 * ("Occupancy" of llc 19 for gfx906, gfx908, gfx90a, gfx942, gfx1032 and gfx1100). gfx1032 is also
 * tested with wavefronts of 32. */
TEST(registers_of_wavefronts_are_llvms)
{
    static const struct {
        const char *device;
        unsigned simds, registers, wavefronts;
    } cases[] = {
        {"mi50", 4, 24, 10},  {"mi50", 4, 25, 9},    {"mi50", 4, 29, 8},    {"mi50", 4, 33, 7},
        {"mi100", 4, 40, 6},  {"mi100", 4, 41, 5},   {"mi100", 4, 84, 3},   {"mi100", 4, 129, 1},
        {"mi210", 4, 64, 8},  {"mi210", 4, 65, 7},   {"mi210", 4, 80, 6},   {"mi210", 4, 84, 5},
        {"mi250x", 4, 97, 4}, {"mi250x", 4, 129, 3}, {"mi300x", 4, 65, 7},  {"mi300x", 4, 170, 2},
        {"w6600", 2, 64, 16}, {"w6600", 2, 65, 12},  {"w6600", 2, 84, 10},  {"w6600", 2, 97, 9},
        {"w6600", 2, 128, 8}, {"w6600", 2, 129, 7},  {"w6600", 2, 168, 5},  {"w6600", 2, 256, 4},
        {"w7800", 2, 96, 16}, {"w7800", 2, 97, 12},  {"w7800", 2, 128, 10}, {"w7800", 2, 168, 9},
        {"w7800", 2, 192, 8}, {"w7800", 2, 256, 5},  {"hd7970", 4, 48, 5},  {"rx480", 4, 49, 4},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pm_gpu gpu = shipped(cases[k].device);
        unsigned resident = pm_gpu_resident(&gpu, gpu.warp_width, cases[k].registers, 0, NULL);

        if (resident != cases[k].simds * cases[k].wavefronts)
            fail_msg("%s: %u wavefronts with %u registers", cases[k].device, resident,
                     cases[k].registers);
    }
}

/* ---- L1 ------------------------------------------------------------------------------------ */

/* Nsight Compute's launch__shared_mem_config_size on an H100 80GB HBM3, driver 580. */
TEST(the_h100_splits_l1_as_measured)
{
    static const struct {
        unsigned work_items, registers;
        size_t shared;
        size_t shared_kb;
    } launches[] = {
        {32, 16, 0, 32},       {32, 16, 128, 64},     {64, 16, 1456, 100},   {64, 16, 2560, 132},
        {64, 16, 4096, 164},   {64, 16, 5120, 196},   {64, 16, 6144, 228},   {64, 16, 49152, 196},
        {64, 16, 204800, 228}, {96, 16, 5000, 132},   {128, 38, 1024, 64},   {128, 54, 8192, 132},
        {192, 54, 1, 16},      {256, 16, 0, 32},      {256, 16, 128, 32},    {256, 16, 1456, 64},
        {256, 16, 3072, 64},   {256, 16, 4096, 100},  {256, 16, 6144, 132},  {256, 16, 12288, 132},
        {256, 16, 16384, 164}, {256, 16, 24576, 228}, {256, 38, 1024, 32},   {256, 54, 2048, 32},
        {320, 54, 40960, 132}, {512, 16, 1, 16},      {512, 54, 1024, 8},    {512, 54, 24576, 100},
        {640, 54, 5000, 8},    {768, 38, 2048, 16},   {1024, 38, 40960, 64}, {1024, 16, 65536, 132},
    };
    pm_gpu gpu = shipped("h100");

    for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) {
        size_t shared = launches[k].shared;
        unsigned resident =
            pm_gpu_resident(&gpu, launches[k].work_items, launches[k].registers, shared, NULL);
        size_t left = pm_gpu_l1_bytes(&gpu, resident, shared);

        if (left != (256 - launches[k].shared_kb) * 1024)
            fail_msg("launch %zu: %zu groups, %zu bytes", k, (size_t)resident, left);
    }
}

TEST(l1_is_what_shared_memory_leaves)
{
    pm_gpu v100 = shipped("v100"), gtx480 = shipped("gtx480");

    assert_int_equal(pm_gpu_l1_bytes(&v100, 8, 0), 128 * 1024);
    assert_int_equal(pm_gpu_l1_bytes(&v100, 8, 1024), 120 * 1024);
    assert_int_equal(pm_gpu_l1_bytes(&v100, 8, 1025), 112 * 1024);
    assert_int_equal(pm_gpu_l1_bytes(&v100, 2, 49152), 32 * 1024);
    assert_int_equal(pm_gpu_l1_bytes(&v100, UINT_MAX, SIZE_MAX), 32 * 1024);
    assert_int_equal(pm_gpu_l1_bytes(&gtx480, 8, 1024), 16 * 1024);
}

/* ---- wrong tables -------------------------------------------------------------------------- */

/* Writes the user's table: the shipped header, and the row of h100 with one cell replaced. */
static void write_table(const fixture *f, const char *column, const char *value)
{
    char out[PATH_MAX];
    size_t size;
    const char *header = file_bytes(PM_SOURCE_DIR "/datasets/devices.csv", &size);
    const char *row = (char *)need(strstr(header, "\nh100,")) + 1, *end = need(strchr(row, '\n'));

    FILE *file = need(fopen(in_folder(f, "devices.csv"), "w"));
    fprintf(file, "%.*s", (int)(1 + strcspn(header, "\n")), header);
    /* moves to the end of the row; a quoted cell can only be the last one */
    while (header < row && row < end) {
        size_t name = strcspn(header, ",\n"),
               cell = *row == '"' ? (size_t)(end - row) : strcspn(row, ",\n");

        snprintf(out, sizeof out, "%.*s", (int)name, header);
        fprintf(file, "%.*s%s", strcmp(out, column) == 0 ? 0 : (int)cell, row,
                strcmp(out, column) == 0 ? value : "");
        header += name + 1;
        row += cell;
        if (*row == ',')
            fputc(*row++, file);
    }
    fputc('\n', file);
    assert_int_equal(fclose(file), 0);
}

FOLDER_TEST(a_wrong_cell_is_named_with_its_place)
{
    static const struct {
        const char *column, *value, *shown;
    } cases[] = {
        {"warp_width", "65", "'65'"},
        {"warp_width", "48", "power of two"},
        {"warp_width", "-32", "'-32'"},
        {"warp_width", "1e30", "'1e30'"},
        {"warp_width", "nan", "'nan'"},
        {"warp_width", "", "empty"},
        {"compute_units", "131.5", "whole number"},
        {"coalescing", "magic", "strict, segments, lines, sectors"},
        {"l1_global", "maybe", "no, yes"},
        {"readonly_bytes", "some", "'some'"},
        {"global_access", "twice", "banks, lines, replays"},
        {"l1_bytes", "-1", "'-1'"},
        {"l1_bytes", "1e12", "'1e12'"},
        {"l1_line", "0", "'0'"},
        {"l1_sector", "256", "no more than l1_line"},
        {"l1_ways", "", "empty"},
        {"l1_ways", "1000", "fits"},
        {"shared_group_bytes", "233472", "shared_reserved_bytes"},
        {"shared_unit_bytes", "0", "'0'"},
        {"shared_banks", "0", "'0'"},
        {"shared_bank_bytes", "3", "'3'"},
        {"shared_carveouts_kb", "", "empty"},
        {"shared_carveouts_kb", "0;8;8;228", "ascending"},
        {"shared_carveouts_kb", "0;228;", "semicolons"},
        {"shared_carveouts_kb", ";228", "semicolons"},
        {"shared_carveouts_kb", "0;100", "shared_bytes"},
        {"shared_carveouts_kb", "0;228;300", "below l1_bytes"},
        {"shared_carveouts_kb", "1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;228", "16"},
        {"shared_carveouts_kb", "000000000000000000000000228", "ascending"},
        {"shared_spare_kb", "-1", "'-1'"},
        {"shared_spare_kb", "229", "up to shared_bytes"},
        {"l2_bytes", "1000", "..."},
        {"l2_far", "1.5", "'1.5'"},
        {"l2_ways", "0", "'0'"},
        {"max_warps", "0", "'0'"},
        {"registers", "1e9", "'1e9'"},
        {"register_scope", "block", "group, warp"},
        {"register_unit", "0", "'0'"},
        {"architecture", "90", "starts with a letter"},
        {"dram_type", "6", "starts with a letter"},
        {"dram_type", "a memory with a long name", "15 characters"},
        {"dram_bus_bits", "-384", "whole number"},
        {"dram_bus_bits", "1e9", "'1e9'"},
        {"dram_ecc", "some", "no, inline, sideband"},
        {"clock_mhz", "1.98", "from 50"},
        {"warp_unit", "0", "'0'"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pm_gpu gpu;
        char place[PATH_MAX + 64];
        const char *blamed = strcmp(cases[k].column, "l2_bytes") == 0 ? "l2_ways" : cases[k].column;

        write_table(f, cases[k].column, cases[k].value);
        snprintf(place, sizeof place, "%s/devices.csv:2: %s is ", f->folder, blamed);
        assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_BAD_INPUT);
        if (strncmp(last_error.text, place, strlen(place)) != 0 ||
            (strcmp(cases[k].shown, "...") != 0 && !strstr(last_error.text, cases[k].shown)))
            fail_msg("case %zu: %s", k, last_error.text);
        assert_int_equal(gpu.warp_width, 0);
    }
}

FOLDER_TEST(what_is_not_there_needs_no_rules)
{
    pm_gpu gpu;

    write_table(f, "shared_spare_kb", "");
    assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(pm_gpu_l1_bytes(&gpu, 8, 0), 248 * 1024);
    write_table(f, "l2_bytes", "0");
    assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(gpu.l2_ways, 0);
    write_table(f, "global_access", "");
    assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(gpu.global_access, PM_GLOBAL_BANKS);
    write_table(f, "readonly_bytes", "49152"); /* L1 has all loads */
    assert_int_equal(pm_gpu_find("h100", f->folder, &gpu, told()), PM_OK);
    assert_int_equal(gpu.readonly_bytes, 0);
}

TEST(how_older_gpus_access_memory)
{
    static const struct {
        const char *device;
        pm_global_access access;
        size_t readonly_bytes;
    } gpus[] = {
        {"c2050", PM_GLOBAL_REPLAYS, 0},        {"gtx680", PM_GLOBAL_REISSUES, 0},
        {"k20c", PM_GLOBAL_REISSUES, 48 << 10}, {"gtx980", PM_GLOBAL_LINES, 48 << 10},
        {"p100", PM_GLOBAL_TEXTURE, 0},         {"v100", PM_GLOBAL_BANKS, 0},
    };

    for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++) {
        pm_gpu gpu = shipped(gpus[g].device);

        assert_int_equal(gpu.global_access, gpus[g].access);
        assert_int_equal(gpu.readonly_bytes, gpus[g].readonly_bytes);
    }
}

TEST(an_unknown_gpu_lists_the_known)
{
    pm_gpu gpu;

    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    assert_int_equal(pm_gpu_find("voodoo2", NULL, &gpu, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "voodoo2", "perfmodel devices lists all ");
}

/* The error says which column to add to a table of a version before rules existed. A long error
 * stays on one line. */
FOLDER_TEST(a_table_of_a_users_own)
{
    pm_gpu gpu;
    const char *path = in_folder(f, "devices.csv");

    write_file(path, "device,compute_units\nmine,3\n", 28);
    assert_int_equal(pm_gpu_find("mine", f->folder, &gpu, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "devices.csv:1: no column 'warp_width'");

    FILE *file = need(fopen(path, "w"));
    fprintf(file, "device\n");
    for (int k = 0; k < 1000; k++)
        fprintf(file, "gpu%d\n", k);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(pm_gpu_find("mine", f->folder, &gpu, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "perfmodel devices lists all 1000, such as gpu0");
}

TEST(events_are_named_as_counters)
{
    assert_string_equal(pm_event_name(PM_EVENT_gld_request), "gld_request");
    assert_string_equal(pm_event_name(PM_EVENT_launched_warps), "launched_warps");
    for (int e = 0; e < PM_EVENT_COUNT; e++)
        assert_non_null(pm_event_name((pm_event)e));
}

/* The shipped devices.csv: every row is a GPU whose rules can be read, says where its numbers are
 * from, has what the model of time needs, and agrees with what is published of it and with plain
 * physics.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <fcntl.h>

#include "base/csv.h"
#include "base/numbers.h"
#include "machine/devices_table.h"
#include "machine/profile.h"
#include "machine/rules.h"

enum { MOST_GPUS = 128 };

static const char table[] = PM_SOURCE_DIR "/datasets/devices.csv";

/* Published peak rates of FP32 multiply-adds in TFLOP/s. A multiply-add is two operations. */
static const struct {
    const char *device;
    double tflops;
} peaks[] = {
    {"b200", 75},         /* NVIDIA HGX B200 datasheet: 600 for eight GPUs */
    {"h200", 67},         /* NVIDIA H200 datasheet */
    {"h100", 67},         /* NVIDIA H100 datasheet, SXM */
    {"l40s", 91.6},       /* NVIDIA L40S datasheet */
    {"l4", 30.3},         /* NVIDIA L4 datasheet */
    {"rtx4090", 82.6},    /* NVIDIA Ada GPU Architecture whitepaper */
    {"rtx4070", 29.1},    /* NVIDIA GeForce RTX 4070 specifications */
    {"a100", 19.5},       /* NVIDIA A100 datasheet, which has one peak for all four boards */
    {"a100sxm80", 19.5},  /* the same */
    {"a100pcie80", 19.5}, /* the same */
    {"a100pcie40", 19.5}, /* the same */
    {"rtx3090", 35.6},    /* NVIDIA Ampere GA102 GPU Architecture whitepaper */
    {"a6000", 38.7},      /* NVIDIA RTX A6000 datasheet */
    {"a4000", 19.2},      /* NVIDIA RTX A4000 datasheet */
    {"rtx3080", 29.8},    /* NVIDIA Ampere GA102 GPU Architecture whitepaper */
    {"rtx3070", 20.3},    /* the same */
    {"rtx3060", 12.7},    /* NVIDIA GeForce RTX 3060 specifications */
    {"t4", 8.1},          /* NVIDIA T4 datasheet */
    {"rtx2080ti", 13.4},  /* NVIDIA Turing GPU Architecture whitepaper, reference board */
    {"titanrtx", 16.3},   /* NVIDIA TITAN RTX datasheet */
    {"rtx2070s", 9.06},   /* NVIDIA GeForce RTX 2070 SUPER specifications */
    {"v100", 15.7},       /* NVIDIA Tesla V100 whitepaper, SXM2 */
    {"v100pcie", 14},     /* NVIDIA Tesla V100 datasheet, PCIe */
    {"titanv", 14.9},     /* NVIDIA TITAN V specifications */
    {"p100", 10.6},       /* NVIDIA Tesla P100 whitepaper, SXM2 */
    {"p100pcie16", 9.3},  /* NVIDIA Tesla P100 PCIe datasheet */
    {"p100pcie12", 9.3},  /* the same */
    {"gtx1080", 8.87},    /* NVIDIA GeForce GTX 1080 whitepaper: 8873 GFLOP/s */
    {"gtx1080ti", 11.3},  /* NVIDIA GeForce GTX 1080 Ti specifications */
    {"gtx1070", 6.46},    /* NVIDIA GeForce GTX 1070 specifications: 1920 cores at 1683 MHz */
    {"p4", 5.5},          /* NVIDIA Tesla P4 datasheet */
    {"gtx980", 4.981},    /* NVIDIA GeForce GTX 980 whitepaper: boost */
    {"gtxtitanx", 6.6},   /* 6144 GFLOP/s at 1000 MHz, GTX TITAN X specifications; boost 1075 */
    {"gtx750ti", 1.389},  /* 1306 GFLOP/s at 1020 MHz, GTX 750 Ti whitepaper; boost is 1085 */
    {"gtx750", 1.111},    /* 1044 GFLOP/s at 1020 MHz, GTX 750 specifications; boost is 1085 */
    {"k20c", 3.52},       /* NVIDIA Tesla K20 board specification */
    {"k20m", 3.52},       /* the same */
    {"k20x", 3.95},       /* NVIDIA Tesla K20X board specification */
    {"k40c", 4.29},       /* NVIDIA Tesla K40 board specification: 745 MHz */
    {"k80", 8.73 / 2},    /* NVIDIA Tesla K80 board specification: boost, both GPUs */
    {"gtxtitan", 4.71},   /* 4500 GFLOP/s at 837 MHz, GTX TITAN specifications; boost is 876 */
    {"titanblack", 5.65}, /* 5121 GFLOP/s at 889 MHz, TITAN Black specifications; boost 980 */
    {"gtx680", 3.25},     /* 3090 GFLOP/s at 1006 MHz, GTX 680 whitepaper; boost is 1058 */
    {"c2050", 1.03},      /* NVIDIA Tesla C2050 datasheet */
    {"m2090", 1.331},     /* NVIDIA Tesla M-class datasheet */
    {"gtx480", 1.345},    /* NVIDIA GeForce GTX 480 specifications: 480 cores at 1401 MHz */
    {"gtx580", 1.581},    /* NVIDIA GeForce GTX 580 specifications: 512 cores at 1544 MHz */
    /* the published 1063 GFLOP/s include a multiplication for each multiply-add */
    {"gtx285", 1.063 / 1.5},
    {"gtx280", 0.933 / 1.5}, /* as the gtx285 */
    /* NVIDIA Tesla C1060 board specification, which also includes a multiplication */
    {"c1060", 0.933 / 1.5},
    {"hd5870", 2.72},       /* AMD Radeon HD 5870 specifications */
    {"hd7970", 3.79},       /* AMD Radeon HD 7970 specifications */
    {"r9290x", 5.6},        /* AMD Radeon R9 290X specifications */
    {"w9100", 5.24},        /* AMD FirePro W9100 data sheet */
    {"furyx", 8.6},         /* AMD Radeon R9 Fury X specifications */
    {"rx480", 5.8},         /* AMD Radeon RX 480 specifications */
    {"mi50", 13.3},         /* AMD Radeon Instinct MI50 data sheet */
    {"mi100", 23.1},        /* AMD Instinct MI100 data sheet */
    {"mi210", 22.6},        /* AMD Instinct MI210 data sheet */
    {"mi250x", 47.9 / 2},   /* AMD Instinct MI250X data sheet, two dies */
    {"mi300x", 163.4 / 2},  /* AMD Instinct MI300X data sheet: two operations an instruction */
    {"w6600", 10.4},        /* AMD Radeon PRO W6600 data sheet */
    {"w7800", 45.2 / 2},    /* AMD Radeon PRO W7800 data sheet: two instructions at once */
    {"rx7900gre", 46. / 2}, /* AMD Radeon RX 7900 GRE specifications, as the w7800 */
    {"pocl", 1.536},        /* 16 cores with two AVX2 vectors per cycle at 3 GHz */
    /* 4 cores with two AVX2 vectors per cycle at 4 GHz, Intel Core i7-6700K specifications */
    {"i7-6700k", 0.512},
};

/* Gbit/s per pin for each type of memory, from the slowest to the fastest sold. */
static const struct {
    const char *type;
    double least, most;
} memories[] = {
    {"gddr3", 1, 2.6},  {"gddr5", 2.8, 9}, {"gddr5x", 10, 12}, {"gddr6", 9, 20},
    {"gddr6x", 19, 24}, {"hbm", 1, 1},     {"hbm2", 1.4, 2.5}, {"hbm2e", 2.4, 3.7},
    {"hbm3", 4.8, 6.5}, {"hbm3e", 6, 9.9}, {"ddr4", 1.6, 3.2}, {"ddr5", 3.2, 6.4},
};

/* For each architecture: year of its first GPU, year of the last GPU that has a row, width of its
 * warps, and compute capabilities (0: not NVIDIA's). Sorted by the first year. */
static const struct {
    const char *architecture;
    double first, last, warp_width, least, most;
} architectures[] = {
    {"tesla", 2006, 2010, 32, 1.0, 1.3},       {"terascale2", 2009, 2010, 64, 0, 0},
    {"fermi", 2009, 2012, 32, 2.0, 2.1},       {"gcn", 2011, 2016, 64, 0, 0},
    {"kepler", 2012, 2015, 32, 3.0, 3.7},      {"maxwell", 2014, 2016, 32, 5.0, 5.3},
    {"pascal", 2016, 2018, 32, 6.0, 6.2},      {"vega", 2017, 2020, 64, 0, 0},
    {"volta", 2017, 2018, 32, 7.0, 7.2},       {"turing", 2018, 2020, 32, 7.5, 7.5},
    {"ampere", 2020, 2022, 32, 8.0, 8.7},      {"cdna", 2020, 2021, 64, 0, 0},
    {"rdna2", 2020, 2022, 32, 0, 0},           {"cdna2", 2021, 2022, 64, 0, 0},
    {"ada", 2022, 2024, 32, 8.9, 8.9},         {"hopper", 2022, 2024, 32, 9.0, 9.0},
    {"rdna3", 2022, 2024, 32, 0, 0},           {"cdna3", 2023, 2025, 64, 0, 0},
    {"blackwell", 2024, 2026, 32, 10.0, 12.1}, {"x86", 2015, 2026, 8, 0, 0},
};

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    char device[MOST_GPUS][32];
    size_t count;
} device_list;

static pm_status add_device(void *user, size_t line, const char *const *cells, size_t count,
                            pm_error *err)
{
    device_list *list = user;

    (void)err;
    assert_true(count > 0);
    if (line == 1) {
        assert_string_equal(cells[0], "device");
        return PM_OK;
    }
    assert_true(list->count < MOST_GPUS);
    snprintf(list->device[list->count++], sizeof list->device[0], "%s", cells[0]);
    return PM_OK;
}

static device_list shipped_devices(void)
{
    device_list list = {.count = 0};
    pm_csv_end end;
    int fd = open(table, O_RDONLY);

    assert_true(fd >= 0);
    assert_ok(pm_csv_read(fd, table, add_device, &list, &end, told()) == PM_OK);
    close(fd);
    assert_int_equal(end.torn_line, 0);
    assert_true(list.count > 0);
    return list;
}

static const char *cell(const pm_device_row *row, const char *column)
{
    const char *text;

    assert_ok(pm_device_row_cell(row, column, &text, told()) == PM_OK);
    assert_non_null(text);
    return text;
}

/* Returns the number in a cell; NaN: the cell is empty. */
static double number(const pm_device_row *row, const char *device, const char *column)
{
    const char *text = cell(row, column);
    double value;

    if (!*text)
        return NAN;
    if (!pm_number_parse(text, &value))
        fail_msg("%s: %s is '%s'", device, column, text);
    return value;
}

/* Calls check with each row of the shipped table. */
static void each_row(void (*check)(const char *device, const pm_device_row *row))
{
    const device_list list = shipped_devices();

    assert_int_equal(unsetenv("PERFMODEL_DATASETS"), 0);
    for (size_t i = 0; i < list.count; i++) {
        pm_device_row *row;

        assert_ok(pm_device_row_read(list.device[i], PM_SOURCE_DIR "/datasets", &row, told()) ==
                  PM_OK);
        assert_true(row->line > 0);
        check(list.device[i], row);
        pm_device_row_free(row);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_rules(const char *device, const pm_device_row *row)
{
    pm_gpu gpu;

    assert_ok(pm_gpu_find(device, PM_SOURCE_DIR "/datasets", &gpu, told()) == PM_OK);
    if (!*cell(row, "name") || strlen(cell(row, "sources")) < 100)
        fail_msg("%s: its name and where its numbers are from", device);
}

TEST(every_row_has_rules_and_sources)
{
    each_row(check_rules);
}

static void check_needs(const char *device, const pm_device_row *row)
{
    static const char *const always[] = {
        "compute_units",    "clock_mhz",          "issue_per_cycle",
        "fma_per_cycle",    "alu_per_cycle",      "xu_per_cycle",
        "fp64_per_cycle",   "lsu_per_cycle",      "l1_wavefronts_per_cycle",
        "dram_gb_s",        "alu_latency_cycles", "shared_load_cycles",
        "load_dram_cycles", "launch_us",          "year",
        "dram_bus_bits",
    };
    const bool l1 = strcmp(cell(row, "l1_global"), "yes") == 0;
    const bool l2 = number(row, device, "l2_bytes") > 0;

    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!(number(row, device, always[i]) > 0))
            fail_msg("%s: %s", device, always[i]);
    /* the latency of a missing or bypassed cache is unknown */
    if (isnan(number(row, device, "load_l1_cycles")) == l1)
        fail_msg("%s: load_l1_cycles", device);
    if (isnan(number(row, device, "load_l2_cycles")) == l2 ||
        isnan(number(row, device, "l2_bytes_per_cycle")) == l2)
        fail_msg("%s: load_l2_cycles and l2_bytes_per_cycle", device);
}

TEST(every_row_has_what_times_are_made_of)
{
    each_row(check_needs);
}

static void check_peak(const char *device, const pm_device_row *row)
{
    pm_profile profile;
    double tflops;
    size_t p = 0;

    while (p < sizeof peaks / sizeof *peaks && strcmp(peaks[p].device, device) != 0)
        p++;
    if (p == sizeof peaks / sizeof *peaks)
        fail_msg("%s: add its published peak here", device);
    (void)row;
    assert_ok(pm_profile_need(device, PM_SOURCE_DIR "/datasets", &profile, told()) == PM_OK);
    tflops = pm_profile_peak_flops(&profile) / 1e12;
    if (fabs(tflops / peaks[p].tflops - 1) > 0.01)
        fail_msg("%s: %g TFLOP/s, published are %g", device, tflops, peaks[p].tflops);
}

TEST(peaks_are_the_published_ones)
{
    each_row(check_peak);
    assert_int_equal(shipped_devices().count, sizeof peaks / sizeof *peaks);
}

static void check_power(const char *device, const pm_device_row *row)
{
    const bool has_source = strstr(cell(row, "sources"), "tdp_w: ") != NULL;

    if (isnan(number(row, device, "tdp_w")) == has_source)
        fail_msg("%s: tdp_w and where it is from, both or neither", device);
}

TEST(power_limits_have_a_source)
{
    each_row(check_power);
}

static void check_pipes(const char *device, const pm_device_row *row)
{
    const double fma = number(row, device, "fma_per_cycle");
    const double issue = number(row, device, "issue_per_cycle");
    const double heavy = number(row, device, "fmaheavy_per_cycle");
    const double clock = number(row, device, "clock_mhz");
    const double l2 = number(row, device, "l2_bytes_per_cycle");

    /* A VLIW machine reaches its peak with full bundles, which the mean does not assume. Kepler's
     * schedulers reach its six groups of lanes only with pairs of instructions. */
    if (strcmp(cell(row, "architecture"), "terascale2") != 0 &&
        strcmp(cell(row, "architecture"), "kepler") != 0 && issue < fma)
        fail_msg("%s: schedulers are slower than a pipe", device);
    if (number(row, device, "fp64_per_cycle") > fma || number(row, device, "xu_per_cycle") > fma ||
        number(row, device, "alu_per_cycle") > fma || heavy > fma)
        fail_msg("%s: no pipe is wider than that of multiply-adds", device);
    if (l2 * clock * 1e6 < number(row, device, "dram_gb_s") * 1e9)
        fail_msg("%s: L2 is slower than DRAM", device);
}

TEST(pipes_and_caches_keep_their_order)
{
    each_row(check_pipes);
}

static void check_latencies(const char *device, const pm_device_row *row)
{
    static const char *const columns[] = {"alu_latency_cycles", "load_l1_cycles", "load_l2_cycles",
                                          "load_dram_cycles"};
    double before = 0;

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const double cycles = number(row, device, columns[i]);

        if (isnan(cycles))
            continue;
        if (!(cycles > before))
            fail_msg("%s: %s is %g, what is nearer takes %g", device, columns[i], cycles, before);
        before = cycles;
    }
    if (!(number(row, device, "shared_load_cycles") > number(row, device, "alu_latency_cycles")) ||
        !(number(row, device, "shared_load_cycles") < number(row, device, "load_dram_cycles")))
        fail_msg("%s: shared_load_cycles", device);
    if (number(row, device, "launch_us") < 0.5)
        fail_msg("%s: launch_us", device);
}

TEST(what_is_farther_takes_longer)
{
    each_row(check_latencies);
}

static void check_memory(const char *device, const pm_device_row *row)
{
    const char *type = cell(row, "dram_type"), *ecc = cell(row, "dram_ecc");
    const double share = number(row, device, "dram_copy_share");
    const double pin = number(row, device, "dram_gb_s") * 8 / number(row, device, "dram_bus_bits");
    size_t m = 0;

    while (m < sizeof memories / sizeof *memories && strcmp(memories[m].type, type) != 0)
        m++;
    if (m == sizeof memories / sizeof *memories)
        fail_msg("%s: dram_type is '%s'", device, type);
    if (pin < memories[m].least || pin > memories[m].most)
        fail_msg("%s: %g Gbit/s of a pin; no %s is like that", device, pin, type);
    if (strcmp(ecc, "no") != 0 && strcmp(ecc, "inline") != 0 && strcmp(ecc, "sideband") != 0)
        fail_msg("%s: dram_ecc is '%s'", device, ecc);
    /* HBM's ECC is left out for boards that are not sold for data centers */
    if (strcmp(ecc, "no") != 0 && (strcmp(ecc, "sideband") == 0) != (strncmp(type, "hbm", 3) == 0 ||
                                                                     strncmp(type, "ddr", 3) == 0))
        fail_msg("%s: HBM and modules have room for ECC, and no other memory has", device);
    /* a virtual machine uses only a part of its host's memory bandwidth */
    if (share < (strncmp(type, "ddr", 3) == 0 ? 0.25 : 0.6) || share > 0.97)
        fail_msg("%s: a copy at %g of the peak", device, share);
}

TEST(memories_are_of_their_kind)
{
    each_row(check_memory);
}

static void check_architecture(const char *device, const pm_device_row *row)
{
    const char *architecture = cell(row, "architecture");
    const double year = number(row, device, "year");
    const double capability = number(row, device, "compute_capability");
    size_t a = 0;

    while (a < sizeof architectures / sizeof *architectures &&
           strcmp(architectures[a].architecture, architecture) != 0)
        a++;
    if (a == sizeof architectures / sizeof *architectures)
        fail_msg("%s: architecture is '%s'", device, architecture);
    if (year < architectures[a].first || year > architectures[a].last)
        fail_msg("%s: %s of %g", device, architecture, year);
    if (number(row, device, "warp_width") != architectures[a].warp_width)
        fail_msg("%s: warps of %s have %g work-items", device, architecture,
                 architectures[a].warp_width);
    if (architectures[a].most > 0
            ? !(capability >= architectures[a].least && capability <= architectures[a].most)
            : !isnan(capability))
        fail_msg("%s: %s of compute capability %g", device, architecture, capability);
}

TEST(architectures_are_of_their_time)
{
    each_row(check_architecture);
}

/* Checks the shipped devices.csv. The trace engine's and the time model's properties of every GPU
 * can be read, every row names the sources of its numbers, and the numbers agree with published
 * peaks and with physical limits.
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

enum { MOST_GPUS = 512 };

static const char table[] = PM_SOURCE_DIR "/datasets/devices.csv";

/* A row of published_peaks.csv: values that a maker or others published of a GPU. */
typedef struct {
    char device[32];
    /* FP32 multiply-adds in TFLOP/s, a multiply-add is two operations; NaN: the source says why
     * there is none to compare with */
    double tflops;
    double pin_gbit_s; /* Gbit/s of a pin of the memory; NaN: a CPU's */
} published;

static struct {
    published rows[MOST_GPUS];
    size_t count;
} peaks;

/* Gbit/s per pin for each type of memory, from the slowest to the fastest sold. */
static const struct {
    const char *type;
    double least, most;
} memories[] = {
    {"gddr3", 1, 2.6},   {"gddr5", 2.8, 9},  {"gddr5x", 9, 12},   {"gddr6", 9, 20},
    {"gddr6x", 19, 24},  {"gddr7", 28, 32},  {"hbm", 1, 1},       {"hbm2", 1.4, 2.5},
    {"hbm2e", 2.4, 3.7}, {"hbm3", 4.8, 6.5}, {"hbm3e", 5.8, 9.9}, {"ddr4", 1.6, 3.2},
    {"ddr5", 3.2, 6.4},
};

/* Architectures. Each has the year of its first GPU, the year of the last GPU that has a row, the
 * width of its warps, and compute capabilities (0: not NVIDIA's). Sorted by the first year. */
static const struct {
    const char *architecture;
    double first, last, warp_width, least, most;
} architectures[] = {
    {"tesla", 2006, 2010, 32, 1.0, 1.3},  {"terascale2", 2009, 2010, 64, 0, 0},
    {"fermi", 2009, 2012, 32, 2.0, 2.1},  {"gcn", 2011, 2018, 64, 0, 0},
    {"kepler", 2012, 2015, 32, 3.0, 3.7}, {"maxwell", 2014, 2016, 32, 5.0, 5.3},
    {"pascal", 2016, 2019, 32, 6.0, 6.2}, {"vega", 2017, 2020, 64, 0, 0},
    {"volta", 2017, 2019, 32, 7.0, 7.2},  {"turing", 2018, 2021, 32, 7.5, 7.5},
    {"rdna", 2019, 2020, 32, 0, 0},       {"ampere", 2020, 2024, 32, 8.0, 8.7},
    {"cdna", 2020, 2021, 64, 0, 0},       {"rdna2", 2020, 2022, 32, 0, 0},
    {"cdna2", 2021, 2022, 64, 0, 0},      {"ada", 2022, 2024, 32, 8.9, 8.9},
    {"hopper", 2022, 2024, 32, 9.0, 9.0}, {"rdna3", 2022, 2024, 32, 0, 0},
    {"cdna3", 2023, 2025, 64, 0, 0},      {"blackwell", 2024, 2026, 32, 10.0, 12.1},
    {"cdna4", 2025, 2026, 64, 0, 0},      {"rdna4", 2025, 2026, 32, 0, 0},
    {"x86", 2015, 2026, 8, 0, 0},
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

/* Returns the number in a cell of published_peaks.csv; NaN: the cell is empty. */
static double published_number(const char *device, const char *text)
{
    double value;

    if (!*text)
        return NAN;
    if (!pm_number_parse(text, &value) || value <= 0)
        fail_msg("%s: '%s' is no published value", device, text);
    return value;
}

static pm_status add_published(void *user, size_t line, const char *const *cells, size_t count,
                               pm_error *err)
{
    published *row = &peaks.rows[peaks.count];

    (void)user;
    (void)err;
    assert_int_equal(count, 4);
    if (line == 1)
        return PM_OK;
    if (strlen(cells[3]) < 6)
        fail_msg("%s: the source of its published values", cells[0]);
    assert_true(peaks.count < MOST_GPUS);
    snprintf(row->device, sizeof row->device, "%s", cells[0]);
    row->tflops = published_number(cells[0], cells[1]);
    row->pin_gbit_s = published_number(cells[0], cells[2]);
    peaks.count++;
    return PM_OK;
}

static int read_peaks(void **state)
{
    (void)state;
    peaks.count = 0;
    return pm_csv_read_table(PM_SOURCE_DIR "/tests/gpu/published_peaks.csv", add_published, NULL,
                             told()) == PM_OK
               ? 0
               : -1;
}

static const published *published_of(const char *device)
{
    for (size_t p = 0; p < peaks.count; p++)
        if (strcmp(peaks.rows[p].device, device) == 0)
            return &peaks.rows[p];
    fail_msg("%s: add its published peak to tests/gpu/published_peaks.csv", device);
    return NULL;
}

static void check_peak(const char *device, const pm_device_row *row)
{
    const double tflops = published_of(device)->tflops;
    pm_profile profile;
    double own;

    (void)row;
    assert_ok(pm_profile_need(device, PM_SOURCE_DIR "/datasets", &profile, told()) == PM_OK);
    own = pm_profile_peak_flops(&profile) / 1e12;
    if (!isnan(tflops) && fabs(own / tflops - 1) > 0.01)
        fail_msg("%s: %g TFLOP/s, published are %g", device, own, tflops);
}

TEST_WITH(peaks_are_the_published_ones, read_peaks, NULL)
{
    each_row(check_peak);
    assert_int_equal(shipped_devices().count, peaks.count);
}

static void check_bandwidth(const char *device, const pm_device_row *row)
{
    const double pin = published_of(device)->pin_gbit_s;
    const double own = number(row, device, "dram_gb_s");
    const bool is_cpu = strncmp(cell(row, "dram_type"), "ddr", 3) == 0;

    if (isnan(pin) != is_cpu)
        fail_msg("%s: the rate of a pin, of all but CPUs", device);
    if (!is_cpu && fabs(own / (number(row, device, "dram_bus_bits") / 8 * pin) - 1) > 0.01)
        fail_msg("%s: %g GB/s are not those of its bus and %g Gbit/s of a pin", device, own, pin);
}

TEST_WITH(bandwidths_are_those_of_bus_and_pins, read_peaks, NULL)
{
    each_row(check_bandwidth);
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
    /* A virtual machine uses only a part of its host's memory bandwidth. An MI300A's copies reach
     * 0.56 of the bandwidth of a memory that also serves its CPU cores. */
    if (share < (strncmp(type, "ddr", 3) == 0 ? 0.25 : 0.55) || share > 0.97)
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

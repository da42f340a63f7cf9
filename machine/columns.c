/* Parses a row of devices.csv. See columns.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/text.h"
#include "machine/dram_rows.h"

/* ---- the columns ---------------------------------------------------------------------------- */

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const coalescings[] = {"strict", "segments", "lines", "sectors", "items", NULL};
static const char *const accesses[] = {"banks",    "lines",   "replays", "quads",
                                       "reissues", "texture", NULL};
static const char *const kept[] = {"array", "whole", NULL};
static const char *const pipes[] = {"apart", "one", "xu_apart", NULL};
static const char *const scopes[] = {"group", "warp", NULL};
static const char *const eccs[] = {"no", "inline", "sideband", NULL};
enum { NO_ECC }; /* index in eccs */

_Static_assert(sizeof(pm_coalescing) == sizeof(unsigned) &&
                   sizeof(pm_global_access) == sizeof(unsigned) &&
                   sizeof(pm_l1_stores) == sizeof(unsigned) &&
                   sizeof(pm_pipes) == sizeof(unsigned) &&
                   sizeof(pm_register_scope) == sizeof(unsigned),
               "read_choice writes them as unsigned");

enum { R = PM_COLUMN_RULES, P = PM_COLUMN_PROFILE };
enum { CHIP = PM_COLUMN_CHIPS, RULE = R | CHIP, TELLS = RULE | PM_COLUMN_TELLING };
enum { UNIFIED = RULE | PM_COLUMN_UNIFIED };

#define OF(member) offsetof(pm_gpu_row, member)
#define COLUMN(name, kind, use, member, least, most)                                               \
    {                                                                                              \
#name, PM_CELL_##kind, use, OF(member), least, most, 0, 0                                  \
    }
#define CHOICE(name, use, member, choices)                                                         \
    {                                                                                              \
#name, PM_CELL_CHOICE, use, OF(member), 0, 0, choices, 0                                   \
    }

/* Columns of devices.csv. The last two numbers of an entry are the least and the largest valid
 * value. They are wide enough for every GPU since 2006, and reject values in a wrong unit, such as
 * GHz for MHz or bytes/s for GB/s. */
const pm_gpu_column pm_gpu_columns[] = {
    {"device", PM_CELL_ANY, 0, 0, 0, 0, 0, 0},
    {"name", PM_CELL_ANY, 0, 0, 0, 0, 0, 0},
    COLUMN(compute_units, COUNT, R | P, rules.compute_units, 1, 65536),
    COLUMN(clock_mhz, NUMBER, P, profile.clock_mhz, 50, 20000),
    COLUMN(issue_per_cycle, NUMBER, P, profile.issue_per_cycle, 0.01, 64),
    COLUMN(fma_per_cycle, NUMBER, P, profile.fma_per_cycle, 0.01, 64),
    COLUMN(fmaheavy_per_cycle, NUMBER, 0, profile.fmaheavy_per_cycle, 0.001, 64),
    COLUMN(alu_per_cycle, NUMBER, P, profile.alu_per_cycle, 0.01, 64),
    COLUMN(xu_per_cycle, NUMBER, P, profile.xu_per_cycle, 0.001, 64),
    COLUMN(lsu_per_cycle, NUMBER, P, profile.lsu_per_cycle, 0.01, 64),
    COLUMN(l1_wavefronts_per_cycle, NUMBER, P, profile.l1_wavefronts_per_cycle, 0.01, 64),
    COLUMN(l2_bytes_per_cycle, NUMBER, P | PM_COLUMN_WITH_L2, profile.l2_bytes_per_cycle, 1, 1e6),
    COLUMN(dram_gb_s, NUMBER, P, profile.dram_gb_s, 0.1, 1e6),
    COLUMN(warp_width, POWER, TELLS, rules.warp_width, 2, PM_MAX_WARP),
    CHOICE(coalescing, RULE, rules.coalescing, coalescings),
    CHOICE(l1_global, RULE, rules.l1_global, no_yes),
    CHOICE(l1_unified, RULE, rules.l1_unified, no_yes),
    COLUMN(l1_bytes, BYTES, RULE, rules.l1_bytes, 0, 1 << 30),
    COLUMN(l1_line, POWER, RULE, rules.l1_line, 32, 1024),
    COLUMN(l1_sector, POWER, RULE, rules.l1_sector, 32, 1024),
    COLUMN(l1_ways, COUNT, RULE | PM_COLUMN_WITH_L1, rules.l1_ways, 1, 65536),
    COLUMN(shared_bytes, BYTES, TELLS, rules.shared_bytes, 1, 1 << 30),
    COLUMN(shared_group_bytes, BYTES, TELLS, rules.shared_group_bytes, 1, 1 << 30),
    COLUMN(shared_reserved_bytes, BYTES, TELLS, rules.shared_reserved, 0, 1 << 20),
    COLUMN(shared_unit_bytes, COUNT, RULE, rules.shared_unit, 1, 65536),
    COLUMN(shared_banks, POWER, RULE, rules.shared_banks, 1, 128),
    COLUMN(shared_bank_bytes, POWER, RULE, rules.shared_bank_bytes, 4, 8),
    {"shared_carveouts_kb", PM_CELL_SIZES, UNIFIED, 0, 0, 0, 0, 0},
    COLUMN(shared_spare_kb, NUMBER, CHIP, spare_kb, 0, 1 << 20),
    COLUMN(l2_bytes, BYTES, R, rules.l2_bytes, 0, 1 << 30),
    COLUMN(l2_line, POWER, RULE, rules.l2_line, 32, 1024),
    COLUMN(l2_sector, POWER, RULE, rules.l2_sector, 32, 1024),
    COLUMN(l2_ways, COUNT, RULE | PM_COLUMN_WITH_L2, rules.l2_ways, 1, 65536),
    COLUMN(l2_fetch_bytes, COUNT, CHIP, rules.l2_fetch, 0, 1024),
    COLUMN(l2_far, NUMBER, RULE, rules.l2_far, 0, 1),
    COLUMN(max_warps, COUNT, TELLS, rules.max_warps, 1, 1024),
    COLUMN(max_groups, COUNT, TELLS, rules.max_groups, 1, 1024),
    COLUMN(registers, COUNT, TELLS, rules.registers, 1, 1 << 24),
    CHOICE(register_scope, RULE, rules.register_scope, scopes),
    COLUMN(register_unit, COUNT, RULE, rules.register_unit, 1, 65536),
    COLUMN(warp_unit, COUNT, RULE, rules.warp_unit, 1, 64),
    COLUMN(max_registers, COUNT, RULE, rules.max_registers, 1, 65536),
    COLUMN(load_l1_cycles, NUMBER, 0, profile.l1_cycles, 1, 10000),
    COLUMN(load_l2_cycles, NUMBER, 0, profile.l2_cycles, 1, 10000),
    COLUMN(architecture, WORD, 0, profile.architecture, 0, sizeof((pm_profile *)0)->architecture),
    COLUMN(year, NUMBER, 0, profile.year, 2000, 2100),
    COLUMN(fp64_per_cycle, NUMBER, 0, profile.fp64_per_cycle, 0.0001, 64),
    COLUMN(alu_latency_cycles, NUMBER, 0, profile.alu_cycles, 1, 1000),
    COLUMN(shared_load_cycles, NUMBER, 0, profile.shared_cycles, 1, 10000),
    COLUMN(load_dram_cycles, NUMBER, 0, profile.dram_cycles, 1, 100000),
    {"launch_us", PM_CELL_NUMBER, 0, OF(profile.launch_s), 0.01, 10000, 0, 1e-6},
    COLUMN(dram_bus_bits, COUNT, 0, dram_bus_bits, 8, 65536),
    COLUMN(dram_type, WORD, 0, dram_type, 0, sizeof((pm_gpu_row *)0)->dram_type),
    CHOICE(dram_ecc, 0, dram_ecc, eccs),
    COLUMN(dram_copy_share, NUMBER, 0, profile.dram_share, 0.05, 1),
    COLUMN(readonly_bytes, BYTES, CHIP, rules.readonly_bytes, 0, 1 << 30),
    CHOICE(global_access, CHIP, rules.global_access, accesses),
    CHOICE(l1_stores, CHIP, rules.l1_stores, kept),
    COLUMN(scalar_bytes, BYTES, CHIP, rules.scalar_bytes, 0, 1 << 30),
    COLUMN(max_lone_groups, COUNT, CHIP, rules.max_lone_groups, 0, 1024),
    CHOICE(pipes, CHIP, profile.pipes, pipes),
    COLUMN(wide_align_bytes, COUNT, CHIP, rules.wide_align, 0, 16),
    COLUMN(compute_capability, NUMBER, 0, rules.compute_capability, 1, 99),
    COLUMN(tdp_w, NUMBER, 0, profile.tdp_w, 1, 10000),
    COLUMN(llvm_processor, WORD, 0, rules.llvm_processor, 0, sizeof((pm_gpu *)0)->llvm_processor),
    COLUMN(l3_bytes, BYTES, CHIP, rules.l3_bytes, 0, UINT64_C(1) << 34),
    COLUMN(l3_gb_s, NUMBER, 0, profile.l3_gb_s, 0.1, 1e6),
    COLUMN(load_l3_cycles, NUMBER, 0, profile.l3_cycles, 1, 100000),
    COLUMN(tensor_f16_per_cycle, NUMBER, 0, profile.tensor_f16_per_cycle, 1, 65536),
    COLUMN(tensor_tf32_per_cycle, NUMBER, 0, profile.tensor_tf32_per_cycle, 1, 65536),
    COLUMN(tensor_f64_per_cycle, NUMBER, 0, profile.tensor_f64_per_cycle, 1, 65536),
    COLUMN(tensor_int8_per_cycle, NUMBER, 0, profile.tensor_int8_per_cycle, 1, 65536),
    COLUMN(tensor_fp8_per_cycle, NUMBER, 0, profile.tensor_fp8_per_cycle, 1, 65536),
    {"sources", PM_CELL_ANY, 0, 0, 0, 0, 0, 0},
};
const size_t pm_gpu_column_count = sizeof pm_gpu_columns / sizeof *pm_gpu_columns;

/* ---- cells ---------------------------------------------------------------------------------- */

enum { KB = 1024 };

pm_status pm_gpu_column_wrong(const pm_device_row *cells, const pm_gpu_column *column,
                              pm_error *err)
{
    static const char *const kinds[] = {[PM_CELL_NUMBER] = "a number",
                                        [PM_CELL_COUNT] = "a whole number",
                                        [PM_CELL_POWER] = "a power of two",
                                        [PM_CELL_BYTES] = "a whole number of bytes"};
    pm_text wanted = {0};
    pm_status status;

    if (column->kind == PM_CELL_SIZES)
        pm_text_add(&wanted,
                    "up to %d ascending numbers of KB, below l1_bytes, the last of them "
                    "shared_bytes, with semicolons between them",
                    PM_MAX_CARVEOUTS);
    else if (column->kind == PM_CELL_WORD)
        pm_text_add(&wanted, "a name of %.0f characters at most, which starts with a letter",
                    column->most - 1);
    else if (column->kind == PM_CELL_CHOICE)
        for (size_t c = 0; column->choices[c]; c++)
            pm_text_add(&wanted, "%s%s", c == 0 ? "one of " : ", ", column->choices[c]);
    else
        pm_text_add(&wanted,
                    column->kind == PM_CELL_NUMBER ? "%s from %g to %g" : "%s from %.0f to %.0f",
                    kinds[column->kind], column->least, column->most);
    status = pm_device_row_fail(cells, column->name, pm_text_get(&wanted), err);
    pm_text_free(&wanted);
    return status;
}

static bool read_number(const pm_gpu_column *column, const char *text, char *place)
{
    int exponent;
    double value;

    if (!pm_number_parse(text, &value) || !(value >= column->least && value <= column->most) ||
        (column->kind != PM_CELL_NUMBER && value != floor(value)) ||
        (column->kind == PM_CELL_POWER && frexp(value, &exponent) != 0.5))
        return false;
    if (column->kind == PM_CELL_NUMBER)
        *(double *)(void *)place = column->unit > 0 ? value * column->unit : value;
    else if (column->kind == PM_CELL_BYTES)
        *(size_t *)(void *)place = (size_t)value;
    else
        *(unsigned *)(void *)place = (unsigned)value;
    return true;
}

static bool read_choice(const pm_gpu_column *column, const char *text, char *place)
{
    for (unsigned c = 0; column->choices[c]; c++)
        if (strcmp(text, column->choices[c]) == 0) {
            if (column->choices == no_yes)
                *(bool *)place = c == 1;
            else
                *(unsigned *)(void *)place = c;
            return true;
        }
    return false;
}

static bool read_word(const pm_gpu_column *column, const char *text, char *place)
{
    size_t length = strlen(text);

    if (length >= (size_t)column->most || !isalpha((unsigned char)*text))
        return false;
    memcpy(place, text, length + 1);
    return true;
}

/* Parses a list of sizes in KB, separated by semicolons: the possible sizes of shared memory
 * (carve-outs) of a GPU whose L1 and shared memory share one array. */
static bool read_sizes(const char *text, pm_gpu *gpu)
{
    for (gpu->carveout_count = 0; gpu->carveout_count < PM_MAX_CARVEOUTS; text++) {
        double value;

        if (!isdigit((unsigned char)*text) || strcspn(text, ";") >= 16 ||
            !pm_number_take(&text, &value) || value * KB >= 1 << 30)
            return false;
        gpu->carveouts[gpu->carveout_count++] = (size_t)(value * KB);
        if (*text != ';')
            return *text == '\0';
    }
    return false;
}

static bool read_cell(const pm_gpu_column *column, const char *text, pm_gpu_row *row)
{
    char *place = (char *)row + column->offset;

    if (column->kind == PM_CELL_ANY)
        return true;
    if (column->kind == PM_CELL_WORD)
        return read_word(column, text, place);
    if (column->kind == PM_CELL_CHOICE)
        return read_choice(column, text, place);
    if (column->kind == PM_CELL_SIZES)
        return read_sizes(text, &row->rules);
    return read_number(column, text, place);
}

/* ---- a row ---------------------------------------------------------------------------------- */

/* Default fraction of the peak DRAM bandwidth that a copy reaches, if it was not measured. GPUs
 * with HBM and GDDR of all years deviate by less than a tenth. */
static const double DRAM_SHARE = 0.85;

/* Returns the text of a device's cell in a column of devices.csv; "" if the table lacks the
 * column. */
static const char *cell_of(const pm_device_row *cells, const pm_gpu_column *column)
{
    const char *text = "";

    if (pm_device_row_has(cells, column->name))
        pm_device_row_cell(cells, column->name, &text, NULL);
    return text;
}

/* Returns the first column of devices.csv that is required and whose cell is empty. use: one bit
 * PM_COLUMN_..., which says what the columns are required for. NULL: no such cell is empty. */
static const pm_gpu_column *first_empty(const pm_device_row *cells, const pm_gpu_row *row,
                                        unsigned use, bool no_l2)
{
    for (size_t c = 0; c < pm_gpu_column_count; c++) {
        const pm_gpu_column *column = &pm_gpu_columns[c];

        if ((column->use & use) && !*cell_of(cells, column) &&
            !((column->use & PM_COLUMN_WITH_L1) && row->rules.l1_bytes == 0) &&
            !((column->use & PM_COLUMN_WITH_L2) && no_l2) &&
            !((column->use & PM_COLUMN_UNIFIED) && !row->rules.l1_unified))
            return column;
    }
    return NULL;
}

/* Checks the cells of a GPU whose L1 and shared memory share one memory array: the carve-outs must
 * fit into the array. */
static pm_status check_unified(const pm_device_row *cells, pm_gpu_row *row, pm_error *err)
{
    static const char carveouts[] = "shared_carveouts_kb";
    pm_gpu *gpu = &row->rules;
    size_t count = gpu->carveout_count;
    bool right = count > 0 && gpu->carveouts[count - 1] == gpu->shared_bytes &&
                 gpu->carveouts[count - 1] < gpu->l1_bytes;

    for (size_t c = 1; c < count; c++)
        right = right && gpu->carveouts[c - 1] < gpu->carveouts[c];
    for (size_t c = 0; !right && c < pm_gpu_column_count; c++)
        if (strcmp(pm_gpu_columns[c].name, carveouts) == 0)
            return pm_gpu_column_wrong(cells, &pm_gpu_columns[c], err);
    if (row->spare_kb * KB > (double)gpu->shared_bytes)
        return pm_device_row_fail(cells, "shared_spare_kb", "a number of KB up to shared_bytes",
                                  err);
    gpu->shared_spare = (size_t)(row->spare_kb * KB);
    return PM_OK;
}

/* Checks cells of a GPU's row that are each valid, but may contradict one another. */
static pm_status check_rules(const pm_device_row *cells, pm_gpu_row *row, pm_error *err)
{
    pm_gpu *gpu = &row->rules;
    size_t least_l1 = gpu->l1_unified ? gpu->l1_bytes - gpu->shared_bytes : gpu->l1_bytes;
    pm_status status = gpu->l1_unified ? check_unified(cells, row, err) : PM_OK;

    if (status != PM_OK)
        return status;
    if (!gpu->l1_unified)
        gpu->carveout_count = 0;
    if (gpu->l1_bytes == 0)
        gpu->l1_ways = 0;
    if (gpu->l2_bytes == 0)
        gpu->l2_ways = 0;
    if (gpu->l1_global)
        gpu->readonly_bytes = 0;
    gpu->l2_fills = row->dram_ecc != NO_ECC && !pm_gpu_runs_loops(gpu);
    const struct {
        bool wrong;
        const char *column, *wanted;
    } checks[] = {
        {gpu->l1_sector > gpu->l1_line, "l1_sector", "no more than l1_line"},
        {gpu->readonly_bytes > 0 && gpu->readonly_bytes < gpu->l1_line, "readonly_bytes",
         "0, or l1_line and more"},
        {gpu->l1_stores == PM_STORES_WHOLE && gpu->l1_line > 128, "l1_line",
         "128 at most where l1_stores is whole"},
        {gpu->scalar_bytes > 0 && gpu->scalar_bytes < gpu->l1_line, "scalar_bytes",
         "0, or l1_line and more"},
        {gpu->l2_sector > gpu->l2_line, "l2_sector", "no more than l2_line"},
        {gpu->l2_fetch != 0 && gpu->l2_fetch != gpu->l2_sector &&
             (gpu->l2_fetch != 2 * gpu->l2_sector || gpu->l2_fetch > gpu->l2_line),
         "l2_fetch_bytes", "l2_sector, or twice as much and no more than l2_line"},
        {gpu->l1_bytes > 0 && (size_t)gpu->l1_ways * gpu->l1_line > least_l1, "l1_ways",
         "a set that fits into the smallest L1"},
        {gpu->l2_bytes > 0 && (size_t)gpu->l2_ways * gpu->l2_line > gpu->l2_bytes, "l2_ways",
         "a set that fits into l2_bytes"},
        {gpu->shared_group_bytes + gpu->shared_reserved > gpu->shared_bytes, "shared_group_bytes",
         "with shared_reserved_bytes no more than shared_bytes"},
        {gpu->register_unit > gpu->registers, "register_unit", "no more than registers"},
    };
    for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
        if (checks[c].wrong)
            return pm_device_row_fail(cells, checks[c].column, checks[c].wanted, err);
    return PM_OK;
}

static pm_status check_profile(const pm_device_row *cells, pm_gpu_row *row, pm_error *err)
{
    pm_profile *profile = &row->profile;

    profile->compute_units = row->rules.compute_units;
    profile->warp_width = row->rules.warp_width;
    profile->loops = pm_gpu_runs_loops(&row->rules);
    profile->dram_rows_s = pm_dram_rows_per_s(row->dram_type, row->dram_bus_bits);
    if (!(profile->dram_share > 0))
        profile->dram_share = DRAM_SHARE;
    if (profile->l2_cycles > 0 && profile->l1_cycles > profile->l2_cycles)
        return pm_device_row_fail(cells, "load_l1_cycles", "no more than load_l2_cycles", err);
    if (profile->dram_cycles > 0 && profile->l2_cycles > profile->dram_cycles)
        return pm_device_row_fail(cells, "load_l2_cycles", "no more than load_dram_cycles", err);
    return PM_OK;
}

/* Rejects columns with unknown names. A misspelt column would otherwise be ignored, and predictions
 * would change without any message. */
static pm_status check_names(const pm_device_row *cells, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    pm_nearest nearest;

    for (size_t i = 0; i < cells->columns; i++) {
        bool known = false;

        for (size_t c = 0; !known && c < pm_gpu_column_count; c++)
            known = strcmp(cells->names[i], pm_gpu_columns[c].name) == 0;
        if (known)
            continue;
        pm_nearest_open(&nearest, cells->names[i]);
        for (size_t c = 0; c < pm_gpu_column_count; c++)
            pm_nearest_add(&nearest, pm_gpu_columns[c].name);
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:1: no column is called '%s'; %s%srename it or take it out", cells->path,
                       pm_shown(cells->names[i], shown, sizeof shown),
                       pm_nearest_question(&nearest), nearest.near_count > 0 ? " " : "");
    }
    return PM_OK;
}

pm_status pm_gpu_row_read(const pm_device_row *cells, pm_gpu_row *row, pm_error *err)
{
    bool no_l2 = false;
    pm_status status = check_names(cells, err);

    *row = (pm_gpu_row){0};
    if (status != PM_OK)
        return status;
    for (size_t c = 0; c < pm_gpu_column_count; c++) {
        const pm_gpu_column *column = &pm_gpu_columns[c];
        const char *text = cell_of(cells, column);

        if (*text && !read_cell(column, text, row))
            return pm_gpu_column_wrong(cells, column, err);
        if (*text && column->offset == OF(rules.l2_bytes) && column->kind == PM_CELL_BYTES)
            no_l2 = row->rules.l2_bytes == 0;
    }
    row->no_rule = first_empty(cells, row, PM_COLUMN_RULES, no_l2);
    row->no_profile = first_empty(cells, row, PM_COLUMN_PROFILE, no_l2);
    status = check_profile(cells, row, err);
    return status == PM_OK && !row->no_rule ? check_rules(cells, row, err) : status;
}

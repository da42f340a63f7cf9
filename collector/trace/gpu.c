/* Reads the rules by which a GPU counts from its row of devices.csv, and works out from them how
 * many work-groups a compute unit holds and what they leave for L1. See gpu.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gpu.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "collector/dataset_parts.h"
#include "collector/devices_table.h"
#include "collector/error.h"

/* ---- cells --------------------------------------------------------------------------------- */

enum { KB = 1024 };

/* POWER: a power of two. */
typedef enum { COUNT, POWER, BYTES, SHARE, CHOICE } cell_kind;

typedef struct {
    const char *name;
    cell_kind kind;
    size_t offset;
    double least, most; /* CHOICE: most is the number of choices */
    const char *const *choices;
} rule;

static const char *const no_yes[] = {"no", "yes"};
static const char *const coalescings[] = {"strict", "segments", "lines", "sectors"};
static const char *const global_accesses[] = {"banks", "lines", "replays"};
static const char *const scopes[] = {"group", "warp"};

#define AT(member) offsetof(pm_gpu, member)
static const rule rules[] = {
    {"compute_units", COUNT, AT(compute_units), 1, 65536, NULL},
    {"warp_width", POWER, AT(warp_width), 2, PM_MAX_WARP, NULL},
    {"coalescing", CHOICE, AT(coalescing), 0, 4, coalescings},
    {"l1_global", CHOICE, AT(l1_global), 0, 2, no_yes},
    {"l1_unified", CHOICE, AT(l1_unified), 0, 2, no_yes},
    {"l1_bytes", BYTES, AT(l1_bytes), 0, 1 << 30, NULL},
    {"l1_line", POWER, AT(l1_line), 32, 1024, NULL},
    {"l1_sector", POWER, AT(l1_sector), 32, 1024, NULL},
    {"shared_bytes", BYTES, AT(shared_bytes), 1, 1 << 30, NULL},
    {"shared_group_bytes", BYTES, AT(shared_group_bytes), 1, 1 << 30, NULL},
    {"shared_reserved_bytes", BYTES, AT(shared_reserved), 0, 1 << 20, NULL},
    {"shared_unit_bytes", POWER, AT(shared_unit), 1, 65536, NULL},
    {"shared_banks", POWER, AT(shared_banks), 1, 128, NULL},
    {"shared_bank_bytes", POWER, AT(shared_bank_bytes), 4, 16, NULL},
    {"l2_bytes", BYTES, AT(l2_bytes), 0, 1 << 30, NULL},
    {"l2_line", POWER, AT(l2_line), 32, 1024, NULL},
    {"l2_sector", POWER, AT(l2_sector), 32, 1024, NULL},
    {"l2_far", SHARE, AT(l2_far), 0, 1, NULL},
    {"max_warps", COUNT, AT(max_warps), 1, 1024, NULL},
    {"max_groups", COUNT, AT(max_groups), 1, 1024, NULL},
    {"registers", COUNT, AT(registers), 1, 1 << 24, NULL},
    {"register_scope", CHOICE, AT(register_scope), 0, 2, scopes},
    {"register_unit", COUNT, AT(register_unit), 1, 65536, NULL},
    {"warp_unit", COUNT, AT(warp_unit), 1, 64, NULL},
    {"max_registers", COUNT, AT(max_registers), 1, 65536, NULL},
};
static const rule l1_ways = {"l1_ways", COUNT, AT(l1_ways), 1, 65536, NULL};
static const rule l2_ways = {"l2_ways", COUNT, AT(l2_ways), 1, 65536, NULL};
/* Columns that a table of a user's own may lack; an empty cell is 0 and the first choice. */
static const rule optional[] = {
    {"readonly_bytes", BYTES, AT(readonly_bytes), 0, 1 << 30, NULL},
    {"global_access", CHOICE, AT(global_access), 0, 3, global_accesses},
};
#undef AT

static bool is_power(double value)
{
    int exponent;

    return frexp(value, &exponent) == 0.5;
}

static bool in_range(const rule *wanted, double value)
{
    return value >= wanted->least && value <= wanted->most &&
           (wanted->kind == SHARE || value == floor(value)) &&
           (wanted->kind != POWER || is_power(value));
}

static pm_status wrong_number(const pm_device_row *row, const rule *wanted, pm_error *err)
{
    static const char *const kinds[] = {[COUNT] = "a whole number",
                                        [POWER] = "a power of two",
                                        [BYTES] = "a whole number of bytes",
                                        [SHARE] = "a number"};
    char text[128];

    snprintf(text, sizeof text, "%s from %.0f to %.0f", kinds[wanted->kind], wanted->least,
             wanted->most);
    return pm_device_row_fail(row, wanted->name, text, err);
}

static pm_status read_number(const pm_device_row *row, const rule *wanted, const char *text,
                             char *place, pm_error *err)
{
    double value;

    if (!pm_number_parse(text, &value) || !in_range(wanted, value))
        return wrong_number(row, wanted, err);
    if (wanted->kind == SHARE)
        *(double *)place = value;
    else if (wanted->kind == BYTES)
        *(size_t *)place = (size_t)value;
    else
        *(unsigned *)place = (unsigned)value;
    return PM_OK;
}

static pm_status read_choice(const pm_device_row *row, const rule *wanted, const char *text,
                             char *place, pm_error *err)
{
    char list[128];
    size_t used = 0;

    for (unsigned c = 0; c < (unsigned)wanted->most; c++) {
        if (strcmp(text, wanted->choices[c]) == 0) {
            if (wanted->choices == no_yes)
                *(bool *)place = c == 1;
            else
                *(unsigned *)place = c;
            return PM_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", c == 0 ? "one of " : ", ",
                                 wanted->choices[c]);
    }
    return pm_device_row_fail(row, wanted->name, list, err);
}

static pm_status read_rule(const pm_device_row *row, const rule *wanted, pm_gpu *gpu, pm_error *err)
{
    const char *text;
    char *place = (char *)gpu + wanted->offset;
    pm_status status = pm_device_row_cell(row, wanted->name, &text, err);

    if (status != PM_OK)
        return status;
    return wanted->kind == CHOICE ? read_choice(row, wanted, text, place, err)
                                  : read_number(row, wanted, text, place, err);
}

_Static_assert(sizeof(pm_coalescing) == sizeof(unsigned) &&
                   sizeof(pm_global_access) == sizeof(unsigned) &&
                   sizeof(pm_register_scope) == sizeof(unsigned),
               "read_choice writes them as unsigned");

static pm_status read_optional(const pm_device_row *row, pm_gpu *gpu, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t r = 0; status == PM_OK && r < sizeof optional / sizeof *optional; r++) {
        const char *text = "";

        if (pm_device_row_has(row, optional[r].name))
            status = pm_device_row_cell(row, optional[r].name, &text, err);
        if (status == PM_OK && *text)
            status = read_rule(row, &optional[r], gpu, err);
    }
    if (gpu->l1_global)
        gpu->readonly_bytes = 0;
    return status;
}

/* KB with semicolons between them. */
static pm_status read_carveouts(const pm_device_row *row, pm_gpu *gpu, pm_error *err)
{
    static const char name[] = "shared_carveouts_kb";
    static const char wanted[] = "up to 16 ascending numbers of KB, below l1_bytes, the last of "
                                 "them shared_bytes, with semicolons between them";
    const char *text;
    size_t count = 0, before = 0;
    pm_status status = pm_device_row_cell(row, name, &text, err);

    for (; status == PM_OK && *text; count++) {
        char cell[16];
        double value;
        size_t length = strcspn(text, ";");

        snprintf(cell, sizeof cell, "%.*s", (int)(length < sizeof cell ? length : 0), text);
        if (count == PM_MAX_CARVEOUTS || !pm_number_parse(cell, &value) || value < 0 ||
            value * KB >= (double)gpu->l1_bytes || (count > 0 && value * KB <= (double)before))
            return pm_device_row_fail(row, name, wanted, err);
        before = gpu->carveouts[count] = (size_t)(value * KB);
        text += length;
        if (*text == ';' && !*++text)
            return pm_device_row_fail(row, name, wanted, err);
    }
    if (status == PM_OK && (count == 0 || before != gpu->shared_bytes))
        return pm_device_row_fail(row, name, wanted, err);
    gpu->carveout_count = count;
    return status;
}

/* An empty cell: not known, and taken as none. */
static pm_status read_spare(const pm_device_row *row, pm_gpu *gpu, pm_error *err)
{
    static const char name[] = "shared_spare_kb";
    const char *text;
    double value = 0;
    pm_status status = pm_device_row_cell(row, name, &text, err);

    if (status != PM_OK)
        return status;
    if (*text &&
        (!pm_number_parse(text, &value) || value < 0 || value * KB > (double)gpu->shared_bytes))
        return pm_device_row_fail(row, name, "a number of KB up to shared_bytes", err);
    gpu->shared_spare = (size_t)(value * KB);
    return PM_OK;
}

/* ---- a row --------------------------------------------------------------------------------- */

/* Cells that are possible alone and not together. */
static pm_status check_together(const pm_device_row *row, const pm_gpu *gpu, pm_error *err)
{
    size_t least_l1 = gpu->l1_unified ? gpu->l1_bytes - gpu->shared_bytes : gpu->l1_bytes;

    if (gpu->l1_sector > gpu->l1_line)
        return pm_device_row_fail(row, "l1_sector", "no more than l1_line", err);
    if (gpu->readonly_bytes > 0 && gpu->readonly_bytes < gpu->l1_line)
        return pm_device_row_fail(row, "readonly_bytes", "0, or l1_line and more", err);
    if (gpu->l2_sector > gpu->l2_line)
        return pm_device_row_fail(row, "l2_sector", "no more than l2_line", err);
    if (gpu->l1_bytes > 0 && (size_t)gpu->l1_ways * gpu->l1_line > least_l1)
        return pm_device_row_fail(row, "l1_ways", "a set that fits into the smallest L1", err);
    if (gpu->l2_bytes > 0 && (size_t)gpu->l2_ways * gpu->l2_line > gpu->l2_bytes)
        return pm_device_row_fail(row, "l2_ways", "a set that fits into l2_bytes", err);
    if (gpu->shared_group_bytes + gpu->shared_reserved > gpu->shared_bytes)
        return pm_device_row_fail(row, "shared_group_bytes",
                                  "with shared_reserved_bytes no more than shared_bytes", err);
    if (gpu->register_unit > gpu->registers)
        return pm_device_row_fail(row, "register_unit", "no more than registers", err);
    return PM_OK;
}

static pm_status read_rules(const pm_device_row *row, pm_gpu *gpu, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t r = 0; status == PM_OK && r < sizeof rules / sizeof *rules; r++)
        status = read_rule(row, &rules[r], gpu, err);
    if (status == PM_OK && gpu->l1_bytes > 0)
        status = read_rule(row, &l1_ways, gpu, err);
    if (status == PM_OK && gpu->l2_bytes > 0)
        status = read_rule(row, &l2_ways, gpu, err);
    if (status == PM_OK)
        status = read_optional(row, gpu, err);
    if (status == PM_OK && gpu->l1_unified)
        status = read_carveouts(row, gpu, err);
    if (status == PM_OK && gpu->l1_unified)
        status = read_spare(row, gpu, err);
    return status == PM_OK ? check_together(row, gpu, err) : status;
}

pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    pm_device_row *row;
    pm_status status = pm_device_row_read(device, folder, &row, err);

    *gpu = (pm_gpu){0};
    if (status != PM_OK)
        return status;
    pm_shown(device, shown, sizeof shown);
    if (!pm_device_row_found(row))
        status = pm_fail(err, PM_BAD_INPUT, "no GPU '%s' in %s; there is: %s", shown,
                         pm_device_row_path(row), pm_device_row_devices(row));
    else if (strlen(device) >= sizeof gpu->device)
        status =
            pm_fail(err, PM_BAD_INPUT, "%s: the name '%s' is longer than %zu bytes; shorten it",
                    pm_device_row_path(row), shown, sizeof gpu->device - 1);
    else
        status = read_rules(row, gpu, err);
    pm_device_row_free(row);
    if (status != PM_OK)
        *gpu = (pm_gpu){0};
    else
        memcpy(gpu->device, device, strlen(device) + 1);
    return status;
}

/* ---- what fits ----------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Bytes that a group takes of the compute unit's shared memory. */
static uint64_t group_shared(const pm_gpu *gpu, size_t shared)
{
    size_t own = shared < gpu->shared_bytes ? shared : gpu->shared_bytes;

    return round_up(own + gpu->shared_reserved, gpu->shared_unit);
}

static uint64_t fit_registers(const pm_gpu *gpu, uint64_t warps, unsigned registers)
{
    uint64_t used = registers < gpu->max_registers ? registers : gpu->max_registers;
    uint64_t of_warp = round_up(used * gpu->warp_width, gpu->register_unit);

    if (registers == 0)
        return gpu->max_groups;
    if (gpu->register_scope == PM_REGISTERS_GROUP)
        return gpu->registers / round_up(round_up(warps, gpu->warp_unit) * used * gpu->warp_width,
                                         gpu->register_unit);
    return gpu->registers / of_warp / gpu->warp_unit * gpu->warp_unit / warps;
}

unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit)
{
    static const char *const names[] = {"groups", "warps", "registers", "shared"};
    uint64_t warps =
        work_items ? ((uint64_t)work_items + gpu->warp_width - 1) / gpu->warp_width : 1;
    uint64_t bytes = group_shared(gpu, shared);
    const uint64_t fit[] = {
        gpu->max_groups,
        gpu->max_warps / warps,
        fit_registers(gpu, warps, registers),
        bytes > 0 ? gpu->shared_bytes / bytes : gpu->max_groups,
    };
    size_t least = 0;

    for (size_t k = 1; k < sizeof fit / sizeof *fit; k++)
        if (fit[k] < fit[least])
            least = k;
    if (limit)
        *limit = names[least];
    return fit[least] > 0 ? (unsigned)fit[least] : 1;
}

/* Groups that the driver makes room for. */
static uint64_t spared_groups(const pm_gpu *gpu, unsigned resident, size_t shared)
{
    if (shared == 0)
        return gpu->max_groups;
    if (resident == 1 || resident >= gpu->max_groups)
        return resident;
    return resident < gpu->max_groups / 2 ? 2 * (uint64_t)resident : gpu->max_groups;
}

size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared)
{
    uint64_t of_group = group_shared(gpu, shared), bytes = of_group * resident;
    uint64_t spare = of_group * spared_groups(gpu, resident, shared);
    size_t c = 0;

    if (!gpu->l1_unified)
        return gpu->l1_bytes;
    if (spare > gpu->shared_spare)
        spare = gpu->shared_spare;
    if (bytes < spare)
        bytes = spare;
    while (c + 1 < gpu->carveout_count && gpu->carveouts[c] < bytes)
        c++;
    return gpu->l1_bytes - gpu->carveouts[c];
}

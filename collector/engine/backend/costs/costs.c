/* Reads the file of instruction costs (instructions.ini) and looks up its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file may be the user's own, so that everything in it is checked and every error names its
 * line.
 */
#include "collector/engine/backend/costs/costs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/ini.h"
#include "base/numbers.h"

#define MOST_INSTRUCTIONS 1e6 /* largest number of instructions in one row */
enum { MOST_CAPABILITY = 99 };

typedef struct {
    char name[PM_SECTION_NAME];
    pm_mix mix;
} builtin;

struct pm_costs {
    pm_mix rows[PM_COST_COUNT];
    builtin *builtins; /* sorted by name after reading */
    size_t builtin_count;
};

#define PM_COST_NAME(name) #name,
static const char *const cost_names[PM_COST_COUNT] = {PM_COSTS(PM_COST_NAME)};
#undef PM_COST_NAME

void pm_costs_free(pm_costs *costs)
{
    if (!costs)
        return;
    free(costs->builtins);
    free(costs);
}

static double *class_of(pm_mix *mix, const char *name, size_t length)
{
    const struct {
        const char *name;
        double *count;
    } classes[] = {{"fp32", &mix->fp32},         {"fp64", &mix->fp64},
                   {"int", &mix->integer},       {"special", &mix->special},
                   {"control", &mix->control},   {"conversion", &mix->conversion},
                   {"memory", &mix->memory},     {"branch", &mix->branches},
                   {"alu", &mix->alu},           {"fma", &mix->fma},
                   {"fmaheavy", &mix->fmaheavy}, {"either", &mix->either},
                   {"flop32", &mix->flop32},     {"flop64", &mix->flop64},
                   {"beside", &mix->beside},     {"conversion64", &mix->conversion64},
                   {"tensor", &mix->tensor}};

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0)
            return classes[i].count;
    return NULL;
}

static bool is_operations(const pm_mix *mix, const double *count)
{
    return count == &mix->flop32 || count == &mix->flop64;
}

/* Reads a number at *text and moves *text behind the number and the blanks that follow. false if
 * there is no number. */
static bool read_count(const char **text, double *count)
{
    char number[PM_NUMBER_SIZE];
    size_t length = strcspn(*text, " \t");

    if (!isdigit((unsigned char)**text) || length >= sizeof number)
        return false;
    memcpy(number, *text, length);
    number[length] = '\0';
    *text += length + strspn(*text + length, " \t");
    return pm_number_parse(number, count) && *count <= MOST_INSTRUCTIONS;
}

/* Reads a row such as "26 fp32 17 int 4": the total number of machine instructions, then the
 * numbers of some classes. If the row lacks some classes, defaults apply. If it has no branches,
 * all its control instructions are branches. If it names no pipes, integer instructions use the
 * integer pipe, and floating-point instructions other than special functions use the multiply-add
 * pipe. If it has no floating-point operations, all FP32 instructions of the multiply-add pipe and
 * all FP64 instructions are fused multiply-adds. */
static bool read_mix(const char *text, pm_mix *mix)
{
    bool branches = false, pipes = false, operations = false;

    *mix = (pm_mix){0};
    if (!read_count(&text, &mix->total))
        return false;
    while (*text) {
        size_t length = strcspn(text, " \t");
        double *count = class_of(mix, text, length);

        branches = branches || count == &mix->branches;
        pipes = pipes || count == &mix->alu || count == &mix->fma || count == &mix->fmaheavy ||
                count == &mix->either;
        operations = operations || is_operations(mix, count);
        text += length + strspn(text + length, " \t");
        if (!count || !read_count(&text, count) ||
            *count > mix->total * (is_operations(mix, count) ? 2 : 1))
            return false;
    }
    if (!branches)
        mix->branches = mix->control;
    if (!pipes) {
        mix->alu = mix->integer;
        mix->fma = fmax(mix->fp32 - mix->special, 0);
    }
    if (!operations) {
        mix->flop32 = 2 * fmin(mix->fma, fmax(mix->fp32 - mix->special, 0));
        mix->flop64 = 2 * mix->fp64;
    }
    mix->fma += mix->fmaheavy;
    return true;
}

/* ---- the file ------------------------------------------------------------------------------- */

static pm_status read_cost(const pm_sections *file, const pm_setting *row, pm_mix *mix,
                           pm_error *err)
{
    if (read_mix(row->value, mix))
        return PM_OK;
    return pm_sections_fault(file, row->line, err,
                             "a cost is a total and parts of it, as in 9 fp32 6 int 1; this is "
                             "%.64s",
                             row->value);
}

static pm_status read_instructions(const pm_sections *file, const pm_section *section,
                                   pm_mix rows[static PM_COST_COUNT], pm_error *err)
{
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *row = &section->settings[i];
        pm_status status;
        size_t known = 0;

        while (known < PM_COST_COUNT && strcmp(cost_names[known], row->key) != 0)
            known++;
        if (known == PM_COST_COUNT)
            return pm_sections_fault(file, row->line, err,
                                     "no instruction of this table is called %.64s", row->key);
        status = read_cost(file, row, &rows[known], err);
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

static pm_status check_whole(const pm_sections *file, const pm_section *section, pm_error *err)
{
    for (size_t i = 0; i < PM_COST_COUNT; i++)
        if (!pm_section_find(section, cost_names[i]))
            return pm_fail(err, PM_BAD_INPUT, "%s: [instructions] has no row %s", file->path,
                           cost_names[i]);
    return PM_OK;
}

/* Reads a compute capability in tenths: "7.0" is 70. Without a digit after the point, "7" is 70, or
 * 79 if it is the end of a range (`last`). */
static bool read_capability(const char **text, bool last, unsigned *capability)
{
    char *end;
    unsigned long major, minor = last ? 9 : 0;

    if (!isdigit((unsigned char)**text))
        return false;
    major = strtoul(*text, &end, 10);
    if (*end == '.' && isdigit((unsigned char)end[1]))
        minor = strtoul(end + 1, &end, 10);
    *text = end;
    *capability = (unsigned)(major * 10 + minor);
    return major > 0 && major <= MOST_CAPABILITY && minor <= 9;
}

/* Sets *is to whether a section applies to a compute capability. name: the range in the section's
 * name, such as "5", "5-6" or "5-7.0". false if the range is malformed. */
static bool is_for(const char *name, unsigned capability, bool *is)
{
    unsigned first, last;
    const char *text = name, *again = name;
    bool known = read_capability(&text, false, &first);

    if (known && *text == '-')
        known = read_capability(&(const char *){text + 1}, true, &last) && (again = text + 1);
    known = known && read_capability(&again, true, &last) && *again == '\0' && last >= first;
    *is = known && capability >= first && capability <= last;
    return known;
}

static pm_status refuse_range(const pm_sections *file, const pm_section *section, pm_error *err)
{
    return pm_sections_fault(file, section->line, err,
                             "[%s N] is for compute capabilities N.x, and [%s N-M] for those to "
                             "M.x, N and M from 1 to %d (or with a digit behind a point), not "
                             "%.64s",
                             section->kind, section->kind, MOST_CAPABILITY, section->name);
}

/* Reads a section such as [instructions 5-6]. Its rows replace rows of [instructions] on the
 * compute capabilities in its name. */
static pm_status read_others(const pm_sections *file, const pm_section *section,
                             unsigned capability, pm_costs *costs, pm_error *err)
{
    pm_mix rows[PM_COST_COUNT];
    bool is;
    pm_status status;

    if (!is_for(section->name, capability, &is))
        return refuse_range(file, section, err);
    memcpy(rows, costs->rows, sizeof rows);
    status = read_instructions(file, section, rows, err);
    if (status == PM_OK && is)
        memcpy(costs->rows, rows, sizeof rows);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const builtin *)a)->name, ((const builtin *)b)->name);
}

/* Returns the row of the builtin function with this name, and adds an empty row if there is none.
 * costs->builtins must have space for it. */
static builtin *find_or_add(pm_costs *costs, const char *name)
{
    builtin *b;

    for (size_t i = 0; i < costs->builtin_count; i++)
        if (strcmp(costs->builtins[i].name, name) == 0)
            return &costs->builtins[i];
    b = &costs->builtins[costs->builtin_count++];
    *b = (builtin){.name = ""};
    snprintf(b->name, sizeof b->name, "%s", name);
    return b;
}

static pm_status read_builtins(const pm_sections *file, const pm_section *section, pm_costs *costs,
                               pm_error *err)
{
    builtin *grown = realloc(costs->builtins,
                             (costs->builtin_count + section->count + 1) * sizeof *costs->builtins);

    if (!grown)
        return pm_fail(err, PM_FAILED, "%s: out of memory", file->path);
    costs->builtins = grown;
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *row = &section->settings[i];
        const char *dot = strchr(row->key, '.');
        builtin *b = find_or_add(costs, row->key);
        pm_status status;

        if (!dot || dot == row->key ||
            (strcmp(dot, ".float") != 0 && strcmp(dot, ".fast_float") != 0 &&
             strcmp(dot, ".double") != 0))
            return pm_sections_fault(
                file, row->line, err,
                "a builtin is NAME.float, NAME.fast_float or NAME.double, not %.64s", row->key);
        status = read_cost(file, row, &b->mix, err);
        if (status != PM_OK)
            return status;
    }
    qsort(costs->builtins, costs->builtin_count, sizeof *costs->builtins, by_name);
    return PM_OK;
}

/* Reads the sections whose rows replace rows of [builtins] for some compute capabilities. They may
 * be anywhere in the file, and are checked even if they do not apply to `capability`. */
static pm_status read_other_builtins(const pm_sections *file, unsigned capability, pm_costs *costs,
                                     pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t s = 0; status == PM_OK && s < file->count; s++) {
        const pm_section *section = &file->items[s];
        pm_costs others = {.builtin_count = 0};
        bool is;

        if (*section->name == '\0' || strcmp(section->kind, "builtins") != 0)
            continue;
        status = is_for(section->name, capability, &is) ? PM_OK : refuse_range(file, section, err);
        if (status == PM_OK)
            status = read_builtins(file, section, is ? costs : &others, err);
        free(others.builtins);
    }
    return status;
}

static pm_status read_sections(const pm_sections *file, unsigned capability, pm_costs *costs,
                               pm_error *err)
{
    pm_status status = PM_OK;
    bool instructions = false;

    for (size_t s = 0; status == PM_OK && s < file->count; s++) {
        const pm_section *section = &file->items[s];

        if (*section->name == '\0' && strcmp(section->kind, "instructions") == 0) {
            instructions = true;
            status = read_instructions(file, section, costs->rows, err);
            if (status == PM_OK)
                status = check_whole(file, section, err);
        } else if (instructions && strcmp(section->kind, "instructions") == 0) {
            status = read_others(file, section, capability, costs, err);
        } else if (*section->name == '\0' && strcmp(section->kind, "builtins") == 0) {
            status = read_builtins(file, section, costs, err);
        } else if (strcmp(section->kind, "builtins") != 0) {
            status = pm_sections_fault(
                file, section->line, err,
                "the sections are [instructions], [instructions N] behind it, [builtins] "
                "and [builtins N], not [%s%s%s]",
                section->kind, *section->name ? " " : "", section->name);
        }
    }
    if (status == PM_OK)
        status = read_other_builtins(file, capability, costs, err);
    if (status == PM_OK && !instructions)
        status = pm_fail(err, PM_BAD_INPUT, "%s: [instructions] has no row %s", file->path,
                         cost_names[0]);
    return status;
}

pm_costs *pm_costs_read(const char *path, unsigned capability, pm_error *err)
{
    pm_costs *costs = calloc(1, sizeof *costs);
    pm_sections file;
    pm_status status;

    if (!costs) {
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
        return NULL;
    }
    status = pm_sections_read(path, &file, err);
    if (status == PM_OK)
        status = read_sections(&file, capability, costs, err);
    pm_sections_free(&file);
    if (status == PM_OK)
        return costs;
    pm_costs_free(costs);
    return NULL;
}

const pm_mix *pm_costs_row(const pm_costs *costs, pm_cost cost)
{
    return &costs->rows[cost];
}

const pm_mix *pm_costs_named(const pm_costs *costs, const char *name, const char *type)
{
    builtin key = {0};
    const builtin *found;
    int length = snprintf(key.name, sizeof key.name, "%s.%s", name, type);

    if (length < 0 || (size_t)length >= sizeof key.name)
        return NULL;
    found = costs->builtin_count ? bsearch(&key, costs->builtins, costs->builtin_count,
                                           sizeof *costs->builtins, by_name)
                                 : NULL;
    return found ? &found->mix : NULL;
}

const pm_mix *pm_costs_builtin(const pm_costs *costs, const char *mangled, bool fast)
{
    const pm_mix *row = NULL;
    unsigned long length;
    char name[PM_SECTION_NAME];
    char *rest;

    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return NULL;
    length = strtoul(mangled + 2, &rest, 10);
    if (length == 0 || length >= PM_SECTION_NAME || length >= strlen(rest))
        return NULL;
    memcpy(name, rest, length);
    name[length] = '\0';
    /* The parameters' letters follow the function's name in a builtin's mangled name: f (float) or
     * d (double), then possibly more letters f, d or i (int, as in pown). */
    rest += length;
    if ((*rest != 'f' && *rest != 'd') || rest[strspn(rest, "fdi")])
        return NULL;
    if (fast && *rest == 'f')
        row = pm_costs_named(costs, name, "fast_float");
    return row ? row : pm_costs_named(costs, name, *rest == 'f' ? "float" : "double");
}

/* Reads the table of instruction costs with libinih and answers for its rows. The file may be a
 * user's own, so everything in it is checked and every fault names its line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "costs.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

enum {
    MAX_NAME = 48,   /* libinih cuts names off at 49 characters */
    MAX_ROWS = 10000 /* a table that says more is not one */
};
#define MOST_INSTRUCTIONS 1e6 /* of one row */

typedef struct {
    char name[MAX_NAME + 1];
    pm_mix mix;
} builtin;

struct pm_costs {
    pm_mix rows[PM_COST_COUNT];
    bool known[PM_COST_COUNT];
    builtin *builtins; /* by name once read */
    size_t builtin_count;
};

typedef struct {
    pm_costs *costs;
    FILE *file;
    const char *path;
    size_t line;
    bool torn; /* the line read last has no end: too long, or the file ends there */
    pm_error *err;
    pm_status status;
} parser;

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

/* Keeps the first fault; 0, which tells libinih that there was one. */
static int fault(parser *p, const char *what, const char *name)
{
    if (p->status == PM_OK)
        p->status = pm_fail(p->err, PM_BAD_INPUT, "%s:%zu: %s%.64s", p->path, p->line, what, name);
    return 0;
}

static double *class_of(pm_mix *mix, const char *name, size_t length)
{
    const struct {
        const char *name;
        double *count;
    } classes[] = {{"fp32", &mix->fp32},       {"fp64", &mix->fp64},
                   {"int", &mix->integer},     {"special", &mix->special},
                   {"control", &mix->control}, {"conversion", &mix->conversion},
                   {"memory", &mix->memory}};

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0)
            return classes[i].count;
    return NULL;
}

/* A count at *text, which moves behind it. */
static bool read_count(const char **text, double *count)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    *count = strtod(*text, &end);
    *text = end;
    return *count <= MOST_INSTRUCTIONS;
}

/* "26 fp32 17 int 4": the total, then classes with their part of it. */
static bool read_mix(const char *text, pm_mix *mix)
{
    *mix = (pm_mix){0};
    if (!read_count(&text, &mix->total))
        return false;
    while (*(text += strspn(text, " \t"))) {
        size_t length = strcspn(text, " \t");
        double *count = class_of(mix, text, length);

        text += length;
        text += strspn(text, " \t");
        if (!count || !read_count(&text, count) || *count > mix->total)
            return false;
    }
    return true;
}

static int add_instruction(parser *p, const char *name, const pm_mix *mix)
{
    for (size_t i = 0; i < PM_COST_COUNT; i++)
        if (strcmp(cost_names[i], name) == 0) {
            if (p->costs->known[i])
                return fault(p, "a second row for ", name);
            p->costs->known[i] = true;
            p->costs->rows[i] = *mix;
            return 1;
        }
    return fault(p, "no instruction of this table is called ", name);
}

static int add_builtin(parser *p, const char *name, const pm_mix *mix)
{
    pm_costs *costs = p->costs;
    const char *dot = strchr(name, '.');
    builtin *grown;

    if (!dot || (strcmp(dot, ".float") != 0 && strcmp(dot, ".double") != 0) || dot == name ||
        strlen(name) > MAX_NAME)
        return fault(p, "a builtin is NAME.float or NAME.double, not ", name);
    if (costs->builtin_count == MAX_ROWS)
        return fault(p, "too many builtins", "");
    grown = realloc(costs->builtins, (costs->builtin_count + 1) * sizeof *grown);
    if (!grown) {
        p->status = pm_fail(p->err, PM_FAILED, "%s: out of memory", p->path);
        return 0;
    }
    costs->builtins = grown;
    snprintf(grown[costs->builtin_count].name, sizeof grown->name, "%s", name);
    grown[costs->builtin_count++].mix = *mix;
    return 1;
}

static int handle(void *user, const char *section, const char *name, const char *value)
{
    parser *p = user;
    pm_mix mix;

    if (p->status != PM_OK)
        return 0;
    if (!read_mix(value, &mix))
        return fault(p, "a cost is a total and parts of it, as in 9 fp32 6 int 1; this is ", value);
    if (strcmp(section, "instructions") == 0)
        return add_instruction(p, name, &mix);
    if (strcmp(section, "builtins") == 0)
        return add_builtin(p, name, &mix);
    return fault(p, "the sections are [instructions] and [builtins], not ", section);
}

/* Counts lines for the faults, and stops at one that libinih would read as two. */
static char *read_line(char *line, int size, void *stream)
{
    parser *p = stream;

    if (p->status != PM_OK)
        return NULL;
    if (p->torn) {
        fault(p, "the line is too long", "");
        return NULL;
    }
    if (!fgets(line, size, p->file))
        return NULL;
    p->line++;
    p->torn = !strchr(line, '\n');
    return line;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const builtin *)a)->name, ((const builtin *)b)->name);
}

static pm_status check_rows(parser *p)
{
    pm_costs *costs = p->costs;

    for (size_t i = 0; i < PM_COST_COUNT; i++)
        if (!costs->known[i])
            return pm_fail(p->err, PM_BAD_INPUT, "%s: [instructions] has no row %s", p->path,
                           cost_names[i]);
    if (costs->builtin_count)
        qsort(costs->builtins, costs->builtin_count, sizeof *costs->builtins, by_name);
    for (size_t i = 1; i < costs->builtin_count; i++)
        if (strcmp(costs->builtins[i - 1].name, costs->builtins[i].name) == 0)
            return pm_fail(p->err, PM_BAD_INPUT, "%s: [builtins] has two rows %s", p->path,
                           costs->builtins[i].name);
    return PM_OK;
}

static pm_status parse(parser *p)
{
    int line = ini_parse_stream(read_line, p, handle, p);

    if (p->status != PM_OK)
        return p->status;
    if (ferror(p->file))
        return pm_fail(p->err, PM_FAILED, "%s: %s", p->path, strerror(errno));
    if (line < 0)
        return pm_fail(p->err, PM_FAILED, "%s: out of memory", p->path);
    if (line > 0)
        return pm_fail(p->err, PM_BAD_INPUT, "%s:%d: neither [section] nor name = cost", p->path,
                       line);
    return check_rows(p);
}

pm_costs *pm_costs_read(const char *path, pm_error *err)
{
    parser p = {.path = path, .err = err};

    p.file = fopen(path, "r");
    if (!p.file) {
        pm_fail(err, PM_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    p.costs = calloc(1, sizeof *p.costs);
    if (!p.costs)
        p.status = pm_fail(err, PM_FAILED, "%s: out of memory", path);
    else
        p.status = parse(&p);
    fclose(p.file);
    if (p.status != PM_OK) {
        pm_costs_free(p.costs);
        return NULL;
    }
    return p.costs;
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

const pm_mix *pm_costs_builtin(const pm_costs *costs, const char *mangled)
{
    unsigned long length;
    char name[MAX_NAME + 1];
    char *rest;

    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return NULL;
    length = strtoul(mangled + 2, &rest, 10);
    if (length == 0 || length > MAX_NAME || length >= strlen(rest))
        return NULL;
    memcpy(name, rest, length);
    name[length] = '\0';
    /* The parameters: a scalar each, the first f or d, then also i (pown). */
    rest += length;
    if ((*rest != 'f' && *rest != 'd') || rest[strspn(rest, "fdi")])
        return NULL;
    return pm_costs_named(costs, name, *rest == 'f' ? "float" : "double");
}

bool pm_costs_special(const pm_costs *costs, const char *mangled)
{
    return pm_costs_builtin(costs, mangled) != NULL;
}

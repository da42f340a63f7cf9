/* Finds why the predicted time of a kernel changed between a baseline and the current source. The
 * result is the functional unit of the GPU whose time changed most, and the source lines that cause
 * the change. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If the unit is a memory pipeline, the cause is the access whose transactions changed most, by the
 * access tables of both sources. Otherwise, or if no access changed, the cause is the changed
 * source lines.
 */
#include <math.h>
#include <string.h>

#include "answer/check/parts.h"
#include "base/text.h"

/* ---- units ---------------------------------------------------------------------------------- */

static void try_unit(const char *unit, const pm_explanation *before, const pm_explanation *after,
                     pm_check_kernel *kernel)
{
    const double sign = kernel->after_s >= kernel->before_s ? 1 : -1;
    const double more = sign * (pm_check_added(after, unit) - pm_check_added(before, unit));
    const double most = kernel->unit ? sign * (kernel->unit_after_s - kernel->unit_before_s) : 0;

    if (!(more > most))
        return;
    kernel->unit = unit;
    kernel->unit_before_s = pm_check_added(before, unit);
    kernel->unit_after_s = pm_check_added(after, unit);
}

static void find_unit(const pm_explanation *before, const pm_explanation *after,
                      pm_check_kernel *kernel)
{
    for (size_t k = 0; k < after->n; k++)
        try_unit(after->terms[k].unit, before, after, kernel);
    for (size_t k = 0; k < before->n; k++)
        try_unit(before->terms[k].unit, before, after, kernel);
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* The kinds of accesses that take time in each memory pipeline (`unit`) of the units model. space
 * and kind: address space and kind of an access in the access table; NULL: any. */
static const struct {
    const char *unit, *space, *kind;
} units[] = {
    {"lsu", NULL, NULL},          {"l1", "global", NULL},         {"l1", "private", NULL},
    {"requests", "global", NULL}, {"requests", "private", NULL},  {"l2", "global", NULL},
    {"l2", "private", NULL},      {"dram", "global", NULL},       {"dram", "private", NULL},
    {"shared", "shared", NULL},   {"constant", "constant", NULL}, {"atomics", NULL, "atomic"},
    {"latency", "global", NULL},  {"latency", "private", NULL},   {"latency", "shared", NULL},
};

static bool occupies(const pm_access *a, const char *unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0 &&
            (!units[i].space || strcmp(units[i].space, a->space) == 0) &&
            (!units[i].kind || strcmp(units[i].kind, a->kind) == 0))
            return true;
    return false;
}

/* Returns true if both are accesses of the same kind to the same variable; line numbers may
 * differ. */
static bool is_alike(const pm_access *a, const pm_access *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->space, b->space) == 0 &&
           strcmp(a->buffer, b->buffer) == 0 && strcmp(a->structure, b->structure) == 0 &&
           strcmp(a->field, b->field) == 0;
}

static double transactions_of(const pm_check_side *side, const pm_access *like)
{
    double sum = 0;

    for (size_t i = 0; i < side->access_count; i++)
        if (is_alike(&side->accesses[i], like))
            sum += side->accesses[i].transactions;
    return sum;
}

/* Returns the access whose number of transactions changed most, in the same direction as the
 * predicted time of the kernel. Before the comparison, accesses of the same kind to the same
 * variable are summed over all source lines. Of the lines that were summed, the line with the most
 * transactions is returned. NULL: no number changed by at least 1 %. */
static const pm_access *find_access(const pm_check_side *before, const pm_check_side *after,
                                    const pm_check_kernel *kernel)
{
    const bool more = kernel->after_s >= kernel->before_s;
    const pm_check_side *here = more ? after : before, *there = more ? before : after;
    const pm_access *found = NULL;
    double most = 0;

    for (size_t i = 0; i < here->access_count; i++) {
        const pm_access *a = &here->accesses[i];
        const double change = transactions_of(here, a) - transactions_of(there, a);

        if (!occupies(a, kernel->unit) || change < 0.01 * transactions_of(here, a))
            continue;
        if (change > most || (found && change >= most && is_alike(a, found) &&
                              a->transactions > found->transactions)) {
            most = change;
            found = a;
        }
    }
    return found;
}

static void tell_access(pm_checking *c, const pm_access *a, const pm_check_side *before,
                        const pm_check_side *after, pm_check_kernel *kernel)
{
    const char *member = *a->field ? pm_format(&c->memory, ".%s", a->field) : "";

    /* If the time fell, the access may have been removed. Its line is then one of the old source,
     * which is not reported. */
    if (kernel->after_s >= kernel->before_s)
        kernel->line = kernel->last_line = a->line;
    kernel->reason = pm_format(&c->kept, "%s %ss of %s%s take %.6g transactions, %.6g before",
                               a->space, a->kind, *a->buffer ? a->buffer : "memory", member,
                               transactions_of(after, a), transactions_of(before, a));
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* largest number of ranges of changed source lines that a message lists */
enum { MOST_RUNS = 4 };

static void tell_lines(pm_checking *c, const pm_check_source *before, const pm_check_source *after,
                       pm_check_kernel *kernel)
{
    const pm_check_lines lines = pm_check_lines_of(&c->memory, before, after);
    pm_text text = {.memory = &c->kept};

    if (lines.count == 0) {
        kernel->reason = pm_copy(&c->kept, "the source is the same: what it includes, its options "
                                           "or its launches are not");
        return;
    }
    kernel->line = lines.runs[0].first;
    kernel->last_line = lines.runs[0].last;
    pm_text_add(&text, "changed");
    for (size_t i = 1; i < lines.count && i < MOST_RUNS; i++)
        pm_text_add(&text,
                    lines.runs[i].last > lines.runs[i].first ? "%s line %u to %u" : "%s line %u",
                    i == 1 ? ", and so is" : ",", lines.runs[i].first, lines.runs[i].last);
    if (lines.count > MOST_RUNS)
        pm_text_add(&text, ", and %zu more places", lines.count - MOST_RUNS);
    kernel->reason = pm_text_get(&text);
}

void pm_check_blame(pm_checking *c, const pm_check_side *before, const pm_check_side *after,
                    pm_check_kernel *kernel)
{
    const pm_check_source *source = &c->now.sources[after->source];
    const pm_access *access;

    find_unit(&before->predicted.why, &after->predicted.why, kernel);
    kernel->file = source->path;
    access = kernel->unit ? find_access(before, after, kernel) : NULL;
    if (access)
        tell_access(c, access, before, after, kernel);
    else
        tell_lines(c, &c->before.sources[before->source], source, kernel);
}

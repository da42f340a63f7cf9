/* Writes the result of `perfmodel check` as a table, as JSON and as SARIF. See check.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/check/check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/json/json.h"
#include "report/table/format.h"
#include "report/table/table.h"

/* Largest number of counters that are shown for each kernel. They are those that changed by the
 * largest factors. */
enum { MOST_COUNTS = 4 };

const char *pm_check_word(pm_check_verdict verdict)
{
    static const char *const words[] = {
        [PM_CHECK_SAME] = "same",     [PM_CHECK_CHANGED] = "changed", [PM_CHECK_FASTER] = "faster",
        [PM_CHECK_SLOWER] = "slower", [PM_CHECK_NEW] = "new",         [PM_CHECK_GONE] = "gone",
        [PM_CHECK_WORSE] = "worse"};

    return words[verdict];
}

/* Names and meanings of the findings of a check. findings[i] belongs to bit i of
 * pm_check_finding. */
static const struct {
    const char *name, *says;
} findings[] = {{"time", "it takes longer"},
                {"spills", "more accesses of local memory"},
                {"doubles", "more arithmetic in double precision"},
                {"sectors", "more sectors for each access"},
                {"waits", "loads are waited for more often"},
                {"barriers", "more barriers"}};
enum { FINDINGS = sizeof findings / sizeof *findings };

const char *pm_check_finding_name(size_t bit)
{
    return bit < FINDINGS ? findings[bit].name : NULL;
}

/* ---- sentences ------------------------------------------------------------------------------ */

static void add_place(pm_text *text, const pm_check_kernel *k)
{
    const char *file = k->file ? k->file : "source";

    if (!k->reason)
        return;
    if (k->line == 0)
        pm_text_add(text, "; %s: ", file);
    else if (k->last_line > k->line)
        pm_text_add(text, "; %s:%u to %u: ", file, k->line, k->last_line);
    else
        pm_text_add(text, "; %s:%u: ", file, k->line);
    pm_text_add(text, "%s", k->reason);
}

/* Appends the name and the meaning of each finding of a kernel, except finding 0 (a longer time),
 * whose numbers the text already has. */
static void add_findings(pm_text *text, const pm_check_kernel *k)
{
    for (size_t bit = 1; bit < FINDINGS; bit++)
        if (k->findings >> bit & 1)
            pm_text_add(text, "%s: %s; ", findings[bit].name, findings[bit].says);
}

/* Appends why the kernel's time changed: the functional unit of the GPU with the largest change,
 * its times now and before, and the source location that causes it. */
static void add_cause(pm_text *text, const pm_check_kernel *k)
{
    if (k->unit)
        pm_text_add(text, "unit %s: %s, %s before", k->unit, pm_short_time(k->unit_after_s).s,
                    pm_short_time(k->unit_before_s).s);
    else
        pm_text_add(text, "no unit takes another time");
    add_place(text, k);
}

static void add_counts(pm_text *text, const pm_check_kernel *k)
{
    for (size_t i = 0; i < k->count_count && i < MOST_COUNTS; i++)
        pm_text_add(text, "%s%s %s, %s before", i ? "; " : "", k->counts[i].name,
                    pm_short_count(k->counts[i].after).s, pm_short_count(k->counts[i].before).s);
    if (k->count_count > MOST_COUNTS)
        pm_text_add(text, "; and %zu more", k->count_count - MOST_COUNTS);
}

char *pm_check_text(const pm_check_kernel *k)
{
    pm_text text = {0};

    pm_text_add(&text, "%s %s %s, kernel %s on %s: %s", k->program, k->variant, k->size, k->kernel,
                k->target, pm_check_word(k->verdict));
    if (k->kernel_before)
        pm_text_add(&text, " (the baseline calls it %s)", k->kernel_before);
    if (isfinite(k->ratio))
        pm_text_add(&text, ", %s for %s before (%.2fx, 90 %% interval %.2f to %.2f)",
                    pm_short_time(k->after_s).s, pm_short_time(k->before_s).s, k->ratio, k->lo,
                    k->hi);
    if (k->count_count > 0) {
        pm_text_add(&text, ". ");
        add_findings(&text, k);
        add_cause(&text, k);
        pm_text_add(&text, ". ");
        add_counts(&text, k);
    }
    return pm_text_take(&text);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_kernel(pm_table *t, const pm_check_kernel *k)
{
    pm_text cause = {0}, counts = {0};

    PM_CELLS(t, pm_check_word(k->verdict), k->target, k->program, k->variant, k->size, k->kernel);
    pm_cell_time(t, k->before_s, (double)NAN, (double)NAN);
    pm_cell_time(t, k->after_s, (double)NAN, (double)NAN);
    if (isfinite(k->ratio)) {
        pm_cell_put(t, "%.2fx", k->ratio);
        pm_cell_put(t, "%.2f..%.2f", k->lo, k->hi);
    } else {
        PM_CELLS(t, "-", "-");
    }
    if (k->kernel_before)
        pm_table_note(t, "          the baseline calls it %s", k->kernel_before);
    if (k->count_count == 0)
        return;
    add_findings(&cause, k);
    add_cause(&cause, k);
    add_counts(&counts, k);
    pm_table_note(t, "    %s\n    %s", pm_text_get(&cause), pm_text_get(&counts));
    pm_text_free(&cause);
    pm_text_free(&counts);
}

static void put_sums(const pm_screen *screen, const pm_check *check)
{
    size_t counts[PM_CHECK_WORSE + 1] = {0};
    pm_text text = {0};

    for (size_t i = 0; i < check->n; i++)
        counts[check->kernels[i].verdict]++;
    for (size_t v = 0; v <= PM_CHECK_WORSE; v++)
        if (counts[v] > 0)
            pm_text_add(&text, ", %zu %s", counts[v], pm_check_word((pm_check_verdict)v));
    pm_screen_say(screen, "%zu kernels%s (by more than %g %%, surely)", check->n,
                  pm_text_get(&text), 100 * check->tolerance);
    pm_text_free(&text);
}

void pm_table_check(const pm_screen *screen, const pm_check *check)
{
    static const pm_table_column columns[] = {
        {.name = ""},
        {.name = "target", .gap = 2, .weight = 40},
        {.name = "program", .gap = 2, .weight = 60},
        {.name = "variant", .gap = 2, .weight = 10},
        {.name = "size", .gap = 2, .weight = 20},
        {.name = "kernel", .gap = 2},
        {.name = "before", .number = true, .gap = 2, .weight = 50},
        {.name = "after", .number = true, .gap = 2},
        {.name = "ratio", .number = true, .gap = 2},
        {.name = "90 %", .number = true, .gap = 2, .weight = 30}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);
    bool any = false;

    for (size_t i = 0; i < check->n; i++)
        if (check->kernels[i].verdict != PM_CHECK_SAME || check->kernels[i].kernel_before) {
            put_kernel(&t, &check->kernels[i]);
            any = true;
        }
    if (any)
        pm_table_print(&t, screen, 0);
    else
        pm_table_close(&t);
    put_sums(screen, check);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *findings_json(const pm_check_kernel *k)
{
    json_t *list = json_array();

    for (size_t bit = 0; bit < FINDINGS; bit++)
        if (k->findings >> bit & 1)
            json_array_append_new(list, json_string(findings[bit].name));
    return list;
}

static json_t *count_json(const void *thing)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_check_count, name),
                                             PM_JSON(NUMBER, pm_check_count, before),
                                             PM_JSON(NUMBER, pm_check_count, after)};

    return PM_JSON_OBJECT(thing, members);
}

static json_t *kernel_json(const void *thing)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_check_kernel, target),
                                             PM_JSON(TEXT, pm_check_kernel, program),
                                             PM_JSON(TEXT, pm_check_kernel, variant),
                                             PM_JSON(TEXT, pm_check_kernel, size),
                                             PM_JSON(TEXT, pm_check_kernel, kernel),
                                             PM_JSON(TEXT, pm_check_kernel, kernel_before),
                                             PM_JSON(NUMBER, pm_check_kernel, before_s),
                                             PM_JSON(NUMBER, pm_check_kernel, after_s),
                                             PM_JSON(NUMBER, pm_check_kernel, ratio),
                                             PM_JSON(NUMBER, pm_check_kernel, lo),
                                             PM_JSON(NUMBER, pm_check_kernel, hi),
                                             PM_JSON(NUMBER, pm_check_kernel, chance),
                                             PM_JSON(TEXT, pm_check_kernel, unit),
                                             PM_JSON(NUMBER, pm_check_kernel, unit_before_s),
                                             PM_JSON(NUMBER, pm_check_kernel, unit_after_s),
                                             PM_JSON(TEXT, pm_check_kernel, file),
                                             PM_JSON(LINE, pm_check_kernel, line),
                                             PM_JSON(LINE, pm_check_kernel, last_line),
                                             PM_JSON(TEXT, pm_check_kernel, reason),
                                             PM_JSON(FLAG, pm_check_kernel, failed)};
    const pm_check_kernel *k = thing;
    json_t *object = PM_JSON_OBJECT(k, members);

    json_object_set_new(object, "verdict", pm_json_text(pm_check_word(k->verdict)));
    json_object_set_new(object, "findings", findings_json(k));
    json_object_set_new(object, "counts",
                        pm_json_things(k->counts, k->count_count, sizeof *k->counts, count_json));
    return object;
}

json_t *pm_json_check(const pm_check *check)
{
    static const pm_json_member members[] = {PM_JSON(NUMBER, pm_check, tolerance),
                                             PM_JSON(COUNT, pm_check, slower),
                                             PM_JSON(COUNT, pm_check, failed)};
    json_t *object = PM_JSON_OBJECT(check, members);

    json_object_set_new(object, "assumed", pm_json_assumed(check->assumed));
    json_object_set_new(
        object, "kernels",
        pm_json_things(check->kernels, check->n, sizeof *check->kernels, kernel_json));
    return object;
}

/* ---- SARIF ---------------------------------------------------------------------------------- */

/* Returns a path as a URI reference (RFC 3986) in a JSON string. All bytes except unreserved
 * characters and '/' are percent-encoded. */
static json_t *uri_json(const char *path)
{
    pm_text text = {0};
    json_t *uri;

    for (const unsigned char *c = (const unsigned char *)path; *c; c++)
        pm_text_add(&text, isalnum(*c) || strchr("-._~/", *c) ? "%c" : "%%%02X", *c);
    uri = json_string(pm_text_get(&text));
    pm_text_free(&text);
    return uri;
}

static json_t *location_json(const pm_check_kernel *k)
{
    json_t *place = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_json(k->file));

    if (k->line > 0)
        json_object_set_new(
            place, "region",
            json_pack("{s:i,s:i}", "startLine", (int)k->line, "endLine", (int)k->last_line));
    return json_pack("[{s:o}]", "physicalLocation", place);
}

static json_t *result_json(const pm_check_kernel *k)
{
    char *text = pm_check_text(k);
    json_t *result = json_pack("{s:s,s:s,s:{s:o}}", "ruleId", pm_check_word(k->verdict), "level",
                               k->failed ? "error" : "note", "message", "text", pm_json_text(text));

    if (k->file)
        json_object_set_new(result, "locations", location_json(k));
    free(text);
    return result;
}

static json_t *rules_json(void)
{
    static const struct {
        pm_check_verdict verdict;
        const char *what;
    } rules[] = {
        {PM_CHECK_CHANGED, "Counts of a kernel changed, and its time did not surely."},
        {PM_CHECK_FASTER, "A kernel became faster by more than the tolerance, surely."},
        {PM_CHECK_SLOWER, "A kernel became slower by more than the tolerance, surely."},
        {PM_CHECK_WORSE, "Counts of a kernel became worse in a way that hardly ever pays."},
        {PM_CHECK_NEW, "The baseline does not have this kernel."},
        {PM_CHECK_GONE, "A kernel of the baseline is no longer there."},
    };
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        json_array_append_new(list,
                              json_pack("{s:s,s:{s:s}}", "id", pm_check_word(rules[i].verdict),
                                        "shortDescription", "text", rules[i].what));
    return list;
}

json_t *pm_sarif_check(const pm_check *check)
{
    json_t *results = json_array();

    for (size_t i = 0; i < check->n; i++)
        if (check->kernels[i].verdict != PM_CHECK_SAME)
            json_array_append_new(results, result_json(&check->kernels[i]));
    return json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "perfmodel check", "version", PM_VERSION, "rules",
                     rules_json(), "results", results);
}

/* A report made by hand for tests: one program in four versions on two GPUs that do not exist. It
 * has all kinds of content, and names with characters that need escaping. Its numbers have no
 * meaning.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TEST_REPORT_FIXTURE_H
#define PM_TEST_REPORT_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/language.h"
#include "report/report.h"

#define HOSTILE "<script>window.hostile=1</script>"
#define HOSTILE_SOA "cluster:a|b\"'><img src=x onerror=window.hostile=2>&amp;\n# h"

static inline void fill_choice(pm_memory *memory, pm_choice *v, const char *variant, double time,
                               double gain, double spread)
{
    static const struct {
        const char *unit;
        double share;
    } terms[] = {{"dram", 0.5}, {"latency", 0.3}, {"issue", 0.15}, {"launch", 0.05}};

    *v = (pm_choice){.variant = pm_copy(memory, variant),
                     .predicted_s = time,
                     .lo_s = time / 1.3,
                     .hi_s = time * 1.4,
                     .gain = gain,
                     .lo = gain / spread,
                     .hi = gain * spread * 1.05,
                     .chance = gain > 1   ? 0.9
                               : gain < 1 ? 0.12
                                          : (double)NAN,
                     .measured_s = gain > 1.2 ? time * 1.07 : (double)NAN,
                     .measured_gain = (double)NAN,
                     .measured_lo = (double)NAN,
                     .measured_hi = (double)NAN,
                     .rewrite = {.kernels = 1, .structs = 1, .source_lines = 30, .host_lines = 22}};
    v->kernel_count = 1;
    v->kernels = pm_take(memory, 1, sizeof *v->kernels);
    v->kernels[0] = (pm_choice_kernel){.kernel = HOSTILE,
                                       .predicted_s = time,
                                       .lo_s = time / 1.05,
                                       .hi_s = time * 1.05,
                                       .measured_s = v->measured_s,
                                       .roofline = {.operations = "fp32+fp64",
                                                    .count = 1e9,
                                                    .bytes = {gain * 1e8, 4e8, 0, 1e9},
                                                    .intensity = {10 / gain, 2.5, NAN, 1},
                                                    .time_s = time,
                                                    .measured = gain > 1.2,
                                                    .per_s = 1e9 / time,
                                                    .bound = "dram",
                                                    .roof_per_s = 2e12 / gain,
                                                    .share = gain / time * 5e-4}};
    v->why.n = sizeof terms / sizeof *terms;
    v->why.bound = terms[0].unit;
    for (size_t i = 0; i < v->why.n; i++)
        v->why.terms[i] =
            (pm_time_term){terms[i].unit, time * terms[i].share * 0.9, time * terms[i].share};
}

static inline pm_advice *fixture_advice(const char *target, double time)
{
    static const struct {
        const char *variant;
        double gain;
    } versions[] = {{"soa", 1.43}, {HOSTILE_SOA, 1.21}, {"aos", 1}, {"asta:32", 0.83}};
    pm_memory memory = {0};
    pm_advice *a = pm_take(&memory, 1, sizeof *a);

    a->n = sizeof versions / sizeof *versions;
    a->choices = pm_take(&memory, a->n, sizeof *a->choices);
    for (size_t i = 0; i < a->n; i++)
        fill_choice(&memory, &a->choices[i], versions[i].variant, time / versions[i].gain,
                    versions[i].gain, i == 2 ? 1 : 1.3);
    a->choices[0].measured = a->choices[0].missed = true;
    a->choices[0].measured_gain = 1.31;
    a->choices[0].measured_lo = 1.27;
    a->choices[0].measured_hi = 1.36;
    a->choices[2].hi = 1;
    a->choices[2].rewrite = (pm_rewrite_size){0};
    a->target = pm_copy(&memory, target);
    a->program = pm_copy(&memory, HOSTILE);
    a->size = pm_copy(&memory, "1024");
    a->basis = "profile";
    a->base = pm_copy(&memory, "aos");
    a->best = pm_copy(&memory, "soa");
    a->roofs = (pm_roofs){.fp32_per_s = 4e12,
                          .fp64_per_s = 1e12,
                          .int_per_s = 2e12,
                          .bytes_per_s = {2e11, 6e11, 3e12, 3e12},
                          .dram_in_practice = 1.7e11};
    a->nakai = pm_copy(&memory, HOSTILE_SOA);
    a->examined = 4;
    a->checked = "no";
    a->unchecked = pm_copy(&memory, HOSTILE);
    a->memory = memory.blocks;
    return a;
}

static inline pm_trace *fixture_trace(const char *target, const char *variant)
{
    static const char *const names[] = {"gld_request", HOSTILE}, *const units[] = {"warps", "%"},
                             *const profiler_names[] = {NULL, HOSTILE};
    static const double values[] = {1234567, 0.25}, errors[] = {0, NAN};
    pm_trace *trace = calloc(1, sizeof *trace);
    pm_trace_kernel *kernel = calloc(1, sizeof *kernel);

    trace->program = strdup(HOSTILE);
    trace->variant = strdup(variant);
    trace->size = strdup("1024");
    trace->target = strdup(target);
    trace->terms = pm_terms_of(PM_LANGUAGE_OPENCL);
    trace->kernel_count = 1;
    trace->kernels = kernel;
    *kernel = (pm_trace_kernel){.kernel = HOSTILE,
                                .launches = 2,
                                .sampled = 0.5,
                                .count = 2,
                                .names = names,
                                .units = units,
                                .profiler_names = profiler_names,
                                .values = values,
                                .errors = errors,
                                .access_count = 1,
                                .accesses = calloc(1, sizeof *kernel->accesses)};
    kernel->accesses[0] = (pm_access){.kind = "load",
                                      .space = "global",
                                      .bytes = 16,
                                      .line = 7,
                                      .column = 3,
                                      .buffer = HOSTILE,
                                      .structure = "Body",
                                      .field = "x|y",
                                      .loop = 5,
                                      .executions = 4096,
                                      .work_items = 131072,
                                      .transactions = 32768,
                                      .coalesced_threads = 4.5,
                                      .access_class = "UnCoalesc"};
    return trace;
}

/* Makes the result of a search over the values of one parameter. The last versions are predicted by
 * the surrogate, not traced. */
static inline pm_tuning *fixture_tuning(const char *target)
{
    static const int64_t values[] = {1, 2, 4, 8, 16, 32};
    static const double times[] = {2e-3, 1.2e-3, 1e-3, 0.9e-3, 1.1e-3, 2.5e-3};
    static const size_t order[] = {3, 2, 4, 1, 0, 5}, first[] = {0, 1, 4};
    enum { VERSIONS = sizeof values / sizeof *values };
    pm_memory memory = {0};
    pm_tuning *t = pm_take(&memory, 1, sizeof *t);

    t->parameters = pm_take(&memory, 1, sizeof *t->parameters);
    t->parameters[0] = (pm_tune_parameter){.name = "TILE",
                                           .count = VERSIONS,
                                           .values = values,
                                           .mean_s = times,
                                           .best_s = times,
                                           .share = 1};
    t->parameter_count = 1;
    t->choices = pm_take(&memory, VERSIONS, sizeof *t->choices);
    for (size_t i = 0; i < VERSIONS; i++)
        t->choices[i] =
            (pm_tune_choice){.variant = pm_format(&memory, "TILE=%d", (int)values[order[i]]),
                             .values = &values[order[i]],
                             .predicted_s = times[order[i]],
                             .lo_s = times[order[i]] / 1.05,
                             .hi_s = times[order[i]] * (i ? 1.08 : 1.3),
                             .measured_s = (double)NAN,
                             .examined = i < 4};
    t->target = pm_copy(&memory, target);
    t->program = pm_copy(&memory, HOSTILE);
    t->size = t->basis = "1024";
    t->n = t->space = VERSIONS;
    t->examined = t->traced = 4;
    t->first_count = 3;
    t->first = first;
    t->memory = memory.blocks;
    return t;
}

/* Frees the members that the fixture's trace owns. Its names are constants, unlike those of
 * pm_trace_free. */
static inline void fixture_trace_free(pm_trace *trace)
{
    free(trace->program);
    free(trace->variant);
    free(trace->size);
    free(trace->target);
    free(trace->kernels[0].accesses);
    free(trace->kernels);
    free(trace);
}

static inline void fill_property(pm_report_target *target, const char *name, const char *value)
{
    target->properties[target->property_count++] = (pm_report_property){name, value};
}

static inline void fill_target(pm_report *report, pm_report_target *target, const char *id,
                               double time)
{
    pm_report_case *c = pm_take(&report->memory, 1, sizeof *c);

    target->id = id;
    target->properties = pm_take(&report->memory, 8, sizeof *target->properties);
    fill_property(target, "name", HOSTILE);
    fill_property(target, "dram_gb_s", "224");
    fill_property(target, "sources", "a datasheet & <b>another</b>");
    target->no_validation = "nobody measured times on it for a dataset";
    target->datasets = pm_take(&report->memory, 1, sizeof *target->datasets);
    target->dataset_count = 1;
    target->datasets[0] =
        (pm_report_dataset){id, "/data/" HOSTILE ".csv", 12,
                            json_pack("{s:[{s:s,s:s,s:s}]}", "runs", "date", "2026-01-02T03:04:05Z",
                                      "tool", HOSTILE, "command", "collect " HOSTILE)};
    target->cases = c;
    target->case_count = 1;
    c->advice = fixture_advice(id, time);
    c->base = 2;
    c->costs = pm_take(&report->memory, c->advice->n, sizeof *c->costs);
    for (size_t i = 0; i < c->advice->n; i++)
        if (pm_cost_of(c->advice, &c->advice->choices[i], &report->cost, &c->costs[i], NULL) !=
            PM_OK)
            abort();
    c->base_trace = fixture_trace(id, "aos");
    c->trace = fixture_trace(id, "soa");
    c->tuning = fixture_tuning(id);
    c->money = true;
    report->case_count++;
}

/* Makes a report with these prices. Replaces their currency by a hostile text. */
static inline pm_report *fixture_report(const pm_cost_options *options)
{
    pm_report *report = calloc(1, sizeof *report);

    report->cost = *options;
    report->money = true;
    report->cost.currency = NULL;
    report->command = "perfmodel report " HOSTILE " \xff\xfe\x01";
    report->date = "2026-01-02 03:04 UTC";
    report->targets = pm_take(&report->memory, 2, sizeof *report->targets);
    report->target_count = 2;
    fill_target(report, &report->targets[0], "one", 0.0123);
    fill_target(report, &report->targets[1], "two" HOSTILE, 0.0311);
    report->cost.currency = "EUR" HOSTILE;
    report->omissions = pm_take(&report->memory, 1, sizeof *report->omissions);
    report->omission_count = 1;
    report->omissions[0] = (pm_report_omission){"one", "p", "no | " HOSTILE};
    return report;
}

static inline void fixture_report_free(pm_report *report)
{
    for (size_t t = 0; t < report->target_count; t++) {
        fixture_trace_free((pm_trace *)report->targets[t].cases[0].base_trace);
        fixture_trace_free((pm_trace *)report->targets[t].cases[0].trace);
    }
    pm_report_free(report);
}

#endif

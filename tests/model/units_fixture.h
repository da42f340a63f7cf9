/* Rows of drawn counters, and a made-up GPU, for the tests of the units model.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_UNITS_FIXTURE_H
#define PM_TESTS_UNITS_FIXTURE_H

#include <math.h>

#include "model/units/units.h"
#include "owned.h"
#include "rng.h"

enum { ROWS = 240, PROGRAMS = 24, COUNTERS = 39, TRACED_ONLY = 29 };

/* Names of the counters. The names from TRACED_ONLY on are used only by methods with traced
 * counters. */
static const char *const names[COUNTERS] = {
    "inst_issued",        "inst_executed",   "pipe_fma",        "pipe_fmaheavy",
    "pipe_alu",           "pipe_xu",         "pipe_lsu",        "global_wavefront",
    "shared_wavefront",   "l2_read_sector",  "l2_write_sector", "dram_read_bytes",
    "dram_write_bytes",   "gld_request",     "gld_sector",      "l1_global_load_miss",
    "shared_load",        "work_groups",     "launched_warps",  "resident_groups",
    "launches",           "active_cycles",   "load_wait",       "load_wait_miss",
    "shared_wait",        "inst_depth",      "pipe_fp64",       "l2_read_hit",
    "l2_read_miss",       "gld_tag",         "gst_tag",         "atomic_pass",
    "atomic_pile",        "constant_pass",   "group_span",      "longest_span",
    "atomic_return_pass", "conversion_fp64", "barrier",
};

/* A made-up GPU. */
static const pm_profile gpu = {.present = true,
                               .compute_units = 100,
                               .clock_mhz = 1500,
                               .issue_per_cycle = 4,
                               .fma_per_cycle = 4,
                               .fmaheavy_per_cycle = 2,
                               .alu_per_cycle = 2,
                               .xu_per_cycle = 0.5,
                               .lsu_per_cycle = 1,
                               .l1_wavefronts_per_cycle = 1,
                               .l2_bytes_per_cycle = 5000,
                               .fp64_per_cycle = 2,
                               .dram_gb_s = 3000,
                               .dram_share = 0.9,
                               .launch_s = 5e-6};

typedef struct {
    double known[COUNTERS * ROWS], t[ROWS], source_t[ROWS];
    const char *names[COUNTERS];
    size_t group[ROWS], rows[ROWS];
    pm_sample samples[ROWS]; /* every second program is CUDA */
    const pm_sample *sample[ROWS];
    pm_problem problem;
} generated;

static inline double *column(generated *g, const char *name)
{
    size_t k = 0;

    while (strcmp(g->names[k], name) != 0)
        k++;
    return g->known + k * ROWS;
}

/* Draws every counter over six orders of magnitude, so that each unit is the slowest in some
 * rows. */
static inline void generate(generated *g, unsigned long seed)
{
    gsl_rng *rng = rng_of(seed);

    for (size_t k = 0; k < COUNTERS; k++) {
        g->names[k] = names[k];
        for (size_t i = 0; i < ROWS; i++)
            g->known[k * ROWS + i] = floor(pow(10, gsl_ran_flat(rng, 3, 9)));
    }
    for (size_t i = 0; i < ROWS; i++) {
        g->group[i] = i % PROGRAMS;
        g->rows[i] = i;
        g->samples[i] = (pm_sample){.program = "p", .cuda = i % 2 == 1};
        g->sample[i] = &g->samples[i];
        g->t[i] = g->source_t[i] = gsl_ran_lognormal(rng, -8, 2);
        column(g, "dram_read_bytes")[i] *= 1000;
        column(g, "l1_global_load_miss")[i] =
            floor(column(g, "gld_sector")[i] * gsl_rng_uniform(rng));
        column(g, "work_groups")[i] = ceil(exp(log(5e7) * gsl_rng_uniform(rng)));
        column(g, "launched_warps")[i] = 8 * column(g, "work_groups")[i];
        column(g, "resident_groups")[i] = 1 + (double)gsl_rng_uniform_int(rng, 16);
        column(g, "launches")[i] = 1 + (double)gsl_rng_uniform_int(rng, 3);
        column(g, "atomic_return_pass")[i] =
            floor(column(g, "atomic_pass")[i] * gsl_rng_uniform(rng));
        column(g, "group_span")[i] = 1e4 * column(g, "work_groups")[i];
        column(g, "longest_span")[i] =
            floor(gsl_ran_flat(rng, 1e4, 1e5)) * column(g, "launches")[i];
    }
    g->problem = (pm_problem){.n = ROWS,
                              .n_known = ROWS,
                              .p = 1,
                              .x = g->known,
                              .t = g->t,
                              .group = g->group,
                              .groups = PROGRAMS,
                              .known_count = COUNTERS,
                              .known_x = g->known,
                              .known_names = g->names,
                              .sample = g->sample,
                              .profile = gpu};
}

static inline pm_units *of_waits(const generated *g, const pm_profile *profile, bool waits)
{
    return need(pm_units_of_code(own_memory(), &g->problem, profile, waits));
}

static inline pm_units *of_cycles(const generated *g, const size_t *rows, size_t n)
{
    return need(pm_units_of_cycles(own_memory(), &g->problem, rows, n));
}

static inline pm_units *of_code(const generated *g)
{
    return of_waits(g, &gpu, false);
}

/* ---- training rows -------------------------------------------------------------------------- */

static inline void train(pm_training *t, const generated *g)
{
    pm_training_create(own_memory(), t, &g->problem, g->rows, ROWS, g->rows, ROWS);
    assert_int_equal(t->n, ROWS);
}

static inline pm_units_rows rows_of(const pm_training *t)
{
    return (pm_units_rows){.n = t->n,
                           .groups = t->groups,
                           .row = t->row,
                           .start = t->start,
                           .group = t->group,
                           .log_time = t->z};
}

/* Draws training rows at random. */
static inline pm_units *draw(generated *g, pm_training *t, pm_units_rows *rows)
{
    pm_units *units;

    generate(g, 7);
    units = of_code(g);
    train(t, g);
    *rows = rows_of(t);
    return units;
}

/* Assigns the programs to the first `used` folds in turn. */
static inline void fold_up(pm_units_rows *rows, size_t *fold, size_t folds, size_t used)
{
    rows->folds = folds;
    rows->fold = fold;
    for (size_t p = 0; p < PROGRAMS; p++)
        fold[p] = p % used;
}

#endif

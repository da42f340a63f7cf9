/* A world of three made-up GPUs, for tests of the transferred model. Counters are drawn at random,
 * and times are computed from them with known parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_CARRY_FIXTURE_H
#define PM_TESTS_CARRY_FIXTURE_H

#include "units_fixture.h"

#include "model/samples/dataset.h"
#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS, KINDS = 8, TAKEN = 96, OF_PROGRAM = TAKEN / KINDS };

/* Two measured GPUs and the target. All have the same counters, those of the first rows that were
 * drawn. Row i belongs to program i % KINDS. */
typedef struct {
    generated g;
    pm_known_gpu gpus[2], target;
    double truth[TAKEN]; /* seconds on the target */
    pm_classes classes;  /* classes of programs; a program has none unless a test sets it */
    pm_transfer *carry;  /* the model that was fitted last */
} world;

static inline pm_profile profile_of(double year, double clock, double dram, double l2, double fp32)
{
    pm_profile profile = gpu;

    profile.year = year;
    profile.clock_mhz = clock;
    profile.dram_gb_s = dram;
    profile.l2_bytes_per_cycle = l2;
    profile.fma_per_cycle = fp32;
    snprintf(profile.architecture, sizeof profile.architecture, "of%g", year);
    return profile;
}

static inline void add_row(pm_dataset *dataset, const char *device, size_t i, double time_s,
                           const double *values)
{
    char program[16], variant[16];
    const pm_sample sample = {.device = device,
                              .program = program,
                              .variant = variant,
                              .size = "1",
                              .kernel = "k",
                              .counter_source = "trace",
                              .time_s = time_s,
                              .runs = 1,
                              .work_items = 1 << 20,
                              .work_group = 256,
                              .counters = values};

    snprintf(program, sizeof program, "p%zu", i % KINDS);
    snprintf(variant, sizeof variant, "v%zu", i / KINDS);
    assert_int_equal(pm_dataset_append(dataset, &sample, told()), PM_OK);
}

static inline pm_dataset *traced_of(const generated *g, const char *device)
{
    pm_dataset *dataset = pm_dataset_memory(device, g->names, COUNTERS, told());

    assert_non_null(dataset);
    for (size_t i = 0; i < TAKEN; i++) {
        double values[COUNTERS];

        for (size_t k = 0; k < COUNTERS; k++)
            values[k] = g->known[k * ROWS + i];
        add_row(dataset, device, i, (double)NAN, values);
    }
    return dataset;
}

/* Computes each row's time with the parameters (NULL: the priors). Samples that cannot be used get
 * NaN. */
static inline void times_of(const pm_known_gpu *known, const double *parameters, double *time_s)
{
    pm_units_sample samples[TAKEN];
    bool usable[TAKEN];
    pm_units *units;

    for (size_t i = 0; i < TAKEN; i++)
        samples[i] =
            (pm_units_sample){known->traced, pm_dataset_sample(known->traced, i), &known->profile};
    units = pm_units_of_samples(own_memory(), samples, TAKEN, usable);
    for (size_t i = 0; i < TAKEN; i++)
        time_s[i] =
            usable[i]
                ? exp(pm_units_log_time(units, parameters ? parameters : units->prior, i, NULL))
                : (double)NAN;
}

/* Measures the rows. A time of 0 or NaN means that the row is not measured. */
static inline void measure(pm_known_gpu *known, const double *time_s)
{
    pm_dataset_free(known->measured);
    known->measured = pm_dataset_memory(known->name, NULL, 0, told());
    assert_non_null(known->measured);
    for (size_t i = 0; i < TAKEN; i++)
        if (time_s[i] > 0)
            add_row(known->measured, known->name, i, time_s[i], &time_s[i]);
}

static inline void free_gpu(pm_known_gpu *known)
{
    pm_dataset_free(known->measured);
    pm_dataset_free(known->traced);
    known->measured = known->traced = NULL;
}

static inline void free_world(world *w)
{
    pm_transfer_free(w->carry);
    w->carry = NULL;
    free_gpu(&w->gpus[0]);
    free_gpu(&w->gpus[1]);
    free_gpu(&w->target);
    pm_classes_clear(&w->classes);
}

static inline pm_known_gpu make_gpu(const generated *g, const char *name, pm_profile profile)
{
    pm_known_gpu known = {.profile = profile};

    snprintf(known.name, sizeof known.name, "%s", name);
    known.traced = traced_of(g, name);
    return known;
}

/* Measures the two GPUs, and computes the true times of the target. */
static inline void run_all(world *w, const double *parameters)
{
    double time_s[TAKEN];

    for (size_t k = 0; k < 2; k++) {
        times_of(&w->gpus[k], parameters, time_s);
        measure(&w->gpus[k], time_s);
    }
    times_of(&w->target, parameters, w->truth);
}

/* Makes the GPUs from the counters that were drawn. Frees the earlier GPUs. */
static inline void make_gpus(world *w, double target_year)
{
    free_world(w);
    w->gpus[0] = make_gpu(&w->g, "old", profile_of(2016, 1300, 700, 2000, 2));
    w->gpus[1] = make_gpu(&w->g, "new", profile_of(2022, 1900, 3000, 6000, 4));
    w->target = make_gpu(&w->g, "target", profile_of(target_year, 1000, 400, 1500, 3));
}

static inline void make_world(world *w, unsigned long seed, double target_year)
{
    generate(&w->g, seed);
    make_gpus(w, target_year);
    run_all(w, NULL);
}

OWNED(world, world, free_world)

static inline int open_world(void **state)
{
    *state = owned_world(room(1, sizeof(world)));
    return 0;
}

/* A test whose fixture f is a world that is not filled yet. */
#define WORLD_TEST(name) TEST_OF(world, name, open_world, NULL)

static inline pm_transfer *learn(world *w)
{
    pm_transfer_free(w->carry);
    assert_ok(pm_transfer_create(w->gpus, 2, &w->target, &w->classes, &w->carry, told()) == PM_OK);
    return w->carry;
}

static inline void predict(pm_transfer *carry, const world *w, pm_leave_out unit,
                           const pm_known_gpu *source, pm_transferred *out)
{
    const pm_withheld without = {.unit = unit};

    assert_int_equal(pm_transfer_predict(carry, w->target.traced, without, source, out, told()),
                     PM_OK);
}

/* Returns the fit without the first program, or the fit to all programs. */
static inline const pm_transfer_set *set_of(pm_transfer *carry, pm_leave_out unit)
{
    const pm_transfer_set *set;

    assert_int_equal(pm_transfer_find(carry, "p0", (pm_withheld){.unit = unit}, &set, told()),
                     PM_OK);
    return set;
}

static inline double gain_variance(pm_transfer *carry, const double *base, const double *version)
{
    return pm_transfer_gain_variance(set_of(carry, PM_LEAVE_NOTHING), base, version);
}

/* Computes the prior's parameters, each moved up or down in turn by `spreads` prior standard
 * deviations. */
static inline void move_parameters(const world *w, double spreads, double *parameters)
{
    const pm_units_sample sample = {w->target.traced, pm_dataset_sample(w->target.traced, 0),
                                    &w->target.profile};
    bool usable;
    pm_units *units = pm_units_of_samples(own_memory(), &sample, 1, &usable);

    for (size_t k = 0; k < P; k++)
        parameters[k] = units->prior[k] + (k % 2 ? spreads : -spreads) * units->spread[k];
}

static inline double mean_error(const pm_transferred *out, const double *truth)
{
    double sum = 0;

    for (size_t i = 0; i < TAKEN; i++)
        sum += fabs(out[i].predicted_s / truth[i] - 1) / TAKEN;
    return sum;
}

static inline double width(const pm_transferred *out)
{
    double sum = 0;

    for (size_t i = 0; i < TAKEN; i++)
        sum += log(out[i].hi_s / out[i].lo_s) / TAKEN;
    return sum;
}

static inline void assert_sound(const pm_transferred *out)
{
    double added = 0;

    assert_true(out->known && isfinite(out->predicted_s) && out->predicted_s > 0);
    assert_true(out->lo_s > 0 && out->lo_s <= out->predicted_s && out->predicted_s <= out->hi_s);
    for (size_t k = 0; k < out->why.n; k++)
        added += out->why.terms[k].added_s;
    assert_true(fabs(added / out->predicted_s - 1) < 1e-9);
    assert_ptr_equal(out->why.bound, out->why.terms[0].unit);
}

#endif

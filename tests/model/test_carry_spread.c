/* Tests the transfer of the units model to another GPU: the width of the intervals, the lower bound
 * of all predicted times, and unusual datasets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "carry_fixture.h"

#include <pthread.h>

/* ---- intervals ------------------------------------------------------------------------------ */

WORLD_TEST(intervals_grow_with_the_years)
{
    static const double years[] = {2022, 2023, 2025, 2029, 2040, 0}; /* 0: unknown, PM_FAR_YEARS */
    double before = 0, variance_before = 0, at_ten;

    make_world(f, 1, 2022);
    for (size_t k = 0; k < sizeof years / sizeof *years; k++) {
        double base[P] = {0}, version[P] = {0}, variance;
        pm_transferred out[TAKEN];
        pm_transfer *carry;

        f->target.profile.year = years[k];
        *f->target.profile.architecture = '\0';
        carry = learn(f);
        predict(carry, f, PM_LEAVE_PROGRAM, NULL, out);
        version[PM_UNITS_DRAM] = 0.5;
        version[PM_UNITS_OVERLAP] = -0.2;
        assert_true(gain_variance(carry, version, version) == 0);
        variance = gain_variance(carry, base, version);
        if (years[k] > 0) {
            assert_true(width(out) > before && variance > variance_before);
            before = width(out);
            variance_before = variance;
        } else {
            at_ten = width(out);
            assert_true(carry->years == PM_FAR_YEARS);
            assert_true(at_ten < before); /* than 18 years */
        }
    }
}

/* A residual of a program that no parameters explain is transferred from a GPU of the same
 * years. */
WORLD_TEST(a_source_narrows_and_corrects)
{
    double time_s[TAKEN];
    pm_transferred without[TAKEN], with[TAKEN], other[TAKEN];
    pm_transfer *carry;
    size_t nearer = 0;

    make_world(f, 8, 2023);
    f->target.profile = profile_of(2023, 1700, 2600, 5000, 4);
    run_all(f, NULL);
    for (size_t k = 0; k < 2; k++) {
        times_of(&f->gpus[k], NULL, time_s);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] *= i % KINDS % 2 ? 1.3 : 0.8;
        measure(&f->gpus[k], time_s);
    }
    for (size_t i = 0; i < TAKEN; i++)
        f->truth[i] *= i % KINDS % 2 ? 1.3 : 0.8;
    carry = learn(f);
    predict(carry, f, PM_LEAVE_PROGRAM, NULL, without);
    predict(carry, f, PM_LEAVE_PROGRAM, &f->gpus[0], other); /* 7 years */
    predict(carry, f, PM_LEAVE_PROGRAM, &f->gpus[1], with);  /* one */
    for (size_t i = 0; i < TAKEN; i++) {
        assert_true(with[i].from_source && !without[i].from_source);
        assert_sound(&with[i]);
        nearer += fabs(log(with[i].predicted_s / f->truth[i])) <
                  fabs(log(without[i].predicted_s / f->truth[i]));
    }
    print_message("widths: %.3f without a source, %.3f from 7 years, %.3f from one\n",
                  width(without), width(other), width(with));
    assert_true(width(with) < width(other) && width(other) < width(without));
    assert_true(nearer > TAKEN * 8 / 10);
    assert_true(mean_error(with, f->truth) < mean_error(other, f->truth));
    assert_true(mean_error(other, f->truth) < mean_error(without, f->truth));
}

/* If times of other GPUs are impossibly short, predictions are still limited by peak DRAM and FP32
 * rates. */
WORLD_TEST(nothing_is_faster_than_the_peaks)
{
    double time_s[TAKEN];
    pm_transferred out[TAKEN];
    size_t bounded = 0;
    pm_transfer *carry;

    make_world(f, 9, 2018);
    for (size_t k = 0; k < 2; k++) {
        times_of(&f->gpus[k], NULL, time_s);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] /= 1000;
        measure(&f->gpus[k], time_s);
    }
    carry = learn(f);
    for (int source = 0; source <= 1; source++) {
        predict(carry, f, PM_LEAVE_PROGRAM, source ? &f->gpus[1] : NULL, out);
        for (size_t i = 0; i < TAKEN; i++) {
            const pm_profile *p = &f->target.profile;
            double dram =
                (column(&f->g, "dram_read_bytes")[i] + column(&f->g, "dram_write_bytes")[i]) /
                (p->dram_gb_s * 1e9);
            double fp32 = column(&f->g, "pipe_fma")[i] * 2 * 32 / pm_profile_peak_flops(p);
            double least = fmax(dram, fp32) * (1 - 1e-12);

            assert_sound(&out[i]);
            assert_true(out[i].predicted_s >= least && out[i].lo_s >= least);
            bounded += out[i].predicted_s < least * (1 + 1e-9);
        }
    }
    assert_true(bounded > 0);
}

/* ---- extreme datasets ----------------------------------------------------------------------- */

WORLD_TEST(rows_with_unknown_counters_are_passed_over)
{
    pm_transferred out[TAKEN];
    pm_validation *v;
    pm_transfer *carry;

    generate(&f->g, 1);
    column(&f->g, "l2_read_sector")[17] = (double)NAN;
    column(&f->g, "launched_warps")[40] = (double)NAN;
    make_gpus(f, 2018);
    run_all(f, NULL); /* without counters their times are unknown */
    measure(&f->gpus[0], f->truth);
    carry = learn(f);
    assert_int_equal(carry->trained->rows.of.n, 2 * (TAKEN - 2));
    predict(carry, f, PM_LEAVE_NOTHING, &f->gpus[1], out);
    for (size_t i = 0; i < TAKEN; i++)
        if (i == 17 || i == 40)
            assert_true(!out[i].known && out[i].predicted_s == 0);
        else
            assert_sound(&out[i]);
    v = owned_validation(pm_transfer_unseen(carry, set_of(carry, PM_LEAVE_NOTHING), 1, told()));
    assert_int_equal(v->n, TAKEN - 2);
}

WORLD_TEST(two_programs_are_too_few)
{
    pm_transfer *carry;

    make_world(f, 1, 2018);
    for (size_t k = 0; k < 2; k++) {
        double time_s[TAKEN];

        times_of(&f->gpus[k], NULL, time_s);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] = i % KINDS < 2 ? time_s[i] : 0;
        measure(&f->gpus[k], time_s);
    }
    assert_int_equal(pm_transfer_create(f->gpus, 2, &f->target, NULL, &carry, told()),
                     PM_BAD_INPUT);
    assert_null(carry);
    assert_non_null(strstr(last_error.text, "2 programs"));
    assert_non_null(strstr(last_error.text, "3 are needed"));
    assert_int_equal(pm_transfer_create(NULL, 0, &f->target, NULL, &carry, told()), PM_BAD_INPUT);
    assert_null(carry);
}

/* Counters and times of any size. */
WORLD_TEST(hostile_rows_give_numbers)
{
    static const double values[] = {0, 5e-324, 1e-300, 1, 1e20, 1e154, 1e300, 1.7e308};
    enum { VALUES = sizeof values / sizeof *values, WORLDS = 4 };

    for (size_t k = 0; k < WORLDS; k++) {
        double time_s[TAKEN];
        pm_transferred out[TAKEN];
        pm_transfer *carry;
        gsl_rng *rng = rng_of(k);

        generate(&f->g, 1);
        for (size_t i = 0; i < sizeof f->g.known / sizeof *f->g.known; i++)
            if (gsl_rng_uniform(rng) < 0.3 * (double)k)
                f->g.known[i] = values[gsl_rng_uniform_int(rng, VALUES)];
        make_gpus(f, 2018);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] = values[1 + gsl_rng_uniform_int(rng, VALUES - 1)];
        measure(&f->gpus[0], time_s);
        measure(&f->gpus[1], time_s);
        carry = learn(f);
        predict(carry, f, PM_LEAVE_PROGRAM, &f->gpus[0], out);
        for (size_t i = 0; i < TAKEN; i++) {
            assert_true(isfinite(out[i].predicted_s) && isfinite(out[i].lo_s) &&
                        isfinite(out[i].hi_s) && isfinite(out[i].center));
            assert_true(out[i].lo_s <= out[i].predicted_s && out[i].predicted_s <= out[i].hi_s);
            for (size_t j = 0; j < out[i].why.n; j++)
                assert_true(isfinite(out[i].why.terms[j].added_s) &&
                            isfinite(out[i].why.terms[j].alone_s));
        }
    }
}

typedef struct {
    world *w;
    pm_transferred out[TAKEN];
    pm_status status;
} job;

static void *work(void *argument)
{
    job *j = argument;
    pm_known_gpu gpus[] = {j->w->gpus[0], j->w->gpus[1]}; /* a copy for each list */
    pm_transfer *carry;

    j->status = pm_transfer_create(gpus, 2, &j->w->target, NULL, &carry, told());
    if (j->status == PM_OK)
        j->status =
            pm_transfer_predict(carry, j->w->target.traced, (pm_withheld){.unit = PM_LEAVE_PROGRAM},
                                &j->w->gpus[0], j->out, told());
    pm_transfer_free(carry);
    return NULL;
}

WORLD_TEST(two_threads_may_learn_at_once)
{
    static job jobs[2];
    pthread_t thread;

    make_world(f, 2, 2018);
    jobs[0].w = jobs[1].w = f;
    assert_int_equal(pthread_create(&thread, NULL, work, &jobs[0]), 0);
    work(&jobs[1]);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(jobs[0].status, PM_OK);
    assert_int_equal(jobs[1].status, PM_OK);
    for (size_t i = 0; i < TAKEN; i++)
        assert_true(jobs[0].out[i].predicted_s == jobs[1].out[i].predicted_s &&
                    jobs[0].out[i].hi_s == jobs[1].out[i].hi_s);
}

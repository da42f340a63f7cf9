/* Tests the transfer of the units model (times of a GPU's functional units) to another GPU. The
 * model learns from two made-up GPUs, and its predictions are compared with the true times of a
 * third one, also if a program is left out or the third GPU has samples.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "carry_fixture.h"

/* ---- transfer ------------------------------------------------------------------------------ */

WORLD_TEST(the_same_parameters_give_the_same_times)
{
    for (int leave_out = 0; leave_out <= 1; leave_out++) {
        pm_transferred out[TAKEN];
        pm_transfer *carry;

        make_world(f, 1, 2018);
        carry = learn(f);
        assert_int_equal(carry->trained->rows.of.n, 2 * TAKEN);
        assert_true(carry->years == 2);
        predict(carry, f, leave_out ? PM_LEAVE_PROGRAM : PM_LEAVE_NOTHING, NULL, out);
        for (size_t i = 0; i < TAKEN; i++) {
            assert_sound(&out[i]);
            assert_false(out[i].from_source);
            assert_true(fabs(out[i].predicted_s / f->truth[i] - 1) < 1e-5);
            assert_true(out[i].lo_s < f->truth[i] && f->truth[i] < out[i].hi_s);
        }
    }
}

/* If the GPUs' parameters differ from the priors, the difference is learned and transferred,
 * although priors hold it back. */
WORLD_TEST(what_was_learned_is_carried)
{
    for (unsigned long seed = 1; seed <= 3; seed++) {
        double parameters[P], by_priors[TAKEN], off = 0;
        pm_transferred out[TAKEN];
        size_t inside = 0;
        pm_transfer *carry;

        make_world(f, seed, 2018);
        move_parameters(f, 1, parameters);
        memcpy(by_priors, f->truth, sizeof by_priors);
        run_all(f, parameters);
        carry = learn(f);
        predict(carry, f, PM_LEAVE_PROGRAM, NULL, out);
        for (size_t i = 0; i < TAKEN; i++) {
            assert_sound(&out[i]);
            off += fabs(by_priors[i] / f->truth[i] - 1) / TAKEN;
            inside += out[i].lo_s <= f->truth[i] && f->truth[i] <= out[i].hi_s;
        }
        print_message("mean error %.4f, by priors alone %.4f, %zu inside\n",
                      mean_error(out, f->truth), off, inside);
        assert_true(off > 0.1);
        /* The priors of atomics and requests are tight, so little is left to learn. */
        assert_true(mean_error(out, f->truth) < .75 * off);
        assert_true(inside >= TAKEN * 9 / 10);
    }
}

static void slow_down(world *w, size_t program, double factor)
{
    double time_s[TAKEN];

    for (size_t k = 0; k < 2; k++) {
        times_of(&w->gpus[k], NULL, time_s);
        for (size_t i = program; i < TAKEN; i += KINDS)
            time_s[i] *= factor;
        measure(&w->gpus[k], time_s);
    }
}

WORLD_TEST(a_program_left_out_was_never_seen)
{
    pm_transferred before[TAKEN], after[TAKEN];
    double moved = 0, seen = 0;
    pm_transfer *carry;

    make_world(f, 3, 2018);
    for (size_t program = 0; program < KINDS; program += 3) {
        slow_down(f, program, 1);
        carry = learn(f);
        predict(carry, f, PM_LEAVE_PROGRAM, NULL, before);
        slow_down(f, program, 20);
        carry = learn(f);
        predict(carry, f, PM_LEAVE_PROGRAM, NULL, after);
        for (size_t i = 0; i < TAKEN; i++)
            if (i % KINDS == program)
                seen = fmax(seen, fmax(fabs(log(before[i].predicted_s / after[i].predicted_s)),
                                       fmax(fabs(log(before[i].lo_s / after[i].lo_s)),
                                            fabs(log(before[i].hi_s / after[i].hi_s)))));
            else
                moved = fmax(moved, fabs(after[i].predicted_s / before[i].predicted_s - 1));
        predict(carry, f, PM_LEAVE_NOTHING, NULL, after); /* it was seen here */
        assert_true(after[program].predicted_s != before[program].predicted_s);
    }
    print_message("moved by %.1e, others by %.4f\n", seen, moved);
    assert_true(seen == 0);
    assert_true(moved > 0.01);
}

/* Adds program 3 as a CUDA program on a GPU. */
static void add_twin(pm_known_gpu *known, const char *program, double factor)
{
    double time_s[TAKEN];

    times_of(known, NULL, time_s);
    measure(known, time_s);
    for (size_t i = 3; i < TAKEN; i += KINDS) {
        pm_sample twin = *pm_dataset_sample(known->traced, i);
        const double seconds = time_s[i] * factor;

        twin.program = program;
        twin.cuda = true;
        if (pm_dataset_find(known->traced, &twin) == NULL)
            assert_int_equal(pm_dataset_append(known->traced, &twin, told()), PM_OK);
        twin.time_s = seconds;
        twin.counters = &seconds;
        assert_int_equal(pm_dataset_append(known->measured, &twin, told()), PM_OK);
    }
}

/* If a program is left out, its CUDA twin is left out, too. A program with an unrelated name is
 * not. */
WORLD_TEST(a_twin_is_left_out_with_its_program)
{
    static const char *const called[] = {"p3_cuda", "p30_cuda"};

    make_world(f, 3, 2018);
    for (size_t other = 0; other <= 1; other++) {
        pm_transferred before[TAKEN], after[TAKEN];

        add_twin(&f->gpus[0], called[other], 1);
        predict(learn(f), f, PM_LEAVE_PROGRAM, NULL, before);
        add_twin(&f->gpus[0], called[other], 20);
        predict(learn(f), f, PM_LEAVE_PROGRAM, NULL, after);
        assert_int_equal(before[3].predicted_s == after[3].predicted_s, other == 0);
        assert_true(before[4].predicted_s != after[4].predicted_s);
    }
}

WORLD_TEST(a_gpu_that_was_learned_from_is_no_years_away)
{
    pm_transfer *carry;

    make_world(f, 1, 2018);
    assert_int_equal(pm_transfer_create(f->gpus, 2, &f->gpus[1], NULL, &carry, told()), PM_OK);
    assert_true(carry->seen && carry->years == 0);
    pm_transfer_free(carry);
}

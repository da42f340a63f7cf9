/* Tests the transfer of the units model to another GPU if a class of programs is left out: no
 * predicted number for the class may depend on its times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "carry_fixture.h"

enum { IN_CLASS = 3 };

/* Programs p1, p4 and p7 form one class. The other programs are in KINDS classes in turn. */
static bool in_class(size_t row)
{
    return row % KINDS % 3 == 1;
}

static void classify(world *w, size_t others)
{
    char text[400] = "program,class\n", folder[300];
    size_t used = strlen(text);

    for (size_t p = 0; p < KINDS; p++)
        if (in_class(p))
            used += (size_t)snprintf(text + used, sizeof text - used, "p%zu,slow\n", p);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "p%zu,c%zu\n", p, p % others);
    snprintf(folder, sizeof folder, "%s", scratch_folder());
    write_text_in(folder, "classes.csv", text);
    strcat(folder, "/classes.csv");
    pm_classes_clear(&w->classes);
    assert_ok(pm_classes_read(&w->classes, folder, told()) == PM_OK);
}

/* Times on both GPUs. */
static void measure_all(world *w, double factor)
{
    double time_s[TAKEN];

    for (size_t k = 0; k < 2; k++) {
        times_of(&w->gpus[k], NULL, time_s);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] *= (1 + 0.05 * (double)(i * 7 % 11)) * (in_class(i) ? factor : 1);
        measure(&w->gpus[k], time_s);
    }
}

static bool same(const pm_transferred *a, const pm_transferred *b)
{
    return a->center == b->center && a->predicted_s == b->predicted_s && a->lo_s == b->lo_s &&
           a->hi_s == b->hi_s && memcmp(a->slope, b->slope, sizeof a->slope) == 0;
}

/* Predicts once with the class's times, and once with ten times these times. */
static void predict_both(world *w, pm_withheld without, pm_transferred *before,
                         pm_transferred *after)
{
    for (int slow = 0; slow <= 1; slow++) {
        pm_transfer *carry;

        measure_all(w, slow ? 10 : 1);
        carry = learn(w);
        assert_ok(pm_transfer_predict(carry, w->target.traced, without, NULL, slow ? after : before,
                                      told()) == PM_OK);
    }
}

WORLD_TEST(a_class_left_out_was_never_seen)
{
    /* spreads are computed from programs if there are fewer classes */
    for (size_t others = 2; others <= 5; others += 3) {
        pm_transferred before[TAKEN], after[TAKEN];

        make_world(f, 3, 2018);
        classify(f, others);
        predict_both(f, (pm_withheld){.unit = PM_LEAVE_CLASS}, before, after);
        for (size_t i = 0; i < TAKEN; i++) {
            assert_sound(&after[i]);
            assert_true(same(&before[i], &after[i]) == in_class(i));
        }
        /* Leaving out a program does not leave out its class. */
        predict_both(f, (pm_withheld){.unit = PM_LEAVE_PROGRAM}, before, after);
        for (size_t i = 0; i < TAKEN; i++)
            assert_false(same(&before[i], &after[i]));
    }
}

/* A workload file may give a program another class than the table. Then neither that class nor the
 * program itself is used. */
WORLD_TEST(a_program_may_say_its_class)
{
    pm_transferred before[TAKEN], after[TAKEN];
    const pm_withheld without = {.unit = PM_LEAVE_CLASS, .class = "slow"};

    make_world(f, 4, 2018);
    classify(f, 5);
    predict_both(f, without, before, after);
    for (size_t i = 0; i < TAKEN; i++)
        assert_true(same(&before[i], &after[i]));
}

/* Not only the times of the class are left out, but also the errors of its programs' gains. */
WORLD_TEST(what_is_left_out_has_no_errors)
{
    pm_validation *v[2];
    pm_transfer *carry;

    make_world(f, 5, 2018);
    classify(f, 5);
    for (int slow = 0; slow <= 1; slow++) {
        const pm_transfer_set *set;

        measure_all(f, slow ? 10 : 1);
        carry = learn(f);
        assert_ok(pm_transfer_find(carry, "p4", (pm_withheld){.unit = PM_LEAVE_CLASS}, &set,
                                   told()) == PM_OK);
        v[slow] = owned_validation(pm_transfer_unseen(carry, set, 0, told()));
        assert_int_equal(v[slow]->n, (KINDS - IN_CLASS) * OF_PROGRAM);
    }
    for (size_t i = 0; i < v[0]->n; i++)
        assert_true(v[0]->samples[i].predicted_s == v[1]->samples[i].predicted_s &&
                    v[0]->samples[i].lo_s == v[1]->samples[i].lo_s);
}

/* If nothing is left out, each program's residual comes from a fit without its class. */
WORLD_TEST(intervals_are_of_classes_left_out)
{
    double before = 0, after = 0;

    make_world(f, 9, 2018);
    for (int by_class = 0; by_class <= 1; by_class++) {
        pm_transferred out[TAKEN];

        if (by_class)
            classify(f, 5);
        measure_all(f, 10);
        predict(learn(f), f, PM_LEAVE_NOTHING, NULL, out);
        *(by_class ? &after : &before) = width(out);
    }
    print_message("widths: by program %.3f, by class %.3f\n", before, after);
    assert_true(after > before);
}

WORLD_TEST(a_class_may_leave_too_little)
{
    pm_transferred out[TAKEN];
    pm_transfer *carry;
    double time_s[TAKEN];

    make_world(f, 7, 2018);
    classify(f, 5);
    for (size_t k = 0; k < 2; k++) {
        times_of(&f->gpus[k], NULL, time_s);
        for (size_t i = 0; i < TAKEN; i++)
            time_s[i] = in_class(i) || i % KINDS == 0 ? time_s[i] : 0;
        measure(&f->gpus[k], time_s);
    }
    carry = learn(f);
    assert_int_equal(pm_transfer_predict(carry, f->target.traced,
                                         (pm_withheld){.unit = PM_LEAVE_CLASS}, NULL, out, told()),
                     PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "too few programs");
    predict(carry, f, PM_LEAVE_PROGRAM, NULL, out);
}

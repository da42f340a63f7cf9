/* Tests prediction method `auto` by the public interface: a left-out program's times do not affect
 * its prediction, numbers are in their bounds, all threads get the same result, and the errors on
 * published datasets are less than those of the methods in their papers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <pthread.h>

#include "rng.h"
#include "validation_fixture.h"

static const char *const methods[] = {"auto", "gp", "forest", "ridge"};
enum { METHODS = sizeof methods / sizeof *methods, COUNTERS = 6 };

/* A made-up dataset. */
typedef struct {
    const char *device;
    size_t programs, rows; /* of each program */
    size_t changed;        /* program whose times are changed; programs: none */
    /* true: times are multiplied by 1000; false: they are shuffled and spread */
    bool slower;
} recipe;

static void write_dataset(const char *path, const recipe *r)
{
    gsl_rng *rng = rng_of(5);
    FILE *out = need(fopen(path, "w"));

    fputs("device,program,variant,size,kernel,counter_source,time_s", out);
    for (size_t j = 0; j < COUNTERS; j++)
        fprintf(out, ",c%zu", j);
    fputs("\n", out);
    for (size_t i = 0; i < r->programs * r->rows; i++) {
        size_t program = i % r->programs;
        double c[COUNTERS], t;

        for (size_t j = 0; j < COUNTERS; j++)
            c[j] = gsl_ran_lognormal(rng, 10 + (double)(program % 3), 1.5);
        c[5] = gsl_rng_uniform(rng) < 0.4 ? 0 : c[5];
        t = 1e-9 * (c[0] + 2 * c[1]) * exp(0.2 * (double)(program % 5)) *
            gsl_ran_lognormal(rng, 0, 0.2);
        if (program == r->changed)
            t = r->slower ? 1000 * t : 1e-3 * pow(10, (double)(i % 7) - 3);
        fprintf(out, "%s,p%zu,base,s%zu,k,trace,%.17g", r->device, program, i / r->programs, t);
        for (size_t j = 0; j < COUNTERS; j++)
            fprintf(out, ",%.17g", c[j]);
        fputs("\n", out);
    }
    assert_int_equal(fclose(out), 0);
}

static pm_validation *validate(const char *target, const char *source, const char *method)
{
    return validate_file(target, source, (pm_model_options){.method = method});
}

static bool same_numbers(const pm_prediction *a, const pm_prediction *b)
{
    return a->predicted_s == b->predicted_s && a->lo_s == b->lo_s && a->hi_s == b->hi_s;
}

/* ---- left-out times have no influence ------------------------------------------------------ */

/* `file` and `other` are datasets that differ only in the times of program `changed`. */
static void check_honest(const char *file, const char *other, const char *source,
                         const char *method, size_t changed)
{
    pm_validation *before = validate(file, source, method);
    pm_validation *after = validate(other, source, method);
    size_t own = 0, differ = 0;
    char name[16];

    snprintf(name, sizeof name, "p%zu", changed);
    assert_int_equal(before->n, after->n);
    for (size_t i = 0; i < before->n; i++) {
        const pm_prediction *a = &before->samples[i], *b = &after->samples[i];

        if (strcmp(a->sample->program, name) == 0) {
            own++;
            assert_true(a->measured_s != b->measured_s);
            assert_true(same_numbers(a, b));
        } else {
            differ += !same_numbers(a, b);
        }
    }
    assert_true(own > 0);
    assert_true(differ > 0); /* predictions of other programs do depend on the changed times */
}

FOLDER_TEST(own_times_do_not_change_a_prediction)
{
    /* as many folds as programs; then more rows than are used for learning, in fewer folds */
    static const recipe recipes[] = {{"d", 12, 5, 0, false}, {"d", 45, 8, 0, false}};
    char other[PATH_MAX], source[PATH_MAX];

    snprintf(other, sizeof other, "%s/b.csv", f->folder);
    snprintf(source, sizeof source, "%s/s.csv", f->folder);
    for (size_t k = 0; k < 2; k++) {
        recipe r = recipes[k];

        r.changed = r.programs;
        write_dataset(f->file, &r);
        write_dataset(source, &r);
        /* the large dataset only for method auto with a source, because auto includes all
         * families */
        for (size_t m = 0; m < (k == 0 ? METHODS : 1); m++) {
            for (size_t changed = k == 0 ? 0 : 2; changed < 3; changed++) {
                r.changed = changed;
                r.slower = changed != 1;
                write_dataset(other, &r);
                check_honest(f->file, other, changed == 2 ? source : NULL, methods[m], changed);
            }
        }
    }
}

/* ---- bounds and repetition ------------------------------------------------------------------ */

FOLDER_TEST(numbers_stay_in_their_bounds)
{
    static const recipe recipes[] = {{"d", 3, 3, 3, false},
                                     {"d", 12, 5, 4, false},
                                     {"d", 45, 6, 3, true},
                                     {"d", 4, 70, 1, true},
                                     {"d", 150, 1, 150, false}};

    for (size_t k = 0; k < sizeof recipes / sizeof *recipes; k++) {
        write_dataset(f->file, &recipes[k]);
        for (size_t m = 0; m < METHODS; m++) {
            for (int source = 0; source < 2; source++) {
                pm_validation *v = validate(f->file, source ? f->file : NULL, methods[m]);

                assert_int_equal(v->n, recipes[k].programs * recipes[k].rows);
                assert_in_bounds(v);
            }
        }
    }
}

/* Three programs of rows whose counters differ by orders of magnitude, and equal times. Nothing may
 * be divided by the spread of the times, which is 0. */
FOLDER_TEST(equal_times_are_predicted)
{
    FILE *out = need(fopen(f->file, "w"));

    fputs("device,program,variant,size,kernel,counter_source,time_s,c0,c1\n", out);
    for (int i = 0; i < 9; i++)
        fprintf(out, "d,p%d,base,s%d,k,trace,0.25,%g,%d\n", i % 3, i, pow(10, 30 * i), i - 4);
    assert_int_equal(fclose(out), 0);
    for (size_t m = 0; m < METHODS; m++) {
        pm_validation *v = validate(f->file, NULL, methods[m]);

        for (size_t i = 0; i < v->n; i++) {
            const pm_prediction *p = &v->samples[i];

            assert_true(isfinite(p->hi_s) && p->lo_s <= p->predicted_s);
            /* a model that has one form only may attribute the time to a counter */
            if (strcmp(methods[m], "auto") == 0)
                assert_true(fabs(p->predicted_s / 0.25 - 1) < 1e-6);
        }
    }
}

/* Twelve programs of four rows, with counters that are unrelated to the times. */
static void write_alike(const char *path, double factor, double odd)
{
    gsl_rng *rng = rng_of(9);
    FILE *out = need(fopen(path, "w"));

    fputs("device,program,variant,size,kernel,counter_source,time_s,c0,c1\n", out);
    for (int i = 0; i < 48; i++) {
        const double t = gsl_ran_lognormal(rng, -7, 2), a = gsl_ran_lognormal(rng, 9, 2);

        fprintf(out, "d,p%d,base,s%d,k,trace,%.17g,%.17g,%.17g\n", i % 12, i,
                t * (i % 12 < 2 ? odd : factor), a, gsl_ran_lognormal(rng, 9, 2));
    }
    assert_int_equal(fclose(out), 0);
}

/* The times of two of twelve programs are far off. The intervals of the others must not widen. */
FOLDER_TEST(a_source_like_the_target_is_taken_as_it_is)
{
    char source[PATH_MAX];
    pm_validation *v;

    snprintf(source, sizeof source, "%s/s.csv", f->folder);
    write_alike(source, 1, 1);
    write_alike(f->file, 1.7, 34);
    v = validate(f->file, source, "auto");
    assert_int_equal(v->n, 48);
    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];
        const bool odd =
            strcmp(p->sample->program, "p0") == 0 || strcmp(p->sample->program, "p1") == 0;

        assert_true(fabs(p->predicted_s / p->measured_s * (odd ? 20 : 1) - 1) < 1e-6);
    }
}

typedef struct {
    const char *file;
    pm_validation *result;
} job;

static void *work(void *argument)
{
    job *j = argument;

    j->result = validate(j->file, j->file, "auto");
    return NULL;
}

FOLDER_TEST(two_threads_and_one_agree)
{
    const recipe r = {"d", 20, 10, 20, false};
    job jobs[3] = {{.file = f->file}, {.file = f->file}, {.file = f->file}};
    pthread_t threads[2];

    write_dataset(f->file, &r);
    work(&jobs[2]);
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < jobs[2].result->n; i++)
            assert_true(same_numbers(&jobs[k].result->samples[i], &jobs[2].result->samples[i]));
}

/* ---- measurements of others ----------------------------------------------------------------- */

/* AIWC (Johnston, Falzon and Milthorpe 2018): mean absolute percentage error of the best of ridge
 * regression, random forest and gradient boosting. Each kernel is left out in turn. First with the
 * counters alone, then with the time on titanx. */
static const struct {
    const char *device;
    double alone, from_titanx;
} best_of_three[] = {
    {"titanx", 104.0, NAN},        {"k20c", 109.6, 35.6},
    {"k40c", 110.9, 28.9},         {"hawaii-r9-290x", 81.7, 41.8},
    {"polaris-rx480", 62.3, 34.8}, {"i7-6700k", 69.5, 62.8},
    {"knl", 90.6, 58.6},
};
enum { DEVICES = sizeof best_of_three / sizeof *best_of_three };

/* Mean error over the devices, relative to the best of three methods. */
static double check_devices(const char *folder, bool from_titanx)
{
    char path[PATH_MAX], source[PATH_MAX];
    double sum = 0, best_sum = 0;

    snprintf(source, sizeof source, "%s/titanx.csv", folder);
    for (size_t d = from_titanx ? 1 : 0; d < DEVICES; d++) {
        double best = from_titanx ? best_of_three[d].from_titanx : best_of_three[d].alone;
        pm_validation *v;

        snprintf(path, sizeof path, "%s/%s.csv", folder, best_of_three[d].device);
        v = validate(path, from_titanx ? source : NULL, "auto");
        print_message("%s%s: %.1f %% (best of three %.1f %%), intervals cover %.1f %%\n",
                      best_of_three[d].device, from_titanx ? " from titanx" : "", 100 * v->mape,
                      best, 100 * v->coverage90);
        assert_int_equal(v->n, 104);
        assert_true(100 * v->mape <= best);
        assert_true(v->coverage90 >= 0.85 && v->coverage90 <= 0.95);
        if (from_titanx && strcmp(best_of_three[d].device, "k20c") == 0)
            assert_true(v->mape < 0.3);
        sum += 100 * v->mape;
        best_sum += best;
    }
    return sum / best_sum;
}

TEST(aiwc_is_predicted_better_than_by_the_usual_methods)
{
    const char *folder = aiwc_folder();

    assert_true(check_devices(folder, false) <= 0.75);
    assert_true(check_devices(folder, true) <= 0.75);
}

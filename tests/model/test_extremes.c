/* Tests all prediction methods on extreme datasets, whose times and counters are the smallest and
 * largest doubles, negative, all equal, or all 0. Each prediction must be finite, with its interval
 * in order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"
#include "rng.h"
#include "validation_fixture.h"

static const char *const counters[] = {
    "inst_issued",      "inst_executed",  "pipe_fma",        "pipe_fmaheavy",
    "pipe_alu",         "pipe_xu",        "pipe_lsu",        "global_wavefront",
    "shared_wavefront", "l2_read_sector", "l2_write_sector", "dram_read_bytes",
    "dram_write_bytes", "gld_request",    "gld_sector",      "l1_global_load_miss",
    "shared_load",      "work_groups",    "launched_warps",  "resident_groups",
    "launches",         "active_cycles",
};
enum { COUNTERS = sizeof counters / sizeof *counters };

typedef enum { ANY, EQUAL, ORDINARY, ONE_SHORT, ONE_LONG, TIMES } time_kind;
typedef enum { EXTREME, RARELY, ALONE, NEARLY_EQUAL, HUGE_OR_TINY, KINDS } counter_kind;

static double pick(gsl_rng *rng, const double *values, size_t n)
{
    return values[gsl_rng_uniform_int(rng, n)];
}

static double a_time(gsl_rng *rng, time_kind kind, size_t program)
{
    static const double any[] = {5e-324, 1e-300, 1e-9, 1, 1e9, 1e300, 1.7e308};

    switch (kind) {
    case ANY:
        return pick(rng, any, sizeof any / sizeof *any);
    case EQUAL:
        return 1e-3;
    case ONE_SHORT:
        return program == 0 ? 1e-300 : 1e300;
    case ONE_LONG:
        return program == 0 ? 1e300 : pow(10, -300 + 10 * gsl_rng_uniform(rng));
    default:
        return pow(10, -6 * gsl_rng_uniform(rng));
    }
}

static double a_counter(gsl_rng *rng, counter_kind kind, size_t row, size_t program, size_t column)
{
    static const double any[] = {0,     1,     5e-324, 1e-310,  1e-300, 1e-200, 1e-20,   1e20,
                                 1e154, 1e200, 1e300,  1.7e308, -1,     -1e200, -1.7e308};
    static const double odd[] = {7 + 1e-13, 1.7e308, -1.7e308, 5e-324};

    switch (kind) {
    case EXTREME:
        return pick(rng, any, sizeof any / sizeof *any);
    case ALONE:
        return row == 0;
    case NEARLY_EQUAL:
        return program == 0 ? pick(rng, odd, sizeof odd / sizeof *odd) : 7;
    case HUGE_OR_TINY:
        return column % 2 ? pick(rng, (double[]){1e308, -1e308}, 2)
                          : 5e-324 * (double)gsl_rng_uniform_int(rng, 4);
    default:
        return gsl_rng_uniform(rng) < 0.02 ? pick(rng, any, sizeof any / sizeof *any)
                                           : pow(10, 9 * gsl_rng_uniform(rng));
    }
}

/* 30 rows of 3 programs, or 60 of 12, on a GPU with a profile. */
static void write_extreme(const char *path, const char *device, unsigned long seed)
{
    size_t programs = seed % 2 ? 3 : 12, rows = seed % 2 ? 30 : 60;
    gsl_rng *rng = rng_of(seed);
    FILE *out = need(fopen(path, "w"));

    fputs("device,program,variant,size,kernel,counter_source,time_s", out);
    for (size_t j = 0; j < COUNTERS; j++)
        fprintf(out, ",%s", counters[j]);
    for (size_t i = 0; i < rows; i++) {
        size_t program = i % programs;

        fprintf(out, "\n%s,p%zu,base,s%zu,k,trace,%.17g", device, program, i / programs,
                a_time(rng, seed % TIMES, program));
        for (size_t j = 0; j < COUNTERS; j++)
            fprintf(out, ",%.17g", a_counter(rng, seed / TIMES % KINDS, i, program, j));
    }
    fputs("\n", out);
    assert_int_equal(fclose(out), 0);
}

/* If there is too little data, the error names the file and says so. */
static bool check(const pm_dataset *target, const pm_dataset *source, const char *method,
                  bool by_sample)
{
    pm_model_options options = {.method = method,
                                .counters = "all",
                                .leave_out = by_sample ? PM_LEAVE_SAMPLE : PM_LEAVE_PROGRAM};
    pm_validation *v = pm_validate(NULL, target, source, &options, told());

    if (!v) {
        assert_int_equal(last_error.status, PM_BAD_INPUT);
        return false;
    }
    assert_true(isfinite(v->mape) && isfinite(v->median_ape));
    assert_in_bounds(owned_validation(v));
    return true;
}

/* Validates with every `step`-th seed from `first` on. Even seeds have 12 programs, odd ones 3.
 * Fails unless more than `least` validations give a result. */
static void check_extremes(const fixture *f, unsigned long first, unsigned long step, size_t least)
{
    size_t answered = 0;
    char other[PATH_MAX];

    snprintf(other, sizeof other, "%s/b.csv", f->folder);
    for (unsigned long seed = first; seed < TIMES * KINDS; seed += step) {
        pm_dataset *target, *source;

        write_extreme(f->file, "h200", seed);
        /* rows with the same keys and other numbers */
        write_extreme(other, "h100", seed + 2 * (unsigned long)(TIMES * KINDS) + 6);
        target = read_dataset(f->file);
        source = read_dataset(other);
        for (size_t m = 0; m < pm_method_count(); m++) {
            const char *method = pm_method_at(m)->name;

            answered += check(target, NULL, method, false);
            answered += check(target, source, method, false);
            /* more groups than folds, with a method that has a closed form and one that has none */
            if (seed % 2 == 0 && (strcmp(method, "paper") == 0 || strcmp(method, "ridge") == 0))
                answered += check(target, NULL, method, true);
        }
    }
    print_message("%zu validations\n", answered);
    assert_true(answered > least);
}

FOLDER_TEST(extremes_of_many_programs_give_finite_numbers)
{
    check_extremes(f, 0, 4, 55);
}

FOLDER_TEST(other_extremes_of_many_programs_give_finite_numbers)
{
    check_extremes(f, 2, 4, 55);
}

FOLDER_TEST(extremes_of_few_programs_give_finite_numbers)
{
    check_extremes(f, 1, 2, 90);
}

/* Samples are left out. A second row of the same sample, from another tool, would reveal its time
 * and is left out, too. */
FOLDER_TEST(two_rows_of_a_sample_are_left_out_together)
{
    double predicted[2] = {0};

    for (int k = 0; k < 2; k++) {
        FILE *out = need(fopen(f->file, "w"));
        pm_validation *v;

        fputs("device,program,variant,size,kernel,counter_source,time_s,c0\n", out);
        for (int i = 0; i < 12; i++)
            fprintf(out, "d,p,base,s%d,k,trace,%g,%d\n", i, 1e-3 * (1 + i % 4), 100 + i);
        for (int tool = 0; tool < 2; tool++)
            fprintf(out, "d,p,base,s12,k,tool%d,%g,200\n", tool, k ? 50.0 : 1e-3);
        assert_int_equal(fclose(out), 0);
        v = validate_file(f->file, NULL,
                          (pm_model_options){.method = "forest", .leave_out = PM_LEAVE_SAMPLE});
        assert_int_equal(v->n, 14);
        assert_true(v->samples[12].predicted_s == v->samples[13].predicted_s);
        predicted[k] = v->samples[12].predicted_s;
    }
    assert_true(predicted[0] == predicted[1]);
}

int main(void)
{
    if (unsetenv("PERFMODEL_DATASETS") != 0) /* the shipped profiles */
        return 1;
    return run_all_tests(NULL, NULL);
}

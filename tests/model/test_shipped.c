/* Checks what the documentation promises for the shipped datasets: the errors of predictions for
 * unseen programs, the coverage of the intervals, and that method `paper` gives the paper's
 * results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/method.h"
#include "validation_fixture.h"

#define H100 PM_SOURCE_DIR "/datasets/h100.csv"
#define H200 PM_SOURCE_DIR "/datasets/h200.csv"

/* Checks any validation: values are finite numbers, none is negative, and summaries agree with the
 * samples. */
static void check_numbers(const pm_validation *v)
{
    double sum = 0;
    size_t covered = 0;

    assert_true(v->n > 0);
    assert_in_bounds(v);
    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        sum += fabs(p->predicted_s / p->measured_s - 1);
        covered += p->measured_s >= p->lo_s && p->measured_s <= p->hi_s;
    }
    assert_true(fabs(sum / (double)v->n - v->mape) < 1e-12);
    assert_true(v->coverage90 == (double)covered / (double)v->n);
}

static pm_validation *validate(const char *target, const char *source, pm_model_options options)
{
    pm_validation *v = validate_file(target, source, options);

    check_numbers(v);
    return v;
}

/* ---- method auto --------------------------------------------------------------------------- */

static void check_promise(const char *target, const char *source, pm_model_options options,
                          double most)
{
    pm_validation *v = validate(target, source, options);

    print_message("%s, %s counters, by %s: %.1f %% (at most %.0f %%), intervals cover %.1f %%\n",
                  source ? "h200 from h100" : "h100", options.counters ? options.counters : "all",
                  v->leave_out, 100 * v->mape, 100 * most, 100 * v->coverage90);
    assert_string_equal(v->method, "auto");
    assert_true(v->n >= 100);
    assert_true(v->mape <= most);
    assert_true(v->coverage90 >= 0.85 && v->coverage90 <= 0.97);
}

TEST(programs_unseen_are_predicted)
{
    check_promise(H100, NULL, (pm_model_options){0}, 0.10);
    check_promise(H100, NULL, (pm_model_options){.counters = "code"}, 0.25);
    check_promise(H200, H100, (pm_model_options){0}, 0.10);
}

TEST(samples_unseen_are_predicted)
{
    check_promise(H100, NULL, (pm_model_options){.leave_out = PM_LEAVE_SAMPLE}, 0.10);
}

/* If the time on the source is the target's time, predictions are exact, whatever names the columns
 * have. */
TEST(the_answer_is_no_counter)
{
    const pm_model_options options = {.counters = "inst_issued,duration"};
    pm_dataset *dataset = read_dataset(H100);

    assert_null(pm_validate(NULL, dataset, NULL, &options, told()));
    assert_error(PM_BAD_INPUT, "duration");
}

/* ---- method paper -------------------------------------------------------------------------- */

/* Returns the names of the counters, separated by commas. */
static void list_counters(const pm_validation *v, char *list, size_t size)
{
    size_t used = 0;

    *list = '\0';
    for (size_t k = 0; k < v->counter_count; k++) {
        assert_true(used + strlen(v->counters[k]) + 2 < size);
        used += (size_t)snprintf(list + used, size - used, "%s%s", k ? "," : "", v->counters[k]);
    }
}

/* Shimada et al. 2010, sections 5.2.1, 5.2.2 and 5.3.2. */
TEST(the_paper_has_its_counters)
{
    static const struct {
        const char *target, *source, *variant, *counters;
    } cases[] = {
        {H100, NULL, "nolocal",
         "gld_request,gst_request,branch,inst_issued,l1_global_load_hit,l1_global_load_miss,"
         "active_cycles"},
        {H100, NULL, "local",
         "gld_request,gst_request,shared_load,branch,inst_issued,l1_global_load_miss,"
         "active_cycles"},
        {H200, H100, "local",
         "gld_request,gst_request,branch,inst_executed,divergent_branch,source_time_s"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const variants[] = {cases[k].variant, NULL};

        for (int sample = 0; sample < 2; sample++) {
            pm_validation *v = validate(
                cases[k].target, cases[k].source,
                (pm_model_options){.method = "paper",
                                   .variants = variants[0] ? variants : NULL,
                                   .leave_out = sample ? PM_LEAVE_SAMPLE : PM_LEAVE_PROGRAM});
            char counters[1024];

            list_counters(v, counters, sizeof counters);
            assert_string_equal(counters, cases[k].counters);
            assert_string_equal(v->leave_out, sample ? "sample" : "program");
            for (size_t i = 0; i < v->n; i++)
                assert_string_equal(v->samples[i].sample->variant, cases[k].variant);
        }
    }
}

/* Estimates the rows of one group by a model of the other groups. */
static void refit(const pm_problem *problem, size_t group, pm_estimate *estimates)
{
    size_t *train = room(problem->n, sizeof *train), *test = room(problem->n, sizeof *test);
    pm_estimate *found = room(problem->n, sizeof *found);
    pm_learning l = {.problem = problem, .train = train, .test = test, .estimates = found};

    for (size_t row = 0; row < problem->n_known; row++) {
        if (problem->group[row] == group)
            test[l.n_test++] = row;
        else
            train[l.n_train++] = row;
    }
    assert_int_equal(pm_method_learn(&pm_method_paper, &l, told()), PM_OK);
    for (size_t i = 0; i < l.n_test; i++)
        estimates[test[i]] = found[i];
}

OWNED(problem, pm_problem, pm_problem_free)

static void check_closed_form(const char *target, const char *source, const char *variant,
                              bool sample)
{
    pm_dataset *t = read_dataset(target), *s = source ? read_dataset(source) : NULL;
    const char *const variants[] = {variant, NULL};
    pm_model_options options = {.variants = variant ? variants : NULL,
                                .leave_out = sample ? PM_LEAVE_SAMPLE : PM_LEAVE_PROGRAM,
                                .counters = pm_method_paper.counters(variant, source != NULL)};
    pm_problem *problem = owned_problem(pm_problem_create(NULL, t, s, false, &options, told()));
    pm_estimate *estimates = room(problem->n, sizeof *estimates);
    double *closed = room(problem->n, sizeof *closed);
    size_t above = 0;

    assert_int_equal(pm_method_leave_out(&pm_method_paper, problem, closed, told()), PM_OK);
    for (size_t group = 0; group < problem->groups; group++)
        refit(problem, group, estimates);
    for (size_t row = 0; row < problem->n_known; row++) {
        double apart = fabs(closed[row] - estimates[row].predicted_s);

        assert_true(apart < 1e-7 * (estimates[row].predicted_s + problem->t[row]));
        above += closed[row] > 0;
    }
    assert_true(2 * above > problem->n_known);
}

TEST(the_papers_closed_form_is_refitting)
{
    for (int sample = 0; sample < 2; sample++) {
        check_closed_form(H100, NULL, NULL, sample);
        check_closed_form(H100, NULL, "local", sample);
        check_closed_form(H100, NULL, "nolocal", sample);
        check_closed_form(H200, H100, NULL, sample);
    }
}

int main(void)
{
    /* the shipped tables, not the user's own */
    if (unsetenv("PERFMODEL_DATASETS") != 0)
        return 1;
    return run_all_tests(NULL, NULL);
}

/* Tests the tables of costs: their contents, and that they fit into 80 columns for any numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "cost_fixture.h"
#include "report/results/choices.h"

/* Returns the text that both tables print. */
static char *print(made_up *here, made_up *there, const pm_cost_options *o, unsigned given)
{
    const pm_place_to_run a = {.advice = &here->advice, .gpu_hour = o->gpu_hour},
                          b = {.advice = &there->advice, .gpu_hour = 3};
    pm_table_place place = {.advice = &there->advice, .gpu_hour = 3};
    pm_payback costs[2];
    char *text = NULL;
    size_t size;
    FILE *out = need(open_memstream(&text, &size));
    const pm_screen screen = {.file = out, .width = 80};

    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pm_cost_of(&here->advice, &here->choices[i], o, &costs[i], NULL), PM_OK);
    assert_int_equal(pm_cost_elsewhere(&a, &b, o, &place.elsewhere, NULL), PM_OK);
    pm_table_cost(&screen, &here->advice, o, given, costs);
    pm_table_elsewhere(&screen, &here->advice, o, &place, 1);
    assert_int_equal(fclose(out), 0);
    return owned_memory(text);
}

static void assert_narrow(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("more than 80 columns: %.*s", (int)strcspn(line, "\n"), line);
}

static void assert_has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no '%s' in\n%s", words, text);
}

/* The numbers of the example in docs/cost.md. */
TEST(test_example)
{
    pm_cost_options o = pm_cost_options_default();
    made_up here, there;
    char *text;

    o.runs_per_month = 2e8;
    o.currency = "EUR";
    make_up(&here, "a", (pm_interval){0.0016, 0.002, 0.0025}, (pm_interval){1.2, 1.5, 1.8});
    here.choices[0].rewrite =
        (pm_rewrite_size){.kernels = 1, .structs = 1, .source_lines = 20, .host_lines = 60};
    make_up(&there, "b", (pm_interval){0.0012, 0.0015, 0.002}, (pm_interval){1, 1.1, 1.2});
    text = print(&here, &there, &o, 1u << PM_ASSUMED_RUNS);
    assert_has(text, "Whether the work pays, in EUR\n");
    assert_has(text, "an hour of work: 100 (an example; --rate says yours)\n");
    assert_has(text, "runs a month: 2e+08\n");
    assert_has(text, "\n1  8.4 (3.61..19.6)  74.1 (35.8..107) ");
    assert_has(text, " 11 months   48.9 (-1170..674)");
    assert_has(text, "  50 %\n");
    assert_null(strstr(text, "plain\n")); /* the base has no row */
    assert_has(text, "\na (here)");
    assert_has(text, "\nb               3  250 (200..333) ");
    assert_has(text, "on b after: 8\n  months (87 days..2.46 years); within a year: 70 %\n");
    assert_narrow(text);
}

TEST(test_extremes)
{
    static const double runs[] = {1e-6, 1, 1e6, 1e12, 1e15};
    static const pm_interval gains[] = {
        {0.2, 0.5, 0.9}, {0.9, 1.0001, 1.1}, {0.5, 2, 1000}, {(double)NAN, 1.2, (double)NAN}};
    char longest[] = "cluster-align:pos_x+pos_y+pos_z+vel_x/vel_y+vel_z+density+pressure";

    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (size_t g = 0; g < sizeof gains / sizeof *gains; g++) {
            pm_cost_options o = pm_cost_options_default();
            made_up here, there;
            char *text;

            o.runs_per_month = runs[r];
            o.hours = r == 3 ? 123456 : (double)NAN;
            make_up(&here, "a", (pm_interval){0.000123, 0.01, 12345}, gains[g]);
            make_up(&there, "b", (pm_interval){0.000123, 0.02, 12345}, gains[g]);
            here.choices[0].variant = here.advice.best = longest;
            here.choices[0].rewrite = (pm_rewrite_size){.kernels = 99, .source_lines = 123456};
            text = print(&here, &there, &o, 0);
            assert_narrow(text);
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf"));
        }
}

/* Tests the cost and saving of a version: compares them with closed formulas, a Monte Carlo
 * simulation and limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "answer/cost/chance.h"
#include "cost_fixture.h"
#include "rng.h"

static pm_payback pay(made_up *m, const pm_cost_options *options)
{
    pm_payback cost;

    assert_int_equal(pm_cost_of(&m->advice, &m->choices[0], options, &cost, told()), PM_OK);
    return cost;
}

/* ---- comparison with closed forms ----------------------------------------------------------- */

TEST(test_all_certain)
{
    pm_cost_options o = prices();
    made_up m;
    pm_payback cost;

    make_up(&m, "a", exactly(0.002), exactly(1.6));
    o.hours = 5;
    o.passes = 3;
    o.gpus = 2;
    o.gpu_hour = 1.5;
    cost = pay(&m, &o);
    /* 2e8 runs x 3 passes x 0.002 s x 2 GPUs = 2.4e6 s at a price of 1.5 per hour; 37.5 % of it is
     * saved */
    for (const double *s = &cost.saving.lo; s <= &cost.saving.hi; s++)
        assert_near(*s, 375, 1e-12);
    assert_near(cost.cost.mid, 500, 1e-12);
    assert_near(cost.break_even_runs.mid, 500.0 / 375 * 2e8, 1e-12);
    assert_near(cost.break_even_runs.lo, cost.break_even_runs.mid, 1e-12);
    assert_near(cost.break_even_days.hi, 500.0 / 375 * DAYS, 1e-12);
    assert_near(cost.net.lo, 12 * 375.0 - 500, 1e-12);
    assert_true(cost.chance_a_year == 1);
}

/* If only the gain is uncertain, all results are functions of the gain. */
TEST(test_uncertain_gain)
{
    const pm_interval gain = {0.9, 1.3, 1.7};
    const pm_chance g = pm_chance_make(gain.mid, gain.lo, gain.hi);
    pm_cost_options o = prices();
    double month, work = 1000;
    made_up m;
    pm_payback cost;

    make_up(&m, "a", exactly(0.002), gain);
    o.hours = 10;
    month = o.runs_per_month * 0.002 * o.gpu_hour / 3600;
    cost = pay(&m, &o);
    assert_near(cost.saving.lo, month * (1 - 1 / gain.lo), 1e-3);
    assert_near(cost.saving.hi, month * (1 - 1 / gain.hi), 1e-3);
    assert_true(cost.saving.lo < 0);
    assert_near(cost.net.lo, 12 * month * (1 - 1 / gain.lo) - work, 1e-3);
    assert_near(cost.net.hi, 12 * month * (1 - 1 / gain.hi) - work, 1e-3);
    assert_near(cost.break_even_runs.lo, work / (month * (1 - 1 / gain.hi)) * o.runs_per_month,
                1e-3);
    assert_true(isinf(cost.break_even_runs.hi) && isinf(cost.break_even_days.hi));
    assert_near(cost.chance_a_year, pm_chance_above(&g, 1 / (1 - work / (12 * month))), 1e-9);
}

/* If the gain is certain, time over hours has a lognormal distribution. The probability to pay back
 * is its distribution function. */
TEST(test_uncertain_time_and_hours)
{
    pm_cost_options o = prices();
    const double z95 = gsl_cdf_ugaussian_Pinv(0.95), spread = 1.5;
    double saving, spent, sigma, middle;
    made_up m;
    pm_payback cost;

    make_up(&m, "a", (pm_interval){0.002 / spread, 0.002, 0.002 * spread}, exactly(1.25));
    m.choices[0].rewrite = (pm_rewrite_size){.kernels = 2, .source_lines = 100};
    cost = pay(&m, &o);
    saving = 12 * o.runs_per_month * 0.002 * o.gpu_hour / 3600 * 0.2;
    spent = 100 * (2 * 4 + 100 / 200.0);
    sigma = hypot(log(spread), log(o.effort.factor)) / z95;
    middle = log(saving / spent);
    assert_near(cost.chance_a_year, gsl_cdf_ugaussian_P(middle / sigma), 2e-3);
    assert_near(cost.break_even_days.mid, 365.25 * spent / saving, 1e-9);
    assert_near(cost.break_even_days.lo, 365.25 * exp(-middle - z95 * sigma), 1e-2);
    assert_near(cost.break_even_days.hi, 365.25 * exp(-middle + z95 * sigma), 1e-2);
}

/* ---- energy --------------------------------------------------------------------------------- */

/* 1 million passes on 2 GPUs at a price of 0.3 and 400 g of CO2 per kWh. A pass takes 1 ms instead
 * of 2 ms. */
TEST(test_energy)
{
    pm_cost_options o = prices();
    const double passes = 2e6, unknown = (double)NAN;
    pm_energy_saving e;
    made_up m;

    make_up(&m, "a", exactly(0.002), exactly(2));
    o.runs_per_month = 1e6;
    o.gpus = 2;
    o.energy = (pm_energy_price){.price = 0.3, .co2_g = 400};
    m.advice.power_limit_w = unknown;
    for (size_t i = 0; i < 2; i++)
        m.choices[i].energy_j = m.choices[i].energy_s = unknown;
    e = pay(&m, &o).energy;
    assert_int_equal(e.basis, PM_ENERGY_UNKNOWN);
    assert_true(isnan(e.joules) && isnan(e.money_a_month));

    m.advice.power_limit_w = 700;
    e = pay(&m, &o).energy;
    assert_int_equal(e.basis, PM_ENERGY_AT_MOST);
    assert_near(e.joules, 700 * 0.001, 1e-12);

    m.choices[1].energy_j = 0.5; /* the base takes 0.5 J in its measured 2.5 ms: 200 W */
    m.choices[1].energy_s = 0.0025;
    e = pay(&m, &o).energy;
    assert_int_equal(e.basis, PM_ENERGY_BY_POWER);
    assert_near(e.watts, 200, 1e-12);
    assert_near(e.joules, 200 * 0.001, 1e-12);

    m.choices[0].energy_j = 0.6; /* the version is faster and takes more energy */
    e = pay(&m, &o).energy;
    assert_int_equal(e.basis, PM_ENERGY_MEASURED);
    assert_near(e.joules, -0.1, 1e-12);
    assert_near(e.kwh_a_month, -0.1 * passes / 3.6e6, 1e-12);
    assert_near(e.money_a_month, -0.1 * passes / 3.6e6 * 0.3, 1e-12);
    assert_near(e.co2_kg_a_month, -0.1 * passes / 3.6e6 * 0.4, 1e-12);
    o.energy.price = unknown;
    e = pay(&m, &o).energy;
    assert_true(isnan(e.money_a_month) && !isnan(e.co2_kg_a_month));
}

/* ---- comparison with a simulation ----------------------------------------------------------- */

/* Draws from one of the two half normal distributions, each with probability 1/2. */
static double draw(gsl_rng *random, pm_interval x)
{
    const double z95 = gsl_cdf_ugaussian_Pinv(0.95);
    double z = gsl_ran_gaussian(random, 1);

    return x.mid * exp(z * (z < 0 ? log(x.mid / x.lo) : log(x.hi / x.mid)) / z95);
}

enum { DRAWS = 400000 };

TEST(test_simulation)
{
    const pm_interval seconds = {0.0014, 0.002, 0.0025}, gain = {0.95, 1.4, 2.2};
    gsl_rng *random = rng_of(0);
    double *saving = room(DRAWS, sizeof *saving), *net = room(DRAWS, sizeof *net);
    double *runs = room(DRAWS, sizeof *runs);
    pm_cost_options o = prices();
    size_t paid = 0;
    made_up m;
    pm_payback cost;

    make_up(&m, "a", seconds, gain);
    m.choices[0].rewrite =
        (pm_rewrite_size){.kernels = 1, .structs = 1, .source_lines = 20, .host_lines = 60};
    cost = pay(&m, &o);
    for (size_t i = 0; i < DRAWS; i++) {
        double t = draw(random, seconds), g = draw(random, gain), h = draw(random, cost.hours);

        saving[i] = o.runs_per_month * o.gpu_hour / 3600 * (t - t / g);
        net[i] = 12 * saving[i] - h * o.hourly_rate;
        runs[i] =
            saving[i] > 0 ? h * o.hourly_rate / (saving[i] / o.runs_per_month) : (double)INFINITY;
        paid += net[i] >= 0;
    }
    gsl_sort(saving, 1, DRAWS);
    gsl_sort(net, 1, DRAWS);
    gsl_sort(runs, 1, DRAWS);
    assert_near(cost.saving.lo, saving[DRAWS / 20], 0.05); /* it is near 0 */
    assert_near(cost.saving.hi, saving[DRAWS / 20 * 19], 0.01);
    assert_near(cost.net.lo, net[DRAWS / 20], 0.01);
    assert_near(cost.net.hi, net[DRAWS / 20 * 19], 0.01);
    assert_near(cost.break_even_runs.lo, runs[DRAWS / 20], 0.01);
    /* the median of a product is only near the product of medians */
    assert_near(cost.break_even_runs.mid, runs[DRAWS / 2], 0.25);
    assert_near(cost.chance_a_year, (double)paid / DRAWS, 0.01);
}

/* ---- limits --------------------------------------------------------------------------------- */

TEST(test_no_gain)
{
    pm_cost_options o = prices();
    made_up m;
    pm_payback cost;

    o.hours = 1;
    make_up(&m, "a", exactly(0.002), exactly(0.8));
    cost = pay(&m, &o);
    assert_near(cost.saving.mid, -0.25 * 2e8 * 0.002 * 2 / 3600, 1e-12);
    assert_true(isinf(cost.break_even_runs.lo) && cost.break_even_runs.lo > 0);
    assert_true(isinf(cost.break_even_days.mid));
    assert_true(cost.chance_a_year == 0);
    make_up(&m, "a", exactly(0.002), exactly(1));
    cost = pay(&m, &o);
    assert_true(cost.saving.mid == 0 && isinf(cost.break_even_runs.mid));
    assert_true(cost.chance_a_year == 0);
}

/* Work without cost pays at once if the version is faster, and never otherwise. */
TEST(test_free_work)
{
    const pm_interval gain = {0.9, 1.1, 1.3};
    const pm_chance g = pm_chance_make(gain.mid, gain.lo, gain.hi);
    pm_cost_options o = prices();
    made_up m;
    pm_payback cost;

    o.hourly_rate = 0;
    make_up(&m, "a", (pm_interval){0.001, 0.002, 0.003}, gain);
    cost = pay(&m, &o);
    assert_true(cost.break_even_runs.mid == 0 && isinf(cost.break_even_runs.hi));
    assert_near(cost.chance_a_year, pm_chance_above(&g, 1), 1e-9);
    o.gpu_hour = 0; /* then nothing is saved either */
    cost = pay(&m, &o);
    assert_true(cost.saving.hi == 0 && isinf(cost.break_even_days.mid));
    assert_true(cost.chance_a_year == 0);
}

TEST(test_unknown_interval)
{
    pm_cost_options o = prices();
    made_up m;
    pm_payback cost;

    o.hours = 2;
    make_up(&m, "a", (pm_interval){0, 0.002, 0}, (pm_interval){1.1, 1.25, 1.5});
    cost = pay(&m, &o);
    assert_true(isnan(cost.saving.lo) && isnan(cost.saving.hi) && isnan(cost.net.lo));
    assert_true(isnan(cost.break_even_days.hi) && isnan(cost.chance_a_year));
    assert_near(cost.saving.mid, 0.2 * 2e8 * 0.002 * 2 / 3600, 1e-12);
    assert_near(cost.cost.hi, 200, 1e-12);
}

TEST(test_base)
{
    pm_cost_options o = prices();
    pm_payback cost;
    made_up m;

    make_up(&m, "a", (pm_interval){0.001, 0.002, 0.003}, exactly(2));
    o.hours = 40; /* hours of work for the version, none for the base */
    assert_int_equal(pm_cost_of(&m.advice, &m.choices[1], &o, &cost, NULL), PM_OK);
    assert_true(cost.hours.hi == 0 && cost.cost.mid == 0 && cost.saving.hi == 0);
    assert_true(isinf(cost.break_even_runs.mid) && isnan(cost.chance_a_year));
}

/* ---- options -------------------------------------------------------------------------------- */

static void set_number(pm_cost_options *o, size_t offset, double value)
{
    memcpy((char *)o + offset, &value, sizeof value);
}

TEST(test_wrong_options)
{
    const double n = (double)NAN, inf = (double)INFINITY;
    const struct {
        size_t offset;
        double values[8];
        const char *name;
    } wrong[] = {
        {offsetof(pm_cost_options, hours), {-1, inf, 1e7, -inf, -1, -1, -1, -1}, "--hours"},
        {offsetof(pm_cost_options, hourly_rate), {-1, n, inf, 1e300, -1, -1, -1, -1}, "--rate"},
        {offsetof(pm_cost_options, gpu_hour), {-1, n, inf, 1e300, -1, -1, -1, -1}, "--gpu-hour"},
        {offsetof(pm_cost_options, runs_per_month), {0, -1, n, inf, 1e300, 0, 0, 0}, "--runs"},
        {offsetof(pm_cost_options, passes), {0, 0.5, n, inf, 1e300, -1, 0, 0}, "--passes"},
        {offsetof(pm_cost_options, gpus), {0, 1.5, n, inf, 1e300, -1, 0, 0}, "--gpus"},
        {offsetof(pm_cost_options, effort.write_lines), {0, -1, n, inf, 0, 0, 0, 0}, "write"},
        {offsetof(pm_cost_options, effort.read_lines), {0, -1, n, inf, 0, 0, 0, 0}, "read"},
        {offsetof(pm_cost_options, effort.kernel_hours), {-1, n, inf, -1, -1, n, n, n}, "kernel"},
        {offsetof(pm_cost_options, effort.struct_hours), {-1, n, inf, -1, -1, n, n, n}, "struct"},
        {offsetof(pm_cost_options, effort.factor), {0.5, 0, n, inf, 101, -1, 0, 0}, "factor"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (size_t v = 0; v < 8; v++) {
            pm_cost_options o = prices();
            pm_payback cost;
            made_up m;

            make_up(&m, "a", exactly(1), exactly(2));
            set_number(&o, wrong[i].offset, wrong[i].values[v]);
            assert_int_equal(pm_cost_of(&m.advice, &m.choices[0], &o, &cost, told()), PM_BAD_INPUT);
            assert_error(PM_BAD_INPUT, wrong[i].name);
            assert_null(strchr(last_error.text, '\n'));
        }
}

TEST(test_currency)
{
    pm_cost_options o = prices();

    o.currency = "EUR";
    assert_int_equal(pm_cost_check(&o, NULL), PM_OK);
    o.currency = "";
    assert_int_equal(pm_cost_check(&o, NULL), PM_BAD_INPUT);
    o.currency = "a\033[2J";
    assert_int_equal(pm_cost_check(&o, NULL), PM_BAD_INPUT);
    o.currency = "seventeen letters";
    assert_int_equal(pm_cost_check(&o, NULL), PM_BAD_INPUT);
}

/* Options at their upper limits still give finite numbers. */
TEST(test_largest)
{
    pm_cost_options o = prices();
    made_up m;
    pm_payback cost;

    o.hours = 1e6;
    o.hourly_rate = o.gpu_hour = 1e9;
    o.runs_per_month = 1e15;
    o.passes = 1e12;
    o.gpus = 1e6;
    make_up(&m, "a", (pm_interval){1e5, 1e6, 1e7}, (pm_interval){0.1, 2, 100});
    cost = pay(&m, &o);
    assert_true(isfinite(cost.saving.lo) && isfinite(cost.net.hi) && cost.saving.hi > 0);
}

/* ---- the example in docs/cost.md ------------------------------------------------------------ */

static void assert_in_docs(const char *docs, const char *name, double lo, double mid, double hi,
                           const char *format)
{
    char row[256], numbers[3][64];
    const double values[] = {mid, lo, hi};

    for (size_t i = 0; i < 3; i++)
        snprintf(numbers[i], sizeof numbers[i], format, values[i]); /* NOLINT */
    snprintf(row, sizeof row, "| %s | %s | %s | %s |", name, numbers[0], numbers[1], numbers[2]);
    if (!strstr(docs, row))
        fail_msg("docs/cost.md has no row: %s", row);
}

static char *read_docs(void)
{
    FILE *file = need(fopen(PM_SOURCE_DIR "/docs/cost.md", "r"));
    char *text = room(1 << 16, 1);

    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

TEST(test_example)
{
    char *docs = read_docs(), chance[64];
    pm_cost_options o = pm_cost_options_default();
    pm_payback c;
    made_up m;

    make_up(&m, "a", (pm_interval){0.0016, 0.002, 0.0025}, (pm_interval){1.2, 1.5, 1.8});
    m.choices[0].rewrite =
        (pm_rewrite_size){.kernels = 1, .structs = 1, .source_lines = 20, .host_lines = 60};
    o.runs_per_month = 2e8;
    c = pay(&m, &o);
    assert_in_docs(docs, "hours", c.hours.lo, c.hours.mid, c.hours.hi, "%.1f");
    assert_in_docs(docs, "cost", c.cost.lo, c.cost.mid, c.cost.hi, "%.0f");
    assert_in_docs(docs, "saved a month", c.saving.lo, c.saving.mid, c.saving.hi, "%.1f");
    assert_in_docs(docs, "paid after, days", c.break_even_days.lo, c.break_even_days.mid,
                   c.break_even_days.hi, "%.0f");
    assert_in_docs(docs, "net after a year", c.net.lo, c.net.mid, c.net.hi, "%.0f");
    snprintf(chance, sizeof chance, "with a probability of %.0f %%", 100 * c.chance_a_year);
    assert_non_null(strstr(docs, chance));
}

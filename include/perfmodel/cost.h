/* Computes what a faster version of a program costs (work of a person) and saves (GPU hours,
 * energy). See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_COST_H
#define PERFMODEL_COST_H

#include "perfmodel/advise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number with its 90 % interval. mid: central value. lo, hi: 5 % and 95 % quantiles. NaN:
 * unknown. No later version adds members. */
typedef struct {
    double lo, mid, hi;
} pm_interval;

/* How fast a person writes and reviews code. The hours of work for a version are computed from
 * these rates. answer/cost/effort.c gives the source of each default. */
typedef struct {
    /* lines of code per hour that a person writes, including design and tests; above 0 */
    double write_lines;
    /* Lines per hour that a person reviews, of code that perfmodel transform wrote. Above 0. */
    double read_lines;
    double kernel_hours; /* hours to measure and test one kernel that changes, at least 0 */
    /* Hours for each struct whose layout changes: to adapt and test the host code. At least 0. */
    double struct_hours;
    /* Factor of the uncertainty of the estimated hours, at least 1. The 90 % interval of the hours
     * is hours / factor ... hours * factor. */
    double factor;
    uint64_t reserved[4];
} pm_effort_rates;

/* Price and CO2 emission of electricity. If a member is NaN, the saving in money or in CO2 is not
 * computed. */
typedef struct {
    double price; /* price of a kWh in pm_cost_options.currency, at least 0 */
    double co2_g; /* emission of the user's electricity, g of CO2 per kWh, at least 0 */
    uint64_t reserved[4];
} pm_energy_price;

/* Prices, and how often, how long and on how many GPUs a program runs. All amounts of money are in
 * the same currency. */
typedef struct {
    /* hours of work to write a version; NaN: estimated from the amount of code that changes */
    double hours;
    double hourly_rate;    /* price of an hour of work, at least 0 */
    double gpu_hour;       /* price of an hour of one GPU, at least 0 */
    double runs_per_month; /* runs of the program in a month, above 0 */
    /* Number of passes in a run of the program, at least 1. A pass makes each launch of the program
     * once. */
    double passes;
    /* number of GPUs that a run occupies for its whole time, an integer from 1 */
    double gpus;
    const char *currency; /* name of the currency for output, up to 16 bytes; NULL: none */
    pm_effort_rates effort;
    pm_energy_price energy;
    uint64_t reserved[8];
} pm_cost_options;

/* Returns the default options. hours is NaN. Prices and use are examples without a source: 100 for
 * an hour of work, 2 for an hour of a GPU, 1000 runs a month of one pass on one GPU. */
pm_cost_options pm_cost_options_default(void);
/* Checks the ranges of options. PM_BAD_INPUT if a number is out of range. The message names the
 * command-line option that sets the number. */
pm_status pm_cost_check(const pm_cost_options *options, pm_error *err);

/* How the energy was determined that a faster version of a program saves: measured, or estimated
 * from the power of the GPU. */
typedef enum {
    PM_ENERGY_UNKNOWN,
    /* PM_ENERGY_MEASURED: difference between the measured energies of the base variant and of the
     * version */
    PM_ENERGY_MEASURED,
    /* measured mean power of the base variant, times the time that the version saves */
    PM_ENERGY_BY_POWER,
    /* power limit of the board, times the saved time: an upper bound of the saving */
    PM_ENERGY_AT_MOST
} pm_energy_basis;
/* Returns the name of the method by which the saved energy was determined: "measured", "power", "at
 * most" or "unknown". The text is static. */
const char *pm_energy_basis_name(pm_energy_basis basis);

/* Energy that a version saves; negative if the version takes more energy than the base variant. It
 * is the energy of the GPU board alone, without host and cooling. A pass (each launch of the
 * program once) of the base variant takes T seconds at power P, and the version has gain G. The
 * version then saves P T (1 - 1/G) joules in a pass, computed from the medians of T and G. If the
 * energies of the base variant and of the version were measured, `joules` is their difference. NaN:
 * unknown, or the price is NaN. */
typedef struct {
    pm_energy_basis basis;
    /* Power P of the base variant in W. If basis is PM_ENERGY_AT_MOST, it is the board's power
     * limit. */
    double watts;
    /* energy that the version saves in one pass (each launch of the program once), J */
    double joules;
    double kwh_a_month; /* joules * runs_per_month * passes * gpus, in kWh a month */
    /* money_a_month: price of the energy that is saved in a month. co2_kg_a_month: its emission, kg
     * of CO2. NaN: unknown. */
    double money_a_month, co2_kg_a_month;
    uint64_t reserved[4];
} pm_energy_saving;

/* Cost of a faster version of a program (hours of work), and the saving that it brings. A month
 * is 365.25 / 12 days. If the interval of time or gain is unknown, lo, hi and chance_a_year are
 * NaN. */
typedef struct {
    pm_interval hours; /* hours of work */
    pm_interval cost;  /* price of these hours */
    /* GPU price that the version saves in a month; negative if the version is slower */
    pm_interval saving;
    /* runs of the program until the saving equals the cost of the work; infinite: never */
    pm_interval break_even_runs;
    /* days until the saving equals the cost of the work; infinite: never */
    pm_interval break_even_days;
    /* GPU price that the version saves in twelve months, minus the cost of the work */
    pm_interval net;
    /* probability (0 ... 1) that the version has saved more than it cost after twelve months (net >
     * 0); NaN for the base variant */
    double chance_a_year;
    pm_energy_saving energy; /* saving of energy, which is not included in `saving` */
    uint64_t reserved[8];
} pm_payback;

/* Computes cost and saving of a choice of the advice. Base time T, gain G and hours H are
 * independent random variables, each with a distribution that has its median and interval
 * (answer/cost/chance.h). Each result's mid is computed from the medians of T, G and H. Its lo and
 * hi, and the chance, are integrated over the distributions. The saving of a month is
 * runs_per_month * passes * gpus * gpu_hour / 3600 * T (1 - 1/G). The base variant costs 0 and
 * saves 0. PM_BAD_INPUT if an option is out of range. */
pm_status pm_cost_of(const pm_advice *advice, const pm_choice *choice,
                     const pm_cost_options *options, pm_payback *cost, pm_error *err);

/* A GPU on which the program can run, with its price. */
typedef struct {
    const pm_advice *advice; /* advice for this GPU, on the same program and size */
    double gpu_hour;         /* price of an hour of this GPU */
    uint64_t reserved[4];
} pm_place_to_run;

/* Cost of the GPU hours that a program needs on one GPU: unmodified (base), and as the version
 * that perfmodel recommends for this GPU (best). */
typedef struct {
    /* price of the GPU hours that one month of runs needs: with the base variant (base), and with
     * the advised version (best) */
    pm_interval base, best;
    double base_year; /* price of the GPU hours of the base variant in twelve months */
    /* price of the GPU hours of the advised version in twelve months, plus the price of the work to
     * write it */
    double best_year;
    uint64_t reserved[4];
} pm_place_cost;

/* The cheapest of four ways to run a program for twelve months: the unmodified program (BASE) or
 * the fastest version (BEST), on the GPU "here" or on the GPU "there". */
typedef enum { PM_BASE_HERE, PM_BEST_HERE, PM_BASE_THERE, PM_BEST_THERE } pm_cheapest;

/* Comparison of a program's costs on two GPUs. */
typedef struct {
    pm_place_cost here, there;
    /* cheapest combination of GPU and version after twelve months; a base variant wins a tie */
    pm_cheapest cheapest;
    /* Days until the advised version on the GPU `here` has cost less than the base variant on the
     * GPU `there`, the work included. 0: from the start. Infinite: never. */
    pm_interval overtakes;
    /* probability (0 ... 1) that `overtakes` is at most twelve months; NaN: unknown */
    double chance_a_year;
    uint64_t reserved[8];
} pm_elsewhere;

/* Compares two alternatives: to optimize a program for one GPU, or to run its base variant on
 * another GPU (Shimada et al. 2010, section 1). The times on the two GPUs are independent random
 * variables. options->gpu_hour is not used. PM_BAD_INPUT if an option is out of range, or if the
 * two advices differ in program or size. */
pm_status pm_cost_elsewhere(const pm_place_to_run *here, const pm_place_to_run *there,
                            const pm_cost_options *options, pm_elsewhere *elsewhere, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif

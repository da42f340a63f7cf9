/* What a version costs and returns. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_COST_H
#define PERFMODEL_COST_H

#include "perfmodel/advise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The middle, and the 5 % and 95 % quantiles around it. Complete. */
typedef struct {
    double lo, mid, hi;
} pm_interval;

/* What an hour of work does; cost/effort.c says where each number is from. */
typedef struct {
    double write_lines;  /* an hour, of a version written by hand, design and tests included */
    double read_lines;   /* an hour, of what perfmodel transform wrote and a person looks through */
    double kernel_hours; /* for each kernel that changes: to measure and to test it */
    double
        struct_hours; /* for each struct that changes: to connect the host code, and to test it */
    double factor;    /* the 90 % interval of the hours is from 1/factor to factor of them */
    uint64_t reserved[4];
} pm_effort_rates;

/* What energy costs; NaN: not asked. */
typedef struct {
    double price; /* of a kWh */
    double co2_g; /* grams of CO2 for a kWh, of the mix that the user has */
    uint64_t reserved[4];
} pm_energy_price;

typedef struct {
    double hours;          /* of work for a version; NaN: estimated from what it rewrites */
    double hourly_rate;    /* an hour of work costs */
    double gpu_hour;       /* an hour of one GPU costs */
    double runs_per_month; /* of the program */
    double passes;         /* of the program's launches in a run */
    double gpus;           /* that a run occupies, each of them for all of its time */
    const char *currency;  /* for people; NULL: none is named */
    pm_effort_rates effort;
    pm_energy_price energy;
    uint64_t reserved[8];
} pm_cost_options;

/* Hours are estimated. The prices and the runs are examples without a source: 100 an hour of work,
 * 2 an hour of a GPU, 1000 runs a month of one pass on one GPU. */
pm_cost_options pm_cost_options_default(void);
/* PM_BAD_INPUT: a number that is impossible, or too large for the results; the message names it as
 * the command line does. */
pm_status pm_cost_check(const pm_cost_options *options, pm_error *err);

/* How the energy that a version saves is known. */
typedef enum {
    PM_ENERGY_UNKNOWN,
    PM_ENERGY_MEASURED, /* that of both versions was measured */
    PM_ENERGY_BY_POWER, /* the base's mean power as measured, for the time saved */
    PM_ENERGY_AT_MOST   /* the board's power limit for it: no more than that */
} pm_energy_basis;
/* measured, power, at most, unknown */
const char *pm_energy_basis_name(pm_energy_basis basis);

/* What a version saves of energy; negative where it takes more. Of the board alone: neither its
 * host nor cooling is in it. With base time T, gain G and power P a pass saves P T (1 - 1/G), at
 * the middle of time and gain; where the energy of both was measured, the difference. NaN: unknown,
 * or its price was not asked. */
typedef struct {
    pm_energy_basis basis;
    double watts;       /* that the base draws; at most: the limit */
    double joules;      /* a pass */
    double kwh_a_month; /* runs x passes x gpus of it */
    double money_a_month, co2_kg_a_month;
    uint64_t reserved[4];
} pm_energy_saving;

/* A month is a twelfth of 365.25 days. An unknown interval makes lo and hi NaN, and the chance. */
typedef struct {
    pm_interval hours;
    pm_interval cost;            /* of the hours */
    pm_interval saving;          /* a month; negative where the version is slower */
    pm_interval break_even_runs; /* until the saving has paid the cost; infinite: it never does */
    pm_interval break_even_days;
    pm_interval net;         /* twelve months' saving less the cost */
    double chance_a_year;    /* that it saves, and that it has paid the cost after twelve months */
    pm_energy_saving energy; /* no part of the saving */
    uint64_t reserved[8];
} pm_payback;

/* What a choice costs and returns. With base time T, gain G and hours H independent of each other,
 * each a distribution from its middle and interval (cost/chance.h), it is integrated over them:
 * saving = runs x passes x gpus x price x T (1 - 1/G). The base itself costs and saves 0. */
pm_status pm_cost_of(const pm_advice *advice, const pm_choice *choice,
                     const pm_cost_options *options, pm_payback *cost, pm_error *err);

/* A GPU to run on, and what an hour of it costs. */
typedef struct {
    const pm_advice *advice; /* of the same program and size for that GPU */
    double gpu_hour;
    uint64_t reserved[4];
} pm_place_to_run;

/* A program on one GPU, as it is and in the version that is proposed for it. */
typedef struct {
    pm_interval base, best; /* a month */
    double base_year;       /* after twelve months */
    double best_year;       /* the same, with the version's work */
    uint64_t reserved[4];
} pm_place_cost;

/* Where to run, and whether to optimize, after a year. */
typedef enum { PM_BASE_HERE, PM_BEST_HERE, PM_BASE_THERE, PM_BEST_THERE } pm_cheapest;

typedef struct {
    pm_place_cost here, there;
    pm_cheapest cheapest;  /* the least sum after twelve months; without work in case of a tie */
    pm_interval overtakes; /* days after which the optimized program here has cost less than the
                            * unoptimized one there; infinite: never. 0: at once */
    double chance_a_year;  /* that it has after twelve months */
    uint64_t reserved[8];
} pm_elsewhere;

/* The other choice than to optimize for a GPU (Shimada et al. 2010, section 1): to run the program
 * as it is on another one. The times on the two GPUs are taken as independent. */
pm_status pm_cost_elsewhere(const pm_place_to_run *here, const pm_place_to_run *there,
                            const pm_cost_options *options, pm_elsewhere *elsewhere, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif

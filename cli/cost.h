/* The options of advise about money, and what it prints of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_COST_H
#define PM_CLI_COST_H

#include "cli.h"
#include "report/table_cost.h"

/* A GPU to run the unoptimized program on. */
typedef struct {
    char *name;
    double price; /* NaN: as --gpu-hour */
} cli_instead;

typedef struct {
    pm_cost_options options;
    bool wanted;    /* any option was given */
    unsigned given; /* bit pm_table_assumption: that number was */
    size_t instead_count;
    cli_instead *instead;
} cli_cost;

/* A child of a command's argp; its input is the cli_cost. */
extern const struct argp cli_cost_argp;
void cli_cost_init(cli_cost *cost);
void cli_cost_free(cli_cost *cost); /* what it owns, not itself */
/* Once all is parsed: numbers that cannot be, and GPUs that cannot stand in for the target. folder
 * (may be NULL): where devices.csv is looked up. */
void cli_cost_check(const cli_cost *cost, const char *target, const char *folder,
                    const struct argp_state *state);

/* What was asked of money, as far as it could be told: null where nothing was. */
json_t *cli_json_cost_options(const cli_cost *cost);
/* null where nothing was asked. */
json_t *cli_json_cost(const pm_payback *cost);
json_t *cli_json_elsewhere(const pm_table_place *places, size_t count);

/* A whole advice; costs has one for each choice, or is NULL. */
json_t *cli_json_advice(const pm_advice *advice, const pm_payback *costs);

#endif

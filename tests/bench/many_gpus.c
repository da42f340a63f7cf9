/* Prints what the model of many GPUs has estimated from all known times, each with its standard
 * error: the components of the correlation between GPUs (of their parameters, and of the residuals
 * of programs), and the fraction of a program's residual on one GPU that is expected on another.
 * Run it as many_gpus.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/session/session.h"
#include "model/transfer/pooled.h"

static void print_shares(const char *of, const pm_hierarchy_common *c)
{
    printf("| %s | %.2f +- %.2f | %.2f +- %.2f | %.2f +- %.2f | %.2f | %.1f +- %.1f |\n", of,
           c->share.all, c->error.all, c->share.architecture, c->error.architecture, c->share.age,
           c->error.age, 1 - c->share.all - c->share.architecture - c->share.age, c->share.years,
           c->error.years);
}

static void print(const pm_hierarchy *h, const pm_hierarchy_kept *kept)
{
    static const char *const names[PM_KINSHIPS] = {"the same chip", "the same architecture",
                                                   "the same maker", "different makers"};
    pm_hierarchy_common parameters, programs;

    pm_hierarchy_shares(h, &parameters, &programs);
    printf("| fractions of the variance of | common to all GPUs | common to an architecture | "
           "correlated by age | the GPU's own | years until the correlation by age is 1/e |\n"
           "|---|---|---|---|---|---|\n");
    print_shares("parameters", &parameters);
    print_shares("programs' residuals", &programs);
    printf("\n| residuals transferred to a GPU of | transferred fraction | GPUs in the estimate |\n"
           "|---|---|---|\n");
    for (size_t k = 0; k < PM_KINSHIPS; k++)
        printf("| %s | %.2f +- %.2f | %zu |\n", names[k], kept->share[k], kept->error[k],
               kept->gpus[k]);
}

/* gpus: all GPUs except the one that is used as target. */
static pm_status learn(pm_session *session, pm_known_gpu **gpus, pm_pooled **pooled, pm_error *err)
{
    const pm_classes *classes = pm_classes_find(session, err);
    const pm_hierarchy *h;
    size_t count;
    pm_status status =
        classes ? pm_known_list(session, &(pm_known_choice){.all = true}, gpus, &count, err)
                : err->status;

    if (status == PM_OK && count == 0)
        status = pm_fail(err, PM_BAD_INPUT, "no GPU has times and traced counters");
    if (status == PM_OK)
        status = pm_pooled_create(session, *gpus, count, classes, pooled, err);
    if (status == PM_OK)
        status = pm_pooled_find(*pooled, "", (pm_withheld){.unit = PM_LEAVE_NOTHING}, &h, err);
    if (status == PM_OK)
        print(h, pm_hierarchy_what_is_kept(h));
    return status;
}

int main(void)
{
    pm_error err = {0};
    pm_session *session = pm_session_create(NULL, &err);
    pm_known_gpu *gpus = NULL;
    pm_pooled *pooled = NULL;
    const bool done = session && learn(session, &gpus, &pooled, &err) == PM_OK;

    if (!done)
        fprintf(stderr, "many_gpus: %s\n", err.text);
    pm_pooled_free(pooled);
    free(gpus);
    pm_session_free(session);
    return done ? 0 : 1;
}

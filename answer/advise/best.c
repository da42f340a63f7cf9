/* Selects the version of a program that is proposed to the user: the one with the largest predicted
 * gain (time of the unmodified program divided by time of the version) among those that compute
 * correct results. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "compiler/language.h"
#include "program/suite/suite.h"

/* ---- choosing -------------------------------------------------------------------------------- */

/* Least advantage of a version that stages arrays in local memory (1.02 = 2 % faster). Such a
 * version is compared with the fastest version that does not stage. It is proposed only if its gain
 * is at least LEAST_GAIN times the gain of the other one, because local memory costs effort and
 * occupancy. In addition, the low end of the interval of its gain must not be below the gain of the
 * other one. */
static const double LEAST_GAIN = 1.02;

static double gain_of(const pm_choice *choice)
{
    return choice->measured ? choice->measured_gain : choice->gain;
}

/* Returns the version (choice) with the largest gain over the base variant. Returns the first one
 * if several gains are equal or none is known. A version that stages arrays in local memory must
 * also be LEAST_GAIN times as fast as the best version that does not. */
static const pm_choice *choose_best(const pm_advising *a)
{
    const pm_advice *advice = a->advice;
    const pm_choice *best = NULL;
    double plain = 1;

    for (size_t c = 0; c < advice->n; c++)
        if (!pm_advise_is_staged(a->program, advice->choices[c].variant))
            plain = fmax(plain, gain_of(&advice->choices[c]));
    for (size_t c = 0; c < advice->n; c++) {
        const pm_choice *choice = &advice->choices[c];
        double lo = choice->measured ? choice->measured_lo : choice->lo;

        if ((!pm_advise_is_staged(a->program, choice->variant) ||
             (gain_of(choice) >= LEAST_GAIN * plain && !(lo < plain))) &&
            (!best || gain_of(choice) > gain_of(best)))
            best = choice;
    }
    return best ? best : &advice->choices[0];
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Builds the variant in the smallest of the program's sizes in which it can be built; the caller
 * frees it. NULL: it could not be built in any size up to a->size, and *why has the error. */
static pm_workload *build_smallest(pm_advising *a, const char *variant, pm_error *why)
{
    const uint64_t seed = pm_session_chosen(a->session)->seed;
    pm_workload *workload = NULL;

    for (const char *const *s = a->program->info.sizes; *s && !workload; s++) {
        workload = pm_program_build_against(a->program, variant, *s, seed, a->session, why);
        if (!workload && why->status != PM_BAD_INPUT)
            pm_leave(&a->memory, why->status, "%s", why->text);
        if (strcmp(*s, a->size) == 0)
            break; /* sizes larger than a->size, the size to advise for, are not tried */
    }
    return workload;
}

/* Returns the number of instructions that all work-items of a traced variant execute, summed over
 * its kernels, in a->size (the size to advise for). */
static double instructions_of(const pm_advising *a, const char *variant)
{
    double sum = 0;

    for (size_t i = 0; i < pm_dataset_counters(a->rows); i++) {
        if (strcmp(pm_dataset_counter_name(a->rows, i), "thread_inst_executed") != 0)
            continue;
        for (size_t row = 0; row < pm_dataset_rows(a->rows); row++) {
            const pm_sample *s = pm_dataset_sample(a->rows, row);

            if (strcmp(s->variant, variant) == 0 && strcmp(s->size, a->size) == 0)
                sum += s->counters[i];
        }
    }
    return sum;
}

static double work_of(const pm_advising *a, const char *variant)
{
    for (size_t i = 0; i < a->traced_count; i++)
        if (strcmp(a->traced[i].variant, variant) == 0)
            return a->traced[i].work;
    return (double)NAN;
}

/* Estimates the number of instructions that a check of the variant executes in the size of
 * `workload`. The number of instructions in the traced size is multiplied by the ratio of the
 * amounts of work in both sizes. If the expected results come from a run of the base variant, the
 * instructions of that run are added. The estimate uses counts and not time, so that the load of
 * the machine does not decide whether a check is run. */
static double estimate(const pm_advising *a, const char *variant, const pm_workload *workload)
{
    double instructions = instructions_of(a, variant);

    if (a->program->build_against)
        instructions += instructions_of(a, a->advice->base);
    return instructions * workload->work / work_of(a, variant);
}

static void leave_unchecked(pm_advising *a, char *why)
{
    a->advice->checked = "no";
    a->advice->unchecked = why;
}

/* Runs the variant in the trace engine and compares its results with the expected ones. Returns
 * false if they are wrong, and true if they are right or could not be compared. */
static bool run_version(pm_advising *a, const char *variant)
{
    pm_advice *advice = a->advice;
    pm_error why = {0};

    pm_session_show(a->session, advice->n, advice->n + 1,
                    pm_format(&a->memory, "check %s", variant));
    switch (pm_verify(a->session, advice->target, a->workload, &why)) {
    case PM_RIGHT:
        advice->checked = "trace";
        advice->checked_size = pm_copy(&a->kept, a->workload->size);
        return true;
    case PM_WRONG:
        pm_notice(pm_session_log(a->session), "%s: not proposed: %s", variant, why.text);
        return false;
    case PM_UNVERIFIED:
        break;
    }
    pm_require(&a->memory, pm_session_go_on(a->session, a->memory.err));
    leave_unchecked(a, pm_copy(&a->kept, why.text));
    return true;
}

static bool check(pm_advising *a, const char *variant)
{
    const double limit = a->options->check_limit > 0 ? a->options->check_limit : PM_CHECK_LIMIT;
    pm_error why = {0};
    double instructions;
    bool right = true;

    if (strcmp(variant, a->advice->base) == 0) {
        leave_unchecked(a, pm_copy(&a->kept, "the program as it is"));
        return true;
    }
    a->workload = build_smallest(a, variant, &why);
    if (!a->workload) {
        leave_unchecked(a, pm_copy(&a->kept, why.text));
        return true;
    }
    instructions = estimate(a, variant, a->workload);
    if (instructions > limit)
        leave_unchecked(a, pm_format(&a->kept,
                                     "size %s takes about %.2g instructions of %s, more "
                                     "than --check-limit %g",
                                     a->workload->size, instructions,
                                     pm_terms_of(pm_language_of(a->workload->source_path))->items,
                                     limit));
    else
        right = run_version(a, variant);
    pm_advise_release(a);
    return right;
}

/* ---- selection ------------------------------------------------------------------------------- */

static void remove_choice(pm_advice *advice, const char *variant)
{
    size_t c = 0;

    while (strcmp(advice->choices[c].variant, variant) != 0)
        c++;
    advice->n--;
    memmove(&advice->choices[c], &advice->choices[c + 1],
            (advice->n - c) * sizeof *advice->choices);
}

void pm_advise_best(pm_advising *a)
{
    const char *best = choose_best(a)->variant;

    while (!check(a, best)) {
        remove_choice(a->advice, best);
        best = choose_best(a)->variant;
    }
    a->advice->best = pm_copy(&a->kept, best);
}

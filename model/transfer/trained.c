/* The units model (times of a GPU's functional units), fitted to some GPUs. A fit without a program
 * or class is computed when a prediction first needs it, and then reused. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS, LEAST_PROGRAMS = 3 };

/* ---- rows ----------------------------------------------------------------------------------- */

/* Returns true if a and b have the same programs in the same order. If not, the folds that were
 * computed for the names in the cache are not valid for the rows that were read from the files. */
static bool has_same_programs(const pm_transfer_rows *a, const pm_transfer_rows *b)
{
    bool same = a->of.groups == b->of.groups;

    for (size_t g = 0; same && g < a->of.groups; g++)
        same = strcmp(a->program[g], b->program[g]) == 0;
    return same;
}

void pm_trained_fill(pm_trained *trained)
{
    pm_transfer_rows rows = {.units = NULL};

    if (trained->filled)
        return;
    for (size_t g = 0; g < trained->gpu_count; g++) {
        pm_go_on(&trained->memory);
        pm_require(&trained->memory, pm_known_read(&trained->gpus[g], trained->memory.err));
    }
    pm_transfer_rows_fill(&trained->memory, &rows, trained->gpus, trained->gpu_count,
                          trained->classes);
    if (trained->rows.program && !has_same_programs(&trained->rows, &rows))
        pm_leave(&trained->memory, PM_FAILED,
                 "datasets were changed while they were read; try again");
    trained->rows = rows;
    trained->rows.of.robust = true;
    trained->filled = true;
    pm_trained_save_rows(trained);
}

static void make_cuts(void *user)
{
    pm_trained *trained = user;
    const pm_transfer_rows *rows = &trained->rows;

    if (!pm_trained_load_rows(trained))
        pm_trained_fill(trained);
    if (rows->of.groups < LEAST_PROGRAMS)
        pm_leave(&trained->memory, PM_BAD_INPUT,
                 "%zu programs have measured times and traced counters of GPUs with a "
                 "profile; %d are needed (perfmodel collect, and collect --device none "
                 "--target NAME)",
                 rows->of.groups, LEAST_PROGRAMS);
    pm_transfer_cut_make(&trained->memory, rows, rows->program, &trained->programs);
    pm_transfer_cut_make(&trained->memory, rows, rows->class, &trained->kinds);
}

pm_status pm_trained_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                            const pm_classes *classes, pm_trained **out, pm_error *err)
{
    pm_trained *trained = calloc(1, sizeof *trained);
    pm_status status;

    *out = NULL;
    if (!trained)
        return pm_fail(err, PM_FAILED, "out of memory for a model");
    *trained = (pm_trained){.gpus = gpus,
                            .gpu_count = count,
                            .classes = classes,
                            .memory.cancel = pm_session_cancel(session)};
    trained->store = pm_trained_store(session, trained);
    status = pm_attempt(&trained->memory, make_cuts, trained, err);
    if (status == PM_OK)
        *out = trained;
    else
        pm_trained_free(trained);
    return status;
}

void pm_trained_free(pm_trained *trained)
{
    if (!trained)
        return;
    pm_memory_free(&trained->memory);
    free(trained);
}

/* ---- a fit ---------------------------------------------------------------------------------- */

static pm_units_rows folded(const pm_units_rows *rows, size_t folds, const size_t *fold)
{
    pm_units_rows result = *rows;

    result.folds = folds;
    result.fold = fold;
    return result;
}

/* Fits the parameters of a set. The fit starts at the prior means. It must not start at the
 * parameters fitted to all rows, because these depend on the rows that the set leaves out. */
static void fit(pm_trained *trained, pm_transfer_set *set)
{
    const pm_transfer_cut *cut = set->cut;
    const pm_units_rows rows = folded(&trained->rows.of, cut->folds, cut->fold);

    set->fitted = pm_take(&trained->memory, P, sizeof *set->fitted);
    memcpy(set->fitted, trained->rows.units->prior, P * sizeof *set->fitted);
    pm_require(&trained->memory, pm_units_fit(trained->rows.units, &rows, set->left_out,
                                              set->fitted, trained->memory.err));
}

/* ---- sets ----------------------------------------------------------------------------------- */

typedef struct {
    pm_trained *trained;
    pm_transfer_set **place;
    pm_transfer_set set;
} learning;

static void learn(void *user)
{
    learning *l = user;
    pm_trained *trained = l->trained;
    pm_transfer_set *kept;

    trained->scratch = pm_memory_beside(&trained->memory);
    if (!pm_trained_load_set(trained, &l->set)) {
        pm_trained_fill(trained);
        fit(trained, &l->set);
        pm_transfer_spread(trained, &l->set);
        pm_trained_save_set(trained, &l->set);
    }
    kept = pm_take(&trained->memory, 1, sizeof *kept);
    *kept = l->set;
    *l->place = kept;
}

/* Returns class[g], the class of the program of group g. The program trained->renamed has the class
 * trained->renamed_class. */
static const char **rename_class(pm_trained *trained)
{
    const pm_transfer_rows *rows = &trained->rows;
    const char **class = pm_take(&trained->memory, rows->of.groups, sizeof *class);

    for (size_t g = 0; g < rows->of.groups; g++)
        class[g] = pm_are_twins(rows->program[g], trained->renamed) ? trained->renamed_class
                                                                    : rows->class[g];
    return class;
}

typedef struct {
    pm_trained *trained;
    const char *program, *class;
} renaming;

static void rename_program(void *user)
{
    const renaming *r = user;
    pm_trained *trained = r->trained;
    pm_transfer_cut *cut = pm_take(&trained->memory, 1, sizeof *cut);

    trained->renamed_class = pm_copy(&trained->memory, r->class);
    trained->renamed = pm_copy(&trained->memory, r->program);
    pm_transfer_cut_make(&trained->memory, &trained->rows, rename_class(trained), cut);
    trained->renamed_kinds = cut;
}

static pm_status find_kinds(pm_trained *trained, const char *program, const char *class,
                            pm_transfer_cut **cut, pm_error *err)
{
    renaming r = {trained, program, class};
    pm_status status = PM_OK;

    *cut = &trained->kinds;
    if (strcmp(class, pm_class_of(trained->classes, program)) == 0)
        return PM_OK;
    if (!trained->renamed || strcmp(trained->renamed, program) != 0 ||
        strcmp(trained->renamed_class, class) != 0)
        status = pm_attempt(&trained->memory, rename_program, &r, err);
    if (status != PM_OK)
        trained->renamed = NULL;
    *cut = trained->renamed_kinds;
    return status;
}

/* Stores in *place the set of parameters that was fitted without one fold of the division `cut`.
 * cut->folds: no fold is left out. Does nothing if *place is already set. */
static pm_status have_set(pm_trained *trained, const pm_transfer_cut *cut, size_t fold,
                          pm_transfer_set **place, pm_error *err)
{
    learning l = {trained, place, {.cut = cut, .left_out = fold}};
    pm_status status = PM_OK;

    if (*place)
        return PM_OK;
    status = pm_attempt(&trained->memory, learn, &l, err);
    pm_memory_free(&trained->scratch);
    return status;
}

pm_status pm_trained_find(pm_trained *trained, const char *program, pm_withheld without,
                          const pm_transfer_set **set, pm_error *err)
{
    const char *class = without.class ? without.class : pm_class_of(trained->classes, program);
    const bool by_class = without.unit == PM_LEAVE_CLASS;
    pm_transfer_cut *cut = &trained->programs;
    pm_transfer_set **place = &trained->all;
    pm_status status = by_class ? find_kinds(trained, program, class, &cut, err) : PM_OK;
    size_t fold;

    *set = NULL;
    if (status != PM_OK)
        return status;
    fold = cut->folds;
    if (without.unit != PM_LEAVE_NOTHING)
        fold = pm_transfer_fold(cut, &trained->rows, by_class ? class : program);
    if (fold != cut->folds)
        place = &cut->sets[fold];
    status = have_set(trained, cut, fold, place, err);
    *set = *place;
    return status;
}

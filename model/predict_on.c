/* Predictions for a GPU by name: from its dataset where that has enough, else from its profile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "predict_profile.h"
#include "profile.h"

/* Programs that the target's dataset must have for a model of its own; with fewer they recalibrate
 * that of other GPUs. */
enum { ENOUGH_PROGRAMS = 5 };

static bool is_first_of_program(const pm_dataset *dataset, size_t i)
{
    const pm_sample *s = pm_dataset_sample(dataset, i);

    if (!(s->time_s > 0))
        return false;
    for (size_t k = 0; k < i; k++) {
        const pm_sample *t = pm_dataset_sample(dataset, k);

        if (t->time_s > 0 && strcmp(s->program, t->program) == 0)
            return false;
    }
    return true;
}

static bool has_enough(const pm_dataset *dataset)
{
    size_t count = 0;

    for (size_t i = 0; count < ENOUGH_PROGRAMS && i < pm_dataset_rows(dataset); i++)
        count += is_first_of_program(dataset, i);
    return count == ENOUGH_PROGRAMS;
}

/* The dataset of the samples to predict; *from stays NULL where there is none and none is asked
 * for. */
static pm_status open_from(const pm_predict_options *options, pm_dataset **from, pm_error *err)
{
    char path[PATH_MAX];
    pm_error none = {0};
    pm_status status;

    *from = NULL;
    if (options->from)
        status = pm_dataset_locate(options->from, options->model.datasets, path, sizeof path, err);
    else if (pm_dataset_locate_latest(options->model.datasets, path, sizeof path, &none) == PM_OK)
        status = PM_OK;
    else
        return PM_OK;
    if (status != PM_OK)
        return status;
    *from = pm_dataset_read(path, &options->model.log, err);
    if (!*from)
        return err->status;
    if (pm_dataset_rows(*from) == 0)
        return pm_fail(err, PM_BAD_INPUT, "%s: it has no rows; collect some", path);
    return PM_OK;
}

/* The target's dataset, or NULL where it has none. */
static pm_status open_target(const pm_predict_options *options, pm_dataset **target, pm_error *err)
{
    char path[PATH_MAX];
    pm_profile profile = {0};
    pm_error missing = {0}, row = {0};
    pm_status status =
        pm_dataset_locate(options->target, options->model.datasets, path, sizeof path, &missing);

    *target = NULL;
    if (status == PM_OK) {
        *target = pm_dataset_read(path, &options->model.log, err);
        return *target ? PM_OK : err->status;
    }
    /* Neither a dataset nor a row: what the table says of the row is the better answer unless the
     * name is that of a file. */
    if (strchr(options->target, '/') || strstr(options->target, ".csv"))
        return pm_fail(err, status, "%s", missing.text);
    if (pm_profile_need(options->target, options->model.datasets, &profile, &row) != PM_OK)
        return pm_fail(err, row.status, "%s; %s", row.text, missing.text);
    return PM_OK;
}

static pm_status choose_basis(const pm_predict_options *options, const pm_dataset *target,
                              bool *use_dataset, pm_error *err)
{
    pm_profile profile = {0};
    pm_status status = PM_OK;

    *use_dataset =
        options->basis ? strcmp(options->basis, "dataset") == 0 : target && has_enough(target);
    if (!options->basis && target && !*use_dataset) {
        status = pm_profile_find(options->target, options->model.datasets, &profile, err);
        *use_dataset = !profile.present;
    }
    return status;
}

static pm_status check_basis(const pm_predict_options *options, pm_error *err)
{
    if (options->basis && strcmp(options->basis, "dataset") != 0 &&
        strcmp(options->basis, "profile") != 0)
        return pm_fail(err, PM_BAD_INPUT, "no basis '%s'; there is: dataset, profile",
                       options->basis);
    return PM_OK;
}

static pm_predictions *from_dataset(const pm_predict_options *options, pm_dataset **target,
                                    pm_dataset **from, pm_error *err)
{
    pm_predictions *result;

    if (!*target || !*from) {
        pm_fail(err, PM_BAD_INPUT,
                !*target ? "%s: no dataset of that name; --basis profile needs none"
                         : "%s: no samples to predict from; name some with --from",
                options->target);
        return NULL;
    }
    result =
        pm_predict(*target, *from, options->programs, options->leave_out, &options->model, err);
    if (!result)
        return NULL;
    result->data = calloc(1, sizeof *result->data);
    if (!result->data) {
        pm_fail(err, PM_FAILED, "out of memory for predictions");
        pm_predictions_free(result);
        return NULL;
    }
    result->data->rows = *from;
    result->data->measured = *target;
    *from = *target = NULL;
    return result;
}

pm_predictions *pm_predict_on(const pm_predict_options *options, pm_error *err)
{
    pm_error ignored = {0};
    pm_dataset *target = NULL, *from = NULL;
    pm_predictions *result = NULL;
    bool use_dataset;
    pm_status status;

    err = err ? err : &ignored;
    status = check_basis(options, err);
    if (status == PM_OK)
        status = open_target(options, &target, err);
    if (status == PM_OK)
        status = open_from(options, &from, err);
    if (status == PM_OK)
        status = choose_basis(options, target, &use_dataset, err);
    if (status == PM_OK)
        result = use_dataset ? from_dataset(options, &target, &from, err)
                             : pm_predict_profile(options, from, target, err);
    pm_dataset_free(target);
    pm_dataset_free(from);
    return result;
}

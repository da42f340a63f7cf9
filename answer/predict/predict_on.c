/* Predicts times on a GPU that is given by its name. A model of the times in the GPU's own dataset
 * is used if it has enough rows, otherwise the units model with the GPU's row of devices.csv (its
 * profile).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "machine/profile.h"
#include "model/method.h"
#include "model/samples/dataset.h"
#include "model/transfer/known.h"

/* Opens the dataset of the samples to predict. *from remains NULL if `name` is NULL. */
static pm_status open_from(pm_session *session, const char *name, const pm_dataset **from,
                           pm_error *err)
{
    if (!name)
        return PM_OK;
    *from = pm_dataset_open(session, name, err);
    return *from ? PM_OK : err->status;
}

/* Opens the dataset of the target GPU; *target is NULL if it has none. A dataset of the user is
 * used only if its path was given, or if devices.csv has no row for the GPU. */
static pm_status open_target(pm_session *session, const char *name, const pm_dataset **target,
                             pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    char path[PATH_MAX];
    pm_profile profile = {0};
    pm_error missing = {0}, row = {0};
    pm_status status = PM_OK;

    if (pm_dataset_locate_known(name, folder, path, sizeof path)) {
        *target = pm_dataset_open_at(session, path, err);
        return *target ? PM_OK : err->status;
    }
    /* The target has no dataset in the known folders. If it has no row in devices.csv either, a
     * message about the missing row helps the user more than a message about a missing file. This
     * is not so if the name is a file name. */
    if (!strchr(name, '/') && !strstr(name, ".csv"))
        status = pm_profile_find(name, folder, &profile, err);
    if (status != PM_OK || profile.present)
        return status; /* if reading the row failed, `err` already has the reason */
    status = pm_dataset_locate(name, folder, path, sizeof path, &missing);
    if (status == PM_OK) {
        *target = pm_dataset_open_at(session, path, err);
        return *target ? PM_OK : err->status;
    }
    if (strchr(name, '/') || strstr(name, ".csv"))
        return pm_fail(err, status, "%s", missing.text);
    if (pm_profile_need(name, folder, &profile, &row) != PM_OK)
        return pm_fail(err, row.status, "%s; nor is a dataset called so", row.text);
    return PM_OK;
}

/* Returns true if the two datasets have no program in common, so that the times on the target
 * cannot be paired with the counters in `from`. */
static bool are_apart(const pm_dataset *target, const pm_dataset *from)
{
    for (size_t i = 0; i < pm_dataset_rows(from); i++)
        for (size_t k = 0; k < pm_dataset_rows(target); k++)
            if (strcmp(pm_dataset_sample(from, i)->program,
                       pm_dataset_sample(target, k)->program) == 0)
                return false;
    return true;
}

/* Chooses the training data. *use_dataset becomes true if the model learns from the times in the
 * target's dataset. It becomes false if the model is the units model with the target's profile (row
 * of devices.csv). *how then selects the GPUs from whose times the units model learns. */
static pm_status choose_basis(const pm_session *session, const pm_predict_options *options,
                              const pm_dataset *target, const pm_dataset *from, bool *use_dataset,
                              pm_learn *how, pm_error *err)
{
    /* `own` is only used to test whether the target has enough times. Its measured counters replace
     * traced ones there. The casts are safe because it is only read. */
    const pm_known_gpu own = {.measured = (pm_dataset *)target, .traced = (pm_dataset *)target};
    const bool enough = target && pm_known_has_enough(&own);
    pm_profile profile = {0};
    pm_status status = PM_OK;

    *how = options->basis ? PM_LEARN_OTHERS : PM_LEARN_CARRIED;
    *use_dataset = options->basis ? strcmp(options->basis, "dataset") == 0 : enough;
    if (options->basis || !target || (enough && !(from && are_apart(target, from))))
        return PM_OK;
    status = pm_profile_find(options->target, pm_session_chosen(session)->datasets, &profile, err);
    *use_dataset = !profile.present;
    *how = enough ? PM_LEARN_OWN : PM_LEARN_CARRIED;
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

/* Raises an error if the user chose a regression method or counters. Predictions from a profile
 * (row of devices.csv) always use the units model with counters that need no run of the kernel. */
static pm_status check_model(const pm_predict_options *options, pm_error *err)
{
    const char *what = options->workloads ? "a workload" : options->target;
    const char *by = options->workloads ? "what is traced of it" : "its profile";
    const char *method = options->model.method, *counters = options->model.counters;

    if (!pm_method_find(method, err))
        return err->status;
    if (method && strcmp(method, "auto") != 0 && strcmp(method, "units") != 0)
        return pm_fail(
            err, PM_BAD_INPUT,
            "%s is predicted by %s, which method units does, not %s: leave --method out, "
            "or name a target with a dataset",
            what, by, method);
    if (counters && strcmp(counters, "all") != 0 && strcmp(counters, "code") != 0)
        return pm_fail(
            err, PM_BAD_INPUT,
            "%s is predicted by %s, for which counters cannot be chosen: leave --counters "
            "out, or name a target with a dataset",
            what, by);
    return PM_OK;
}

/* Returns true if a row of the dataset `own` has a measured time on the device of the dataset
 * `target`. */
static bool has_times_of(const pm_dataset *own, const pm_dataset *target)
{
    const char *device = pm_dataset_sample(target, 0)->device;

    for (size_t i = 0; i < pm_dataset_rows(own); i++)
        if (strcmp(pm_dataset_sample(own, i)->device, device) == 0 &&
            pm_dataset_sample(own, i)->time_s > 0)
            return true;
    return false;
}

/* Returns a NULL-terminated list of the datasets given by the option --with that have times on the
 * target's device. The caller frees the list. NULL with err on failure. */
static const pm_dataset **list_with(pm_session *session, const pm_dataset *target, pm_error *err)
{
    const char *const *names = pm_session_chosen(session)->with;
    const pm_dataset **list;
    size_t count = 0, n = 0;

    while (names && names[count])
        count++;
    list = calloc(count + 1, sizeof *list);
    if (!list) {
        pm_fail(err, PM_FAILED, "out of memory for datasets");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const pm_dataset *own = pm_dataset_open(session, names[i], err);

        if (!own) {
            free(list);
            return NULL;
        }
        if (has_times_of(own, target))
            list[n++] = own;
    }
    return list;
}

static pm_predictions *by_times(pm_session *session, const pm_predict_options *options,
                                const pm_dataset *target, const pm_dataset *from, pm_error *err)
{
    const pm_wanted wanted = pm_wanted_of(options);
    pm_model_options model = options->model;
    const pm_dataset **with = model.with ? NULL : list_with(session, target, err);
    pm_predictions *found;

    if (!with && !model.with)
        return NULL;
    model.with = with ? with : model.with;
    found = pm_predict_wanted(session, target, from, &wanted, options->leave_out, &model, err);
    free(with);
    return found;
}

static pm_predictions *from_dataset(pm_session *session, const pm_predict_options *options,
                                    const pm_dataset *target, const pm_dataset *from, pm_error *err)
{
    if (target && from)
        return by_times(session, options, target, from, err);
    pm_fail(err, PM_BAD_INPUT,
            !target ? "%s: no dataset of that name; --basis profile needs none"
                    : "%s: no samples to predict from; name some with --from",
            options->target);
    return NULL;
}

/* Predicts workloads: traces them and converts the counters to times by the units model
 * (model/units/units.h). */
static pm_predictions *of_workloads(pm_session *session, const pm_predict_options *options,
                                    pm_basis *basis, pm_error *err)
{
    const bool others = options->basis && strcmp(options->basis, "profile") == 0;
    pm_predictions *result;

    basis->how = others ? PM_LEARN_OTHERS : PM_LEARN_OWN;
    if (check_model(options, err) != PM_OK ||
        open_from(session, options->from, &basis->from, err) != PM_OK ||
        pm_own_find(session, options, &basis->programs, err) != PM_OK)
        return NULL;
    result = pm_predict_profile(session, options, basis, err);
    if (result)
        result->assumed = basis->programs->assumed;
    return result;
}

/* If a traced dataset of the target has no selected sample, sets *programs to the programs of the
 * suite, which are then traced for the target. Otherwise *programs is not changed. */
static pm_status find_suite(pm_session *session, const pm_predict_options *options,
                            const pm_programs **programs, pm_error *err)
{
    const pm_wanted wanted = pm_wanted_of(options);
    const pm_known_gpu *known;
    const pm_programs *suite;
    pm_error why = {0};
    pm_status status = pm_known_find(session, options->target, &known, err);

    if (status != PM_OK ||
        (known->traced && pm_wanted_check(&wanted, known->traced, &why) == PM_OK))
        return status;
    suite = pm_programs_find(session, NULL, NULL, options->programs, err);
    if (!suite)
        return err->status;
    status = pm_names_check(suite, options->programs, options->variants, options->sizes, err);
    *programs = suite;
    return status;
}

/* Records in the result `found` the datasets that were used besides the target's. found NULL: no
 * effect. */
static void note_sources(const pm_session *session, const pm_basis *basis, pm_predictions *found)
{
    if (!found)
        return;
    found->from = basis->from ? pm_dataset_path(basis->from) : NULL;
    found->with = pm_session_chosen(session)->with;
}

static pm_predictions *predict_on(pm_session *session, const pm_predict_options *options,
                                  pm_basis *basis, pm_error *err)
{
    bool use_dataset = false;
    pm_status status = open_from(session, options->from, &basis->from, err);

    if (status == PM_OK)
        status =
            choose_basis(session, options, basis->own, basis->from, &use_dataset, &basis->how, err);
    if (status == PM_OK && !use_dataset)
        status = check_model(options, err);
    if (status == PM_OK && !use_dataset && !basis->from)
        status = find_suite(session, options, &basis->programs, err);
    if (status != PM_OK)
        return NULL;
    return use_dataset ? from_dataset(session, options, basis->own, basis->from, err)
                       : pm_predict_profile(session, options, basis, err);
}

pm_predictions *pm_predict_on(pm_session *session, const pm_predict_options *options, pm_error *err)
{
    pm_error ignored = {0};
    pm_basis basis = {0};
    pm_predictions *found;
    pm_status status;

    err = err ? err : &ignored;
    status = PM_UNUSED(options, err);
    if (status == PM_OK)
        status = PM_UNUSED(&options->model, err);
    if (status == PM_OK)
        status = check_basis(options, err);
    if (status == PM_OK)
        status = open_target(session, options->target, &basis.own, err);
    if (status != PM_OK)
        return NULL;
    found = options->workloads ? of_workloads(session, options, &basis, err)
                               : predict_on(session, options, &basis, err);
    note_sources(session, &basis, found);
    return found;
}

/* The subcommand `perfmodel validate`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/results/tables.h"

static int list_methods(const cli_options *o)
{
    const pm_screen screen = cli_screen(o);
    json_t *list = json_array();

    for (size_t i = 0; i < pm_method_count(); i++)
        json_array_append_new(list, json_pack("{s:s,s:s}", "method", pm_method_at(i)->name, "what",
                                              pm_method_at(i)->what));
    if (o->json)
        return cli_print_document(o, list);
    json_decref(list);
    for (size_t i = 0; i < pm_method_count(); i++)
        pm_screen_say(&screen, "%s: %s", pm_method_at(i)->name, pm_method_at(i)->what);
    return PM_OK;
}

static int report(const cli_options *o, const pm_validation *validation, pm_error *err)
{
    const pm_screen screen = cli_screen(o);

    if (o->plot && pm_plot_validation(validation, o->title, o->plot, err) != PM_OK)
        return PM_FAILED;
    if (o->json)
        return cli_print_document(o, pm_json_validation(validation));
    pm_table_validation(&screen, validation);
    return PM_OK;
}

/* Opens the datasets of --with. *with ends with NULL, and the caller frees it. */
static pm_status open_with(pm_session *session, const cli_options *o, const pm_dataset ***with,
                           pm_error *err)
{
    *with = calloc(o->with.count + 1, sizeof **with);
    if (!*with)
        return pm_fail(err, PM_FAILED, "out of memory for datasets");
    for (size_t i = 0; i < o->with.count; i++) {
        (*with)[i] = pm_dataset_open(session, o->with.names[i], err);
        if (!(*with)[i])
            return err->status;
    }
    return PM_OK;
}

/* Returns true if the argument is `public`, the folder with a dataset of published times for each
 * GPU. */
static bool is_published(const cli_options *o)
{
    return o->datasets_named.count == 1 && strcmp(o->datasets_named.names[0], "public") == 0;
}

static pm_validation *validate(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_model_options model = {.method = o->method,
                              .leave_out = o->leave_out,
                              .counters = o->model_counters,
                              .variants = o->variants.names,
                              .sizes = o->sizes.names,
                              .no_source_time = o->no_source_time};
    const pm_dataset *source = NULL, *target, **with = NULL;
    pm_validation *validation = NULL;

    if (is_published(o))
        return pm_validate_published(session, &model, err);
    target = pm_dataset_open_all(session, o->datasets_named.names, err);
    if (target && o->from)
        source = pm_dataset_open(session, o->from, err);
    if (target && (source || !o->from) && open_with(session, o, &with, err) == PM_OK) {
        model.with = with;
        validation = pm_validate(session, target, source, &model, err);
    }
    free(with);
    return validation;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_validation *validation;
    int code;

    if (o->methods)
        return list_methods(o);
    validation = validate(session, o, err);
    code = validation ? report(o, validation, err) : PM_FAILED;
    pm_validation_free(validation);
    return code;
}

static void take(cli_options *o, const char *value)
{
    if (pm_ends_in(value, ".workload"))
        cli_wrong(
            o,
            "%s is a workload, and a dataset is wanted: perfmodel collect %s -o mine.csv makes "
            "one",
            value, value);
    cli_list_add(&o->datasets_named, value);
}

static void check(const cli_options *o)
{
    cli_need(o, "a dataset", o->datasets_named.count || o->methods);
    if ((o->leave_out == PM_LEAVE_GPU || o->leave_out == PM_LEAVE_ARCHITECTURE) && !is_published(o))
        cli_wrong(o, "--leave-out gpu and architecture are of published times: perfmodel validate "
                     "public --leave-out gpu");
    if (is_published(o) && (o->from || o->with.count))
        cli_wrong(o, "published times have no --from and no --with: their counters are traced");
}

const cli_command cli_validate = {
    .bit = CLI_VALIDATE,
    .name = "validate",
    .what = "measure a model's accuracy on programs that it has not seen",
    .file = "DATASET...",
    .about = "Predicts each program of a dataset by a model that has not seen "
             "it, and prints the errors. DATASET is the name of a known "
             "dataset, such as h100, or the path of a CSV file. Several "
             "datasets of one GPU are joined.",
    .examples = "Examples:\n  perfmodel validate h200 --from h100 --counters code\n"
                "  perfmodel validate h200 --with mine.csv\n",
    .usual = "h100",
    .take = take,
    .check = check,
    .rows = "samples",
    .run = run};

/* perfmodel validate
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <string.h>

#include "cli/cli.h"
#include "report/json.h"
#include "report/tables.h"

static int list_methods(void)
{
    for (size_t i = 0; i < pm_method_count(); i++)
        printf("%-8s %s\n", pm_method_at(i)->name, pm_method_at(i)->what);
    return PM_OK;
}

static int report(const cli_options *o, const pm_validation *validation, pm_error *err)
{
    if (o->plot && pm_plot_validation(validation, o->title, o->plot, err) != PM_OK)
        return PM_FAILED;
    if (o->json)
        return cli_print_json(pm_json_validation(validation));
    pm_table_validation(stdout, validation);
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_model_options model = {.method = o->method,
                                    .leave_out = o->leave_out,
                                    .counters = o->model_counters,
                                    .variants = o->variants.names,
                                    .sizes = o->sizes.names,
                                    .no_source_time = o->no_source_time};
    const pm_dataset *target, *source = NULL;
    pm_validation *validation = NULL;
    int code;

    if (o->methods)
        return list_methods();
    target = pm_dataset_open(session, o->file, err);
    if (target && o->from)
        source = pm_dataset_open(session, o->from, err);
    if (target && (source || !o->from))
        validation = pm_validate(session, target, source, &model, err);
    code = validation ? report(o, validation, err) : PM_FAILED;
    pm_validation_free(validation);
    return code;
}

static void take(cli_options *o, const char *value)
{
    if (o->file)
        cli_wrong(o, "'%s' is not expected here: one dataset at a time", value);
    o->file = value;
}

static void check(const cli_options *o)
{
    cli_need(o, "a dataset", o->file || o->methods);
}

const cli_command cli_validate = {
    .bit = CLI_VALIDATE,
    .name = "validate",
    .what = "what a model gets on programs it has not seen",
    .file = "FILE.csv",
    .about = "Predicts every program of a dataset by a model that has not seen it, and tells how "
             "far off that is. FILE.csv may be the name of a known dataset, such as h100.",
    .examples = "Example:\n  perfmodel validate h200 --from h100 --counters code\n",
    .usual = "h100",
    .take = take,
    .check = check,
    .run = run};

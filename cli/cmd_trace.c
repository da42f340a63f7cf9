/* perfmodel trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli.h"
#include "report/table.h"

typedef struct {
    cli_common common;
    const char *program, *workload, *variant, *size, *target;
} arguments;

enum { OPT_PROGRAM = 256, OPT_WORKLOAD, OPT_VARIANT, OPT_SIZE, OPT_TARGET };

static const struct argp_option options[] = {
    {"program", OPT_PROGRAM, "P", 0, "the program (perfmodel collect --list)", 0},
    {"workload", OPT_WORKLOAD, "FILE", 0,
     "your own kernels, as a workload file has them (perfmodel advise --template)", 0},
    {"variant", OPT_VARIANT, "V", 0, "default: its first variant", 0},
    {"size", OPT_SIZE, "S", 0, "default: its smallest size", 0},
    {"target", OPT_TARGET, "NAME", 0, "count as this GPU does, a row of devices.csv; default: h100",
     0},
    CLI_TRACE_OPTIONS,
    {"datasets", CLI_DATASETS, "DIR", 0, "where devices.csv is looked up first", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static void set_once(struct argp_state *state, const char *option, const char **place,
                     const char *value)
{
    if (*place)
        cli_wrong(state, "%s %s: one at a time", option, value);
    *place = value;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case OPT_PROGRAM:
        set_once(state, "--program", &args->program, value);
        break;
    case OPT_WORKLOAD:
        set_once(state, "--workload", &args->workload, value);
        break;
    case OPT_VARIANT:
        set_once(state, "--variant", &args->variant, value);
        break;
    case OPT_SIZE:
        set_once(state, "--size", &args->size, value);
        break;
    case OPT_TARGET:
        set_once(state, "--target", &args->target, value);
        break;
    case ARGP_KEY_END:
        if (args->program && args->workload)
            cli_wrong(state, "--program and --workload: one of them");
        if (!args->program && !args->workload)
            cli_wrong(state, "--program is missing: perfmodel trace --program nbody (--workload "
                             "FILE traces your own kernels)");
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Runs a program of the suite, or your own kernels, on the CPU, warp by warp, and tells for "
    "each kernel what a GPU "
    "would count, and what each of its memory instructions costs there. Needs no GPU."
    "\v"
    "Example:\n  perfmodel trace --program nbody --variant local --target h100\n"
    "  perfmodel trace --workload my.workload\n",
    NULL,
    NULL,
    NULL};

static json_t *counters_json(const pm_trace_kernel *kernel)
{
    json_t *counters = json_object();

    for (size_t i = 0; i < kernel->count; i++)
        json_object_set_new(counters, kernel->names[i],
                            json_pack("{s:o,s:s,s:o}", "value", cli_json_number(kernel->values[i]),
                                      "unit", kernel->units[i], "error",
                                      cli_json_number(kernel->errors[i])));
    return counters;
}

static json_t *access_json(const pm_access *a)
{
    return json_pack("{s:s,s:s,s:I,s:I,s:I,s:o,s:o,s:o,s:I,s:o,s:o,s:o,s:o,s:s}", "kind", a->kind,
                     "space", a->space, "bytes", (json_int_t)a->bytes, "line", (json_int_t)a->line,
                     "column", (json_int_t)a->column, "buffer", cli_json_text(a->buffer),
                     "structure", cli_json_text(a->structure), "field", cli_json_text(a->field),
                     "loop", (json_int_t)a->loop, "executions", cli_json_number(a->executions),
                     "work_items", cli_json_number(a->work_items), "transactions",
                     cli_json_number(a->transactions), "coalesced_threads",
                     cli_json_number(a->coalesced_threads), "class", a->access_class);
}

static json_t *kernel_json(const pm_trace_kernel *kernel)
{
    json_t *accesses = json_array();

    for (size_t i = 0; i < kernel->access_count; i++)
        json_array_append_new(accesses, access_json(&kernel->accesses[i]));
    return json_pack("{s:o,s:I,s:o,s:o,s:o}", "kernel", cli_json_text(kernel->kernel), "launches",
                     (json_int_t)kernel->launches, "sampled", cli_json_number(kernel->sampled),
                     "counters", counters_json(kernel), "accesses", accesses);
}

static int report(const pm_trace *trace, bool json)
{
    json_t *kernels;

    if (!json) {
        pm_table_trace(stdout, trace);
        return PM_OK;
    }
    kernels = json_array();
    for (size_t i = 0; i < trace->kernel_count; i++)
        json_array_append_new(kernels, kernel_json(&trace->kernels[i]));
    return cli_print_json(json_pack("{s:o,s:s,s:s,s:s,s:o}", "target", cli_json_text(trace->target),
                                    "program", trace->program, "variant", trace->variant, "size",
                                    trace->size, "kernels", kernels));
}

int cmd_trace(int argc, char **argv)
{
    arguments args = {0};
    pm_trace_options trace_options = {.seed = 1, .log = cli_log()};
    pm_error err = {0};
    pm_trace *trace;
    int code;

    cli_parse(&argp, argc, argv, "trace", &args);
    trace_options.target = args.target;
    trace_options.workload = args.workload;
    trace_options.datasets = args.common.folder;
    trace_options.sample = args.common.sample;
    trace_options.step_limit = args.common.step_limit;
    trace = pm_trace_run(args.program, args.variant, args.size, &trace_options, &err);
    code = trace ? report(trace, args.common.json) : cli_error(&err);
    pm_trace_free(trace);
    return code;
}

/* The table of options: names, commands, and members of cli_options. See options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/numbers.h"
#include "base/shard.h"
#include "cli/options.h"
#include "cost/effort.h"

#define AT(member) offsetof(cli_options, member)

/* ---- values --------------------------------------------------------------------------------- */

static void *place_of(cli_options *options, const cli_option *option)
{
    return (char *)options + option->at;
}

static void set_flag(cli_options *options, const cli_option *option, const char *value)
{
    (void)value;
    *(bool *)place_of(options, option) = true;
}

static void set_text(cli_options *options, const cli_option *option, const char *value)
{
    *(const char **)place_of(options, option) = value;
}

static void set_form(cli_options *options, const cli_option *option, const char *value)
{
    static const char *const names[] = {
        [CLI_TEXT] = "text", [CLI_CSV] = "csv", [CLI_MARKDOWN] = "md", [CLI_JSON] = "json", NULL};
    pm_nearest nearest;
    size_t form = 0;

    value = value ? value : "json"; /* value is NULL for --json */
    while (names[form] && strcmp(names[form], value) != 0)
        form++;
    if (!names[form]) {
        pm_nearest_open(&nearest, value);
        pm_nearest_add_all(&nearest, names);
        cli_wrong(options, "--%s %s: %s", option->name, value, pm_nearest_text(&nearest, NULL));
    }
    options->form = (cli_form)form;
    options->json = form == CLI_CSV || form == CLI_JSON;
}

/* Stores the value of an option with an optional argument. */
static void set_text_or_empty(cli_options *options, const cli_option *option, const char *value)
{
    set_text(options, option, value ? value : "");
}

static void *grow(void *list, size_t count, size_t size)
{
    void *grown = reallocarray(list, count, size);

    if (!grown) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    return grown;
}

void cli_list_add(cli_list *list, const char *value)
{
    list->names = grow(list->names, list->count + 2, sizeof *list->names);
    list->names[list->count++] = value;
    list->names[list->count] = NULL;
}

static void add_text(cli_options *options, const cli_option *option, const char *value)
{
    cli_list *list = place_of(options, option);

    if (list->count > 0 && options->command->bit & option->once)
        cli_wrong(options, "--%s %s: one at a time", option->name, value);
    cli_list_add(list, value);
}

static double read_number(const cli_options *options, const char *name, const char *value)
{
    double number;

    if (!pm_number_parse(value, &number))
        cli_wrong(options, "--%s %s: a number is wanted", name, value);
    return number;
}

/* Stores a number, such as a price. The library checks its range. */
static void set_number(cli_options *options, const cli_option *option, const char *value)
{
    *(double *)place_of(options, option) = read_number(options, option->name, value);
}

static void set_number_from(cli_options *options, const cli_option *option, const char *value)
{
    double number = read_number(options, option->name, value);

    if (!(number >= option->least))
        cli_wrong(options, "--%s %s: a number of at least %g is wanted", option->name, value,
                  option->least);
    *(double *)place_of(options, option) = number;
}

static void set_count(cli_options *options, const cli_option *option, const char *value)
{
    unsigned long long number;
    char *end;

    errno = 0;
    number = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || (double)number < option->least ||
        (option->most > 0 && (double)number > option->most)) {
        if (option->most > 0)
            cli_wrong(options, "--%s %s: a number from %g to %.10g", option->name, value,
                      option->least, option->most);
        cli_wrong(options, "--%s %s: a whole number is wanted", option->name, value);
    }
    *(unsigned long long *)place_of(options, option) = number;
}

static void set_sample(cli_options *options, const cli_option *option, const char *value)
{
    double sample = 0;

    if (strcmp(value, "all") == 0)
        sample = 1;
    else if (!pm_number_parse(value, &sample) || !(sample > 0 && sample <= 1))
        cli_wrong(options, "--sample %s: all, or a number above 0 and up to 1", value);
    *(double *)place_of(options, option) = sample;
}

static void set_leave_out(cli_options *options, const cli_option *option, const char *value)
{
    bool samples = options->command->bit == CLI_VALIDATE;
    pm_leave_out *unit = place_of(options, option);

    if (strcmp(value, "program") == 0)
        *unit = PM_LEAVE_PROGRAM;
    else if (strcmp(value, "class") == 0)
        *unit = PM_LEAVE_CLASS;
    else if (samples && strcmp(value, "sample") == 0)
        *unit = PM_LEAVE_SAMPLE;
    else if (samples && strcmp(value, "gpu") == 0)
        *unit = PM_LEAVE_GPU;
    else if (samples && strcmp(value, "architecture") == 0)
        *unit = PM_LEAVE_ARCHITECTURE;
    else
        cli_wrong(options, "--leave-out %s: %s", value,
                  samples ? "program, class or sample; of published times gpu or architecture, too"
                          : "'program' or 'class' (and 'sample' in perfmodel validate)");
}

static void set_shard(cli_options *options, const cli_option *option, const char *value)
{
    pm_error err = {0};

    if (pm_shard_read(value, place_of(options, option), &err) != PM_OK)
        cli_wrong(options, "%s", err.text);
}

/* Stores a size such as 16x16. Missing dimensions are 1. */
static void set_work_group(cli_options *options, const cli_option *option, const char *value)
{
    size_t *size = place_of(options, option);
    const char *at = value;
    char *end = NULL;

    size[0] = size[1] = size[2] = 1;
    for (size_t d = 0; d < 3; d++) {
        unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;

        if (n < 1 || (double)n > option->most)
            break;
        size[d] = n;
        if (!*end)
            return;
        if (*end != 'x')
            break;
        at = end + 1;
    }
    cli_wrong(options, "--work-group %s: one to three sizes such as 16x16, each 1 to %g", value,
              option->most);
}

/* Stores a budget: N versions, or Ns for seconds. */
static void set_budget(cli_options *options, const cli_option *option, const char *value)
{
    const size_t length = strlen(value);
    double number = 0;
    char digits[32] = "";

    (void)option;
    if (length > 1 && length < sizeof digits && value[length - 1] == 's') {
        memcpy(digits, value, length - 1);
        if (pm_number_parse(digits, &number) && number > 0 && number < 1e9) {
            options->budget_s = number;
            return;
        }
    } else if (pm_number_parse(value, &number) && number >= 1 && number <= 1e9 &&
               number == floor(number)) {
        options->budget = (size_t)number;
        return;
    }
    cli_wrong(options, "--budget %s: a number of versions such as 500, or seconds such as 300s",
              value);
}

/* Stores a range FROM:TO. */
static void set_launches(cli_options *options, const cli_option *option, const char *value)
{
    unsigned long long *range = place_of(options, option);
    char *end = NULL;

    errno = 0;
    if (*value >= '0' && *value <= '9')
        range[0] = strtoull(value, &end, 10);
    if (end && *end == ':' && end[1] >= '0' && end[1] <= '9')
        range[1] = strtoull(end + 1, &end, 10);
    if (!end || *end || errno || range[1] <= range[0])
        cli_wrong(options,
                  "--launches %s: FROM:TO is wanted, counted from 0 and without TO, such as 10:20",
                  value);
}

static void set_place(cli_options *options, const cli_option *option, const char *value)
{
    if (!*value)
        cli_wrong(options, "-%c '': the name of a %s is wanted", option->key,
                  options->command->bit & (CLI_TRANSFORM | CLI_CAPTURE) ? "folder" : "file");
    set_text(options, option, value);
}

static void set_effort(cli_options *options, const cli_option *option, const char *value)
{
    size_t length = strcspn(value, "=");

    for (size_t i = 0; i < PM_EFFORT_RATES && value[length]; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);

        if (strlen(rate->name) == length && strncmp(rate->name, value, length) == 0) {
            *pm_effort_rate_of(place_of(options, option), rate) =
                read_number(options, "effort", value + length + 1);
            return;
        }
    }
    cli_wrong(options, "--effort %s: write=X, read=X, kernel=X, struct=X or factor=X", value);
}

static void add_instead(cli_options *options, const cli_option *option, const char *value)
{
    size_t length = strcspn(value, "=");
    cli_instead *new;

    options->instead = grow(options->instead, options->instead_count + 1, sizeof *new);
    new = &options->instead[options->instead_count];
    *new = (cli_instead){strndup(value, length), (double)NAN};
    if (!new->name) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    options->instead_count++;
    if (value[length])
        new->price = read_number(options, option->name, value + length + 1);
}

/* ---- the table ------------------------------------------------------------------------------ */

enum {
    TRACES = CLI_COLLECT | CLI_PREDICT | CLI_TRACE | CLI_ADVISE | CLI_REPORT | CLI_CHECK | CLI_TUNE,
    LEARNS = CLI_PREDICT | CLI_ADVISE | CLI_REPORT | CLI_TUNE,
    NAMING = LEARNS | CLI_VALIDATE | CLI_CHECK,                           /* have --with */
    NAMED = (TRACES & ~(unsigned)(CLI_TUNE | CLI_CHECK)) | CLI_TRANSFORM, /* have --program */
    VERSIONS = TRACES | CLI_VALIDATE | CLI_TRANSFORM,
    MONEY = CLI_ADVISE | CLI_REPORT,
    OWN = CLI_CHECK | CLI_COLLECT | CLI_PREDICT | CLI_TRACE | CLI_TRANSFORM | CLI_TUNE |
          MONEY,                                        /* commands with the user's own kernels */
    BARE = (OWN & ~(unsigned)CLI_TRANSFORM) | CLI_INIT, /* bare sources */
};

const cli_option cli_option_table[] = {
    {"target", "NAME", TRACES | CLI_TRANSFORM,
     CLI_ALL & ~(unsigned)(CLI_REPORT | CLI_PREDICT | CLI_CHECK | CLI_TUNE), add_text, AT(targets),
     .help = "a GPU with a row in devices.csv",
     .notes = {{CLI_COLLECT, "by whose rules counters are traced; default: the device, else h100"},
               {CLI_TRACE, "default: h100"},
               {CLI_TRANSFORM, "write what perfmodel advise proposes for it"},
               {LEARNS, "or one with a dataset (perfmodel devices)"}}},
    {"program", "P", NAMED, CLI_TRACE | CLI_TRANSFORM | CLI_ADVISE, add_text, AT(programs),
     .help = "a program of the suite (perfmodel collect --list)",
     .notes = {{CLI_COLLECT | CLI_PREDICT, "default: all"},
               {CLI_REPORT, "default: all that have versions"},
               {CLI_TRANSFORM, "in place of FILE.cl"}}},
    {"variant", "V", VERSIONS & ~(unsigned)CLI_TUNE, CLI_TRACE | CLI_TRANSFORM, add_text,
     AT(variants),
     .help = "a version of the program: listed, or the text of a layout and of staging",
     .notes = {{CLI_COLLECT | CLI_VALIDATE | CLI_PREDICT | CLI_CHECK, "default: all"},
               {CLI_TRACE, "default: the first"},
               {CLI_ADVISE | CLI_REPORT, "default: those that are worth a try"}}},
    {"size", "S", VERSIONS, CLI_TRACE | CLI_TRANSFORM | CLI_TUNE | MONEY, add_text, AT(sizes),
     .help = "a size of the program",
     .notes = {{CLI_COLLECT | CLI_VALIDATE | CLI_PREDICT | CLI_CHECK, "default: all"},
               {CLI_TRACE, "default: the smallest"},
               {CLI_TRANSFORM | CLI_ADVISE | CLI_TUNE,
                "default: the largest; of a program's transform the smallest"}}},
    {"suite", "SET", CLI_COLLECT, 0, set_text, AT(suite),
     .help = "suite, corpus, all, or cuda: the suite's in CUDA; "
             "default: suite"},
    {"workload", "FILE", OWN, 0, add_text, AT(workloads),
     .help =
         "your own kernels, in place of a program: a source, a workload file (perfmodel init), or "
         "a folder of such files; may be repeated, and is the same as WORKLOAD"},
    {"datasets", "DIR", CLI_ALL & ~(unsigned)(CLI_CAPTURE | CLI_MERGE), 0, set_text, AT(datasets),
     .help = "where datasets, devices.csv and classes.csv are looked up first"},
    {"sample", "all|FRACTION", TRACES | CLI_TRANSFORM, 0, set_sample, AT(sample),
     .help = "share of the work-groups to trace, above 0 and up to 1; default: by a fixed amount "
             "of work"},
    {"step-limit", "N", TRACES | CLI_TRANSFORM, 0, set_number_from, AT(step_limit), .least = 1,
     .help = "basic blocks that one warp may run before it is taken to hang"},
    {"ptxas", "[PATH]", TRACES | CLI_TRANSFORM, 0, set_text_or_empty, AT(ptxas),
     .help = "registers and shared memory by NVIDIA's ptxas in place of estimates; default: "
             "$PERFMODEL_PTXAS, else the one in PATH or in /usr/local/cuda"},
    {"seed", "N", TRACES | CLI_TRANSFORM, 0, set_count, AT(seed),
     .help = "of the inputs, and of which work-groups are traced; default: 1"},

    {"from", "FILE.csv", CLI_VALIDATE | CLI_PREDICT, 0, set_text, AT(from),
     .help = "a GPU's dataset, by name or path: predict from its counters and times",
     .notes = {{CLI_VALIDATE, "default: from the dataset's own counters"},
               {CLI_PREDICT, "default: programs of the suite, counted by the target's rules"}}},
    {"with", "FILE.csv", NAMING, 0, add_text, AT(with),
     .help = "learn from the rows of this dataset, too, such as collect wrote for workloads",
     .notes = {{NAMING & ~(unsigned)CLI_VALIDATE,
                "name or path; your own datasets count only where they are named"}}},
    {"method", "NAME", CLI_VALIDATE | CLI_PREDICT, 0, set_text, AT(method),
     .help = "default: auto; perfmodel validate --methods lists them"},
    {"counters", "WHICH", CLI_VALIDATE | CLI_PREDICT, 0, set_text, AT(model_counters),
     .help = "all, code (what can be known without a run), or NAME,...; default: all"},
    {"counters", "SOURCE", CLI_COLLECT, 0, set_text, AT(counters),
     .help = "auto, cupti, trace or none; default: auto"},
    {"basis", "dataset|profile", CLI_PREDICT, 0, set_text, AT(basis),
     .help = "learn from the target's own times, or carry over those of other GPUs by its row of "
             "devices.csv; default: dataset where there is one"},
    {"no-source-time", NULL, CLI_VALIDATE | CLI_PREDICT, 0, set_flag, AT(no_source_time),
     .help = "do not use the times of --from, only what the kernels do"},
    {"leave-out", "UNIT", CLI_VALIDATE | LEARNS | CLI_TRANSFORM, 0, set_leave_out, AT(leave_out),
     .help = "program: predict each by a model that has not seen it on the target; class: nor any "
             "program of its class",
     .notes = {{CLI_VALIDATE,
                "or sample; of published times gpu or architecture; default: program"}}},
    {"clusters", "N", MONEY | CLI_TRANSFORM, 0, set_count, AT(clusters), .least = 1, .most = 1000,
     .help = "clustered layouts to trace; default: 10"},
    {"device", "SEL", CLI_COLLECT, 0, set_text, AT(device),
     .help = "id, number or part of the name (perfmodel devices); default: the first GPU, else the "
             "first device; none: counters alone, by the trace engine"},
    {"device", "SEL", CLI_DEVICES, 0, set_text, AT(device), .part_of = "probe",
     .help = "id, number or part of a name; default: the first GPU, else the first device"},
    {"time-limit", "SECONDS", CLI_COLLECT, 0, set_number_from, AT(time_limit),
     .help = "leave out a size whose single pass would last longer; 0: no limit; default: 2"},

    {"energy", NULL, CLI_COLLECT, 0, set_flag, AT(energy),
     .help = "also measure joules, which takes a second and more for each workload; on NVIDIA's "
             "GPUs from Volta on"},
    {"shard", "I/N|auto", CLI_COLLECT | CLI_TRACE | CLI_TUNE | CLI_CHECK, 0, set_shard, AT(shard),
     .help = "only share I of N of the work, into a file beside that of -o, FILE-IofN, which "
             "perfmodel merge joins; auto: as Slurm, MPI or Kubernetes (auto/N) tell this process"},

    {"check-limit", "N", MONEY, 0, set_number_from, AT(check_limit), .least = 1,
     .help = "instructions of work-items that running a proposed version, to see whether it is "
             "right, may take; default: 4e9"},

    {"budget", "N|SECONDSs", CLI_TUNE, 0, set_budget, .least = 1,
     .help =
         "versions to examine, or seconds after which none is begun, such as 300s; default: all "
         "of a space of up to 400, of a larger one 400; with --shard all"},

    {"measure", "N", CLI_TUNE, 0, set_count, AT(measure), .least = 1, .most = 100000,
     .help = "run the N most promising on a device, and learn from that"},
    {"device", "SEL", CLI_TUNE, 0, set_text, AT(device), .part_of = "measure",
     .help = "id, number or part of a name; default: the first GPU, else the first device"},
    {"space", "FILE.json", CLI_TUNE, CLI_TUNE, set_text, AT(space),
     .help = "versions and measured times of a cache file of Kernel Tuner, a T1 problem or T4 "
             "results, in place of the values of [tune]"},
    {"known", "FILE.json", CLI_TUNE, 0, add_text, AT(known),
     .help =
         "times of versions on another GPU, a cache file of Kernel Tuner or T4 results: what is "
         "fast there is looked at early; may be repeated"},
    {"cache", "FILE.json", CLI_TUNE, 0, set_text, AT(cache),
     .help = "write predicted times as a cache file for Kernel Tuner's simulation mode"},
    {"ranking", "FILE.json", CLI_TUNE, 0, set_text, AT(ranking),
     .help = "write the versions' values, fastest first, for a strategy to start from"},

    {"layout", "KIND", CLI_TRANSFORM, 0, set_text, AT(layout),
     .help = "aos-align, aos-align8, soa, asta:TILE, cluster:FIELD+FIELD/FIELD, "
             "cluster-align:...; STRUCT=KIND;STRUCT=KIND where there are several structs"},
    {"shared", "[ARRAYS]", CLI_TRANSFORM, 0, set_text, AT(shared),
     .help = "stage these in local memory, NAME+NAME, NAME/TILE, NAME@KERNEL; default: those that "
             "are worth it"},
    {"work-group", "XxYxZ", CLI_TRANSFORM, 0, set_work_group, AT(work_group), .most = 65536,
     .help = "with --shared: size of the work-groups, such as 16x16, of kernels that do not say "
             "theirs"},
    {"scratch", "NAME+NAME", CLI_TRANSFORM, 0, set_text, AT(scratch),
     .help = "with --shared: parameters whose buffers nobody needs before or after a launch"},
    {"local-bytes", "N", CLI_TRANSFORM, 0, set_count, AT(local_bytes), .least = 1, .most = 1 << 30,
     .help = "with --shared: local memory that a work-group may have; default: 49152"},
    {"analyse", NULL, CLI_TRANSFORM, 0, set_flag, AT(analyse),
     .help = "with --shared: only tell what could be staged"},
    {"build-options", "OPTIONS", CLI_TRANSFORM, 0, set_text, AT(build_options),
     .help = "as for clBuildProgram, such as -DN=64"},

    {"against", "BASELINE.json", CLI_CHECK | CLI_MERGE, 0, set_text, AT(against),
     .help = "what check -o wrote before, to hold the kernels against"},
    {"tolerance", "PERCENT", CLI_CHECK | CLI_MERGE, 0, set_number_from, AT(slower),
     .help = "by which a kernel may become slower; default: 5"},
    {"fail-on", "WHAT,...", CLI_CHECK | CLI_MERGE, 0, set_text, AT(fail_on),
     .help = "of time, spills, doubles, sectors, waits and barriers; default: all of them"},
    {"junit", "FILE.xml", CLI_CHECK | CLI_MERGE, 0, set_text, AT(junit),
     .help = "write the verdicts as JUnit's XML, too"},
    {"sarif", "FILE.sarif", CLI_CHECK | CLI_MERGE, 0, set_text, AT(sarif),
     .help = "the same as SARIF 2.1.0"},

    {"source", "DIR", CLI_CAPTURE, 0, set_place, AT(source),
     .help = "where the sources of a CUDA program's kernels are: .cu files, and what they include"},
    {"build-options", "OPTIONS", CLI_CAPTURE, 0, set_text, AT(build_options),
     .help = "for these sources, such as -DN=64 -I include"},
    {"kernel", "NAME", CLI_CAPTURE | CLI_TRANSFORM | BARE, 0, add_text, AT(kernels),
     .help = "may be repeated",
     .notes = {{CLI_CAPTURE, "only launches of this kernel; default: of all"},
               {CLI_TRANSFORM, "of a CUDA source: an instance of a template, such as "
                               "'sum<float, 256>', to write out as a function"},
               {BARE, "of a source: launch this kernel; default: those that its host code "
                      "launches, else all"}}},
    {"grid", "X[,Y[,Z]]", BARE, 0, add_text, AT(grids),
     .help = "of a source: work-groups (blocks) of its kernels, or once behind each --kernel"},
    {"block", "X[,Y[,Z]]", BARE, 0, add_text, AT(blocks),
     .help = "of a source: work-items of a work-group (threads of a block), likewise"},
    {"shared", "BYTES", BARE & ~(unsigned)CLI_TRANSFORM, 0, add_text, AT(shared_bytes),
     .help = "of a CUDA source: dynamic shared memory, likewise"},
    {"arg", "NAME=VALUE", BARE, 0, add_text, AT(arguments),
     .help = "of a source: what kernels get for the parameter NAME: n=1048576, a=float[n], p=null; "
             "may be repeated"},
    {"set", "NAME=VALUE", BARE, 0, add_text, AT(sets),
     .help = "of a source: an integer that its host code or an assumption leaves open, such as "
             "n=1048576; may be repeated"},
    {"build-options", "OPTIONS", BARE, 0, set_text, AT(build_options),
     .help = "of a source: as for clBuildProgram or nvcc, such as -DN=64"},
    {"force", NULL, CLI_INIT, 0, set_flag, AT(force), .help = "write over a file that is there"},
    {"longest", "N", CLI_CAPTURE, 0, set_count, AT(longest), .least = 1, .most = 10000,
     .help = "the N launches that take longest, and of each kernel one; the default, with 10"},
    {"first", "N", CLI_CAPTURE, 0, set_count, AT(first), .least = 1, .most = 10000,
     .help = "the first N launches of each kernel"},
    {"launches", "FROM:TO", CLI_CAPTURE, 0, set_launches, AT(launches),
     .help = "launches FROM to TO - 1 of those kernels, in the program's order, counted from 0"},
    {"max-bytes", "N", CLI_CAPTURE, 0, set_number_from, AT(most_bytes),
     .help = "of stored contents; default: 1e9"},
    {"max-seconds", "N", CLI_CAPTURE, 0, set_number_from, AT(most_seconds),
     .help = "that recording may add to the program's time; default: 60"},
    {"tolerance", "N", CLI_CAPTURE, 0, set_number_from, AT(tolerance),
     .help = "of floats, where results are held against the program's; default: bit for bit"},

    {"output", "FILE.csv", CLI_COLLECT, 0, set_place, AT(output), .key = 'o',
     .help = "the dataset; default: DEVICE.csv in the user's folder"},
    {"output", "X.workload", CLI_INIT, 0, set_place, AT(output), .key = 'o',
     .help = "the workload file; default: beside the source, with its name"},
    {"output", "FILE", CLI_MERGE, 0, set_place, AT(output), .key = 'o',
     .help = "what the shares make together: what one run would have written"},
    {"output", "FILE.json", CLI_TRACE | CLI_TUNE, 0, set_place, AT(output), .key = 'o',
     .help = "write the JSON document into a file, too"},
    {"output", "FILE", CLI_REPORT, 0, set_place, AT(output), .key = 'o',
     .help = "where the report is written to"},
    {"output", "FILE", CLI_DEVICES, 0, set_place, AT(output), .key = 'o', .part_of = "probe",
     .help = "append the row to this table, or make it"},
    {"output", "DIR", CLI_TRANSFORM, 0, set_place, AT(output), .key = 'o',
     .help = "folder for the kernel and the host code; default: the kernel goes to standard "
             "output"},
    {"output", "DIR", CLI_CAPTURE, 0, set_place, AT(output), .key = 'o',
     .help = "folder for the capture, such as app.perfmodel: a new or an empty one"},
    {"output", "BASELINE.json", CLI_CHECK, 0, set_place, AT(output), .key = 'o',
     .help = "write what was counted now as a baseline"},
    {"format", "FORMAT", CLI_REPORT, 0, set_text, AT(format),
     .help = "html, md or json; default: by the ending of the file"},
    {"plot", "FILE.svg", CLI_VALIDATE, 0, set_text, AT(plot),
     .help = "draw predicted over measured per program"},
    {"title", "TEXT", CLI_VALIDATE, 0, set_text, AT(title), .help = "title of the plot"},
    {"probe", NULL, CLI_DEVICES, 0, set_flag, AT(probe),
     .help = "fill a row of devices.csv for a device of this machine"},
    {"list", NULL, CLI_COLLECT, 0, set_flag, AT(list),
     .help = "list programs, variants and sizes, and measure nothing"},
    {"methods", NULL, CLI_VALIDATE, 0, set_flag, AT(methods), .help = "list the methods"},
    {"template", NULL, CLI_ADVISE, 0, set_flag, AT(template),
     .help = "print a workload file to fill in"},
    {"template-cuda", NULL, CLI_ADVISE, 0, set_flag, AT(template_cuda),
     .help = "print one of a CUDA source"},
    {"steps", NULL, CLI_ADVISE, 0, set_flag, AT(steps),
     .help = "also how the method of Nakai and Ohno (2017) comes to its choice of a layout"},
    {"clear", NULL, CLI_CACHE, 0, set_flag, AT(clear), .help = "delete all entries"},
    {"fill", NULL, CLI_CACHE, 0, set_flag, AT(fill),
     .help = "fit the models that most commands need and cache them"},
    {"format", "text|csv|md|json", CLI_ALL & ~(unsigned)CLI_REPORT, 0, set_form, AT(form),
     .help = "how results are printed; csv has all columns, names as in JSON, SI units; default: "
             "text, as wide as the terminal or $COLUMNS"},
    {"json", NULL, CLI_ALL, 0, set_form, AT(form),
     .help = "one JSON document on standard output, as --format json"},
    {"quiet", NULL, CLI_ALL, 0, set_flag, AT(quiet),
     .help = "only the answer: no progress, no notes below tables"},

    {"rate", "R", MONEY, 0, set_number, AT(cost.hourly_rate), .about_money = true,
     .help = "an hour of work costs; without it nothing is told of money"},
    {"gpu-hour", "P", MONEY, 0, set_number, AT(cost.gpu_hour), .about_money = true,
     .help = "an hour of one GPU costs; an example: 2"},
    {"runs", "N", MONEY, 0, set_number, AT(cost.runs_per_month), .about_money = true,
     .help = "of the program, a month; an example: 1000"},
    {"passes", "N", MONEY, 0, set_number, AT(cost.passes), .about_money = true,
     .help = "of the program's launches in a run; default: 1"},
    {"gpus", "N", MONEY, 0, set_number, AT(cost.gpus), .about_money = true,
     .help = "that a run occupies; default: 1"},
    {"energy-price", "P", MONEY, 0, set_number, AT(cost.energy.price), .about_money = true,
     .help = "a kWh costs: also what versions save of energy"},
    {"co2", "G", MONEY, 0, set_number, AT(cost.energy.co2_g), .about_money = true,
     .help = "grams of CO2 for a kWh of your mix: also what versions save of it"},
    {"hours", "H", MONEY, 0, set_number, AT(cost.hours), .about_money = true,
     .help = "of work for a version; default: estimated from its rewrite"},
    {"effort", "NAME=X", MONEY, 0, set_effort, AT(cost.effort), .about_money = true,
     .help = "a rate that hours are estimated by: write and read (lines an hour), kernel and "
             "struct (hours each), factor (of the interval)"},
    {"currency", "TEXT", MONEY, 0, set_text, AT(cost.currency), .about_money = true,
     .help = "what prices are in, for people"},
    {"instead", "NAME[=P]", MONEY, 0, add_instead, .about_money = true,
     .help = "also what it costs to run the program as it is on that GPU, at P an hour; may be "
             "repeated"},
};
const size_t cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;
_Static_assert(sizeof cli_option_table / sizeof *cli_option_table <= CLI_MOST_OPTIONS,
               "cli_options.given has a place for each");

/* The table of all command-line options. A row has the option's name, the commands that accept it,
 * and the member of cli_options that gets its value. See options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser, --help, the manual, docs/options.md and the completions of bash and zsh follow from
 * it. scripts/make_manual.py writes the last four.
 *
 * An argument's name in capitals also tells what to complete: GPU, DATASET, PROGRAM, VARIANT, SIZE,
 * METHOD, WORKLOAD, DIR, FILE, FILE.ENDING. A word in small letters is a value, such as `all`.
 */
#include <stddef.h>

#include "cli/option_values.h"

#define AT(member) offsetof(cli_options, member)

enum {
    TRACES = CLI_COLLECT | CLI_PREDICT | CLI_TRACE | CLI_ADVISE | CLI_REPORT | CLI_CHECK | CLI_TUNE,
    LEARNS = CLI_PREDICT | CLI_ADVISE | CLI_REPORT | CLI_TUNE,
    /* Sets of commands, for the rows of the table of options. NAMING: commands that have the option
     * --with */
    NAMING = LEARNS | CLI_VALIDATE | CLI_CHECK,
    /* NAMED: commands that have the option --program */
    NAMED = (TRACES & ~(unsigned)(CLI_TUNE | CLI_CHECK)) | CLI_TRANSFORM,
    VERSIONS = TRACES | CLI_VALIDATE | CLI_TRANSFORM,
    MONEY = CLI_ADVISE | CLI_REPORT,
    OWN = CLI_CHECK | CLI_COLLECT | CLI_PREDICT | CLI_TRACE | CLI_TRANSFORM | CLI_TUNE |
          MONEY, /* OWN: commands that accept the user's own kernels */
    /* BARE: commands that accept sources without a workload file */
    BARE = (OWN & ~(unsigned)CLI_TRANSFORM) | CLI_INIT,
    GATES = CLI_CHECK | CLI_MERGE, /* GATES: commands that compare with a baseline */
};

const cli_group cli_groups[CLI_GROUPS] = {
    [CLI_OF_COMMAND] = {"", ""},
    [CLI_OF_COUNTING] = {"Counting", "How the trace engine counts:"},
    [CLI_OF_LAUNCHES] = {"Sources without a workload file",
                         "Launches of a source without a workload file:"},
    [CLI_OF_PRICES] = {"Prices", "Whether the work pays:"},
    [CLI_OF_OUTPUT] = {"Datasets and output", "Datasets and output:"},
};

const cli_option cli_option_table[] = {
    /* ---- subjects ---- */
    {"target", "GPU", (TRACES | CLI_TRANSFORM) & ~(unsigned)CLI_PREDICT,
     CLI_COLLECT | CLI_TRACE | CLI_TRANSFORM | CLI_ADVISE, cli_add_text, AT(targets),
     .help = "GPU by its id or name in devices.csv",
     .notes = {{CLI_COLLECT, "the trace engine counts the events of this GPU; default: the "
                             "measured device if devices.csv has it, else h100; with --import the "
                             "profiled GPU, if the file does not name it"},
               {CLI_TRACE, "default: h100"},
               {CLI_TRANSFORM, "write the version that perfmodel advise proposes for this GPU"},
               {CLI_ADVISE | CLI_TUNE | CLI_REPORT, "or a GPU with a dataset (perfmodel devices)"},
               {CLI_CHECK, "default: the GPUs of the baseline"}}},
    {"target", "GPU|DATASET", CLI_PREDICT, 0, cli_add_text, AT(targets),
     .help = "GPU to predict for: its id or name in devices.csv, or the name or path of its "
             "dataset; the table has a column for each target"},
    {"program", "PROGRAM", NAMED, CLI_TRACE | CLI_TRANSFORM | CLI_ADVISE, cli_add_text,
     AT(programs), .help = "program of the suite (perfmodel collect --list)",
     .notes = {{CLI_COLLECT | CLI_PREDICT, "default: all"},
               {CLI_REPORT, "default: all programs that have versions"},
               {CLI_TRANSFORM, "its original source is rewritten instead of FILE.cl"}}},
    {"variant", "VARIANT", VERSIONS & ~(unsigned)CLI_TUNE, CLI_TRACE | CLI_TRANSFORM, cli_add_text,
     AT(variants),
     .help = "version of the program: a name that perfmodel collect --list prints, or the name of "
             "a data layout or of staged arrays",
     .notes =
         {{CLI_COLLECT | CLI_VALIDATE | CLI_PREDICT | CLI_CHECK, "default: all"},
          {CLI_TRACE, "default: the first"},
          {CLI_ADVISE | CLI_REPORT, "default: all versions that may be faster"},
          {CLI_TRANSFORM,
           "replaces --layout and --shared, with both in one name such as soa;shared:a+b/16"}}},
    {"size", "SIZE", VERSIONS, CLI_TRACE | CLI_TRANSFORM | CLI_TUNE | MONEY, cli_add_text,
     AT(sizes), .help = "size of the program",
     .notes = {{CLI_COLLECT | CLI_VALIDATE | CLI_PREDICT | CLI_CHECK, "default: all"},
               {CLI_TRACE, "default: the smallest"},
               {CLI_ADVISE | CLI_TUNE, "default: the largest"},
               {CLI_TRANSFORM, "default: the largest, with --program the smallest"},
               {CLI_REPORT, "default: the middle size of each program"}}},
    {"suite", "suite|corpus|all|cuda", CLI_COLLECT, 0, cli_set_text, AT(suite),
     .help = "set of shipped programs: the suite (default), the corpus of workload files, both, or "
             "the suite's programs in CUDA"},
    {"workload", "WORKLOAD", OWN, 0, cli_add_text, AT(workloads),
     .help =
         "your own kernels instead of a program of the suite: a source, a workload file, a "
         "capture, or a folder of these; you can also give it as an argument without --workload"},

    /* ---- learning and predicting ---- */
    {"from", "DATASET", CLI_VALIDATE | CLI_PREDICT, 0, cli_set_text, AT(from),
     .help = "name or path of a GPU's dataset: predict from its counters and times",
     .notes = {{CLI_VALIDATE, "default: from the dataset's own counters"},
               {CLI_PREDICT,
                "default: from counts of the suite's programs, traced for the target"}}},
    {"with", "DATASET", NAMING, 0, cli_add_text, AT(with),
     .help = "name or path of a further dataset to learn from, such as one that collect wrote for "
             "your workloads",
     .notes = {{NAMING & ~(unsigned)CLI_VALIDATE,
                "models learn from your own datasets only if you name them"}}},
    {"method", "METHOD", CLI_VALIDATE | CLI_PREDICT, 0, cli_set_text, AT(method),
     .help = "regression method (perfmodel validate --methods); default: auto"},
    {"counters", "all|code|NAME,...", CLI_VALIDATE | CLI_PREDICT, 0, cli_set_text,
     AT(model_counters),
     .help = "counters that the model uses: all (default), those that are known without a run "
             "(code), or a list of names"},
    {"counters", "auto|cupti|trace|none", CLI_COLLECT, 0, cli_set_text, AT(counters),
     .help = "source of the counters: the GPU by CUPTI, the trace engine, or none; auto (default) "
             "takes cupti on an NVIDIA GPU and trace on other devices, or none where neither "
             "works"},
    {"basis", "dataset|profile", CLI_PREDICT, 0, cli_set_text, AT(basis),
     .help = "learn from the target's own times (dataset), or transfer times of other GPUs by the "
             "target's row of devices.csv (profile); default: dataset if the target has one with "
             "five or more programs"},
    {"no-source-time", NULL, CLI_VALIDATE | CLI_PREDICT, 0, cli_set_flag, AT(no_source_time),
     .help = "use only the counters of the dataset of --from, and not its times"},
    {"leave-out", "program|class", LEARNS | CLI_TRANSFORM, 0, cli_set_leave_out, AT(leave_out),
     .help = "predict each program by a model that was fitted without its times on the target "
             "(program), or without all programs of its class in classes.csv (class)"},
    {"leave-out", "program|class|sample|gpu|architecture", CLI_VALIDATE, 0, cli_set_leave_out,
     AT(leave_out),
     .help = "data that the model is fitted without: the predicted program (default), all programs "
             "of its class (classes.csv), or only the sample; for published times also the GPU, or "
             "all GPUs of its architecture"},
    {"clusters", "N", MONEY | CLI_TRANSFORM, 0, cli_set_count, AT(clusters), .least = 1,
     .most = 1000,
     .help = "number of clustered layouts to trace, chosen by an estimate; default: 10"},
    {"check-limit", "N", MONEY, 0, cli_set_number_from, AT(check_limit), .least = 1,
     .help = "the proposed version is run once to check its results, unless that takes more than "
             "N instructions of work-items; default: 4e9"},
    {"steps", NULL, CLI_ADVISE, 0, cli_set_flag, AT(steps),
     .help = "also print how the method of Nakai and Ohno (2017) chooses a layout: memory "
             "instructions with their class and weight, field access trees, structs"},
    {"methods", NULL, CLI_VALIDATE, 0, cli_set_flag, AT(methods), .help = "list the methods"},

    /* ---- measuring ---- */
    {"device", "SEL", CLI_COLLECT, 0, cli_set_text, AT(device),
     .help = "id, number or part of the name of a device (perfmodel devices); default: the first "
             "GPU, else the first device; none: no times, only counters of the trace engine; with "
             "--import the profiled GPU, as --target"},
    {"device", "SEL", CLI_DEVICES, 0, cli_set_text, AT(device), .part_of = "probe",
     .help = "id, number or part of the name of the device; default: the first GPU, else the first "
             "device"},
    {"device", "SEL", CLI_TUNE, 0, cli_set_text, AT(device), .part_of = "measure",
     .help = "id, number or part of the name of the device; default: the first GPU, else the first "
             "device"},
    {"time-limit", "SECONDS", CLI_COLLECT, 0, cli_set_number_from, AT(time_limit),
     .help = "leave out a size if a single pass would take longer; 0: no limit; default: 2"},
    {"energy", NULL, CLI_COLLECT, 0, cli_set_flag, AT(energy),
     .help = "also measure the energy of a pass by NVML (column energy_j), on NVIDIA GPUs from "
             "Volta on; takes a second or more for each workload"},
    {"import", "FILE", CLI_COLLECT, 0, cli_add_text, AT(imports),
     .help = "measure nothing, but take times and counters from a CSV file of ncu, nsys stats, "
             "nvprof, rocprof, rocprofv3 or rocprof-compute; several files of one program's run "
             "are joined; with a workload, its traced counters are shown beside the profiler's"},
    {"probe", NULL, CLI_DEVICES, 0, cli_set_flag, AT(probe),
     .help = "measure a device of this machine and print its row of devices.csv"},
    {"list", NULL, CLI_COLLECT, 0, cli_set_flag, AT(list),
     .help = "list programs, variants and sizes, and measure nothing"},
    {"shard", "I/N|auto|auto/N", CLI_COLLECT | CLI_TRACE | CLI_TUNE | CLI_CHECK, 0, cli_set_shard,
     AT(shard),
     .help = "do only shard I of N of the work, and write it to FILE-IofN beside the file of -o; "
             "perfmodel merge joins the shards; auto takes I and N from Slurm or MPI, auto/N takes "
             "I from Kubernetes"},

    /* ---- tune ---- */
    {"budget", "N|SECONDSs", CLI_TUNE, 0, cli_set_budget, .least = 1,
     .help = "number of versions to examine, or seconds after which no further version is begun, "
             "such as 300s; default: at most 400 versions, with --shard all"},
    {"measure", "N", CLI_TUNE, 0, cli_set_count, AT(measure), .least = 1, .most = 100000,
     .help = "run the N most promising versions on a device, in rounds, and learn from their "
             "times"},
    {"space", "FILE.json", CLI_TUNE, CLI_TUNE, cli_set_text, AT(space),
     .help = "versions and measured times of a cache file of Kernel Tuner, a T1 problem or T4 "
             "results, instead of the values of [tune]"},
    {"known", "FILE.json", CLI_TUNE, 0, cli_add_text, AT(known),
     .help = "times of versions on another GPU, from a cache file of Kernel Tuner or T4 results: "
             "the search examines versions early that are fast there"},
    {"cache", "FILE.json", CLI_TUNE, 0, cli_set_text, AT(cache),
     .help = "write predicted times as a cache file for Kernel Tuner's simulation mode"},
    {"ranking", "FILE.json", CLI_TUNE, 0, cli_set_text, AT(ranking),
     .help = "write the parameter values of the versions, fastest first, for a search strategy to "
             "start from"},

    /* ---- transform ---- */
    {"layout", "KIND", CLI_TRANSFORM, 0, cli_set_text, AT(layout),
     .words = "aos aos-align aos-align8 soa asta: cluster: cluster-align: cluster-align8:",
     .help = "data layout: aos-align, aos-align8, soa, asta:TILE, cluster:FIELD+FIELD/FIELD, "
             "cluster-align:...; STRUCT=KIND;STRUCT=KIND for several structs"},
    {"shared", "[ARRAYS]", CLI_TRANSFORM, 0, cli_set_text, AT(shared),
     .help = "stage arrays in local memory: NAME+NAME, NAME/TILE, NAME@KERNEL; default: all arrays "
             "that are worth it"},
    {"work-group", "XxYxZ", CLI_TRANSFORM, 0, cli_set_work_group, AT(work_group), .most = 65536,
     .help = "with --shared: size of the work-groups, such as 16x16, for kernels that do not state "
             "it by reqd_work_group_size"},
    {"scratch", "NAME+NAME", CLI_TRANSFORM, 0, cli_set_text, AT(scratch),
     .help = "with --shared: parameters whose buffers have contents that are not needed before or "
             "after a launch; such an array may be in local memory only"},
    {"local-bytes", "N", CLI_TRANSFORM, 0, cli_set_count, AT(local_bytes), .least = 1,
     .most = 1 << 30,
     .help = "with --shared: local memory of a work-group in bytes; default: 49152"},
    {"analyse", NULL, CLI_TRANSFORM, 0, cli_set_flag, AT(analyse),
     .help = "with --shared: only print which arrays could be staged"},
    {"kernel", "NAME", CLI_TRANSFORM, 0, cli_add_text, AT(kernels),
     .help = "instance of a CUDA kernel template to rewrite, such as 'sum<float, 256>'; it becomes "
             "a kernel without template parameters"},
    {"build-options", "OPTIONS", CLI_TRANSFORM, 0, cli_set_text, AT(build_options),
     .help = "compiler options of the source, as for clBuildProgram, such as -DN=64"},

    /* ---- check ---- */
    {"against", "BASELINE.json", GATES, 0, cli_set_text, AT(against),
     .help = "baseline to compare the kernels with, as check -o wrote it before"},
    {"tolerance", "PERCENT", GATES, 0, cli_set_number_from, AT(slower),
     .help = "slowdown of a kernel that is still accepted, in percent; default: 5"},
    {"fail-on", "WHAT,...", GATES, 0, cli_set_text, AT(fail_on),
     .words = "time spills doubles sectors waits barriers",
     .help = "findings that make a kernel fail: some of time, spills, doubles, sectors, waits, "
             "barriers; default: all"},
    {"junit", "FILE.xml", GATES, 0, cli_set_text, AT(junit),
     .help = "write the verdicts as JUnit XML, too"},
    {"sarif", "FILE.sarif", GATES, 0, cli_set_text, AT(sarif),
     .help = "write the verdicts as SARIF 2.1.0, too"},

    /* ---- capture ---- */
    {"source", "DIR", CLI_CAPTURE, 0, cli_set_path, AT(source),
     .help = "folder with the sources of a CUDA program's kernels: .cu files, also in its "
             "subfolders, and the files that they include; kernels are found by name"},
    {"build-options", "OPTIONS", CLI_CAPTURE, 0, cli_set_text, AT(build_options),
     .help =
         "compiler options of the sources in the folder of --source, such as -DN=64 -I include"},
    {"kernel", "NAME", CLI_CAPTURE, 0, cli_add_text, AT(kernels),
     .help = "record only launches of this kernel; default: of all kernels"},
    {"longest", "N", CLI_CAPTURE, 0, cli_set_count, AT(longest), .least = 1, .most = 10000,
     .help = "record the N launches that take longest, and at least one launch of each kernel that "
             "--share takes; default: 10"},
    {"share", "PERCENT", CLI_CAPTURE, 0, cli_set_number_from, AT(share),
     .help = "with --longest, record only the kernels that take most time, and together PERCENT of "
             "the time of all kernels; 100: all kernels; default: 95"},
    {"first", "N", CLI_CAPTURE, 0, cli_set_count, AT(first), .least = 1, .most = 10000,
     .help = "record the first N launches of each kernel"},
    {"launches", "FROM:TO", CLI_CAPTURE, 0, cli_set_launches, AT(launches),
     .help = "record launches FROM to TO - 1, counted from 0 in the program's order; with --kernel "
             "only that kernel's launches count"},
    {"max-bytes", "N", CLI_CAPTURE, 0, cli_set_number_from, AT(most_bytes),
     .help = "limit on the contents of buffers that are stored while the program runs, in bytes, "
             "without zeros and before they are compressed; default: 8e9"},
    {"all-contents", NULL, CLI_CAPTURE, 0, cli_set_flag, AT(all_contents),
     .help = "keep also contents of large buffers that change no address and no branch of a CUDA "
             "kernel, so that results can be compared; slow, if the program has gigabytes"},
    {"max-seconds", "N", CLI_CAPTURE, 0, cli_set_number_from, AT(most_seconds),
     .help = "limit on the time that recording adds to the program, in seconds; default: 60"},
    {"tolerance", "N", CLI_CAPTURE, 0, cli_set_number_from, AT(tolerance),
     .help = "tolerance of floats when results are compared with the captured results, written to "
             "the workload files as expected.tolerance; default: 0 (bit for bit)"},

    /* ---- other commands ---- */
    {"force", NULL, CLI_INIT, 0, cli_set_flag, AT(force), .help = "overwrite an existing file"},
    {"template", NULL, CLI_ADVISE, 0, cli_set_flag, AT(template),
     .help = "print a workload file to fill in, which works as it is, and do nothing else"},
    {"template-cuda", NULL, CLI_ADVISE, 0, cli_set_flag, AT(template_cuda),
     .help = "the same for a source in CUDA C++"},
    {"clear", NULL, CLI_CACHE, 0, cli_set_flag, AT(clear), .help = "delete all entries"},
    {"fill", NULL, CLI_CACHE, 0, cli_set_flag, AT(fill),
     .help = "fit the models that most commands need and cache them; an installed perfmodel "
             "already has the fits to the shipped datasets"},
    {"plot", "FILE.svg", CLI_VALIDATE, 0, cli_set_text, AT(plot),
     .help = "draw predicted over measured time for each program, with gnuplot"},
    {"title", "TEXT", CLI_VALIDATE, 0, cli_set_text, AT(title), .help = "title of the plot"},
    {"output", "FILE.csv", CLI_COLLECT, 0, cli_set_path, AT(output), .key = 'o',
     .help = "dataset to write; default: DEVICE.csv in the user's folder of datasets, "
             "DEVICE-corpus.csv for the corpus, TARGET-trace.csv for --device none"},
    {"output", "X.workload", CLI_INIT, 0, cli_set_path, AT(output), .key = 'o',
     .help = "workload file to write; default: the source's name, beside the source"},
    {"output", "FILE", CLI_MERGE, 0, cli_set_path, AT(output), .key = 'o',
     .help = "file to write, with the same content as after one run without shards; not needed "
             "with --against"},
    {"output", "FILE.json", CLI_TRACE | CLI_TUNE, 0, cli_set_path, AT(output), .key = 'o',
     .help = "write the JSON document to a file, too"},
    {"output", "FILE", CLI_REPORT, 0, cli_set_path, AT(output), .key = 'o',
     .help = "report to write; not needed with --json"},
    {"output", "FILE.csv", CLI_DEVICES, 0, cli_set_path, AT(output), .key = 'o', .part_of = "probe",
     .help = "table to append the row to, or to create; it must not contain the device yet"},
    {"output", "DIR", CLI_TRANSFORM, 0, cli_set_path, AT(output), .key = 'o',
     .help = "folder for the kernel and the host code; default: the kernel goes to standard "
             "output"},
    {"output", "DIR", CLI_CAPTURE, 0, cli_set_path, AT(output), .key = 'o',
     .help = "folder for the capture, such as app.perfmodel; it must be new or empty"},
    {"output", "BASELINE.json", CLI_CHECK, 0, cli_set_path, AT(output), .key = 'o',
     .help = "write the present counts and times as a baseline"},
    {"format", "html|md|json", CLI_REPORT, 0, cli_set_text, AT(format),
     .help = "format of the report; default: by the ending of the file"},

    /* ---- how the trace engine counts ---- */
    {"sample", "all|FRACTION", TRACES | CLI_TRANSFORM, 0, cli_set_sample, AT(sample),
     .group = CLI_OF_COUNTING,
     .help = "fraction of the work-groups to trace, above 0 and up to 1; all traces every "
             "work-group and checks results against the reference; default: a fixed amount of "
             "work, about a second on two cores"},
    {"step-limit", "N", TRACES | CLI_TRANSFORM, 0, cli_set_number_from, AT(step_limit), .least = 1,
     .group = CLI_OF_COUNTING,
     .help = "number of executed basic blocks after which a warp is reported as hanging"},
    {"ptxas", "[PATH]", TRACES | CLI_TRANSFORM, 0, cli_set_text_or_empty, AT(ptxas),
     .group = CLI_OF_COUNTING,
     .help = "take registers, shared memory and resident work-groups from NVIDIA's ptxas instead "
             "of estimates, if ptxas supports the GPU; default: $PERFMODEL_PTXAS, else the ptxas "
             "of the PATH or of /usr/local/cuda"},
    {"cuda-compiler", "auto|clang|nvcc", TRACES | CLI_TRANSFORM | CLI_INIT, 0, cli_set_text,
     AT(cuda_compiler), .group = CLI_OF_COUNTING,
     .help = "compiler of CUDA sources: clang, NVIDIA's nvcc, or clang and nvcc only for sources "
             "that clang refuses (auto); default: $PERFMODEL_CUDA_COMPILER, else auto"},
    {"seed", "N", TRACES | CLI_TRANSFORM, 0, cli_set_count, AT(seed), .group = CLI_OF_COUNTING,
     .help = "seed of the random inputs and of the choice of work-groups to trace; default: 1"},

    /* ---- launches of sources without a workload file ---- */
    {"kernel", "NAME", BARE, 0, cli_add_text, AT(kernels), .group = CLI_OF_LAUNCHES,
     .help = "kernel to launch, or an instance of a kernel template such as 'sum<float>'; default: "
             "the kernels that the source's host code launches, else all"},
    {"grid", "X[,Y[,Z]]", BARE, 0, cli_add_text, AT(grids), .group = CLI_OF_LAUNCHES,
     .help = "number of work-groups (CUDA: blocks), once for all kernels or once after each "
             "--kernel"},
    {"block", "X[,Y[,Z]]", BARE, 0, cli_add_text, AT(blocks), .group = CLI_OF_LAUNCHES,
     .help = "work-items of a work-group (CUDA: threads of a block), once for all kernels or once "
             "after each --kernel"},
    {"shared", "BYTES", BARE, 0, cli_add_text, AT(shared_bytes), .group = CLI_OF_LAUNCHES,
     .help = "dynamic shared memory of a CUDA kernel in bytes, once for all kernels or once after "
             "each --kernel"},
    {"arg", "NAME=VALUE", BARE, 0, cli_add_text, AT(arguments), .group = CLI_OF_LAUNCHES,
     .help = "argument for all kernel parameters of that name: a value, a buffer or null, such as "
             "n=1048576, a=float[n], p=null"},
    {"set", "NAME=VALUE", BARE, 0, cli_add_text, AT(sets), .group = CLI_OF_LAUNCHES,
     .help = "value of an integer that the host code does not determine, instead of an assumed "
             "value, such as n=1048576"},
    {"build-options", "OPTIONS", BARE, 0, cli_set_text, AT(build_options), .group = CLI_OF_LAUNCHES,
     .help = "compiler options of the source, as for clBuildProgram or nvcc, such as -DN=64"},

    /* ---- whether the work pays ---- */
    {"rate", "R", MONEY, 0, cli_set_number, AT(cost.hourly_rate), .group = CLI_OF_PRICES,
     .help = "price of an hour of work; without it no costs are shown; example: 100"},
    {"gpu-hour", "P", MONEY, 0, cli_set_number, AT(cost.gpu_hour), .group = CLI_OF_PRICES,
     .help = "price of an hour of one GPU; example: 2"},
    {"runs", "N", MONEY, 0, cli_set_number, AT(cost.runs_per_month), .group = CLI_OF_PRICES,
     .help = "runs of the program in a month; example: 1000"},
    {"passes", "N", MONEY, 0, cli_set_number, AT(cost.passes), .group = CLI_OF_PRICES,
     .help = "number of times that one run repeats all launches of the program; default: 1"},
    {"gpus", "N", MONEY, 0, cli_set_number, AT(cost.gpus), .group = CLI_OF_PRICES,
     .help = "number of GPUs that a run occupies; default: 1"},
    {"energy-price", "P", MONEY, 0, cli_set_number, AT(cost.energy.price), .group = CLI_OF_PRICES,
     .help = "price of a kWh: also show the energy that a version saves"},
    {"co2", "G", MONEY, 0, cli_set_number, AT(cost.energy.co2_g), .group = CLI_OF_PRICES,
     .help = "grams of CO2 for a kWh of your power: also show the CO2 that a version saves"},
    {"hours", "H", MONEY, 0, cli_set_number, AT(cost.hours), .group = CLI_OF_PRICES,
     .help = "hours of work for a version; default: estimated from the kernels, structs and lines "
             "that it changes"},
    {"effort", "NAME=X", MONEY, 0, cli_set_effort, AT(cost.effort), .group = CLI_OF_PRICES,
     .words = "write= read= kernel= struct= factor=",
     .help = "rate for the estimate of hours: write or read (lines per hour, default 2.24 and "
             "200), kernel or struct (hours for each changed one, default 4), factor (from the "
             "estimate to either end of its 90 % interval, default 2.33)"},
    {"currency", "TEXT", MONEY, 0, cli_set_text, AT(cost.currency), .group = CLI_OF_PRICES,
     .help = "currency to show with the prices; prices are not converted"},
    {"instead", "GPU[=P]", MONEY, 0, cli_add_instead, .group = CLI_OF_PRICES,
     .help = "also compare the cost of running the program on that GPU, at P an hour; default: at "
             "the price of --gpu-hour",
     .notes = {{CLI_REPORT, "a report takes one more --target instead"}}},

    /* ---- datasets and output ---- */
    {"datasets", "DIR", CLI_ALL & ~(unsigned)(CLI_CAPTURE | CLI_MERGE | CLI_SETUP), 0, cli_set_text,
     AT(datasets), .group = CLI_OF_OUTPUT,
     .help = "folder in which datasets, devices.csv and classes.csv are looked up first"},
    {"format", "text|csv|md|json", CLI_ALL & ~(unsigned)CLI_REPORT, 0, cli_set_form, AT(form),
     .group = CLI_OF_OUTPUT,
     .help = "format of the results: text (default) fits the terminal or $COLUMNS; csv has all "
             "columns with the names of the JSON fields and SI units; md is Markdown"},
    {"json", NULL, CLI_ALL, 0, cli_set_form, AT(form), .group = CLI_OF_OUTPUT,
     .help = "print one JSON document on standard output, and messages on standard error"},
    {"quiet", NULL, CLI_ALL, 0, cli_set_flag, AT(quiet), .group = CLI_OF_OUTPUT,
     .help = "print only the answer and errors: no progress, no notes below tables"},
};
const size_t cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;
_Static_assert(sizeof cli_option_table / sizeof *cli_option_table <= CLI_MOST_OPTIONS,
               "cli_options.given has a place for each");

/* What the trace engine computes must be what an OpenCL device computes: programs that use each
 * part of OpenCL C 1.2 run on both, and their outputs are compared, integers exactly and results of
 * maths functions within what the specification allows. Skips where there is no LLVM or no OpenCL
 * CPU device. Each case runs in warps of an H100 and in warps of 64 work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "owned.h"
#include "trace_fixture.h"
#include "worker_fixture.h"

enum { IN_WORDS = 4096, NAME_BYTES = 96, MOST_BUFFERS = 8 };

/* A second trace engine, next to the one with the rules of an H100. */
static pm_executor *wide;

/* ONES: not compared with OpenCL; every word must be 1. ANYTHING: not compared; the kernel only has
 * to end. */
typedef enum { EXACT, FLOATS, DOUBLES, ONES, ANYTHING } comparison;

/* A mathematical function, and by how much two devices may differ in it. */
typedef struct {
    const char *call;
    double ulps, least;
} maths_row;

#define M(call, ulps, least) {#call, ulps, least},
static const maths_row maths_rows[] = {
#include "tests/trace/sources/maths.inc"
};
static const maths_row native_rows[] = {
#include "tests/trace/sources/native.inc"
};
#undef M

/* words: words of output per work-item. arguments after in and out: lN is a local array of N bytes
 * for each work-item of a group, g a second output, h one that is not compared (it has padding), c
 * and s constant buffers, vN a value of N bytes. */
typedef struct {
    const char *file, *kernel, *options;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t words;
    const char *arguments;
    comparison how;
    const maths_row *rows;
    size_t row_count;
} language_case;

#define MATHS(type, list, words_of_type, comparison)                                               \
    {                                                                                              \
        .file = "maths.cl", .kernel = "maths", .options = "-DT=" #type " -DLIST=<" #list ".inc>",  \
        .dimensions = 1, .global = {1024}, .local = {64},                                          \
        .words = (words_of_type) * sizeof list##_rows / sizeof *list##_rows, .how = comparison,    \
        .rows = list##_rows, .row_count = sizeof list##_rows / sizeof *list##_rows                 \
    }
#define VECTORS(type, width, shared)                                                               \
    {                                                                                              \
        .file = "vectors.cl", .kernel = "memory" #width, .options = "-DT=" #type, .dimensions = 1, \
        .global = {99}, .local = {33}, .words = 4 * (width) + 2, .arguments = shared               \
    }
#define VECTORS_OF(type)                                                                           \
    VECTORS(type, 2, "l16"), VECTORS(type, 3, "l32"), VECTORS(type, 4, "l32"),                     \
        VECTORS(type, 8, "l64"), VECTORS(type, 16, "l128"),                                        \
        {.file = "vectors.cl",                                                                     \
         .kernel = "whole",                                                                        \
         .options = "-DT=" #type,                                                                  \
         .dimensions = 1,                                                                          \
         .global = {70},                                                                           \
         .local = {35},                                                                            \
         .words = 32},                                                                             \
    {                                                                                              \
        .file = "vectors.cl", .kernel = "vectors_of_three", .options = "-DT=" #type,               \
        .dimensions = 1, .global = {70}, .local = {10}, .words = 16, .arguments = "h"              \
    }

static const language_case cases[] = {
    {"ids.cl", "ids", "", 1, {96}, {32}, {0}, .words = 28},
    {"ids.cl", "ids", "", 1, {91}, {7}, {1000}, .words = 28},
    {"ids.cl", "ids", "", 1, {5}, {1}, {3}, .words = 28},
    {"ids.cl", "ids", "", 1, {1056}, {1056 / 3}, {0}, .words = 28},
    {"ids.cl", "ids", "", 2, {30, 14}, {10, 7}, {5, 9}, .words = 28},
    {"ids.cl", "ids", "", 2, {64, 8}, {16, 4}, {0}, .words = 28},
    {"ids.cl", "ids", "", 3, {10, 6, 8}, {5, 3, 2}, {1, 2, 3}, .words = 28},
    {"ids.cl", "ids", "", 3, {2, 2, 66}, {1, 2, 33}, {0, 0, 70000}, .words = 28},
    {"ids.cl", "beyond", "", 2, {30, 14}, {10, 7}, {5, 9}, .words = 8, .how = ONES},
    {"shared.cl", "arguments", "", 1, {120}, {40}, {0}, .words = 1, .arguments = "l4 l4 l1"},
    {"shared.cl", "arguments", "", 1, {333}, {111}, {0}, .words = 1, .arguments = "l4 l4 l1"},
    {"shared.cl", "arrays", "", 1, {480}, {48}, {0}, .words = 4},
    {"shared.cl", "reduction", "", 1, {640}, {64}, {0}, .words = 1, .arguments = "l4"},
    {"shared.cl", "reduction", "", 1, {500}, {50}, {0}, .words = 1, .arguments = "l4"},
    {"shared.cl", "reduction", "", 1, {12}, {1}, {0}, .words = 1, .arguments = "l4"},
    {"shared.cl", "reduction", "", 1, {2048}, {256}, {0}, .words = 1, .arguments = "l4"},
    {"shared.cl", "transpose", "", 2, {64, 48}, {16, 12}, {0}, .words = 1, .arguments = "l8"},
    {"shared.cl", "transpose", "", 2, {21, 20}, {7, 5}, {0}, .words = 1, .arguments = "l8"},
    {"constants.cl", "constants", "", 1, {200}, {50}, {0}, .words = 4, .arguments = "c s"},
    {"atomics.cl", "on_global", "", 1, {640}, {64}, {0}, .words = 2},
    {"atomics.cl", "on_global", "", 1, {245}, {49}, {0}, .words = 2},
    {"atomics.cl", "on_shared", "", 1, {640}, {64}, {0}, .words = 1, .arguments = "l4"},
    {"atomics.cl", "on_shared", "", 1, {300}, {60}, {0}, .words = 1, .arguments = "l4"},
    VECTORS_OF(char),
    VECTORS_OF(ushort),
    VECTORS_OF(int),
    VECTORS_OF(ulong),
    VECTORS_OF(float),
    VECTORS_OF(double),
    {"relations.cl", "relations", "", 1, {160}, {32}, {0}, .words = 64},
    {"structs.cl", "structs", "", 1, {160}, {40}, {0}, .words = 4, .arguments = "h"},
    {"structs.cl", "copies", "", 1, {160}, {40}, {0}, .words = 32, .arguments = "h"},
    {"structs.cl", "packed", "", 1, {160}, {40}, {0}, .words = 1, .arguments = "g"},
    {"structs.cl", "private_arrays", "", 1, {160}, {40}, {0}, .words = 8},
    {"flow.cl", "flow", "", 1, {512}, {64}, {0}, .words = 8},
    {"flow.cl", "flow", "", 1, {201}, {67}, {0}, .words = 8},
    {"flow.cl", "leaving", "", 1, {495}, {45}, {0}, .words = 1, .arguments = "l4"},
    {"flow.cl", "two_ways", "", 1, {640}, {80}, {0}, .words = 1, .arguments = "l4"},
    {"integers.cl", "integers", "", 1, {1024}, {64}, {0}, .words = 470},
    {"integers.cl", "narrow", "", 1, {300}, {60}, {0}, .words = 1, .arguments = "l2 l1"},
    {"integers.cl", "shifts", "", 1, {256}, {64}, {0}, .words = 4},
    {"integers.cl", "undefined", "", 1, {64}, {64}, {0}, .words = 1, .how = ANYTHING},
    {"convert.cl", "conversions", "", 1, {1024}, {64}, {0}, .words = 32},
    {"convert.cl", "halves", "", 1, {512}, {64}, {0}, .words = 8, .arguments = "g"},
    {"values.cl",
     "values",
     "",
     1,
     {128},
     {64},
     {0},
     .words = 12,
     .arguments = "v16 v8 v12 v1 v4 v8 v16"},
    {"values.cl",
     "own_struct",
     "",
     1,
     {128},
     {64},
     {0},
     .words = 2,
     .arguments = "v12",
     .how = ONES},
    {"values.cl", "outer", "", 1, {176}, {44}, {0}, .words = 1, .arguments = "l4 l4"},
    {"async.cl", "copies", "", 1, {320}, {64}, {0}, .words = 2, .arguments = "l8 l16"},
    {"async.cl", "copies", "", 1, {350}, {35}, {0}, .words = 2, .arguments = "l8 l16"},
    {"async.cl", "fences", "", 1, {350}, {70}, {0}, .words = 1},
    MATHS(float, maths, 1, FLOATS),
    MATHS(float, native, 1, FLOATS),
    MATHS(double, maths, 2, DOUBLES),
};

/* ---- workloads ------------------------------------------------------------------------------ */

static size_t work_items(const language_case *c, const size_t *of)
{
    size_t product = 1;

    for (unsigned d = 0; d < c->dimensions; d++)
        product *= of[d];
    return product;
}

/* A value of any type whose bytes count up. */
static void add_value(pm_workload *w, size_t bytes)
{
    pm_launch *launch = &w->launches[0];

    pm_workload_arg_int(w, 0);
    launch->args[launch->arg_count - 1].bytes = bytes;
    for (size_t i = 0; i < bytes; i++)
        launch->args[launch->arg_count - 1].value[i] = (unsigned char)(i * 13 + 3);
}

static void add_arguments(pm_workload *w, const language_case *c)
{
    size_t group = work_items(c, c->local), bytes;

    for (const char *a = c->arguments; a && *a; a += strcspn(a, " "), a += *a == ' ') {
        switch (*a) {
        case 'l':
            bytes = (size_t)strtoul(a + 1, NULL, 10);
            pm_workload_arg_local(w, bytes * group);
            break;
        case 'g':
        case 'h':
            bytes = work_items(c, c->global) * 192;
            pm_workload_arg_buffer(
                w, pm_workload_buffer(w, "more", bytes, NULL,
                                      (*a == 'g' ? PM_BUFFER_OUTPUT : 0) | PM_BUFFER_RESTORE));
            break;
        case 'v':
            add_value(w, (size_t)strtoul(a + 1, NULL, 10));
            break;
        default:
            pm_workload_arg_buffer(w,
                                   pm_workload_buffer(w, a, 256, random_words(64), PM_BUFFER_IN));
        }
    }
}

/* Replaces the #include of common.h by its text, because a source without includes is compiled once
 * for all its cases. */
static void give_whole_source(pm_workload *w, const char *path)
{
    static const char line[] = "#include \"common.h\"\n";
    char *source = need(read_source(path));
    char *common = need(read_source(PM_TRACE_KERNELS "/common.h"));
    char *at = need(strstr(source, line)), *whole = room(strlen(source) + strlen(common) + 1, 1);

    sprintf(whole, "%.*s%s%s", (int)(at - source), source, common, at + strlen(line));
    give_source(w, path, whole);
    free(source);
    free(common);
}

static pm_workload *make_workload(const language_case *c)
{
    pm_workload *w = need(pm_workload_create("language", c->kernel, "one"));
    char path[512];

    snprintf(path, sizeof path, "%s/%s", PM_TRACE_KERNELS, c->file);
    give_whole_source(w, path);
    pm_workload_options(w, "-cl-std=CL1.2 -I %s %s", PM_TRACE_KERNELS,
                        c->options ? c->options : "");
    pm_workload_buffer(w, "in", IN_WORDS * 4, random_words(IN_WORDS), PM_BUFFER_IN);
    pm_workload_buffer(w, "out", work_items(c, c->global) * c->words * 4 + 256, NULL,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_launch(w, c->kernel, c->dimensions, c->global, c->local);
    pm_workload_offset(w, c->offset);
    pm_workload_arg_buffer(w, 0);
    pm_workload_arg_buffer(w, 1);
    add_arguments(w, c);
    return owned_workload(pm_workload_finish(w, told()));
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* The distance of two numbers, in units in the last place of the larger one with `digits` bits. */
static double ulps_between(double x, double y, double least, int digits, int smallest)
{
    double size = fmax(fmax(fabs(x), fabs(y)), least);
    int exponent;

    if (isnan(x) && isnan(y))
        return 0;
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y))
        return x == y ? 0 : INFINITY;
    if (x == y)
        return 0;
    frexp(size, &exponent);
    if (exponent < smallest)
        exponent = smallest;
    return fabs(x - y) / ldexp(1, exponent - digits);
}

static double number_at(const void *values, size_t i, comparison how)
{
    return how == DOUBLES ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

/* Prints the largest difference of each row that exceeds its limit. Returns their number. */
static unsigned compare_maths(const language_case *c, const void *x, const void *y)
{
    size_t n = work_items(c, c->global);
    unsigned wrong = 0;

    for (size_t row = 0; row < c->row_count; row++) {
        double worst = -1;
        size_t where = 0;

        for (size_t i = row * n; i < (row + 1) * n; i++) {
            double off =
                ulps_between(number_at(x, i, c->how), number_at(y, i, c->how), c->rows[row].least,
                             c->how == DOUBLES ? 53 : 24, c->how == DOUBLES ? -1021 : -125);

            if (off > worst) {
                worst = off;
                where = i;
            }
        }
        if (worst > c->rows[row].ulps) {
            print_message("%s %s: %g ulps: %.17g, OpenCL %.17g (work-item %zu)\n", c->options,
                          c->rows[row].call, worst, number_at(x, where, c->how),
                          number_at(y, where, c->how), where % n);
            wrong++;
        }
    }
    return wrong;
}

static unsigned compare_words(const language_case *c, const char *buffer, const uint32_t *x,
                              const uint32_t *y, size_t words)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < words; i++)
        if (x[i] != y[i] && wrong++ < 5)
            print_message("%s %s: %s, work-item %zu, word %zu is %08x, OpenCL has %08x\n", c->file,
                          c->kernel, buffer, i / c->words, i % c->words, x[i], y[i]);
    return wrong;
}

static void *run_on(pm_executor *executor, pm_workload *w, void **outputs)
{
    if (executor->type->load(executor, w, told()) != PM_OK ||
        executor->type->run(executor, NULL, told()) != PM_OK)
        fail_msg("%s %s: %s", executor->type->name, w->variant, last_error.text);
    for (size_t i = 0; i < w->buffer_count; i++) {
        outputs[i] = NULL;
        if (!(w->buffers[i].flags & PM_BUFFER_OUTPUT))
            continue;
        outputs[i] = room(w->buffers[i].bytes, 1);
        if (executor->type->read(executor, i, outputs[i], told()) != PM_OK)
            fail_msg("%s %s: %s", executor->type->name, w->variant, last_error.text);
    }
    executor->type->unload(executor);
    return outputs;
}

/* Checks the output of a case that is ONES. */
static void expect_ones(const language_case *c, const pm_workload *w, void **outputs)
{
    uint32_t *words = room(w->buffers[1].bytes, 1);

    for (size_t i = 0; i < work_items(c, c->global) * c->words; i++)
        words[i] = 1;
    outputs[1] = words;
}

/* Runs a case on an engine. Returns the number of outputs that differ from the expected ones. */
static unsigned wrong_on(pm_executor *engine, const language_case *c, pm_workload *w, void **want)
{
    void *got[MOST_BUFFERS] = {0};
    unsigned wrong = 0;

    run_on(engine, w, got);
    for (size_t i = 0; i < w->buffer_count; i++) {
        if (got[i] && want[i] && (c->how == EXACT || c->how == ONES))
            wrong += compare_words(c, w->buffers[i].name, got[i], want[i], w->buffers[i].bytes / 4);
        else if (got[i] && want[i])
            wrong += compare_maths(c, got[i], want[i]);
    }
    if (wrong > 0)
        print_message("in the warps of %s\n", engine->device.id);
    return wrong;
}

static void same_on_all(void **state)
{
    const language_case *c = *state;
    pm_workload *w = make_workload(c);
    void *want[MOST_BUFFERS] = {0};

    assert_true(w->buffer_count <= MOST_BUFFERS);
    if (c->how == ONES)
        expect_ones(c, w, want);
    else if (c->how != ANYTHING)
        run_on(cpu, w, want);
    assert_int_equal(wrong_on(traced, c, w, want) + wrong_on(wide, c, w, want), 0);
}

/* Both engines have one worker, which compiles a source once. */
static pm_executor *open_engine(const char *target, const char *folder,
                                const pm_counter_table *table, pm_error *err)
{
    const pm_trace_engine_options options = {
        .target = target, .datasets = folder, .sample = 1, .seed = 1, .worker = test_worker()};
    pm_executor *executor = NULL;

    (void)pm_executor_trace_open(&options, table, NULL, &executor, err);
    return executor;
}

static bool open_engines(const pm_counter_table *table, pm_error *err)
{
    char folder[] = "/tmp/pm_vector_XXXXXX";

    traced = open_engine("h100", NULL, table, err);
    if (traced && write_wide_gpus(folder))
        wide = open_engine("wide_sectors", folder, table, err);
    else if (traced)
        snprintf(err->text, sizeof err->text, "%s: cannot write devices.csv there", folder);
    if (traced)
        remove_wide_gpus(folder);
    return wide != NULL;
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof *cases };
    char names[CASES][NAME_BYTES];
    pm_error err = {0};
    pm_counter_table *table = pm_counter_table_read(NULL, &err);
    bool opened;
    int failed = 77;

    for (size_t i = 0; i < CASES; i++) {
        snprintf(names[i], NAME_BYTES, "%s %s %s, %zu by %zu", cases[i].file, cases[i].kernel,
                 cases[i].options ? cases[i].options : "", work_items(&cases[i], cases[i].global),
                 work_items(&cases[i], cases[i].local));
        add_case(names[i], same_on_all, &cases[i]);
    }
    cpu = open_cpu();
    opened = table && open_engines(table, &err);
    if (!cpu || (!opened && PM_LLVM_MAJOR == 0))
        fprintf(stderr, "skipped: %s\n", cpu ? err.text : "no OpenCL CPU device");
    else if (!opened)
        fprintf(stderr, "%s\n", err.text);
    if (cpu && opened)
        failed = run_all_tests(NULL, NULL);
    else if (cpu && PM_LLVM_MAJOR > 0)
        failed = 1;
    if (wide)
        wide->type->close(wide);
    close_executors();
    pm_counter_table_free(table);
    return failed;
}

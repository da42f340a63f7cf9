/* Compares the CUDA and OpenCL versions of programs of the suite and of the corpus (kernels/cuda/):
 * the trace engine counts them alike, and their results are equal. docs/results.md has the output.
 * If PM_TWINS_FAST is in the environment, fast mathematics is used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dirent.h>

#include "collector/measure.h"
#include "trace_suite.h"

#define CORPUS PM_SOURCE_DIR "/kernels/cuda/"
#define FINDINGS PM_SOURCE_DIR "/scripts/findings/"
#define CL_STANDARD "-cl-std=CL1.2"

typedef struct {
    pm_workload *opencl, *cuda;
} twins;

static pm_executor *open_engine(const pm_counter_table *table)
{
    const pm_trace_engine_options options = {.target = "h200", .worker = test_worker()};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

/* ---- the OpenCL and the CUDA workload ---------------------------------------------------------
 */

static void give_source(pm_workload *w, const char *ending)
{
    const size_t length = strlen(w->source_path);
    char path[4096];

    assert_true(length > 3);
    snprintf(path, sizeof path, "%.*s%s", (int)length - 3, w->source_path, ending);
    pm_workload_source_file(w, path);
    assert_ok(w->error.status == PM_OK);
}

static bool is_fast(void)
{
    return getenv("PM_TWINS_FAST") != NULL;
}

static twins of_suite(const suite_case *c)
{
    const twins t = {
        .opencl = owned_workload(suite_workload(c->program, c->variant, c->size, told())),
        .cuda = owned_workload(suite_workload(c->program, c->variant, c->size, told()))};
    char options[256];

    assert_true(strncmp(t.opencl->build_options, CL_STANDARD, strlen(CL_STANDARD)) == 0);
    snprintf(options, sizeof options, "%s", t.opencl->build_options + strlen(CL_STANDARD));
    give_source(t.cuda, ".cu");
    pm_workload_options(t.cuda, "%s%s", is_fast() ? " --use_fast_math" : "", options);
    pm_workload_options(t.opencl, CL_STANDARD "%s%s", is_fast() ? " -cl-fast-relaxed-math" : "",
                        options);
    return t;
}

/* This file is the CUDA version. The corpus's source gets its local memory as an argument. */
static twins of_file(const char *path, const char *variant)
{
    static const char fast[] = "--use_fast_math";
    const pm_program *program = pm_program_open(test_session(), path, told());
    twins t;
    char options[256], *at;

    assert_ok(program != NULL);
    t.cuda = pm_program_build(program, variant, program->info.sizes[0], 1, test_session(), told());
    t.opencl =
        pm_program_build(program, variant, program->info.sizes[0], 1, test_session(), told());
    assert_ok(t.cuda && t.opencl);
    owned_workload(t.cuda);
    owned_workload(t.opencl);
    snprintf(options, sizeof options, "%s", t.cuda->build_options);
    at = strstr(options, fast);
    if (at)
        memset(at, ' ', strlen(fast));
    give_source(t.opencl, ".cl");
    if (is_fast() && !at)
        pm_workload_options(t.cuda, "%s %s", fast, options);
    pm_workload_options(t.opencl, CL_STANDARD "%s %s",
                        at || is_fast() ? " -cl-fast-relaxed-math" : "", options);
    for (size_t l = 0; l < t.opencl->launch_count; l++) {
        pm_launch *launch = &t.opencl->launches[l];

        if (launch->shared > 0)
            launch->args[launch->arg_count++] =
                (pm_arg){.kind = PM_ARG_LOCAL, .bytes = launch->shared};
        launch->shared = 0;
    }
    return t;
}

/* ---- counts -----------------------------------------------------------------------------------
 */

/* Returns a kernel's counter summed over all its launches. */
static double value_of(const pm_counter_table *table, const pm_workload *w,
                       const suite_counts *counts, const char *kernel, const char *name)
{
    const size_t width = pm_counter_table_size(table);
    double sum = 0;
    size_t i = 0;

    while (i < width && strcmp(pm_counter_name(table, i), name) != 0)
        i++;
    if (i == width)
        fail_msg("no counter %s", name);
    for (size_t l = 0; l < w->launch_count; l++)
        if (strcmp(w->launches[l].kernel, kernel) == 0)
            sum += counts->values[l * width + i];
    return sum;
}

/* Comparison of the OpenCL and CUDA versions of one program, or of all. */
typedef struct {
    size_t kernels, requests, same; /* same: within 2 % */
    double opencl, cuda;            /* instructions */
    char off[256];                  /* kernels whose counts differ */
} comparison;

static bool is_new_kernel(const pm_workload *w, size_t launch)
{
    for (size_t l = 0; l < launch; l++)
        if (strcmp(w->launches[l].kernel, w->launches[launch].kernel) == 0)
            return false;
    return true;
}

static void compare_kernel(const pm_counter_table *table, const twins *t, const suite_counts *a,
                           const suite_counts *b, const char *kernel, comparison *c)
{
    static const char *const requests[] = {"gld_request",  "gst_request", "shared_load",
                                           "shared_store", "atomic",      "barrier"};

    c->kernels++;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const double x = value_of(table, t->opencl, a, kernel, requests[i]);
        const double y = value_of(table, t->cuda, b, kernel, requests[i]);
        const size_t used = strlen(c->off);

        if (x == 0 && y == 0)
            continue;
        c->requests++;
        if (fabs(x - y) <= 0.02 * x)
            c->same++;
        else
            snprintf(c->off + used, sizeof c->off - used, " %s of %s %+.1f %%", requests[i], kernel,
                     100 * (y / x - 1));
    }
    c->opencl += value_of(table, t->opencl, a, kernel, "inst_executed");
    c->cuda += value_of(table, t->cuda, b, kernel, "inst_executed");
}

static comparison compare_counts(const pm_counter_table *table, const twins *t,
                                 const suite_counts *a, const suite_counts *b)
{
    comparison c = {.off = ""};

    for (size_t l = 0; l < t->opencl->launch_count; l++)
        if (is_new_kernel(t->opencl, l))
            compare_kernel(table, t, a, b, t->opencl->launches[l].kernel, &c);
    return c;
}

/* ---- results ----------------------------------------------------------------------------------
 */

/* Returns whether outputs are equal bit by bit, or floats up to rounding. */
static bool same_word(uint32_t a, uint32_t b)
{
    float x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return a == b || (isnormal(x) && isnormal(y) && fabsf(x - y) <= 1e-5f * fabsf(x));
}

static void *output_of(pm_executor *engine, const pm_workload *w, size_t buffer)
{
    void *data = room(w->buffers[buffer].bytes + 4, 1);

    assert_ok(engine->type->read(engine, buffer, data, told()) == PM_OK);
    return data;
}

static void compare_outputs(const pm_workload *w, size_t buffer, const void *a, const void *b)
{
    const size_t words = w->buffers[buffer].bytes / 4;
    const uint32_t *x = a, *y = b;
    size_t off = 0;

    for (size_t i = 0; i < words; i++)
        off += !same_word(x[i], y[i]);
    if (off > words / 10000)
        fail_msg("%s: %zu of %zu words of %s are others in CUDA", w->program, off, words,
                 w->buffers[buffer].name);
}

/* Counts one pass. Runs it completely if `outputs` is given (for each buffer; NULL: not an
 * output). */
static suite_counts count_and_run(const pm_counter_table *table, const pm_workload *w,
                                  void **outputs)
{
    pm_executor *engine = open_engine(table);
    suite_counts counts;

    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, table, w, &counts, told()) == PM_OK);
    assert_ok(!outputs || engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(!outputs || !w->check || pm_measure_check(engine, w, told()) == PM_OK);
    for (size_t i = 0; outputs && i < w->buffer_count; i++)
        outputs[i] = w->buffers[i].flags & PM_BUFFER_OUTPUT ? output_of(engine, w, i) : NULL;
    engine->type->close(engine);
    return counts;
}

/* Programs of the suite check their results. Other programs must give equal results in both
 * languages, up to the effects of fast mathematics. */
static comparison compare(const pm_counter_table *table, const twins *t, const char *name)
{
    void **x = room(t->opencl->buffer_count, sizeof *x);
    void **y = room(t->cuda->buffer_count, sizeof *y);
    const bool knows = t->cuda->check != NULL;
    const suite_counts a = count_and_run(table, t->opencl, is_fast() || knows ? NULL : x);
    const suite_counts b = count_and_run(table, t->cuda, is_fast() ? NULL : y);
    const comparison c = compare_counts(table, t, &a, &b);

    for (size_t i = 0; i < t->opencl->buffer_count; i++)
        if (x[i])
            compare_outputs(t->opencl, i, x[i], y[i]);
    print_message("%s: %zu of %zu requests of %zu kernels within 2 %%, instructions %+.1f %%%s%s\n",
                  name, c.same, c.requests, c.kernels, 100 * (c.cuda / c.opencl - 1),
                  *c.off ? "; off:" : "", c.off);
    return c;
}

static void add(comparison *all, const comparison *c)
{
    all->kernels += c->kernels;
    all->requests += c->requests;
    all->same += c->same;
}

/* Half of the programs of the suite: every second one from `first` on. */
static void compare_suite(const pm_counter_table *table, size_t first)
{
    static const suite_case cases[] = {
        {"copy", "float4", "16"},
        {"copy", "float", "16"},
        {"matmul_tiled", "local", "512"},
        {"nbody", "local", "8192"},
        {"sobel3x3", "nolocal", "1536x1536"},
        {"sph", "aos", "10000"},
        {"idw", "aos", "4096"},
        {"cfd", "aos", "12288"},
        {"particlefilter", "aos", "1024"},
        {"matmul", "nolocal", "256"},
        {"matmul", "local", "256"},
        {"inverse", "nolocal", "256"},
        {"inverse", "local", "256"},
        {"binomial", "local", "1024"},
        {"dct8x8", "local", "2048"},
        {"haar1d", "local", NULL},
        {"fdtd3d", "local", "192x192x32"},
    };
    comparison all = {.off = ""};

    if (!engine_is_there())
        skip();
    for (size_t i = first; i < sizeof cases / sizeof *cases; i += 2) {
        suite_case c = cases[i];
        char name[128];

        if (!c.size)
            c.size = pm_suite_find(c.program)->info.sizes[0];
        const twins t = of_suite(&c);
        snprintf(name, sizeof name, "%s %s", c.program, c.variant);
        const comparison one = compare(table, &t, name);

        add(&all, &one);
    }
    assert_true((double)all.same >= 0.95 * (double)all.requests);
}

TEST(even_programs_of_the_suite)
{
    compare_suite(*state, 0);
}

TEST(odd_programs_of_the_suite)
{
    compare_suite(*state, 1);
}

/* Half of the programs of the corpus: every second file from `first` on. */
static void compare_corpus(const pm_counter_table *table, int first)
{
    comparison all = {.off = ""};
    struct dirent **entries = NULL;
    int count = scandir(CORPUS, &entries, NULL, alphasort), number = 0;

    if (!engine_is_there())
        skip();
    assert_true(count > 2);
    for (int i = 0; i < count; i++) {
        char path[4096];

        snprintf(path, sizeof path, CORPUS "%s", entries[i]->d_name);
        if (strstr(path, ".workload") && number++ % 2 == first) {
            const twins t = of_file(path, "plain");
            const comparison one = compare(table, &t, entries[i]->d_name);

            add(&all, &one);
        }
        free(entries[i]);
    }
    free(entries);
    assert_true((double)all.same >= 0.95 * (double)all.requests);
}

TEST(even_programs_of_the_corpus)
{
    compare_corpus(*state, 0);
}

TEST(odd_programs_of_the_corpus)
{
    compare_corpus(*state, 1);
}

/* Kamiya's matrix product, in the original and the generated version. */
TEST(a_paper_s_product)
{
    static const char *const variants[] = {"plain", "figure14"};

    if (!engine_is_there())
        skip();
    for (size_t i = 0; i < 2; i++) {
        const twins t = of_file(FINDINGS "matmul_rows_cuda.workload", variants[i]);
        char name[64];
        comparison one;

        snprintf(name, sizeof name, "matmul_rows %s", variants[i]);
        one = compare(*state, &t, name);
        assert_int_equal(one.same, one.requests);
    }
}

TEST_MAIN(open_table, close_table)

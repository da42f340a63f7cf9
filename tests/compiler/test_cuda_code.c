/* Tests the compilation of CUDA sources by NVRTC and nvcc, which needs no GPU: the kernels compile,
 * their names in the code are found, and errors have file and line. The tests are skipped with a
 * message if this machine has neither compiler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/cuda_ptx.h"
#include "compiler/nvidia/cuda_compile.h"
#include "owned.h"
#include "unit.h"

#define KERNELS PM_SOURCE_DIR "/tests/trace/sources/cuda/"

typedef struct {
    const char *source, *options;
    const char *kernels[4]; /* then NULLs */
    size_t parameters[4];   /* of each */
    const char *symbol;     /* NULL: none */
    bool wants_headers;     /* of the toolkit */
    unsigned capability;    /* that it needs */
} program;

static const program programs[] = {
    {"../../../../kernels/copy/copy.cu",
     "-DTYPE=float4 -DGROUP=256",
     {"copy"},
     {2},
     NULL,
     false,
     0},
    {"../../../../kernels/matmul_tiled/matmul_tiled_local.cu",
     "-DTILE=16",
     {"matmul_tiled"},
     {4},
     NULL,
     false,
     0},
    {"../../../../kernels/nbody/nbody_local.cu",
     "-DGROUP=64 --use_fast_math",
     {"nbody"},
     {7},
     NULL,
     false,
     0},
    {"program.cu",
     "-std=c++17 -O3",
     {"reduce<float, 256>", "reduce<double, 64>", "shapes::scale", "reduce<float, 256>"},
     {3, 3, 3, 3},
     "weights",
     false,
     0},
    {"../../../bench/twins/mixed.cu",
     "-DBINS=1024",
     {"histogram", "axpy<double>", "tick"},
     {3, 4, 1},
     NULL,
     false,
     0},
    {"../../../../kernels/sobel3x3/sobel3x3_nolocal.cu",
     "-DGX=16 -DGY=16 -maxrregcount=32",
     {"sobel3x3"},
     {4},
     NULL,
     false,
     0},
    {"warp.cu", "", {"exchange", "hand_on", "tiles"}, {3, 3, 3}, NULL, true, 80},
};

/* Makes a workload that launches the kernels without arguments. */
static pm_workload *make_workload(const char *path, const char *options, const char *const *kernels,
                                  size_t count, const char *symbol)
{
    static const float values[4] = {1, 2, 3, 4};
    const size_t size = 256;
    pm_workload *w = pm_workload_create("cuda", "plain", "small");

    assert_non_null(w);
    pm_workload_source_file(w, path);
    pm_workload_options(w, "%s", options);
    for (size_t i = 0; i < count && kernels[i]; i++)
        pm_workload_launch(w, kernels[i], 1, &size, &size);
    if (symbol)
        pm_workload_symbol(w, symbol, values, sizeof values);
    return owned_workload(pm_workload_finish(w, told()));
}

typedef struct {
    bool by_nvrtc;
    pm_nvrtc nvrtc;
    pm_nvcc nvcc;
    pm_compiler *clang; /* NULL: another compiler is used */
} compiler;

/* Skips the test if there is no NVRTC. */
static void open_nvrtc(compiler *c, unsigned capability)
{
    *c = (compiler){.by_nvrtc = true};
    if (pm_nvrtc_open(&c->nvrtc, capability, 13, told()) != PM_OK) {
        print_message("SKIPPED: %s\n", last_error.text);
        skip();
    }
}

static void open_nvcc(compiler *c, unsigned capability)
{
    const pm_compiler_limits limits = {.seconds = 120};

    *c = (compiler){0};
    if (pm_nvcc_find(&c->nvcc, capability, &limits, told()) != PM_OK) {
        print_message("SKIPPED: %s\n", last_error.text);
        skip();
    }
}

OWNED(clang, pm_compiler, pm_compiler_free)

static void open_clang(compiler *c)
{
    const pm_compiler_limits limits = {.seconds = 120};

    *c = (compiler){.clang = owned_clang(pm_compiler_create(&limits, told()))};
    if (pm_compiler_find(c->clang, told()) != PM_OK) {
        print_message("SKIPPED: %s\n", last_error.text);
        skip();
    }
}

static pm_status compile(const compiler *c, const pm_workload *w, pm_cuda_code *code)
{
    *code = (pm_cuda_code){0};
    if (c->clang)
        return pm_clang_compile(c->clang, 90, w, code, told());
    return c->by_nvrtc ? pm_nvrtc_compile(&c->nvrtc, "NVRTC", w, code, told())
                       : pm_nvcc_compile(&c->nvcc, w, code, told());
}

static void expect_code(const program *p, const pm_cuda_code *code, bool machine_code)
{
    pm_ptx_parameter parameters[PM_PTX_MAX_PARAMETERS];

    assert_true((code->image != NULL) == machine_code);
    if (machine_code)
        assert_memory_equal(code->image, "\177ELF", 4);
    assert_null(strstr(code->ptx, "pm_kernel_"));
    for (size_t i = 0; i < 4 && p->kernels[i]; i++) {
        size_t count = 0;

        assert_ok(pm_ptx_parameters(code->ptx, code->kernels[i], parameters, &count, told()) ==
                  PM_OK);
        assert_int_equal(count, p->parameters[i]);
        assert_int_equal(parameters[0].bytes, 8);
    }
    if (p->symbol)
        assert_string_equal(code->symbols[0], p->symbol);
}

static void compile_all(const compiler *c)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const program *p = &programs[i];
        char path[4096];
        pm_cuda_code code;
        pm_status status;

        if (c->by_nvrtc && c->nvrtc.capability < p->capability)
            continue;
        snprintf(path, sizeof path, KERNELS "%s", p->source);
        status = compile(c, make_workload(path, p->options, p->kernels, 4, p->symbol), &code);
        if (status == PM_OK)
            expect_code(p, &code, c->by_nvrtc && c->nvrtc.machine_code);
        pm_cuda_code_free(&code);
        /* Python's package of NVRTC has no headers of the toolkit. */
        if (status != PM_OK && p->wants_headers && strstr(last_error.text, "set CUDA_HOME"))
            print_message("SKIPPED %s: %s\n", p->source, last_error.text);
        else
            assert_ok(status == PM_OK);
    }
}

TEST(test_nvrtc_compiles)
{
    static const unsigned capabilities[] = {75, 90};

    for (size_t i = 0; i < 2; i++) {
        compiler c;

        open_nvrtc(&c, capabilities[i]);
        assert_true(c.nvrtc.machine_code);
        assert_int_equal(c.nvrtc.capability, capabilities[i]);
        compile_all(&c);
        pm_nvrtc_close(&c.nvrtc);
    }
}

/* A GPU newer than NVRTC gets PTX for the newest GPU that NVRTC knows. */
TEST(test_newer_gpu)
{
    const program *p = &programs[0];
    pm_cuda_code code;
    compiler c;

    open_nvrtc(&c, 999);
    assert_false(c.nvrtc.machine_code);
    assert_true(c.nvrtc.capability > 75 && c.nvrtc.capability < 999);
    assert_ok(compile(&c,
                      make_workload(PM_SOURCE_DIR "/kernels/copy/copy.cu", p->options, p->kernels,
                                    1, NULL),
                      &code) == PM_OK);
    expect_code(p, &code, false);
    pm_cuda_code_free(&code);
    pm_nvrtc_close(&c.nvrtc);
}

TEST(test_nvcc_compiles)
{
    compiler c;

    open_nvcc(&c, 90);
    assert_memory_equal(c.nvcc.name, "nvcc 1", 6);
    compile_all(&c);
}

TEST(test_clang_compiles)
{
    compiler c;

    open_clang(&c);
    compile_all(&c);
}

/* ---- sources with errors -------------------------------------------------------------------- */

typedef struct {
    const char *text, *options, *kernel, *symbol, *says;
} fault;

static const fault faults[] = {
    {"__global__ void f(int *a)\n{\n    a[0] = nothing;\n}\n", "", "f", NULL,
     "wrong.cu:3: identifier \"nothing\" is undefined ("},
    {"__global__ void f(int *a)\n{\n}\n", "", "g", NULL,
     "wrong.cu: a launch's kernel, or a symbol: identifier \"g\" is undefined"},
    {"__global__ void f(int *a)\n{\n}\n", "", "f", "wights", "identifier \"wights\" is undefined"},
    {"template <int N> __global__ void f(int *a)\n{\n}\n", "", "f", NULL,
     "wrong.cu: a launch's kernel, or a symbol: cannot de"},
    {"#include \"no_such.cuh\"\n__global__ void f(int *a)\n{\n}\n", "", "f", NULL, "wrong.cu:1: "},
    {"__global__ void f(int *a)\n{\n}\n", "-cl-std=CL1.2", "f", NULL, "not an option of nvcc"},
};

static void expect_faults(const compiler *c)
{
    const char *folder = scratch_folder();

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        char path[4096];
        pm_cuda_code code;

        snprintf(path, sizeof path, "%s/wrong.cu", folder);
        write_text(path, f->text);
        assert_int_equal(
            compile(c, make_workload(path, f->options, &f->kernel, 1, f->symbol), &code),
            PM_BAD_INPUT);
        pm_cuda_code_free(&code);
        if (!strstr(last_error.text, f->says))
            fail_msg("expected \"%s\" in: %s", f->says, last_error.text);
        assert_null(strstr(last_error.text, "__nv_name_map"));
    }
}

TEST(test_nvrtc_faults)
{
    compiler c;

    open_nvrtc(&c, 90);
    expect_faults(&c);
    pm_nvrtc_close(&c.nvrtc);
}

TEST(test_nvcc_faults)
{
    compiler c;

    open_nvcc(&c, 90);
    expect_faults(&c);
}

TEST(test_clang_faults)
{
    const fault *f = &faults[0];
    compiler c;
    pm_cuda_code code;
    char path[4096];

    open_clang(&c);
    snprintf(path, sizeof path, "%s/wrong.cu", scratch_folder());
    write_text(path, f->text);
    assert_int_equal(compile(&c, make_workload(path, "", &f->kernel, 1, NULL), &code),
                     PM_BAD_INPUT);
    pm_cuda_code_free(&code);
    assert_non_null(strstr(last_error.text, "wrong.cu:3:"));
    assert_int_equal(compile(&c,
                             make_workload(PM_SOURCE_DIR "/kernels/copy/copy.cu",
                                           programs[0].options, &(const char *){"cpy"}, 1, NULL),
                             &code),
                     PM_BAD_INPUT);
    pm_cuda_code_free(&code);
    assert_non_null(strstr(last_error.text, "copy.cu: a launch's kernel, or a symbol"));
}

/* ---- no compiler ----------------------------------------------------------------------------- */

static void expect_no_nvrtc(unsigned capability, const char *says)
{
    pm_nvrtc nvrtc;

    assert_int_equal(pm_nvrtc_open(&nvrtc, capability, 13, told()), PM_FAILED);
    assert_null(nvrtc.library);
    if (!strstr(last_error.text, says))
        fail_msg("expected \"%s\" in: %s", says, last_error.text);
}

static const char *const variables[] = {"PERFMODEL_NVRTC", "PERFMODEL_NVCC", "PERFMODEL_CLANG"};
enum { VARIABLES = 3 };

typedef struct {
    char *before[VARIABLES];
} environment;

static int keep_environment(void **state)
{
    environment *e = need(calloc(1, sizeof *e));

    for (size_t i = 0; i < VARIABLES; i++)
        if (getenv(variables[i]))
            e->before[i] = need(strdup(getenv(variables[i])));
    *state = e;
    return 0;
}

static int restore_environment(void **state)
{
    environment *e = *state;

    for (size_t i = 0; i < VARIABLES; i++) {
        if (e->before[i])
            setenv(variables[i], e->before[i], 1);
        else
            unsetenv(variables[i]);
        free(e->before[i]);
    }
    free(e);
    return 0;
}

static void without(size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(setenv(variables[i], "/no/such", 1), 0);
}

TEST_WITH(test_wrong_library, keep_environment, restore_environment)
{
    without(1);
    expect_no_nvrtc(90, "PERFMODEL_NVRTC=/no/such is not a library that loads");
    assert_int_equal(setenv("PERFMODEL_NVRTC", "libm.so.6", 1), 0);
    expect_no_nvrtc(90, "libm.so.6 has no nvrtcGetErrorString: it is no NVRTC, or older than");
}

TEST_WITH(test_choice, keep_environment, restore_environment)
{
    const pm_compiler_limits limits = {.seconds = 120};
    pm_cuda_compiler *c;
    compiler there;

    open_clang(&there);
    without(2);
    c = pm_cuda_compiler_open(90, 13, &limits, told());
    assert_non_null(c);
    assert_memory_equal(pm_cuda_compiler_name(c), "clang ", 6);
    pm_cuda_compiler_close(c);
    without(3);
    assert_null(pm_cuda_compiler_open(90, 13, &limits, told()));
    assert_non_null(strstr(last_error.text, "PERFMODEL_NVRTC=/no/such"));
}

TEST(test_older_gpu)
{
    compiler c;

    open_nvrtc(&c, 90);
    pm_nvrtc_close(&c.nvrtc);
    expect_no_nvrtc(20, "does not compile for compute capability 2.0: install an older one");
}

/* Tests workloads whose arrays are copied to local memory: which facts about launches the analysis
 * gets, which texts are valid variants, and that every program of the suite computes the same bits
 * as before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "owned.h"
#include "program/suite/suite.h"
#include "suite_sizes.h"
#include "trace_fixture.h"
#include "transform/rewrite/staging.h"
#include "transform/rewrite/transform.h"
#include "worker_fixture.h"

/* ---- facts about launches ------------------------------------------------------------------- */

/* Three launches; the second one equals the first. */
static pm_workload *three_launches(void)
{
    const size_t global[] = {64, 32}, local[] = {16, 4}, offset[] = {0, 8};
    pm_workload *w = owned_workload(pm_workload_create("test", "plain", "1"));

    w->source = strdup("__kernel void k(__global float *a, __local int *b, int n, ulong m, float x,"
                       " __global float *c) {}\n__kernel void l(__global float *a) {}\n");
    pm_workload_buffer(w, "in", 400, NULL, PM_BUFFER_IN);
    pm_workload_buffer(w, "rows", 800, NULL, PM_BUFFER_SCRATCH | PM_BUFFER_POISON);
    for (int i = 0; i < 2; i++) {
        pm_workload_launch(w, "k", 2, global, local);
        pm_workload_offset(w, offset);
        pm_workload_arg_buffer(w, 1);
        pm_workload_arg_local(w, 128);
        pm_workload_arg_int(w, -3);
        pm_workload_arg_ulong(w, 1ULL << 40);
        pm_workload_arg_float(w, 1.0f);
        pm_workload_arg_buffer(w, 0);
    }
    pm_workload_launch(w, "l", 1, (size_t[]){8}, (size_t[]){8});
    pm_workload_arg_buffer(w, 0);
    return w;
}

static void check_buffer_arg(const pm_stage_arg *arg, size_t buffer, size_t bytes, bool scratch)
{
    assert_false(arg->is_integer);
    assert_int_equal(arg->buffer, buffer);
    assert_int_equal(arg->buffer_bytes, bytes);
    assert_int_equal(arg->scratch, scratch);
}

static void check_value(const pm_stage_arg *arg, long long value)
{
    assert_true(arg->is_integer);
    assert_true(arg->value == value);
    assert_int_equal(arg->buffer, SIZE_MAX);
}

TEST(launches_are_told)
{
    pm_workload *w = three_launches();
    pm_stage_launches launches;
    const pm_stage_launch *k;

    assert_int_equal(pm_stage_launches_of(w, &launches, told()), PM_OK);
    assert_int_equal(launches.count, 2);
    k = &launches.items[0];
    assert_string_equal(k->kernel, "k");
    assert_int_equal(k->dimensions, 2);
    assert_memory_equal(k->global, ((size_t[]){64, 32, 1}), sizeof k->global);
    assert_memory_equal(k->local, ((size_t[]){16, 4, 1}), sizeof k->local);
    assert_memory_equal(k->offset, ((size_t[]){0, 8, 0}), sizeof k->offset);
    assert_int_equal(k->arg_count, 6);
    check_buffer_arg(&k->args[0], 1, 800, true);
    check_buffer_arg(&k->args[1], SIZE_MAX, 0, false);
    check_value(&k->args[2], -3);
    check_value(&k->args[3], 1LL << 40);
    check_buffer_arg(&k->args[5], 0, 400, false);
    assert_string_equal(launches.items[1].kernel, "l");
    pm_memory_free(&launches.memory);
}

/* Launches that differ in any property are both listed. */
TEST(different_launches_are_kept)
{
    for (int what = 0; what < 6; what++) {
        pm_workload *w = three_launches();
        pm_launch *second = &w->launches[1];
        pm_stage_launches launches;

        switch (what) {
        case 0:
            second->global[1] = 64;
            break;
        case 1:
            second->local[0] = 8;
            break;
        case 2:
            second->offset[1] = 0;
            break;
        case 3:
            second->args[0].buffer = 0;
            break;
        case 4:
            second->args[2].value[0] ^= 1;
            break;
        default:
            second->args[1].bytes = 64;
        }
        assert_int_equal(pm_stage_launches_of(w, &launches, NULL), PM_OK);
        assert_int_equal(launches.count, 3);
        pm_memory_free(&launches.memory);
    }
}

/* ---- texts that are variants ----------------------------------------------------------------- */

TEST(variants)
{
    static const struct {
        const char *program, *variant;
        bool has;
    } rows[] = {
        {"matmul_tiled", "nolocal", true},
        {"matmul_tiled", "shared", true},
        {"matmul_tiled", "shared:a+b/8", true},
        {"matmul_tiled", "aos;shared", true},
        {"matmul_tiled", "soa;shared", false},
        {"matmul_tiled", "soa", false},
        {"matmul_tiled", "sharedx", false},
        {"matmul_tiled", "local;shared", false},
        {"sph", "shared:particles", true},
        {"sph", "soa;shared", true},
        {"sph", "4-4-3-align;shared", true},
        {"sph", "soa@force;shared@force", true},
        {"sph", "soax;shared", false},
        {"sph", "soa", true},
        {"copy", "shared", false},
        {"copy", "float;shared", false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (pm_program_has_variant(&pm_suite_find(rows[i].program)->info, rows[i].variant) !=
            rows[i].has)
            fail_msg("%s %s", rows[i].program, rows[i].variant);
}

/* The base is one of the variants. It is the first one if layouts start from it. */
TEST(bases)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);
        bool listed = false;

        assert_int_equal(info->base == NULL, info->probe);
        for (const char *const *v = info->variants; *v; v++)
            listed = listed || (info->base && strcmp(*v, info->base) == 0);
        assert_int_equal(listed, info->base != NULL);
        if (info->layouts)
            assert_string_equal(info->base, info->variants[0]);
    }
}

TEST(wrong_texts)
{
    static const char *const rows[][3] = {
        {"matmul_tiled", "shared;aos", "layouts first"},
        {"matmul_tiled", "shared:a/0", "1 to 65536"},
        {"matmul_tiled", "shared:nothing", "a, b"},
        {"matmul_tiled", "shared:a@matmul", "the kernels are matmul_tiled"},
        {"matmul_tiled", "shared:n", "n"},
        {"sph", "cluster:nothing;shared", "struct Particle has no field"},
        {"sph", "shared:particles@rest", "the kernels are"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const pm_program *program = pm_suite_find(rows[i][0]);
        pm_workload *w = pm_program_build(program, rows[i][1], program->info.sizes[0], 1,
                                          test_session(), told());

        if (w || last_error.status != PM_BAD_INPUT || !strstr(last_error.text, rows[i][2]))
            fail_msg("%s %s: %s", rows[i][0], rows[i][1], w ? "it is taken" : last_error.text);
    }
}

/* ---- the suite ------------------------------------------------------------------------------- */

static pm_workload *build(const char *program, const char *variant, const char *size)
{
    pm_workload *w =
        pm_program_build(suite_in_size(program, size), variant, size, 3, test_session(), told());

    if (!w)
        fail_msg("%s %s %s: %s", program, variant, size, last_error.text);
    return owned_workload(w);
}

/* Returns the contents of the outputs after two passes, one after the other. The program's check,
 * if any, must pass. */
static unsigned char *outputs_of(pm_executor *executor, pm_workload *w, bool check, size_t *bytes)
{
    unsigned char *all;
    pm_status status = pm_measure_reference(executor, w, told());

    if (status == PM_OK)
        status = executor->type->load(executor, w, told());
    *bytes = 0;
    for (size_t b = 0; b < w->buffer_count; b++)
        *bytes += w->buffers[b].flags & PM_BUFFER_OUTPUT ? w->buffers[b].bytes : 0;
    all = room(*bytes + 1, 1);
    for (int pass = 0; status == PM_OK && pass < 2; pass++) {
        status = executor->type->run(executor, NULL, told());
        if (status == PM_OK && check)
            status = pm_measure_check(executor, w, told());
    }
    for (size_t b = 0, at = 0; status == PM_OK && b < w->buffer_count; b++)
        if (w->buffers[b].flags & PM_BUFFER_OUTPUT) {
            status = executor->type->read(executor, b, all + at, told());
            at += w->buffers[b].bytes;
        }
    executor->type->unload(executor);
    if (status != PM_OK)
        fail_msg("%s %s %s: %s\n%s", w->program, w->variant, w->size, last_error.text, w->source);
    return all;
}

static size_t build_launches(const char *program, const char *size)
{
    return build(program, pm_suite_find(program)->info.base, size)->launch_count;
}

/* Returns whether the outputs of two workloads are equal bit for bit. */
static bool is_same(pm_executor *executor, pm_workload *a, pm_workload *b)
{
    size_t bytes, other;
    unsigned char *x = outputs_of(executor, a, false, &bytes);
    unsigned char *y = outputs_of(executor, b, false, &other);

    return bytes == other && bytes > 0 && memcmp(x, y, bytes) == 0;
}

/* Returns the number of a workload's scratch buffers, which are filled with other contents. */
static size_t spoil_scratch(pm_workload *w)
{
    size_t count = 0;

    for (size_t b = 0; b < w->buffer_count; b++)
        if (w->buffers[b].flags & PM_BUFFER_SCRATCH) {
            assert_null(w->buffers[b].initial);
            assert_false(w->buffers[b].flags & (PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE));
            w->buffers[b].flags ^= PM_BUFFER_POISON;
            count++;
        }
    return count;
}

/* The contents of a scratch buffer before a launch do not matter. */
TEST(scratch_is_scratch)
{
    static const char *const sizes[][2] = {{"haar1d", "524288"}, {"binomial", "4"}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pm_workload *plain = build(sizes[i][0], "nolocal", sizes[i][1]);
        pm_workload *spoiled = build(sizes[i][0], "nolocal", sizes[i][1]);

        assert_int_equal(spoil_scratch(spoiled), 1);
        assert_true(is_same(traced, plain, spoiled));
    }
}

/* Checks the parts of a workload that a transform must not change. */
static void check_rest(const pm_workload *plain, const pm_workload *staged)
{
    assert_int_equal(plain->launch_count, staged->launch_count);
    assert_int_equal(plain->buffer_count, staged->buffer_count);
    for (size_t l = 0; l < plain->launch_count; l++)
        assert_memory_equal(&plain->launches[l].dimensions, &staged->launches[l].dimensions,
                            sizeof plain->launches[l] - offsetof(pm_launch, dimensions));
    for (size_t b = 0; b < plain->buffer_count; b++) {
        assert_int_equal(plain->buffers[b].bytes, staged->buffers[b].bytes);
        assert_int_equal(plain->buffers[b].flags, staged->buffers[b].flags);
    }
    assert_string_equal(plain->build_options, staged->build_options);
}

/* A size for which the trace engine can run every work-group. For some programs, sizes with idle
 * work-items are added. */
typedef struct {
    const char *program, *size;
} small_case;
static const small_case small[] = {
    {"matmul_tiled", "64"}, {"matmul_float4", "128"}, {"matmul", "64"},       {"matmul", "50"},
    {"inverse", "64"},      {"inverse", "50"},        {"dct8x8", "64"},       {"haar1d", "524288"},
    {"nbody", "512"},       {"fdtd3d", "64x32x4"},    {"median3x3", "64x64"}, {"sobel3x3", "64x64"},
    {"binomial", "4"},      {"aes128", "1"},
};
enum { SMALL = sizeof small / sizeof *small };

static void same_bits_in_the_trace_engine(void **state)
{
    const small_case *of = *state;
    pm_workload *plain = build(of->program, "nolocal", of->size);
    pm_workload *staged = build(of->program, "shared", of->size);

    assert_string_equal(staged->variant, "shared");
    assert_true(strcmp(plain->source, staged->source) != 0);
    assert_non_null(strstr(staged->source, "__local "));
    check_rest(plain, staged);
    if (!is_same(traced, plain, staged))
        fail_msg("%s: other bits:\n%s", of->program, staged->source);
}

/* Compares with the program's own reference. */
static void right_on_opencl(void **state)
{
    const small_case *of = *state;
    pm_workload *staged;
    size_t bytes;

    if (!cpu)
        skip();
    staged = build(of->program, "shared", of->size);
    outputs_of(cpu, staged, true, &bytes);
    assert_true(bytes > 0);
}

/* Programs with structs, staged alone and after a layout. Every accepted combination gives the
 * right outputs. */
TEST(layouts_and_staging)
{
    static const char *const sizes[][2] = {
        {"sph", "1024"}, {"idw", "512"}, {"cfd", "8x4x4"}, {"particlefilter", "512"}};
    static const char *const texts[] = {"shared", "soa;shared", "aos-align;shared"};
    size_t staged_count = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            const pm_program *program = suite_in_size(sizes[i][0], sizes[i][1]);
            pm_workload *staged =
                pm_program_build(program, texts[t], sizes[i][1], 3, test_session(), told());
            size_t bytes;

            if (!staged && (last_error.status != PM_BAD_INPUT || !strstr(last_error.text, ".cl:")))
                fail_msg("%s %s: %s", sizes[i][0], texts[t], last_error.text);
            if (!staged)
                continue;
            outputs_of(traced, owned_workload(staged), true, &bytes);
            staged_count++;
        }
    assert_true(staged_count > 0);
}

/* Staging after layouts that differ between kernels; conversions are launches, too. */
TEST(behind_conversions)
{
    pm_workload *w = build("particlefilter", "aos;soa@find_index;shared", "512");
    size_t bytes, plain = build_launches("particlefilter", "512");

    assert_true(w->launch_count > plain);
    outputs_of(traced, w, true, &bytes);
}

/* Pointers that are never dereferenced must also point into the tile, or to its end. */
TEST(pointers_beside_what_is_read)
{
    static const char source[] =
        "static float get(__global const float *p, int i)\n{\n    return p[i];\n}\n"
        "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
        "void k(__global const float *restrict in, __global float *restrict out, int n)\n{\n"
        "    float s = 0;\n    for (int i = 0; i < 8; i++) {\n"
        "        __global const float *p = &in[%s];\n"
        "        s += get(in, (int)get_local_id(0) + i);\n    }\n"
        "    out[get_global_id(0)] = s;\n}\n";
    static const struct {
        const char *index, *says; /* index of the tile, or text of the refusal */
    } cases[] = {{"get_local_id(0) + i", "float in_tile[15];"},
                 {"get_local_id(0) + i + 1", "float in_tile[15];"},
                 {"get_local_id(0) + 2 * i", "float in_tile[21];"},
                 {"get_local_id(0) + i + 8", "float in_tile[22];"},
                 {"(int)get_local_id(0) - 3", "float in_tile[18];"},
                 {"i + 100", "random.cl:10: this points far beside what is accessed"},
                 {"i * n", "random.cl:10: how far this points into what would be staged is not"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_workload *w = pm_workload_create("random", "", "1");
        char text[1024];

        snprintf(text, sizeof text, source, cases[i].index);
        w->source = strdup(text);
        w->source_path = strdup("random.cl");
        pm_workload_launch(w, "k", 1, (size_t[]){8}, (size_t[]){8});
        pm_workload_arg_buffer(w, pm_workload_buffer(w, "in", 800, NULL, PM_BUFFER_IN));
        pm_workload_arg_buffer(w, pm_workload_buffer(w, "out", 32, NULL, PM_BUFFER_OUTPUT));
        pm_workload_arg_int(w, 3);
        w = pm_layout_transform(w, "shared:in", NULL, told());
        assert_non_null(strstr(w ? w->source : last_error.text, cases[i].says));
        if (w)
            owned_workload(w);
    }
}

int main(void)
{
    char names[2 * SMALL][64];

    for (size_t i = 0; i < SMALL; i++) {
        snprintf(names[2 * i], sizeof *names, "%s %s, same bits", small[i].program, small[i].size);
        snprintf(names[2 * i + 1], sizeof *names, "%s %s on OpenCL", small[i].program,
                 small[i].size);
        add_case(names[2 * i], same_bits_in_the_trace_engine, &small[i]);
        add_case(names[2 * i + 1], right_on_opencl, &small[i]);
    }
    return run_all_tests_on_executors();
}

/* Tests which work-groups and launches depend on data that others write, because branches and
 * addresses are computed from these bytes of a struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/paths.h"
#include "collector/engine/backend.h"
#include "collector/engine/dependences.h"
#include "unit.h"
#include "worker_fixture.h"

enum { PARAMETERS = 3 };

/* A workload without pointers in memory. */
static const pm_workload no_pointers;

OWNED(program, pm_trace_program, pm_trace_program_free)

/* k has an array of structs, one that is only read, and indices. */
static pm_trace_program *build(const char *body)
{
    char source[4096], costs[4096], *bitcode;
    pm_trace_program *program;
    size_t bytes;

    snprintf(source, sizeof source,
             "typedef struct { float x, y, z, w; } P;\n"
             "__kernel void k(__global P *p, __global const P *q, __global int *n)\n"
             "{\n"
             "    const int i = get_global_id(0), lid = get_local_id(0);\n"
             "%s\n"
             "}\n",
             body);
    if (pm_compile(pm_worker_compiler(test_worker()), source, "k.cl", "-cl-std=CL1.2", &bitcode,
                   &bytes, NULL, told()) != PM_OK ||
        pm_share_path("instructions.ini", costs, sizeof costs, told()) != PM_OK)
        fail_msg("%s", last_error.text);
    const pm_backend_request request = {.bitcode = bitcode,
                                        .bitcode_bytes = bytes,
                                        .source_path = "k.cl",
                                        .costs = costs,
                                        .warp_width = 32};
    if (pm_trace_program_build(&request, &program, told()) != PM_OK)
        fail_msg("%s: %s", body, last_error.text);
    free(bitcode);
    return owned_program(program);
}

/* Every argument has a buffer of its own. */
static pm_launch launch_of(void)
{
    pm_launch launch = {.kernel = "k", .arg_count = PARAMETERS};

    for (size_t i = 0; i < PARAMETERS; i++)
        launch.args[i] = (pm_arg){.kind = PM_ARG_BUFFER, .buffer = i};
    return launch;
}

TEST(work_groups_interact_by_bytes_that_decide)
{
    static const struct {
        const char *body;
        bool interact;
    } cases[] = {
        {"if (p[i].x > 0.0f) p[i].z = 1.0f;", false},
        {"if (p[i + 1].x > 0.0f) p[i].x = 1.0f;", true},
        {"if (q[i].x > 0.0f) p[i].x = 1.0f;", false},
        {"p[i].x = p[i + 1].x > 0.0f ? 1.0f : 2.0f;", false}, /* a select that cannot be followed */
        {"p[n[i]].x = 1.0f;", false},
        {"p[n[i]].x = 1.0f; n[i + 1] = 2;", true},
        {"p[(int)p[i].y].x = 1.0f;", false},
        {"p[(int)p[i].x].x = 1.0f;", true},
        {"float s = 0.0f;\n"
         "for (__global P *at = p; at < p + n[0]; at++) if (at->y > s) s += at->w;\n"
         "p[i].z = s;",
         false},
        {"float s = 0.0f;\n"
         "for (__global P *at = p; at < p + n[0]; at++) if (at->y > s) s += at->w;\n"
         "p[i].w = s;",
         true},
        {"__local float t[64]; t[lid] = p[i].z; barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (t[lid ^ 1] > 0.0f) p[i].x = 2.0f;",
         false},
        {"__local float t[64]; t[lid] = p[i].z; barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (t[lid ^ 1] > 0.0f) p[i].z = 2.0f;",
         true},
        /* Two local variables: the contents of one do not depend on the other. */
        {"__local float t[64]; __local int m[64]; t[lid] = p[i].z; m[lid] = n[i];\n"
         "barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (m[lid ^ 1] > 0) p[i].z = t[lid ^ 2];",
         false},
        {"__local float t[64]; __local int m[64]; t[lid] = p[i].z; m[lid] = n[i];\n"
         "barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (t[lid ^ 1] > 0) p[i].z = m[lid ^ 2];",
         true},
        {"__local float t[64]; __local int m[64]; t[lid] = p[i].z; m[lid] = t[lid ^ 3];\n"
         "barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (m[lid ^ 1] > 0) p[i].z = 1.0f;",
         true},
        /* A select between two arguments: the data that decides is in neither or one of them. */
        {"__global float *to = i & 1 ? &p[i].x : (__global float *)n;\n"
         "if (q[i].x > 0.0f) *to = 1.0f;",
         false},
        {"__global float *to = i & 1 ? &p[i].x : (__global float *)n;\n"
         "if (p[i].x > 0.0f) *to = 1.0f;",
         true},
        {"__global float *to = i & 1 ? &p[i].x : (__global float *)n;\n"
         "if (n[i] > 0) *to = 1.0f;",
         true},
        {"atomic_inc(n + i);", true},
        {"if (((__global float *)p)[i] > 0.0f) p[i].z = 1.0f;", true}, /* any member */
    };
    const pm_launch launch = launch_of();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (pm_groups_interact(&no_pointers, &build(cases[c].body)->kernels[0], &launch) !=
            cases[c].interact)
            fail_msg("%s: %d is wanted", cases[c].body, cases[c].interact);
    }
}

TEST(two_arguments_may_be_one_buffer)
{
    pm_trace_program *program = build("if (q[i].x > 0.0f) p[i].x = 1.0f;");
    pm_launch launch = launch_of();

    launch.args[1].buffer = 0;
    assert_true(pm_groups_interact(&no_pointers, &program->kernels[0], &launch));
    launch.args[1].buffer = 1;
    assert_false(pm_groups_interact(&no_pointers, &program->kernels[0], &launch));
}

TEST(parts_of_a_buffer_meet_by_their_offsets)
{
    /* Field x of one struct has the offset of field z of the other. */
    pm_trace_program *program = build("if (q[i].x > 0.0f) p[i].z = 1.0f;");
    pm_launch launch = launch_of();

    launch.args[1].buffer = launch.args[0].buffer;
    assert_false(pm_groups_interact(&no_pointers, &program->kernels[0], &launch));
    launch.args[1].offset = 8;
    assert_true(pm_groups_interact(&no_pointers, &program->kernels[0], &launch));
    launch.args[0].offset = 8;
    assert_false(pm_groups_interact(&no_pointers, &program->kernels[0], &launch));
}

TEST(launches_are_needed_by_what_decides_later)
{
    static const struct {
        const char *bodies[3];
        bool needed[3];
    } cases[] = {
        {{"p[i].z = 1.0f;", "if (p[i].x > 0.0f) p[i].y = 1.0f;", "n[i] = 1;"}, {0, 0, 0}},
        {{"p[i].z = 1.0f;", "if (p[i].z > 0.0f) p[i].y = 1.0f;", "n[i] = 1;"}, {1, 0, 0}},
        /* The second kernel computes a value from z on which a branch of the third one depends. The
         * first kernel does not write z. */
        {{"p[i].x = 1.0f;", "p[i].w = 2.0f * p[i].z;", "if (p[i].w > 0.0f) n[i] = 1;"}, {0, 1, 0}},
        {{"p[i].z = 1.0f;", "p[i].w = 2.0f * p[i].z;", "if (p[i].w > 0.0f) n[i] = 1;"}, {1, 1, 0}},
        /* A value that is only stored, and loads by an index that does not change. */
        {{"if (i == 0) n[0] = 1; else p[i].x = 1.0f;",
          "if (i == 0) n[0] = 2; else p[i].y = p[(int)q[i].x].x;",
          "if (i == 0) n[0] = 3; else p[i].x = p[(int)q[i].x].y;"},
         {0, 0, 0}},
        {{"if (i == 0) n[0] = 1; else p[i].x = 1.0f;",
          "if (i == 0) n[0] = 2; else p[i].y = p[(int)q[i].x].x;",
          "if (n[0] > 0) p[i].x = p[(int)q[i].x].y;"},
         {1, 1, 0}},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const pm_kernel_code *codes[3];
        pm_launch launches[3] = {launch_of(), launch_of(), launch_of()};
        const pm_workload workload = {.launches = launches, .launch_count = 3};
        bool needed[3];

        for (size_t i = 0; i < 3; i++)
            codes[i] = &build(cases[c].bodies[i])->kernels[0];
        pm_launches_needed(&workload, codes, needed);
        for (size_t i = 0; i < 3; i++)
            if (needed[i] != cases[c].needed[i])
                fail_msg("case %zu, launch %zu: %d is wanted", c, i, cases[c].needed[i]);
    }
}

TEST(places_meet_that_a_common_stride_cannot_tell_apart)
{
    const pm_site x = {.offset = 0, .stride = 16, .extent = 4};
    const pm_site z = {.offset = 8, .stride = 16, .extent = 4};
    const pm_site before = {.offset = (uint64_t)-8, .stride = 48, .extent = 4};
    const pm_site wide = {.offset = 4, .stride = 16, .extent = 8};
    const pm_site any = {.offset = 4, .stride = 12, .extent = 4};
    const pm_site one = {.offset = 64, .extent = 4}, next = {.offset = 68, .extent = 4};

    assert_false(pm_sites_meet(&x, &z));
    assert_true(pm_sites_meet(&x, &x));
    assert_true(pm_sites_meet(&z, &before)); /* -8 is a struct's size less than 8 */
    assert_false(pm_sites_meet(&before, &x));
    assert_true(pm_sites_meet(&wide, &z));
    assert_false(pm_sites_meet(&wide, &x));
    assert_true(pm_sites_meet(&any, &x)); /* 16 and 12: all multiples of 4 are possible */
    assert_false(pm_sites_meet(&one, &next));
    assert_true(pm_sites_meet(&one, &x));
    assert_false(pm_sites_meet(&next, &x));
}

int main(void)
{
    pm_error err = {0};

    if (pm_compiler_find(pm_worker_compiler(test_worker()), &err) != PM_OK) {
        print_message("SKIPPED: %s\n", err.text);
        return 77;
    }
    return run_all_tests(NULL, NULL);
}

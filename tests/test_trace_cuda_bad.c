/* CUDA sources that cannot be traced: one line says what, and where. Skips where there is no LLVM.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_suite.h"

/* Each kernel `k` has its fault on line 3. says: parts of the message, one behind the other with
 * '|' between them; NULL: this is no fault, and runs. */
typedef struct {
    const char *name, *source, *kernel, *options, *says;
} bad_case;

#define KERNEL(before, line) before "\n__global__ void k(int *out)\n{ " line "\n}\n"

static const bad_case cases[] = {
    {"good", KERNEL("", "out[threadIdx.x] = 1;"), "k", "", NULL},
    {"host code alone", "\n\nint main() { return unknown(); }\n", "k", "", "bad.cu|no kernel k"},
    {"another kernel", KERNEL("", "out[0] = 1;"), "j", "", "no kernel j; it has: k"},
    {"a template that is not there", KERNEL("", "out[0] = 1;"), "j<float>", "",
     "bad.cu: kernel j<float>|j"},
    {"a template without its arguments",
     "\ntemplate <int N> __global__ void\nk(int *out) { out[0] = N; }\n", "k", "", "no kernel k"},
    {"no name of a template", KERNEL("", "out[0] = 1;"), "k<\"a\">", "", "reduce<float, 256>"},
    {"does not compile", KERNEL("", "out[0] = nothing;"), "k", "", "bad.cu:3:|nothing"},
    {"no such header", KERNEL("#include \"missing.cuh\"", "out[0] = 1;"), "k", "",
     "bad.cu:1:|missing.cuh"},
    {"printf", KERNEL("#include <stdio.h>", "printf(\"%d\", out[0]);"), "k", "",
     "bad.cu:3: the function |printf"},
    {"inline PTX", KERNEL("", "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(out[0]));"), "k", "",
     "bad.cu:3: inline assembly"},
    {"recursion",
     KERNEL("__device__ int f(int n) { return n < 2 ? 1 : f(n - 1) * f(n - 2) + 3; }",
            "out[0] = f(out[1]);"),
     "k", "", "bad.cu:|recursion: f"},
    {"exceptions", KERNEL("", "throw 3;"), "k", "", "bad.cu:3:|throw"},
    {"a launch from a kernel", KERNEL("", "k<<<1, 1>>>(out);"), "k", "", "bad.cu:3:|__global__"},
    {"a virtual call",
     KERNEL("struct A { __device__ virtual int f() { return 1; } }; struct B : A { __device__ int "
            "f() override { return 2; } };",
            "A a; B b; A *p = out[0] ? &a : &b; out[1] = p->f();"),
     "k", "", "bad.cu:3:|cannot be traced"},
    {"a pointer out of memory", KERNEL("", "**(int **)out = 1;"), "k", "", "bad.cu:3: a pointer"},
    {"a variable of the device", KERNEL("__device__ int counter;", "atomicAdd(&counter, 1);"), "k",
     "", "bad.cu:3: the __device__ variable counter"},
    {"behind the end", KERNEL("", "out[threadIdx.x + 1] = 1;"), "k", "",
     "bad.cu:3: kernel k|byte 256 of out"},
    {"a count at a barrier", KERNEL("", "out[0] = __syncthreads_count(out[1]);"), "k", "",
     "bad.cu:3:|__syncthreads_count"},
    {"OpenCL's options", KERNEL("", "out[0] = 1;"), "k", "-cl-std=CL1.2", "-cl-std=CL1.2|for CUDA"},
    {"an unknown option", KERNEL("", "out[0] = 1;"), "k", "--frobnicate", "--frobnicate|for CUDA"},
};

static bool has_parts(const char *text, const char *parts)
{
    while (*parts) {
        const size_t length = strcspn(parts, "|");
        char part[128];

        snprintf(part, sizeof part, "%.*s", (int)length, parts);
        text = strstr(text, part);
        if (!text)
            return false;
        text += length;
        parts += length + (parts[length] == '|');
    }
    return true;
}

static void try_case(const pm_counter_table *table, const bad_case *c)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    pm_executor *engine = NULL;
    pm_status status;

    w->source = strdup(c->source);
    w->source_path = strdup("bad.cu");
    pm_workload_options(w, "%s", c->options);
    pm_workload_buffer(w, "out", 64 * sizeof(int), NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, c->kernel, 1, (size_t[]){64}, (size_t[]){64});
    PM_ARGS(w, PM_BUFFER(0));
    assert_ok(w->error.status == PM_OK);
    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    status = engine->type->load(engine, w, told());
    if (status == PM_OK)
        status = engine->type->run(engine, NULL, told());
    engine->type->close(engine);
    if (!c->says && status != PM_OK)
        fail_msg("%s: %s", c->name, last_error.text);
    if (c->says && (status != PM_BAD_INPUT || !has_parts(last_error.text, c->says) ||
                    strchr(last_error.text, '\n')))
        fail_msg("%s: status %d, \"%s\", wanted is %s", c->name, status,
                 status ? last_error.text : "", c->says);
}

TEST(faults_are_told_in_one_line)
{
    if (!engine_is_there())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        try_case(*state, &cases[i]);
}

TEST_MAIN(open_table, close_table)

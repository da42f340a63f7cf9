/* Tests CUDA sources that cannot be traced: the message has one line with the fault and its place.
 * Skipped if there is no LLVM.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_suite.h"

/* Each kernel `k` has its fault on line 3. says: parts of the message, in order, separated by '|';
 * NULL: the kernel is not faulty and runs. */
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
     "bad.cu:1:|missing.cuh|-I in options"},
    {"no such header, which is left out", KERNEL("#include \"missing.cuh\"", "out[0] = 1;"), "k",
     "--leave-out-missing", NULL},
    {"a name of a header that is left out",
     KERNEL("#include \"missing.cuh\"", "out[0] = twice(1);"), "k", "--leave-out-missing",
     "bad.cu:3:|twice|missing.cuh|-I"},
    {"printf, which is left out", KERNEL("#include <stdio.h>", "printf(\"%d\", out[0]);"), "k", "",
     NULL},
    {"inline PTX", KERNEL("", "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(out[0]));"), "k", "",
     "bad.cu:3: inline assembly|call an intrinsic"},
    {"recursion",
     KERNEL("__device__ int f(int n) { return n < 2 ? 1 : f(n - 1) * f(n - 2) + 3; }",
            "out[0] = f(out[1]);"),
     "k", "", "bad.cu:|recursion: f"},
    {"a launch from a template's instance",
     KERNEL("template <int N> __global__ void j(int *o) { j<N><<<1, 1>>>(o); }", "out[0] = 1;"),
     "j<3>", "", "bad.cu:1:|a launch from a kernel cannot be traced"},
    {"exceptions", KERNEL("", "throw 3;"), "k", "",
     "bad.cu:3:|throw|an exception cannot be traced"},
    {"a launch from a kernel", KERNEL("", "k<<<1, 1>>>(out);"), "k", "",
     "bad.cu:3:|__global__|a launch from a kernel cannot be traced"},
    {"exceptions caught", KERNEL("", "try { out[0] = 1; } catch (...) { }"), "k", "",
     "bad.cu:3:|try|an exception cannot be traced"},
    {"a virtual call",
     KERNEL("struct A { __device__ virtual int f() { return 1; } }; struct B : A { __device__ int "
            "f() override { return 2; } };",
            "A a; B b; A *p = out[0] ? &a : &b; out[1] = p->f();"),
     "k", "", "bad.cu:3: a virtual call"},
    {"a null pointer out of memory", KERNEL("", "**(int **)out = 1;"), "k", "",
     "bad.cu:3: kernel k|null pointer"},
    {"a pointer to one memory or another",
     KERNEL("", "__shared__ int tile[64]; int *both[2] = {out, tile}; tile[threadIdx.x] = 1; "
                "out[0] = both[threadIdx.x & 1][threadIdx.x];"),
     "k", "", "bad.cu:3: a pointer that may lead to more than one memory"},
    {"a variable of the device", KERNEL("__device__ int counter;", "atomicAdd(&counter, 1);"), "k",
     "", NULL},
    {"an address in a variable of the device",
     KERNEL("__device__ int first; __device__ int *where = &first;",
            "out[0] = where == &first ? 1 : 2;"),
     "k", "", "bad.cu:|variable where contains an address|pass a buffer"},
    {"behind the end of a variable", KERNEL("__device__ int few[8];", "few[threadIdx.x] = 1;"), "k",
     "", "bad.cu:3: kernel k|byte 32 of few"},
    {"a variable that another source defines",
     KERNEL("extern __device__ int there;", "out[0] = there;"), "k", "",
     "bad.cu: the variable there has no definition"},
    {"behind the end", KERNEL("", "out[threadIdx.x + 1] = 1;"), "k", "",
     "bad.cu:3: kernel k|byte 256 of out"},
    {"a count at a barrier", KERNEL("", "out[0] = __syncthreads_count(out[1]);"), "k", "",
     "bad.cu:3:|__syncthreads_count"},
    {"Thrust", KERNEL("#include <thrust/reduce.h>", "out[0] = thrust::reduce(out, out + 2);"), "k",
     "", "bad.cu:3:|thrust|headers of Thrust are left out"},
    {"Thrust of the host",
     KERNEL("using namespace thrust; void f() { thrust::device_vector<int> v; }", "out[0] = 1;"),
     "k", "", NULL},
    {"C++'s library", KERNEL("#include <vector>", "std::vector<int> v(3); out[0] = v[0];"), "k", "",
     "bad.cu:3:|vector|headers of C++"},
    {"libcu++", KERNEL("#include <cuda/pipeline>", "auto p = cuda::make_pipeline();"), "k", "",
     "bad.cu:3:|cuda|headers of libcu++ are left out"},
    {"CUB", KERNEL("#include <cub/cub.cuh>", "cub::BlockRadixSort<int, 32, 1> r;"), "k", "",
     "bad.cu:3:|cub|other parts of CUB than reductions|are left out"},
    {"cuRAND", KERNEL("#include <curand_kernel.h>", "curandState s; out[0] = curand(&s);"), "k", "",
     "bad.cu:3:|curandState|headers of cuRAND are left out"},
    {"tensor cores",
     KERNEL("using namespace nvcuda;", "wmma::fragment<wmma::matrix_a, 16, 16, 16, float> a;"), "k",
     "", "bad.cu:3:|fragment|a tensor core cannot be traced"},
    {"tensor cores with their header",
     KERNEL("#include <mma.h>\nusing namespace nvcuda;",
            "wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;"),
     "k", "", "bad.cu:4:|fragment|a tensor core cannot be traced"},
    {"tensor cores by PTX",
     KERNEL("",
            "asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%0}, {%0}, "
            "{%0,%1};\" : \"+r\"(out[0]), \"+r\"(out[1]));"),
     "k", "", "bad.cu:3: inline assembly"},
    {"an asynchronous copy",
     KERNEL("#include <cuda_pipeline.h>",
            "__shared__ int s[4]; __pipeline_memcpy_async(&s[0], &out[1], 4); out[0] = s[0];"),
     "k", "", "bad.cu:3:|__pipeline_memcpy_async|an asynchronous copy cannot be traced"},
    {"an asynchronous copy of a group",
     KERNEL("#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>",
            "__shared__ int s[4]; auto b = cooperative_groups::this_thread_block(); "
            "cooperative_groups::memcpy_async(b, s, out, 16); out[0] = s[0];"),
     "k", "", "bad.cu:4:|memcpy_async|an asynchronous copy cannot be traced"},
    {"recursion of a static function",
     KERNEL("static __device__ int f(int n) { return n < 2 ? 1 : f(n - 1) * f(n - 2) + 3; }",
            "out[0] = f(out[1]);"),
     "k", "", "bad.cu:|recursion: f cannot be traced"},
    {"a surface", KERNEL("", "surf2Dwrite(out[0], (cudaSurfaceObject_t)out[1], 4, 2);"), "k", "",
     "bad.cu:3: a surface, by surf2Dwrite|pass the array itself"},
    {"a texture", KERNEL("texture<float, 2> t;", "out[0] = (int)tex2D(t, 0.5f, 0.5f);"), "k", "",
     "bad.cu:3: kernel k reads the texture reference t|add [texture t]"},
    {"a texture in a loop",
     KERNEL("texture<unsigned char, 2> t;",
            "int s = 0;\nfor (int i = 0; i < out[1]; i++)\n    s += tex2D(t, i, 2);\nout[0] = s;"),
     "k", "", "bad.cu:5: kernel k reads the texture reference t|add [texture t]"},
    {"a layer of a texture",
     KERNEL("texture<unsigned char, 2> t;", "out[0] = tex2DLayered(t, 1, 2, 3);"), "k", "",
     "bad.cu:3: the texture t, by tex2DLayered|pass the array itself"},
    {"a texture of another kernel",
     KERNEL("__global__ void j(float *o, cudaTextureObject_t t) { *o = tex1Dfetch<float>(t, 1); }",
            "out[0] = 1;"),
     "k", "", NULL},
    {"clocks", KERNEL("", "clock_t t = clock(); out[0] = (int)clock64(); out[1] = clock() - t;"),
     "k", "", NULL},
    {"waiting for a clock",
     KERNEL("", "long long t = clock64(); while (clock64() - t < out[1]) out[0]++;"), "k", "",
     "bad.cu:3: the function clock64|how long a kernel waits for the clock"},
    {"a trap and assertions",
     KERNEL("#include <cassert>", "assert(out[0] == 0); if (out[1] == 7) __trap(); out[0] = 1;"),
     "k", "", NULL},
    {"memory from a kernel", KERNEL("", "int *p = new int[out[0]]; p[out[1]] = 1; out[2] = p[3];"),
     "k", "", "bad.cu:3: the function operator new|an array of constant length"},
    {"a grid that waits",
     KERNEL("#include <cooperative_groups.h>", "cooperative_groups::this_grid().sync();"), "k", "",
     NULL},
    {"a call by pointer",
     KERNEL("__device__ int f(int n) { return n; } __device__ int g(int n) { return 3 * n; }",
            "int (*h)(int) = out[0] ? f : g; out[1] = h(2);"),
     "k", "", "bad.cu:3: a call by pointer"},
    {"another kernel's fault", KERNEL("__global__ void j(int *o) { unknown(o); }", "out[0] = 1;"),
     "k", "", NULL},
    {"a namespace that is not there",
     KERNEL("using namespace unknown; namespace u = unknown;", "out[0] = 1;"), "k", "", NULL},
    {"a struct's fault", KERNEL("struct A { Unknown u; }; typedef A B;", "out[0] = 1;"), "k", "",
     NULL},
    {"a struct's fault that the kernel needs",
     KERNEL("struct A { Unknown u; int n; };", "out[0] = sizeof(A);"), "k", "",
     "bad.cu:1:|Unknown"},
    {"a function's fault that the kernel needs",
     KERNEL("__device__ int f() { return unknown(); }", "out[0] = f();"), "k", "",
     "bad.cu:3: the function f"},
    {"another's fault and its own",
     KERNEL("__global__ void j(int *o) { unknown(o); }", "out[0] = nothing;"), "k", "",
     "bad.cu:1:|unknown"},
    {"preprocessed",
     "# 1 \"/opt/cuda/include/cuda_runtime.h\" 1\nstruct float4 { unknown x; };\n"
     "# 7 \"/opt/cuda/include/crt/more.h\" 1\nunknown y;\n"
     "# 1 \"bad.cu\" 2\n__attribute__((global)) void k(int *out)\n{ out[0] = 1; }\n",
     "k", "", NULL},
    {"preprocessed, with a header of perfmodel's own",
     "# 1 \"/opt/cuda/include/cuda_runtime.h\" 1\n"
     "# 1 \"/opt/cuda/include/cooperative_groups.h\" 1\nunknown y;\n# 1 \"bad.cu\" 2\n"
     "static __attribute__((global)) void k(int *out)\n"
     "{ cooperative_groups::this_thread_block().sync(); out[0] = 1; }\n",
     "k", "", NULL},
    {"preprocessed, with a fault",
     "# 1 \"/usr/include/stdio.h\" 1 3 4\nunknown y;\n# 2 \"bad.cu\" 2\n"
     "__attribute__((global)) void k(int *out)\n{ out[0] = nothing; }\n",
     "k", "", "bad.cu:3:|nothing"},
    {"a mark of UTF-8", "\xef\xbb\xbf" KERNEL("", "out[0] = 1;"), "k", "", NULL},
    {"types and limits",
     KERNEL(
         "template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>> __device__ T "
         "most(T) { return std::numeric_limits<T>::max(); }",
         "out[0] = most(out[1]) == 0x7fffffff && lroundf(1.5f) == 2 ? 1 : 1000000; "
         "out[out[0]] = 1;"),
     "k", "", NULL},
    {"OpenCL's options", KERNEL("", "out[0] = 1;"), "k", "-cl-std=CL1.2",
     "-cl-std=CL1.2|not an option of nvcc"},
    {"an unknown option", KERNEL("", "out[0] = 1;"), "k", "--frobnicate",
     "--frobnicate|not an option of nvcc"},
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

static const pm_counter_table *table;

static void is_told_in_one_line(void **state)
{
    if (!engine_is_there())
        skip();
    try_case(table, *state);
}

int main(void)
{
    void *opened = NULL;
    int failed;

    if (open_table(&opened) != 0)
        return 1;
    table = opened;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        add_case(cases[i].name, is_told_in_one_line, &cases[i]);
    failed = run_all_tests(NULL, NULL);
    close_table(&opened);
    return failed;
}

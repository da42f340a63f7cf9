/* A small OpenCL program that tests capture with `perfmodel capture`. It prints a sum of its
 * results, which must be the same with and without the library that records its launches. Usage:
 * captured MODE
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captured.h"

static const char source[] =
    "#ifndef FACTOR\n"
    "#define FACTOR 1\n"
    "#endif\n"
    "kernel void scale(global const float *in, global float *out, float by, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        out[i] = FACTOR * by * in[i] + out[i];\n"
    "}\n"
    "kernel void relax(global const float *now, global float *next, int t, local float *tile)\n"
    "{\n"
    "    int i = get_global_id(0), l = get_local_id(0);\n"
    "    tile[l] = now[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    next[i] = 0.5f * tile[l] + 0.25f * now[(i + t) % get_global_size(0)] + 1;\n"
    "}\n";

void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "captured: %s: %d\n", what, code);
    exit(9);
}

static void open_device(fixture *f)
{
    cl_platform_id platform;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &f->device, NULL), "clGetDeviceIDs");
    f->context = clCreateContext(NULL, 1, &f->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    f->queue = clCreateCommandQueue(f->context, f->device, 0, &code);
    check(code, "clCreateCommandQueue");
}

cl_program build(const fixture *f, const char *text, const char *options)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(f->context, 1, &text, NULL, &code);

    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &f->device, options, NULL, NULL), "clBuildProgram");
    return program;
}

static void close_device(fixture *f)
{
    clReleaseProgram(f->program);
    clReleaseCommandQueue(f->queue);
    clReleaseContext(f->context);
}

cl_kernel kernel_of(const fixture *f, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(f->program, name, &code);

    check(code, name);
    return kernel;
}

cl_mem buffer_of(const fixture *f, cl_mem_flags flags, int from)
{
    float *values = calloc(N, sizeof *values);
    cl_int code;
    cl_mem mem;

    check(values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
    for (int i = 0; i < N; i++)
        values[i] = (float)(from + i % 1000);
    mem =
        clCreateBuffer(f->context, flags | CL_MEM_COPY_HOST_PTR, N * sizeof *values, values, &code);
    check(code, "clCreateBuffer");
    free(values);
    return mem;
}

cl_mem empty_buffer(const fixture *f, size_t bytes)
{
    const float zero = 0;
    cl_int code;
    cl_mem mem = clCreateBuffer(f->context, CL_MEM_READ_WRITE, bytes, NULL, &code);

    check(code, "clCreateBuffer");
    check(clEnqueueFillBuffer(f->queue, mem, &zero, sizeof zero, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    return mem;
}

void launch(const fixture *f, cl_kernel kernel, size_t local)
{
    const size_t global = N;

    check(clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL,
                                 NULL),
          "clEnqueueNDRangeKernel");
}

void set_scale(cl_kernel kernel, cl_mem in, cl_mem out, float by)
{
    const int n = N - 5;

    check(clSetKernelArg(kernel, 0, sizeof in, &in), "in");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "out");
    check(clSetKernelArg(kernel, 2, sizeof by, &by), "by");
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "n");
}

void print_sum(const fixture *f, cl_mem mem)
{
    static float values[N];
    double sum = 0;

    check(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < N; i++)
        sum += values[i];
    printf("%.9g\n", sum);
}

/* ---- the table of programs ------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(fixture *f);
} modes[] = {{"plain", plain},
             {"two-sources", two_sources},
             {"loop", loop},
             {"two-kernels", two_kernels},
             {"sub-buffers", sub_buffers},
             {"maps", maps},
             {"threads", threads},
             {"fork-child", fork_child},
             {"fork-copy", fork_copy},
             {"abort", end_by_abort},
             {"kill", end_by_kill},
             {"image", image},
             {"events", events},
             {"many", many},
             {"headers", headers},
             {"values", values},
             {"overlaps", overlaps},
             {"growing", growing},
             {"shares", shares},
             {"sparse", sparse},
             {"svm", svm},
             {"svm-pointers", svm_pointers},
             {"largest-group", largest_group},
             {"macro-header", macro_header}};

int main(int argc, char **argv)
{
    fixture f;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
            open_device(&f);
            f.program = build(&f, source, "-DFACTOR=2");
            modes[i].run(&f);
            close_device(&f);
            return 7;
        }
    fputs("usage: captured MODE\n", stderr);
    return 2;
}

/* Programs whose launches differ in time, and programs with large buffers. See captured.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "captured.h"

static const char source[] =
    "float turn(float x, int rounds)\n"
    "{\n"
    "    for (int r = 0; r < rounds; r++)\n"
    "        x = x * 0.999f + 0.5f;\n"
    "    return x;\n"
    "}\n"
    "kernel void heavy(global const float *in, global float *out, int rounds)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    out[i] = turn(in[i], rounds);\n"
    "}\n"
    "kernel void light(global const float *in, global float *out, int rounds)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    out[i] = in[i] + rounds;\n"
    "}\n"
    "kernel void some(global const float *table, global float *all, global float *part, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float x = table[i % n];\n"
    "    all[i] = x;\n"
    "    if (i < n)\n"
    "        part[2 * i] = x;\n"
    "}\n";

enum { LARGE = 1 << 21, READ = 5000, SIZES = 10 };

static void run(const fixture *f, cl_kernel kernel, cl_mem in, cl_mem out, int rounds, size_t items)
{
    const size_t local = 64;

    check(clSetKernelArg(kernel, 0, sizeof in, &in), "in");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "out");
    check(clSetKernelArg(kernel, 2, sizeof rounds, &rounds), "rounds");
    check(clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(f->queue), "clFinish");
}

/* Launches a kernel with ever more work-items and loop iterations, each time with other contents.
 */
void growing(fixture *f)
{
    cl_mem out = empty_buffer(f, N * sizeof(float));
    fixture own = *f;
    cl_kernel heavy;

    own.program = build(f, source, NULL);
    heavy = kernel_of(&own, "heavy");
    for (int k = 1; k <= SIZES; k++) {
        cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, k);

        run(f, heavy, in, out, 200 << k, (size_t)64 * k);
        clReleaseMemObject(in);
    }
    print_sum(f, out);
    clReleaseKernel(heavy);
    clReleaseProgram(own.program);
    clReleaseMemObject(out);
}

/* Runs a program of which one kernel takes nearly all of the time. */
void shares(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 1), out = empty_buffer(f, N * sizeof(float));
    cl_kernel light, heavy;
    fixture own = *f;

    own.program = build(f, source, NULL);
    light = kernel_of(&own, "light");
    heavy = kernel_of(&own, "heavy");
    run(f, light, in, out, 1, 64);
    for (int k = 0; k < 4; k++)
        run(f, heavy, in, out, 20000, N);
    print_sum(f, out);
    clReleaseKernel(light);
    clReleaseKernel(heavy);
    clReleaseProgram(own.program);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

static cl_mem large_buffer(const fixture *f)
{
    unsigned *values = malloc(LARGE * sizeof *values);
    unsigned state = 1;
    cl_int code;
    cl_mem mem;

    check(values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
    for (int i = 0; i < LARGE; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = 0x3f000000u | (state >> 9);
    }
    mem = clCreateBuffer(f->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         LARGE * sizeof *values, values, &code);
    check(code, "clCreateBuffer");
    free(values);
    return mem;
}

/* A launch reads the start of a large buffer, writes all of a second one, and every other element
 * of the start of a third one. */
void sparse(fixture *f)
{
    cl_mem table = large_buffer(f), all = large_buffer(f), part = large_buffer(f);
    const size_t items = LARGE, local = 64;
    const int n = READ;
    fixture own = *f;
    cl_kernel some;

    own.program = build(f, source, NULL);
    some = kernel_of(&own, "some");
    check(clSetKernelArg(some, 0, sizeof table, &table), "table");
    check(clSetKernelArg(some, 1, sizeof all, &all), "all");
    check(clSetKernelArg(some, 2, sizeof part, &part), "part");
    check(clSetKernelArg(some, 3, sizeof n, &n), "n");
    check(clEnqueueNDRangeKernel(f->queue, some, 1, NULL, &items, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    print_sum(f, all);
    print_sum(f, part);
    clReleaseKernel(some);
    clReleaseProgram(own.program);
    clReleaseMemObject(table);
    clReleaseMemObject(all);
    clReleaseMemObject(part);
}

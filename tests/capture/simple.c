/* Programs with loops and with more launches than are recorded. See captured.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "captured.h"

/* Launches a kernel in the largest work-groups that the device allows for it. */
void largest_group(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 3), out = empty_buffer(f, N * sizeof(float));
    cl_kernel scale = kernel_of(f, "scale");
    size_t of_device, of_kernel, items[3];

    check(clGetDeviceInfo(f->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof of_device, &of_device,
                          NULL),
          "clGetDeviceInfo");
    check(clGetDeviceInfo(f->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL),
          "clGetDeviceInfo");
    check(clGetKernelWorkGroupInfo(scale, f->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof of_kernel,
                                   &of_kernel, NULL),
          "clGetKernelWorkGroupInfo");
    check(of_device == of_kernel && of_device == items[0] ? CL_SUCCESS : CL_INVALID_VALUE,
          "limits");
    set_scale(scale, in, out, 2);
    launch(f, scale, of_device);
    print_sum(f, out);
    clReleaseKernel(scale);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

void plain(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 3), out = empty_buffer(f, N * sizeof(float));
    cl_kernel scale = kernel_of(f, "scale");

    set_scale(scale, in, out, 0.1f);
    launch(f, scale, 64);
    print_sum(f, out);
    clReleaseKernel(scale);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

/* The source that is launched last was built first, and its kernel takes by far the longest
 * time. */
void two_sources(fixture *f)
{
    static const char text[] = "__kernel void quick(__global float *out) {\n"
                               "    out[get_global_id(0)] = 1;\n"
                               "}\n";
    static const char long_text[] = "__kernel void slow(__global float *out) {\n"
                                    "    float sum = out[get_global_id(0)];\n"
                                    "    for (int i = 0; i < 100000; i++) sum = 0.5f * sum + 1;\n"
                                    "    out[get_global_id(0)] = sum;\n"
                                    "}\n";
    cl_program last = build(f, long_text, ""), first = build(f, text, "");
    cl_mem out = empty_buffer(f, N * sizeof(float));
    cl_program programs[2] = {first, last};

    for (int p = 0; p < 2; p++) {
        cl_int code;
        cl_kernel kernel = clCreateKernel(programs[p], p ? "slow" : "quick", &code);

        check(code, "clCreateKernel");
        check(clSetKernelArg(kernel, 0, sizeof out, &out), "out");
        launch(f, kernel, 64);
        clReleaseKernel(kernel);
    }
    print_sum(f, out);
    clReleaseMemObject(out);
    clReleaseProgram(first);
    clReleaseProgram(last);
}

/* Swaps two buffers after each launch; t is 3, 5, 7, ... */
void loop(fixture *f)
{
    cl_mem mems[2] = {buffer_of(f, CL_MEM_READ_WRITE, 0), empty_buffer(f, N * sizeof(float))};
    cl_kernel relax = kernel_of(f, "relax");

    for (int s = 0; s < STEPS; s++) {
        const int t = 3 + 2 * s;

        check(clSetKernelArg(relax, 0, sizeof(cl_mem), &mems[s % 2]), "now");
        check(clSetKernelArg(relax, 1, sizeof(cl_mem), &mems[(s + 1) % 2]), "next");
        check(clSetKernelArg(relax, 2, sizeof t, &t), "t");
        check(clSetKernelArg(relax, 3, 64 * sizeof(float), NULL), "tile");
        launch(f, relax, 64);
    }
    print_sum(f, mems[STEPS % 2]);
    clReleaseKernel(relax);
    clReleaseMemObject(mems[0]);
    clReleaseMemObject(mems[1]);
}

/* Launches two kernels alternately. */
void two_kernels(fixture *f)
{
    cl_mem a = buffer_of(f, CL_MEM_READ_WRITE, 0), b = empty_buffer(f, N * sizeof(float));
    cl_kernel relax = kernel_of(f, "relax"), scale = kernel_of(f, "scale");
    const int t = 3;

    check(clSetKernelArg(relax, 0, sizeof a, &a), "now");
    check(clSetKernelArg(relax, 1, sizeof b, &b), "next");
    check(clSetKernelArg(relax, 2, sizeof t, &t), "t");
    check(clSetKernelArg(relax, 3, 32 * sizeof(float), NULL), "tile");
    for (int s = 0; s < STEPS; s++) {
        set_scale(scale, b, a, 0.25f);
        launch(f, relax, 32);
        launch(f, scale, 0);
    }
    print_sum(f, a);
    clReleaseKernel(relax);
    clReleaseKernel(scale);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
}

/* Makes more launches than are recorded, of which later ones take longer, and then many short
 * ones. */
void many(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 3), out = empty_buffer(f, N * sizeof(float));
    cl_kernel scale = kernel_of(f, "scale"), relax = kernel_of(f, "relax");
    const int t = 1;

    check(clSetKernelArg(relax, 0, sizeof in, &in), "now");
    check(clSetKernelArg(relax, 1, sizeof out, &out), "next");
    check(clSetKernelArg(relax, 2, sizeof t, &t), "t");
    check(clSetKernelArg(relax, 3, 64 * sizeof(float), NULL), "tile");
    launch(f, relax, 64);
    for (size_t s = 0; s < 40; s++) {
        const size_t global = s < 20 ? 64 : N;

        set_scale(scale, in, out, (float)s);
        check(clEnqueueNDRangeKernel(f->queue, scale, 1, NULL, &global, NULL, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
    }
    print_sum(f, out);
    clReleaseKernel(scale);
    clReleaseKernel(relax);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

/* Runs a program whose source includes a header found by the option -I. The header includes another
 * one by a path relative to the working directory. */
void headers(fixture *f)
{
    static const char text[] = "#include \"outer/scale.h\"\n"
                               "kernel void scale(global const float *in, global float *out,\n"
                               "                  float by, int n)\n"
                               "{\n"
                               "    int i = get_global_id(0);\n"
                               "    if (i < n)\n"
                               "        out[i] = scaled(in[i], by);\n"
                               "}\n";
    fixture own = *f;

    own.program = build(f, text, "-I include -DMORE=1");
    plain(&own);
    clReleaseProgram(own.program);
}

/* Launches a kernel whose source includes a header by a macro. The path is an option of the build.
 */
void macro_header(fixture *f)
{
    static const char text[] = "#define WORDS(x) #x\n"
                               "#define NAME(x) WORDS(x)\n"
                               "#include NAME(FOLDER/scale.h)\n"
                               "kernel void scale(global const float *in, global float *out,\n"
                               "                  float by, int n)\n"
                               "{\n"
                               "    int i = get_global_id(0);\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    if (i < n)\n"
                               "        out[i] = scaled(in[i], by);\n"
                               "}\n";
    fixture own = *f;

    own.program = build(f, text, "-I include -DMORE=1 -DFOLDER=outer");
    plain(&own);
    clReleaseProgram(own.program);
}

/* Launches with values of many types, a null pointer and a vector of three, and with
 * two-dimensional ids that do not start at 0. */
void values(fixture *f)
{
    static const char text[] =
        "typedef struct { float by; int n; char tag; } setup;\n"
        "kernel void scale(global const float *in, global float *out, setup s, ulong far,\n"
        "                  float odd, global const float *none, double3 v, short small)\n"
        "{\n"
        "    int i = get_global_id(0);\n"
        "    if (i < s.n && far > 1 && !none && isnan(odd))\n"
        "        out[i] = s.by * in[i] + (float)v.z + small;\n"
        "}\n";
    const struct {
        float by;
        int n;
        char tag;
    } setup = {0.3f, N - 1, 7};
    const cl_ulong far = ~(cl_ulong)0;
    const float odd = (float)(0.0 / strtod("0", NULL));
    const cl_double3 v = {{0.1, -2, 1e300 * 0 + 0.7, 0}};
    const short small = -3;
    const size_t offset[2] = {128, 0}, global[2] = {N - 128, 1}, local[2] = {64, 1};
    fixture own = *f;
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 3), out = empty_buffer(f, N * sizeof(float));
    cl_mem none = NULL;
    cl_kernel scale;

    own.program = build(f, text, NULL);
    scale = kernel_of(&own, "scale");
    check(clSetKernelArg(scale, 0, sizeof in, &in), "in");
    check(clSetKernelArg(scale, 1, sizeof out, &out), "out");
    check(clSetKernelArg(scale, 2, sizeof setup, &setup), "s");
    check(clSetKernelArg(scale, 3, sizeof far, &far), "far");
    check(clSetKernelArg(scale, 4, sizeof odd, &odd), "odd");
    check(clSetKernelArg(scale, 5, sizeof none, &none), "none");
    check(clSetKernelArg(scale, 6, sizeof v, &v), "v");
    check(clSetKernelArg(scale, 7, sizeof small, &small), "small");
    check(clEnqueueNDRangeKernel(f->queue, scale, 2, offset, global, local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    print_sum(f, out);
    clReleaseKernel(scale);
    clReleaseProgram(own.program);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

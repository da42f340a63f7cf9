/* Measures the host's time for a kernel launch. Prints the microseconds of a call of
 * clEnqueueNDRangeKernel in the fastest of many batches, without and with the wait for the batch.
 * capture_cost.py runs it with and without the library that records launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 200, LAUNCHES = 100 };

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void check(cl_int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "launch_cost: %d\n", code);
    exit(1);
}

int main(void)
{
    const char *source = "kernel void nothing(global int *x) { }";
    const size_t one = 1;
    double fastest = 1e9, fastest_done = 1e9;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code);
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    kernel = clCreateKernel(program, "nothing", &code);
    check(code);
    mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
    check(code);
    check(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int b = 0; b < BATCHES; b++) {
        const double start = now_us();
        double enqueued, done;

        for (int l = 0; l < LAUNCHES; l++)
            check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        enqueued = (now_us() - start) / LAUNCHES;
        check(clFinish(queue));
        done = (now_us() - start) / LAUNCHES;
        fastest = enqueued < fastest ? enqueued : fastest;
        fastest_done = done < fastest_done ? done : fastest_done;
    }
    printf("%.3f %.3f\n", fastest, fastest_done);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}

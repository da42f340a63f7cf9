/* A program that uses CLBlast: C = 0.7 A B + C three times, then y = A x. It prints a sum.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <clblast_c.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 200, N = 150, K = 170, TURNS = 3 };

static void check(int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "gemm: %d\n", code);
    exit(1);
}

/* Returns a matrix with the elements 0, 1, ..., turns - 1, 0, ... */
static cl_mem matrix(cl_context context, size_t count, size_t turns)
{
    float *values = calloc(count, sizeof *values);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    cl_mem mem = NULL;

    for (size_t i = 0; values && i < count; i++)
        values[i] = (float)(i % turns);
    if (values)
        mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             count * sizeof *values, values, &code);
    check(code);
    free(values);
    return mem;
}

static void done(cl_event event)
{
    check(clWaitForEvents(1, &event));
    clReleaseEvent(event);
}

int main(void)
{
    static float results[M * N];
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_event event = NULL;
    cl_mem a, b, c;
    double sum = 0;
    cl_int code;

    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code);
    a = matrix(context, M * K, 7);
    b = matrix(context, K * N, 5);
    c = matrix(context, M * N, 1);
    for (int turn = 0; turn < TURNS; turn++) {
        check((int)CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, M, N,
                                K, 0.7f, a, 0, K, b, 0, N, 1, c, 0, N, &queue, &event));
        done(event);
    }
    check((int)CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, M, K, 1, a, 0, K, b, 0, 1,
                            0.5f, c, 0, 1, &queue, &event));
    done(event);
    check(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (size_t i = 0; i < (size_t)M * N; i++)
        sum += (double)results[i];
    printf("%.9g\n", sum);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(c);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}

/* OpenCL programs that are hard to capture: they use sub-buffers, mapped memory, several threads or
 * processes, or events. See captured.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "captured.h"

static cl_mem part_of(cl_mem whole, size_t origin, size_t bytes)
{
    const cl_buffer_region region = {origin, bytes};
    cl_int code;
    cl_mem part =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);

    check(code, "clCreateSubBuffer");
    return part;
}

/* Launches on two parts of one buffer; then on the whole, which contains the first launch's
 * results. */
void sub_buffers(fixture *f)
{
    const size_t half = N * sizeof(float);
    cl_mem whole = empty_buffer(f, 2 * half);
    cl_mem parts[2] = {part_of(whole, 0, half), part_of(whole, half, half)};
    cl_mem other = empty_buffer(f, half);
    cl_kernel scale = kernel_of(f, "scale");
    const float start = 1.5f;

    check(clEnqueueFillBuffer(f->queue, parts[0], &start, sizeof start, 0, half, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    set_scale(scale, parts[0], parts[1], 3);
    launch(f, scale, 64);
    set_scale(scale, whole, other, 1);
    launch(f, scale, 64);
    set_scale(scale, parts[1], other, 1);
    launch(f, scale, 64);
    print_sum(f, other);
    clReleaseKernel(scale);
    clReleaseMemObject(parts[0]);
    clReleaseMemObject(parts[1]);
    clReleaseMemObject(whole);
    clReleaseMemObject(other);
}

/* Launches a kernel on two overlapping parts of a buffer. It reads the first N / 4 elements of the
 * first part. It writes N / 4 elements from the start of the second part, which is where the read
 * range ends. */
void overlaps(fixture *f)
{
    const size_t bytes = N * sizeof(float);
    const int n = N / 4;
    cl_mem whole = empty_buffer(f, 2 * bytes);
    cl_mem parts[2] = {part_of(whole, bytes / 2, bytes), part_of(whole, bytes * 3 / 4, bytes)};
    cl_kernel scale = kernel_of(f, "scale");
    const float start = 2.5f;

    check(clEnqueueFillBuffer(f->queue, whole, &start, sizeof start, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    set_scale(scale, parts[0], parts[1], 3);
    check(clSetKernelArg(scale, 3, sizeof n, &n), "n");
    launch(f, scale, 64);
    print_sum(f, parts[1]);
    clReleaseKernel(scale);
    clReleaseMemObject(parts[0]);
    clReleaseMemObject(parts[1]);
    clReleaseMemObject(whole);
}

/* The host writes through a mapping between two launches, and copies. */
void maps(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 3);
    cl_mem out = empty_buffer(f, N * sizeof(float)), copy = empty_buffer(f, N * sizeof(float));
    cl_kernel scale = kernel_of(f, "scale");
    cl_int code;
    float *mapped;

    set_scale(scale, in, out, 1);
    launch(f, scale, 64);
    mapped = clEnqueueMapBuffer(f->queue, out, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                N * sizeof(float), 0, NULL, NULL, &code);
    check(code, "clEnqueueMapBuffer");
    for (int i = 0; i < N; i++)
        mapped[i] = 1 - mapped[i];
    check(clEnqueueUnmapMemObject(f->queue, out, mapped, 0, NULL, NULL), "unmap");
    launch(f, scale, 64);
    check(clEnqueueCopyBuffer(f->queue, out, copy, 0, 0, N * sizeof(float), 0, NULL, NULL), "copy");
    set_scale(scale, copy, out, 1);
    launch(f, scale, 64);
    print_sum(f, out);
    clReleaseKernel(scale);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(copy);
}

typedef struct {
    fixture f;
    int from;
    double sum;
} worker;

static void *work(void *user)
{
    worker *w = user;
    cl_mem in = buffer_of(&w->f, CL_MEM_READ_ONLY, w->from);
    cl_mem out = empty_buffer(&w->f, N * sizeof(float));
    cl_kernel scale = kernel_of(&w->f, "scale");
    float *values = calloc(N, sizeof *values);

    for (int s = 0; s < STEPS; s++) {
        set_scale(scale, in, out, 1);
        launch(&w->f, scale, 64);
        /* Each launch adds to the result of the one before, so an out-of-order queue has to finish.
         * After a barrier PoCL 3.1 sometimes loses a launch. */
        check(clFinish(w->f.queue), "clFinish");
    }
    check(
        clEnqueueReadBuffer(w->f.queue, out, CL_TRUE, 0, N * sizeof(float), values, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    for (int i = 0; i < N; i++)
        w->sum += values[i];
    free(values);
    clReleaseKernel(scale);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    return NULL;
}

/* Two threads launch kernels, each in a queue of its own. The second queue is out of order. */
void threads(fixture *f)
{
    worker workers[2] = {{*f, 1, 0}, {*f, 2, 0}};
    pthread_t ids[2];
    cl_int code;

    workers[1].f.queue =
        clCreateCommandQueue(f->context, f->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code != CL_SUCCESS)
        workers[1].f.queue = clCreateCommandQueue(f->context, f->device, 0, &code);
    check(code, "clCreateCommandQueue");
    for (int i = 0; i < 2; i++)
        check(pthread_create(&ids[i], NULL, work, &workers[i]), "pthread_create");
    for (int i = 0; i < 2; i++)
        check(pthread_join(ids[i], NULL), "pthread_join");
    printf("%.9g %.9g\n", workers[0].sum, workers[1].sum);
    clReleaseCommandQueue(workers[1].f.queue);
}

/* Starts a child process that uses OpenCL, at the same time as its parent. */
void fork_child(fixture *f)
{
    pid_t child = fork();
    int how;

    if (child == 0) {
        execl("/proc/self/exe", "captured", "plain", (char *)NULL);
        _exit(9);
    }
    check(waitpid(child, &how, 0) == child ? 0 : 1, "waitpid");
    loop(f);
}

/* Forks a child that does not use OpenCL and ends before its parent. */
void fork_copy(fixture *f)
{
    pid_t child;
    int how;

    plain(f);
    fflush(stdout);
    child = fork();
    if (child == 0)
        exit(0);
    check(waitpid(child, &how, 0) == child ? 0 : 1, "waitpid");
    loop(f);
}

void end_by_abort(fixture *f)
{
    loop(f);
    fflush(stdout);
    abort();
}

void end_by_kill(fixture *f)
{
    loop(f);
    fflush(stdout);
    kill(getpid(), SIGKILL);
}

/* A launch with an image, and one without. */
void image(fixture *f)
{
    static const char text[] =
        "kernel void paint(write_only image2d_t to)\n"
        "{\n"
        "    write_imagef(to, (int2)(get_global_id(0) % 64, get_global_id(0) / 64), 1);\n"
        "}\n";
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    fixture own = *f;
    cl_kernel paint;
    cl_int code;
    cl_mem to = clCreateImage(f->context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &code);

    check(code, "clCreateImage");
    own.program = build(f, text, NULL);
    paint = kernel_of(&own, "paint");
    check(clSetKernelArg(paint, 0, sizeof to, &to), "to");
    launch(f, paint, 64);
    plain(f);
    clReleaseKernel(paint);
    clReleaseProgram(own.program);
    clReleaseMemObject(to);
}

/* A user event of the host delays a launch. A callback makes another launch. */
static void CL_CALLBACK launch_again(cl_event event, cl_int status, void *user)
{
    worker *w = user;

    (void)event;
    (void)status;
    launch(&w->f, (cl_kernel)(void *)w->f.program, 64);
    clFlush(w->f.queue);
    clSetUserEventStatus((cl_event)(void *)w->f.context, CL_COMPLETE);
}

void events(fixture *f)
{
    cl_mem in = buffer_of(f, CL_MEM_READ_ONLY, 3), out = empty_buffer(f, N * sizeof(float));
    cl_kernel scale = kernel_of(f, "scale");
    const size_t global = N;
    cl_event gate, done, called;
    cl_int code;
    worker w = {.f = *f};

    gate = clCreateUserEvent(f->context, &code);
    check(code, "clCreateUserEvent");
    set_scale(scale, in, out, 1);
    check(clEnqueueNDRangeKernel(f->queue, scale, 1, NULL, &global, NULL, 1, &gate, &done),
          "clEnqueueNDRangeKernel");
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    check(clWaitForEvents(1, &done), "clWaitForEvents");
    called = clCreateUserEvent(f->context, &code);
    check(code, "clCreateUserEvent");
    w.f.program = (cl_program)(void *)scale;
    w.f.context = (cl_context)(void *)called;
    check(clSetEventCallback(done, CL_COMPLETE, launch_again, &w), "clSetEventCallback");
    check(clWaitForEvents(1, &called), "clWaitForEvents");
    launch(f, scale, 64);
    print_sum(f, out);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseEvent(called);
    clReleaseKernel(scale);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

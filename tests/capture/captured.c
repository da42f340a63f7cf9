/* A small OpenCL program that perfmodel capture is tried on. It prints a sum of its results, which
 * has to be the same with and without the layer.
 * Usage: captured MODE
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 4096, STEPS = 10 };

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

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} fixture;

static void check(cl_int code, const char *what)
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

static cl_program build(const fixture *f, const char *text, const char *options)
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

static cl_kernel kernel_of(const fixture *f, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(f->program, name, &code);

    check(code, name);
    return kernel;
}

/* A buffer with from, from + 1, ... */
static cl_mem buffer_of(const fixture *f, cl_mem_flags flags, int from)
{
    static float values[N];
    cl_int code;
    cl_mem mem;

    for (int i = 0; i < N; i++)
        values[i] = (float)(from + i % 1000);
    mem = clCreateBuffer(f->context, flags | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    check(code, "clCreateBuffer");
    return mem;
}

static cl_mem empty_buffer(const fixture *f, size_t bytes)
{
    const float zero = 0;
    cl_int code;
    cl_mem mem = clCreateBuffer(f->context, CL_MEM_READ_WRITE, bytes, NULL, &code);

    check(code, "clCreateBuffer");
    check(clEnqueueFillBuffer(f->queue, mem, &zero, sizeof zero, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    return mem;
}

static void launch(const fixture *f, cl_kernel kernel, size_t local)
{
    const size_t global = N;

    check(clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL,
                                 NULL),
          "clEnqueueNDRangeKernel");
}

static void set_scale(cl_kernel kernel, cl_mem in, cl_mem out, float by)
{
    const int n = N - 5;

    check(clSetKernelArg(kernel, 0, sizeof in, &in), "in");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "out");
    check(clSetKernelArg(kernel, 2, sizeof by, &by), "by");
    check(clSetKernelArg(kernel, 3, sizeof n, &n), "n");
}

static void print_sum(const fixture *f, cl_mem mem)
{
    static float values[N];
    double sum = 0;

    check(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < N; i++)
        sum += values[i];
    printf("%.9g\n", sum);
}

/* ---- what is tried --------------------------------------------------------------------------- */

static void plain(fixture *f)
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

/* Two buffers take turns, and t is 3, 5, 7, ... */
static void loop(fixture *f)
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

/* The launches are of two kernels in turn. */
static void two_kernels(fixture *f)
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

static cl_mem part_of(cl_mem whole, size_t origin, size_t bytes)
{
    const cl_buffer_region region = {origin, bytes};
    cl_int code;
    cl_mem part =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);

    check(code, "clCreateSubBuffer");
    return part;
}

/* Two parts of one buffer; then the whole, which has what the first launch wrote. */
static void sub_buffers(fixture *f)
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

/* The host writes through a mapping between two launches, and copies. */
static void maps(fixture *f)
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

/* Each has a queue of its own, the second one out of order. */
static void threads(fixture *f)
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

/* A child that uses OpenCL from the start, beside its parent. */
static void fork_child(fixture *f)
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

/* A copy of the process, which does not use OpenCL, ends before its parent. */
static void fork_copy(fixture *f)
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

static void end_by_abort(fixture *f)
{
    loop(f);
    fflush(stdout);
    abort();
}

static void end_by_kill(fixture *f)
{
    loop(f);
    fflush(stdout);
    kill(getpid(), SIGKILL);
}

/* A launch with an image, and one without. */
static void image(fixture *f)
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

/* The host holds a launch back by an event of its own; one launch comes from a callback. */
static void CL_CALLBACK launch_again(cl_event event, cl_int status, void *user)
{
    worker *w = user;

    (void)event;
    (void)status;
    launch(&w->f, (cl_kernel)(void *)w->f.program, 64);
    clFlush(w->f.queue);
    clSetUserEventStatus((cl_event)(void *)w->f.context, CL_COMPLETE);
}

static void events(fixture *f)
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

/* More launches than are recorded, of which the later ones are longer; then many short ones. */
static void many(fixture *f)
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

/* A source that includes headers, by -I and from each other; the folder is that of the run. */
static void headers(fixture *f)
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

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(fixture *f);
} modes[] = {{"plain", plain},
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
             {"headers", headers}};

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

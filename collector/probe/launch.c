/* Measures the cost of a kernel launch, and queries the vector width that a CPU's compiler uses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a launch is the time between the ends of two empty kernels in a queue, by the host's
 * clock, without events or profiling. The vector width is a property that OpenCL reports only for a
 * compiled kernel.
 */
#include "base/clock.h"
#include "base/error.h"
#include "collector/measure.h"
#include "collector/opencl/opencl.h"
#include "collector/probe/probe.h"

enum { FEW = 64, MANY = 1024 };

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
} empty_queue;

static void close_queue(const empty_queue *q)
{
    if (q->kernel)
        clReleaseKernel(q->kernel);
    if (q->program)
        clReleaseProgram(q->program);
    if (q->queue)
        clReleaseCommandQueue(q->queue);
    if (q->context)
        clReleaseContext(q->context);
}

static pm_status opencl_fail(pm_error *err, const char *call, cl_int code)
{
    return pm_fail(err, PM_FAILED, "an empty kernel: %s: %s (%d)", call, pm_opencl_error_name(code),
                   code);
}

static pm_status open_queue(const pm_device *device, const char *source, empty_queue *q,
                            pm_error *err)
{
    cl_platform_id platform;
    cl_int code;

    if (pm_opencl_device(device, &platform, &q->device, err) != PM_OK)
        return PM_FAILED;
    q->context = clCreateContext(NULL, 1, &q->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(err, "clCreateContext", code);
    q->queue = clCreateCommandQueue(q->context, q->device, 0, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(err, "clCreateCommandQueue", code);
    q->program = clCreateProgramWithSource(q->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(err, "clCreateProgramWithSource", code);
    code = clBuildProgram(q->program, 1, &q->device, "-cl-std=CL1.2", NULL, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(err, "clBuildProgram", code);
    q->kernel = clCreateKernel(q->program, "empty", &code);
    return code == CL_SUCCESS ? PM_OK : opencl_fail(err, "clCreateKernel", code);
}

/* Enqueues n launches of the empty kernel. Sets *seconds to the time from the first call until all
 * launches have run. */
static pm_status launch(const empty_queue *q, int n, double *seconds, pm_error *err)
{
    double start = pm_now_s();
    cl_int code = CL_SUCCESS;

    for (int i = 0; code == CL_SUCCESS && i < n; i++)
        code = clEnqueueNDRangeKernel(q->queue, q->kernel, 1, NULL, (size_t[]){1}, (size_t[]){1}, 0,
                                      NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(q->queue);
    *seconds = pm_now_s() - start;
    return code == CL_SUCCESS ? PM_OK : opencl_fail(err, "clEnqueueNDRangeKernel", code);
}

static pm_status measure(pm_probe *probe, const empty_queue *q, pm_error *err)
{
    double each[PM_PROBE_PASSES], few, many;
    pm_probe_value value;
    pm_status status = launch(q, MANY, &many, err);

    for (size_t i = 0; status == PM_OK && i < PM_PROBE_PASSES; i++) {
        status = launch(q, FEW, &few, err);
        if (status == PM_OK)
            status = launch(q, MANY, &many, err);
        each[i] = 1e6 * (many - few) / (MANY - FEW);
    }
    if (status != PM_OK)
        return status;
    value = pm_probe_summary(each, PM_PROBE_PASSES);
    if (!(value.median > 0))
        return pm_fail(err, PM_FAILED, "an empty kernel: more launches took no more time");
    pm_probe_measured(probe, "launch_us", value, "empty kernels in a queue without profiling");
    return PM_OK;
}

static void ask_width(pm_probe *probe, const empty_queue *q)
{
    size_t width = 0;
    cl_int code =
        clGetKernelWorkGroupInfo(q->kernel, q->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                 sizeof width, &width, NULL);

    if (code != CL_SUCCESS || width == 0 || width > 1024)
        return;
    if (probe->facts.warp == 0)
        probe->facts.warp = (unsigned)width;
    pm_probe_number(probe, "warp_width", PM_PROBE_ASKED, (double)width,
                    "the OpenCL driver: preferred multiple of a work-group");
}

void pm_probe_launches(pm_probe *probe)
{
    pm_error *err = probe->bench.memory.err;
    empty_queue q = {0};
    pm_workload *job = pm_workload_create("probe", "empty", "1");
    pm_status status;

    pm_workload_source(job, "probe/empty.cl");
    if (job && job->source)
        status = open_queue(&probe->row->device, job->source, &q, err);
    else
        status = pm_fail(err, PM_FAILED, "%s",
                         job ? job->error.text : "out of memory for an empty kernel");
    if (status == PM_OK) {
        ask_width(probe, &q);
        status = measure(probe, &q, err);
    }
    close_queue(&q);
    pm_workload_free(job);
    pm_require(&probe->bench.memory, status);
}

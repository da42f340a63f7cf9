/* Tests which executor runs a source on a device: OpenCL C runs on any device, and CUDA sources
 * only on NVIDIA's GPUs. If CUDA's driver is missing or replaced by another library, the error
 * message has one line. Runs on a GPU are not tested here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>

#include "collector/cupti/cuda_driver.h"
#include "collector/executor.h"
#include "owned.h"
#include "unit.h"

static void close_executor(pm_executor *executor)
{
    executor->type->close(executor);
}

OWNED(executor, pm_executor, close_executor)

/* Returns a device that is not NVIDIA's. The test is skipped if there is none. */
static pm_device other_device(void)
{
    pm_device *devices = NULL, found = {.name = ""};
    size_t count = 0;

    assert_ok(pm_devices(&devices, &count, told()) == PM_OK);
    for (size_t i = 0; i < count; i++)
        if (!devices[i].is_nvidia && !*found.name)
            found = devices[i];
    free(devices);
    if (!*found.name) {
        print_message("SKIPPED: no OpenCL device but NVIDIA's\n");
        skip();
    }
    return found;
}

static pm_executor *open_device(const pm_device *device)
{
    pm_executor *executor = NULL;

    pm_executor_device_open(device, NULL, &executor, told());
    return owned_executor(executor);
}

/* Doubles the floats of a buffer. */
static pm_workload *make_workload(const char *name, const char *source)
{
    const size_t items = 256, group = 64;
    char *path = room(1, 4096);
    pm_workload *w = pm_workload_create("twice", "base", "1");
    float *in = need(calloc(items, sizeof *in));

    for (size_t i = 0; i < items; i++)
        in[i] = (float)i;
    snprintf(path, 4096, "%s/%s", scratch_folder(), name);
    write_text(path, source);
    pm_workload_source_file(w, path);
    pm_workload_options(w, "%s", "");
    pm_workload_buffer(w, "a", items * sizeof *in, in, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_launch(w, "twice", 1, &items, &group);
    PM_ARGS(w, PM_BUFFER(0));
    return owned_workload(pm_workload_finish(w, told()));
}

static const char opencl_c[] = "__kernel void twice(__global float *a)\n"
                               "{\n    a[get_global_id(0)] *= 2;\n}\n";
static const char cuda[] = "__global__ void twice(float *a)\n"
                           "{\n    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2;\n}\n";

TEST(opencl_c_runs)
{
    const pm_device device = other_device();
    pm_executor *executor = open_device(&device);
    const pm_workload *w = make_workload("twice.cl", opencl_c);
    double seconds = -1;
    float out[256] = {0};

    assert_int_equal(executor->type->run(executor, NULL, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "no workload is loaded"));
    assert_ok(executor->type->load(executor, w, told()) == PM_OK);
    for (int pass = 0; pass < 2; pass++) {
        assert_ok(executor->type->run(executor, &seconds, told()) == PM_OK);
        assert_ok(executor->type->read(executor, 0, out, told()) == PM_OK);
        assert_true(seconds >= 0);
        for (int i = 0; i < 256; i++)
            assert_true(out[i] == 2 * (float)i);
    }
    assert_null(pm_executor_device_compiler(executor));
    executor->type->unload(executor);
    assert_int_equal(executor->type->read(executor, 0, out, told()), PM_FAILED);
}

TEST(cuda_is_refused_elsewhere)
{
    const pm_device device = other_device();
    pm_executor *executor = open_device(&device);

    assert_int_equal(executor->type->load(executor, make_workload("twice.cu", cuda), told()),
                     PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "twice.cu: CUDA sources run on GPUs of NVIDIA alone"));
    assert_non_null(strstr(last_error.text, device.name));
    /* OpenCL C still runs afterwards. */
    assert_ok(executor->type->load(executor, make_workload("twice.cl", opencl_c), told()) == PM_OK);
    assert_ok(executor->type->run(executor, NULL, told()) == PM_OK);
    executor->type->unload(executor); /* before the workload is freed */
}

static bool has_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY);

    if (library)
        dlclose(library);
    return library != NULL;
}

/* A machine on which OpenCL finds the GPU and CUDA does not. */
TEST(no_driver)
{
    pm_device device = other_device();
    pm_executor *executor;

    if (has_driver()) {
        print_message("SKIPPED: there is a CUDA driver\n");
        skip();
    }
    executor = open_device(&device);
    executor->device.is_nvidia = true;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(executor->type->load(executor, make_workload("twice.cu", cuda), told()),
                         PM_FAILED);
        assert_non_null(strstr(last_error.text, "no CUDA driver (libcuda.so.1"));
    }
    assert_null(pm_executor_device_compiler(executor));
}

/* This test runs last, because the library stays in the process. */
TEST(not_a_driver)
{
    pm_cuda_driver driver;

    if (has_driver()) {
        print_message("SKIPPED: there is a CUDA driver\n");
        skip();
    }
    assert_non_null(dlopen(PM_TEST_LIBCUDA, RTLD_NOW | RTLD_GLOBAL));
    assert_int_equal(pm_cuda_driver_open(&driver, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "libcuda.so.1 has no cuInit: the NVIDIA driver is too "
                                            "old, or this is not it"));
    assert_null(driver.library);
}

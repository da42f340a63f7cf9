/* Tests measurements of energy by NVML: how the driver's answers are handled, and the joules of
 * kernel launches. A stub replaces the driver, because the machines for tests have no GPU. The
 * launches run on an OpenCL device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>
#include <math.h>

#include "base/clock.h"
#include "collector/energy/energy.h"
#include "owned.h"
#include "stub_nvml.h"
#include "unit.h"

static void close_executor(pm_executor *executor)
{
    executor->type->close(executor);
}

OWNED(executor, pm_executor, close_executor)
OWNED(meter, pm_energy, pm_energy_close)

/* Returns a GPU on a bus that the stub knows. */
static pm_device gpu_on_bus(unsigned bus)
{
    return (pm_device){.id = "gpu", .name = "A GPU", .is_nvidia = true, .pci_bus = bus};
}

static const char *refused(const pm_device *device)
{
    pm_energy *meter = NULL;

    assert_int_equal(pm_energy_open(device, &meter, told()), PM_FAILED);
    assert_null(meter);
    return last_error.text;
}

/* This test runs first, because the stub library stays in the process. */
TEST(no_nvml)
{
    const pm_device gpu = gpu_on_bus(1), cpu = {.name = "A CPU"};
    void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY);

    assert_non_null(strstr(refused(&cpu), "A CPU has no meter that perfmodel can read"));
    if (library) {
        dlclose(library);
        print_message("SKIPPED: there is an NVML\n");
        skip();
    }
    assert_non_null(strstr(refused(&gpu), "no NVML (libnvidia-ml.so.1"));
}

/* Resets the stub to its initial answers. */
static pm_stub_nvml *stub(void)
{
    void *library = dlopen(PM_TEST_NVML, RTLD_NOW | RTLD_GLOBAL);
    pm_stub_nvml *says = library ? dlsym(library, "pm_stub_nvml_says") : NULL;

    assert_non_null(says);
    *says = (pm_stub_nvml){.gpus = 1, .watts = 100, .step_s = 0.02};
    return says;
}

TEST(failures_of_the_driver)
{
    pm_stub_nvml *says = stub();
    const pm_device gpu = gpu_on_bus(9);

    says->init = 9;
    assert_non_null(strstr(refused(&gpu), "nvmlInit: Driver Not Loaded (9)"));
    says->init = 0;
    says->energy = 3;
    assert_non_null(strstr(refused(&gpu), "this GPU does not count it; those from Volta on do"));
    says->energy = 999;
    assert_non_null(
        strstr(refused(&gpu), "nvmlDeviceGetTotalEnergyConsumption: Driver Not Loaded (999)"));
    says->energy = 0;
    says->gpus = 3;
    assert_non_null(strstr(refused(&gpu), "none of the 3 GPUs of NVML is A GPU in PCI slot 09:00"));
    says->gpus = 0;
    assert_non_null(strstr(refused(&gpu), "none of the 0 GPUs"));
    assert_int_equal(says->open, 1); /* each successful init has a shutdown */
}

/* The GPU is found by its PCI slot. GPU number i of the stub draws i watts more. */
TEST(the_right_gpu)
{
    pm_stub_nvml *says = stub();
    const pm_device third = gpu_on_bus(3), unknown = gpu_on_bus(77);
    pm_energy *meter = NULL;
    double joules = 0;

    says->gpus = 4;
    says->step_s = 0; /* one second */
    assert_ok(pm_energy_open(&third, &meter, told()) == PM_OK);
    owned_meter(meter);
    assert_ok(pm_energy_read(meter, &joules, told()) == PM_OK);
    assert_true(joules == 102);
    says->gpus = 1; /* a single GPU is used, whatever its slot */
    assert_ok(pm_energy_open(&unknown, &meter, told()) == PM_OK);
    owned_meter(meter);
    assert_ok(pm_energy_read(meter, &joules, told()) == PM_OK);
    assert_true(joules == 100);
}

/* ---- launches ------------------------------------------------------------------------------- */

static const char source[] =
    "__kernel void twice(__global const float *a, __global float *b)\n"
    "{\n    float x = a[get_global_id(0)];\n    for (int i = 0; i < 2000; i++)\n        x = x * "
    "0.999f + 1;\n    b[get_global_id(0)] = x;\n}\n"
    "__kernel void other(__global float *b)\n{\n    b[get_global_id(0)] = 1;\n}\n";

static pm_workload *make_workload(unsigned flags, bool both)
{
    const size_t items = 4096, group = 64;
    char *path = room(1, 4096);
    pm_workload *w = pm_workload_create("twice", "base", "1");

    snprintf(path, 4096, "%s/twice.cl", scratch_folder());
    write_text(path, source);
    pm_workload_source_file(w, path);
    pm_workload_options(w, "%s", "");
    pm_workload_buffer(w, "a", items * sizeof(float), NULL, 0);
    pm_workload_buffer(w, "b", items * sizeof(float), NULL, PM_BUFFER_OUTPUT | flags);
    pm_workload_launch(w, "twice", 1, &items, &group);
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1));
    if (both) {
        pm_workload_launch(w, "other", 1, &items, &group);
        PM_ARGS(w, PM_BUFFER(1));
    }
    return owned_workload(pm_workload_finish(w, told()));
}

TEST(which_workloads_fit)
{
    assert_true(pm_energy_fits(make_workload(0, false)));
    assert_false(pm_energy_fits(make_workload(PM_BUFFER_RESTORE, false)));
    assert_false(pm_energy_fits(make_workload(0, true)));
}

static pm_executor *open_any(void)
{
    pm_device *devices = NULL;
    pm_executor *executor = NULL;
    size_t count = 0;

    assert_ok(pm_devices(&devices, &count, told()) == PM_OK);
    assert_ok(pm_executor_device_open(&devices[0], NULL, &executor, told()) == PM_OK);
    free(devices);
    return owned_executor(executor);
}

/* Number of passes that the executor was asked for. */
static size_t counted;
static pm_executor *real;
static pm_status count_run(pm_executor *executor, double *seconds, pm_error *err)
{
    (void)executor;
    return real->type->run(real, seconds, err);
}
static pm_status count_repeat(pm_executor *executor, size_t passes, pm_error *err)
{
    (void)executor;
    counted += passes;
    return real->type->repeat(real, passes, err);
}
static const pm_executor_class counting = {.run = count_run, .repeat = count_repeat};

/* The energy per pass at 100 W is 100 J/s times the duration of the run, divided by the number of
 * passes. */
TEST(joules_of_launches)
{
    pm_executor *executor = real = open_any(), asked = {.type = &counting};
    const pm_device gpu = gpu_on_bus(1);
    const pm_workload *w = make_workload(0, false);
    pm_energy *meter = NULL;
    double joules = 0, start, seconds;

    stub();
    assert_ok(pm_energy_open(&gpu, &meter, told()) == PM_OK);
    owned_meter(meter);
    assert_ok(executor->type->load(executor, w, told()) == PM_OK);
    counted = 0;
    start = pm_now_s();
    assert_ok(pm_energy_measure(meter, &asked, w, 1e-3, &(pm_cancel){0}, &joules, told()) == PM_OK);
    seconds = pm_now_s() - start;
    /* All passes count except those before the first update of the meter. */
    assert_true(seconds >= 1 && counted > 0);
    assert_true(joules > 0.7 * 100 * seconds / (double)counted);
    assert_true(joules < 1.3 * 100 * seconds / (double)counted);
    executor->type->unload(executor);
}

static bool at_once(void *nobody)
{
    (void)nobody;
    return true;
}

TEST(a_meter_that_fails_or_a_user_who_stops)
{
    pm_executor *executor = real = open_any(), asked = {.type = &counting};
    const pm_device gpu = gpu_on_bus(1);
    const pm_workload *w = make_workload(0, false);
    pm_stub_nvml *says = stub();
    const pm_cancel stop = {at_once, NULL};
    pm_energy *meter = NULL;
    double joules = -1;

    assert_ok(pm_energy_open(&gpu, &meter, told()) == PM_OK);
    owned_meter(meter);
    assert_ok(executor->type->load(executor, w, told()) == PM_OK);
    says->step_s = 0;
    assert_int_equal(pm_energy_measure(meter, &asked, w, 1e-3, &stop, &joules, told()), PM_FAILED);
    assert_string_equal(last_error.text, "stopped");
    says->energy = 15;
    assert_int_equal(pm_energy_measure(meter, &asked, w, 1e-3, &(pm_cancel){0}, &joules, told()),
                     PM_FAILED);
    assert_non_null(strstr(last_error.text, "nvmlDeviceGetTotalEnergyConsumption"));
    assert_true(joules == -1);
    executor->type->unload(executor);
}

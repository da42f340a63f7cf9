/* Every program and variant of the suite at its smallest size, on a CPU device: results must equal
 * the CPU reference. Skips where the machine has no OpenCL CPU device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/executor.h"
#include "collector/measure.h"
#include "suite/suite.h"
#include "unit.h"
#include "worker_fixture.h"

static pm_executor *open_cpu(void)
{
    pm_error err = {0};
    pm_device *devices = NULL;
    pm_executor *executor = NULL;
    size_t count = 0;

    if (pm_devices(&devices, &count, &err) != PM_OK) {
        print_message("%s\n", err.text);
        return NULL;
    }
    for (size_t i = 0; i < count && !executor; i++)
        if (devices[i].is_cpu)
            assert_int_equal(pm_executor_opencl_open(&devices[i], NULL, &executor, &err), PM_OK);
    free(devices);
    return executor;
}

static void check_variant(pm_executor *executor, const pm_program *program, const char *variant)
{
    pm_error err = {0};
    pm_workload *workload =
        pm_program_build(program, variant, program->info.sizes[0], 1, test_session(), &err);

    assert_ok(workload, &err);
    if (executor->type->load(executor, workload, &err) != PM_OK ||
        executor->type->run(executor, NULL, &err) != PM_OK ||
        pm_measure_check(executor, workload, &err) != PM_OK)
        fail_msg("%s", err.text);
    executor->type->unload(executor);
    pm_workload_free(workload);
}

TEST(every_program_gives_the_reference)
{
    pm_executor *executor = open_cpu();

    if (!executor)
        skip();
    assert_true(pm_program_count() > 0);
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program *program = pm_suite_program(i);

        for (const char *const *variant = program->info.variants; *variant; variant++) {
            print_message("%s %s %s\n", program->info.name, *variant, program->info.sizes[0]);
            check_variant(executor, program, *variant);
        }
    }
    executor->type->close(executor);
}

TEST_MAIN(NULL, NULL)

/* Stores the code that a device's OpenCL compiler generates for programs; on NVIDIA's GPUs, this is
 * PTX. The loops, arrays and instructions in it show whether the trace engine's own compiler
 * optimises in the same way.
 *
 * Usage: device_binary FOLDER SET [DEVICE]: FOLDER/PROGRAM.VARIANT.SIZE.ptx for each workload of
 * the set (suite, corpus, all) whose source or options differ from those of the size before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/executor.h"
#include "collector/opencl/opencl.h"
#include "program/suite/suite.h"
#include "tests/worker_fixture.h"

static pm_status write_binary(pm_executor *executor, const char *folder,
                              const pm_workload *workload, pm_error *err)
{
    char path[4096], *text;
    size_t size;
    FILE *file;

    if (executor->type->load(executor, workload, err) != PM_OK ||
        pm_executor_opencl_binary(executor, &text, &size, err) != PM_OK)
        return PM_FAILED;
    snprintf(path, sizeof path, "%s/%s.%s.ptx", folder, workload->program, workload->variant);
    file = fopen(path, "w");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    free(text);
    executor->type->unload(executor);
    return PM_OK;
}

static void write_program(pm_executor *executor, const char *folder, const pm_program *program)
{
    pm_error err = {0};

    for (const char *const *variant = program->info.variants; *variant; variant++) {
        pm_workload *workload =
            pm_program_build(program, *variant, program->info.sizes[0], 1, test_session(), &err);

        if (!workload || write_binary(executor, folder, workload, &err) != PM_OK)
            fprintf(stderr, "%s %s: %s\n", program->info.name, *variant, err.text);
        pm_workload_free(workload);
    }
}

int main(int argc, char **argv)
{
    pm_device device;
    pm_error err = {0};
    pm_executor *executor;
    const pm_programs *programs;

    if (argc < 3) {
        fprintf(stderr, "usage: device_binary FOLDER SET [DEVICE]\n");
        return 2;
    }
    programs = pm_programs_find(test_session(), argv[2], NULL, NULL, &err);
    if (!programs || pm_device_select(argc > 3 ? argv[3] : NULL, &device, &err) != PM_OK ||
        pm_executor_opencl_open(&device, NULL, &executor, &err) != PM_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t i = 0; i < programs->count; i++)
        write_program(executor, argv[1], programs->items[i]);
    executor->type->close(executor);
    return 0;
}

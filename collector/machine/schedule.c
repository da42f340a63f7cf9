/* Cycles of a sequence of instructions. See schedule.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/machine/schedule.h"

#include <limits.h>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/subprocess.h"
#include "collector/machine/cores.h"

enum { SECONDS = 60, OUTPUT_LIMIT = 4 << 20, MESSAGES_LIMIT = 64 << 10 };
/* Of each sequence until the first instruction is done, and the last: about what a pipeline is
 * long. */
static const double FILL_CYCLES = 25;

/* Whether an instruction is scheduled: jumps that are always taken and calls take no unit's time
 * to speak of, and llvm-mca does not follow them. */
static bool is_scheduled(const pm_machine_step *step)
{
    return step->flow != PM_FLOW_JUMP && step->flow != PM_FLOW_CALL && step->flow != PM_FLOW_AWAY &&
           !strstr(step->text, "call") && !strstr(step->text, "nop");
}

static void write_path(FILE *file, const pm_machine_core *core, const pm_machine_text *text,
                       const uint32_t *steps)
{
    fputs("# LLVM-MCA-BEGIN\n", file);
    for (size_t i = 0; i < PM_MACHINE_PATH; i++) {
        const pm_machine_step *step = &text->steps[steps[i]];

        if (step->flow == PM_FLOW_BRANCH)
            fputs("\tjne\t.L0\n", file);
        else if (is_scheduled(step))
            pm_machine_write_step(file, core, step->text);
    }
    fputs("# LLVM-MCA-END\n", file);
}

/* The sum over sequences of "Total Cycles:", and how many there are. */
static double read_cycles(const char *output, size_t *paths)
{
    static const char total[] = "Total Cycles:";
    double sum = 0;

    *paths = 0;
    for (const char *at = output; (at = strstr(at, total)); (*paths)++) {
        at += sizeof total - 1;
        sum += fmax(1, strtod(at, NULL) - FILL_CYCLES);
    }
    return sum;
}

static double ask(pm_memory *memory, const pm_machine_core *core, const char *input, size_t bytes)
{
    char installed[PATH_MAX]; /* the llvm-mca that is installed together with perfmodel */
    const bool shipped =
        pm_module_path("llvm/bin/llvm-mca", installed, sizeof installed, NULL) == PM_OK;
    char *argv[] = {shipped ? installed : (char[]){PM_LLVM_MCA},
                    pm_format(memory, "-mcpu=%s", core->name),
                    (char[]){"-mtriple=x86_64"},
                    (char[]){"-iterations=1"},
                    pm_format(memory, "-dispatch=%u", core->dispatch),
                    (char[]){"-instruction-info=0"},
                    (char[]){"-resource-pressure=0"},
                    (char[]){"-skip-unsupported-instructions=parse-failure"},
                    NULL};
    const pm_subprocess_request request = {.input = input,
                                           .input_bytes = bytes,
                                           .output_limit = OUTPUT_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = SECONDS};
    pm_subprocess_result result;
    const int error = pm_subprocess_run(argv, &request, &result);
    const bool done = error == 0 && result.exit_code == 0;
    size_t found = 0;
    double cycles = done ? read_cycles(result.output, &found) : 0;

    pm_subprocess_free(&result);
    if (error != 0)
        pm_leave(memory, PM_FAILED, "%s: %s; it is one of LLVM's tools", argv[0], strerror(error));
    if (!done || found != PM_MACHINE_PATHS)
        pm_leave(memory, PM_FAILED, "%s does not tell cycles of this machine's code", argv[0]);
    return cycles;
}

double pm_machine_cycles(pm_memory *memory, const pm_machine_text *text, const uint32_t *steps)
{
    char *input = NULL, *host = LLVMGetHostCPUName();
    const pm_machine_core core = pm_machine_core_of(pm_copy(memory, host));
    size_t bytes = 0;
    FILE *file = open_memstream(&input, &bytes);
    char *kept;

    LLVMDisposeMessage(host);
    if (!file)
        pm_leave(memory, PM_FAILED, "out of memory for machine code");
    for (size_t i = 0; i < PM_MACHINE_PATHS; i++)
        write_path(file, &core, text, steps + i * PM_MACHINE_PATH);
    if (fclose(file) != 0) {
        free(input);
        pm_leave(memory, PM_FAILED, "out of memory for machine code");
    }
    kept = pm_copy(memory, input);
    free(input);
    return ask(memory, &core, kept, bytes) / (PM_MACHINE_PATHS * PM_MACHINE_PATH);
}

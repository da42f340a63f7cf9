/* The subcommand `perfmodel setup`, which installs NVIDIA's compilers for the user.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs pip, because NVIDIA's licence does not let perfmodel distribute the programs itself.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/subprocess.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/table/table.h"

enum { MOST_OUTPUT = 1 << 20, MOST_SECONDS = 3600 };

/* Packages of PyPI: the compiler nvcc with ptxas, its headers, and tools that read machine code. */
#define PACKAGES                                                                                   \
    "nvidia-cuda-nvcc", "nvidia-cuda-crt", "nvidia-nvvm", "nvidia-cuda-runtime",                   \
        "nvidia-cuda-cccl", "nvidia-cuda-nvdisasm", "nvidia-cuda-cuobjdump"

/* Returns the last line of a program's messages. The text is changed. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    char *begin;

    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        text[--length] = '\0';
    begin = strrchr(text, '\n');
    return begin ? begin + 1 : text;
}

/* Runs Python's pip. The caller frees result in all cases. */
static pm_status run_pip(const char *const *words, pm_subprocess_result *result, pm_error *err)
{
    const pm_subprocess_request request = {
        .output_limit = MOST_OUTPUT, .messages_limit = MOST_OUTPUT, .seconds_limit = MOST_SECONDS};
    const int code = pm_subprocess_run((char *const *)(uintptr_t)words, &request, result);

    if (code != 0)
        return pm_fail(err, PM_FAILED, "python3: %s; install Python 3 with pip", strerror(code));
    if (result->exit_code == 0 && !result->too_slow && !result->too_much)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "pip has not installed NVIDIA's packages: %.400s; on a machine without network, "
                   "unpack the same packages (python3 -m pip download nvidia-cuda-nvcc ...) into "
                   "this folder, or set PERFMODEL_NVCC to the nvcc of a CUDA toolkit",
                   last_line(result->messages));
}

static pm_status install(const char *folder, pm_error *err)
{
    const char *const words[] = {"python3",   "-m",       "pip",  "install", "--quiet",
                                 "--upgrade", "--target", folder, PACKAGES,  NULL};
    pm_subprocess_result result = {0};
    const pm_status status = run_pip(words, &result, err);

    pm_subprocess_free(&result);
    return status;
}

/* Prints the installed packages with their versions. list: lines of the form NAME==VERSION. */
static int tell(const cli_options *o, const char *folder, char *list)
{
    json_t *packages = json_array();
    pm_screen screen;

    if (o->json) {
        for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
            const size_t length = strcspn(line, "=");

            if (strncmp(line + length, "==", 2) == 0)
                json_array_append_new(packages, json_pack("{s:s%,s:s}", "name", line, length,
                                                          "version", line + length + 2));
        }
        return cli_print_document(
            o, json_pack("{s:o,s:o}", "folder", pm_json_text(folder), "packages", packages));
    }
    json_decref(packages);
    screen = cli_screen(o);
    pm_screen_say(&screen, "installed in %s:", folder);
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n"))
        pm_screen_say(&screen, "  %s", line);
    pm_screen_note(&screen, "These packages are NVIDIA's, under the licence agreement (EULA) of "
                            "the CUDA toolkit: https://docs.nvidia.com/cuda/eula. nvcc also needs "
                            "a C++ compiler such as g++.");
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    char folder[PATH_MAX];
    const char *const words[] = {"python3",         "-m", "pip", "list", "--path", folder,
                                 "--format=freeze", NULL};
    pm_subprocess_result result = {0};
    pm_status status = pm_data_folder("nvidia", folder, sizeof folder, err);

    (void)session;
    if (status == PM_OK)
        status = install(folder, err);
    if (status == PM_OK)
        status = run_pip(words, &result, err);
    cli_progress_clear();
    if (status == PM_OK)
        status = (pm_status)tell(o, folder, result.output);
    pm_subprocess_free(&result);
    return (int)status;
}

static void take(cli_options *o, const char *value)
{
    if (o->file || strcmp(value, "nvidia") != 0)
        cli_wrong(o, "'%s' is not expected here: perfmodel setup nvidia", value);
    o->file = value;
}

static void check(const cli_options *o)
{
    if (!o->file)
        cli_wrong(o, "what to set up is missing: perfmodel setup nvidia");
}

const cli_command cli_setup = {
    .bit = CLI_SETUP,
    .name = "setup",
    .what = "install NVIDIA's compiler from PyPI",
    .about = "Installs NVIDIA's compiler nvcc, its assembler ptxas, CUDA's headers and the "
             "disassemblers nvdisasm and cuobjdump from PyPI, by Python's pip, into "
             "$XDG_DATA_HOME/perfmodel/nvidia. No GPU is needed. perfmodel then compiles CUDA "
             "sources with nvcc that clang refuses (--cuda-compiler). NVIDIA's licence agreement "
             "applies. The folder has about 350 MB; delete it to remove the programs.",
    .examples = "Examples:\n  perfmodel setup nvidia\n",
    .usual = "nvidia",
    .file = "nvidia",
    .take = take,
    .check = check,
    .rows = "packages",
    .run = run};

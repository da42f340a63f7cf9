/* Finds and runs the program nvcc. See nvcc.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Toolkits, `perfmodel setup nvidia` and Python packages install nvcc in different folders.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "compiler/nvidia/nvcc.h"

enum { MESSAGES_LIMIT = 1 << 20 };

/* A folder in which nvcc is searched: the value of an environment variable, followed by a pattern
 * for glob(3). variable NULL: `pattern` is the whole path. */
typedef struct {
    const char *variable, *pattern;
} place;

static const place places[] = {
    {"CUDA_HOME", "/bin/nvcc"},
    {"CUDA_PATH", "/bin/nvcc"},
    {NULL, "/usr/local/cuda/bin/nvcc"},
    {"VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/*/bin/nvcc"},
    {"CONDA_PREFIX", "/lib/python3*/site-packages/nvidia/*/bin/nvcc"},
    {"HOME", "/.local/lib/python3*/site-packages/nvidia/*/bin/nvcc"},
    {NULL, "/usr/local/lib/python3*/*-packages/nvidia/*/bin/nvcc"},
};

static bool is_program(char path[PATH_MAX], const char *folder, size_t length, const char *name)
{
    int written = snprintf(path, PATH_MAX, "%.*s%s", (int)length, folder, name);

    return length > 0 && written > 0 && written < PATH_MAX && access(path, X_OK) == 0;
}

static bool is_in_place(char path[PATH_MAX], const place *where)
{
    const char *before = where->variable ? getenv(where->variable) : "";
    char pattern[PATH_MAX];
    glob_t found = {.gl_pathc = 0};
    bool is = false;

    if (!before || (where->variable && !*before) ||
        (size_t)snprintf(pattern, sizeof pattern, "%s%s", before, where->pattern) >= sizeof pattern)
        return false;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i > 0 && !is; i--) /* the newest of cu12, cu13 */
            is = is_program(path, found.gl_pathv[i - 1], strlen(found.gl_pathv[i - 1]), "");
    globfree(&found);
    return is;
}

static bool is_in_places(char path[PATH_MAX], const place *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_in_place(path, &list[i]))
            return true;
    return false;
}

bool pm_nvidia_tool(const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX], pattern[PATH_MAX];
    const place here = {NULL, pattern};

    return pm_data_folder("nvidia", folder, sizeof folder, NULL) == PM_OK &&
           (size_t)snprintf(pattern, sizeof pattern, "%s/nvidia/*/bin/%s", folder, name) <
               sizeof pattern &&
           is_in_place(path, &here);
}

bool pm_path_tool(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    char file[64];

    snprintf(file, sizeof file, "/%s", name);
    for (const char *at = folders ? folders : ""; *at; at += *at == ':') {
        const size_t length = strcspn(at, ":");

        if (is_program(path, at, length, file))
            return true;
        at += length;
    }
    return false;
}

bool pm_nvcc_search(char path[PATH_MAX])
{
    const char *chosen = getenv("PERFMODEL_NVCC");

    if (chosen && *chosen)
        return is_program(path, chosen, strlen(chosen), "");
    return pm_nvidia_tool("nvcc", path) || pm_path_tool("nvcc", path) ||
           is_in_places(path, places, sizeof places / sizeof *places);
}

pm_status pm_nvcc_run(const pm_nvcc *nvcc, char *const *argv, pm_subprocess_result *result,
                      pm_error *err)
{
    const pm_subprocess_request request = {.output_limit = MESSAGES_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = nvcc->limits.seconds,
                                           .cancel = nvcc->limits.cancel};
    int code = pm_subprocess_run(argv, &request, result);

    if (code != 0)
        return pm_fail(err, PM_FAILED, "%.400s: %s", nvcc->path, strerror(code));
    if (result->cancelled)
        return pm_fail(err, PM_FAILED, "interrupted");
    if (result->too_slow || result->too_much || result->signal)
        return pm_fail(err, PM_FAILED, "%.400s: was ended: it took too long or said too much",
                       nvcc->path);
    return result->exit_code == 0
               ? PM_OK
               : pm_fail(err, PM_BAD_INPUT, "%.400s: exit code %d", nvcc->path, result->exit_code);
}

/* Reads the version (here 13.0.88) from nvcc's output, such as "Cuda compilation tools, release
 * 13.0, V13.0.88". Returns false if it has none. */
static bool read_version(const char *text, char *name, size_t size)
{
    const char *at = strstr(text, "release ");
    size_t length;

    at = at ? strstr(at, ", V") : NULL;
    length = at ? strspn(at + 3, "0123456789.") : 0;
    snprintf(name, size, "nvcc %.*s", (int)length, at ? at + 3 : "");
    return length > 0 && length < 32;
}

/* Chooses the compute capability to compile for from nvcc's list, with lines such as compute_90. An
 * nvcc that has no list is asked for the GPU's own capability. */
static void choose_capability(pm_nvcc *nvcc)
{
    char *argv[] = {nvcc->path, (char[]){"--list-gpu-arch"}, NULL};
    pm_subprocess_result result = {0};
    unsigned best = 0, least = 0;

    if (pm_nvcc_run(nvcc, argv, &result, NULL) == PM_OK)
        for (const char *at = result.output; (at = strstr(at, "compute_"));) {
            const unsigned known = (unsigned)strtoul(at += strlen("compute_"), NULL, 10);

            least = known > 0 && (least == 0 || known < least) ? known : least;
            best = known <= nvcc->capability && known > best ? known : best;
        }
    pm_subprocess_free(&result);
    if (least > 0)
        nvcc->capability = best > 0 ? best : least;
}

pm_status pm_nvcc_find(pm_nvcc *nvcc, unsigned capability, const pm_compiler_limits *limits,
                       pm_error *err)
{
    char *argv[] = {nvcc->path, (char[]){"--version"}, NULL};
    pm_subprocess_result result = {0};
    pm_status status;

    *nvcc = (pm_nvcc){.capability = capability, .limits = *limits};
    if (!pm_nvcc_search(nvcc->path))
        return pm_fail(
            err, PM_FAILED,
            "no nvcc on PATH, in $CUDA_HOME, in /usr/local/cuda or among Python's packages: "
            "run perfmodel setup nvidia, or set PERFMODEL_NVCC to the program");
    status = pm_nvcc_run(nvcc, argv, &result, err);
    if (status == PM_OK && !read_version(result.output, nvcc->name, sizeof nvcc->name))
        status =
            pm_fail(err, PM_FAILED, "%.400s does not answer --version as nvcc does", nvcc->path);
    pm_subprocess_free(&result);
    if (status != PM_OK)
        return PM_FAILED;
    choose_capability(nvcc);
    return PM_OK;
}

/* Finds NVRTC on this machine and loads it. See nvrtc.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUDA toolkits, Linux distributions and Python packages install NVRTC in different folders, and a
 * machine may have several versions. A library that does not support the GPU is skipped.
 */
#include "compiler/nvidia/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { OLDEST = 11, NEWEST_BEYOND = 3, MOST_ARCHS = 256 };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct {
    pm_nvrtc *nvrtc;
    unsigned capability;
    /* error of the first library that was found but cannot be used; "": no library was found */
    char why[300];
} search;

/* ---- loading a library --------------------------------------------------------------------- */

static const char *find_functions(pm_nvrtc *nvrtc)
{
    void *found;

#define PM_NVRTC_FIND(type, name, symbol, parameters)                                              \
    found = dlsym(nvrtc->library, symbol);                                                         \
    if (!found)                                                                                    \
        return symbol;                                                                             \
    memcpy(&nvrtc->name, &found, sizeof found);
    PM_NVRTC_FUNCTIONS(PM_NVRTC_FIND)
#undef PM_NVRTC_FIND
    return NULL;
}

/* Chooses the highest compute capability that NVRTC supports and that is not above the GPU's. If
 * both are equal, NVRTC makes machine code, which runs only on a GPU of this capability. Otherwise
 * it makes PTX, which runs on all later GPUs. */
static bool choose_capability(pm_nvrtc *nvrtc, unsigned wanted)
{
    int archs[MOST_ARCHS], count = 0;

    if (nvrtc->arch_count(&count) != 0 || count < 1 || count > MOST_ARCHS ||
        nvrtc->archs(archs) != 0)
        return false;
    nvrtc->capability = 0;
    for (int i = 0; i < count; i++)
        if (archs[i] > 0 && (unsigned)archs[i] <= wanted && (unsigned)archs[i] > nvrtc->capability)
            nvrtc->capability = (unsigned)archs[i];
    nvrtc->machine_code = nvrtc->capability == wanted;
    return nvrtc->capability > 0;
}

static void find_path(pm_nvrtc *nvrtc, const char *name)
{
    void *function;
    Dl_info info;

    memcpy(&function, &nvrtc->version, sizeof function);
    snprintf(nvrtc->path, sizeof nvrtc->path, "%s",
             dladdr(function, &info) && info.dli_fname ? info.dli_fname : name);
}

static bool refuse(search *s)
{
    pm_nvrtc_close(s->nvrtc);
    return false;
}

static bool try_library(search *s, const char *path)
{
    pm_nvrtc *nvrtc = s->nvrtc;
    const size_t room = *s->why ? 0 : sizeof s->why;
    const char *missing;

    nvrtc->library = dlopen(path, RTLD_NOW);
    if (!nvrtc->library)
        return false;
    missing = find_functions(nvrtc);
    if (missing)
        snprintf(s->why, room, "%.200s has no %s: it is no NVRTC, or older than that of CUDA 11.2",
                 path, missing);
    else if (nvrtc->version(&nvrtc->major, &nvrtc->minor) != 0)
        snprintf(s->why, room, "%.200s does not tell its version", path);
    else if (!choose_capability(nvrtc, s->capability))
        snprintf(s->why, room,
                 "%.200s (NVRTC %d.%d) does not compile for compute capability %u.%u: install an "
                 "older one",
                 path, nvrtc->major, nvrtc->minor, s->capability / 10, s->capability % 10);
    else {
        find_path(nvrtc, path);
        return true;
    }
    return refuse(s);
}

/* ---- finding libraries --------------------------------------------------------------------- */

/* Writes NVRTC's file name for a major version of CUDA. CUDA 11.2 and all later 11.x have the same
 * file name. */
static void name_of(unsigned major, char name[32])
{
    snprintf(name, 32, major == OLDEST ? "libnvrtc.so.%u.2" : "libnvrtc.so.%u", major);
}

/* A folder in which NVRTC is searched: the value of an environment variable, followed by `folder`,
 * a pattern for glob(3). variable NULL: `folder` is the whole path. */
typedef struct {
    const char *variable, *folder;
} place;

static const place places[] = {
    {"CUDA_HOME", "/lib64"},
    {"CUDA_PATH", "/lib64"},
    {"CONDA_PREFIX", "/lib"},
    {NULL, "/usr/local/cuda/lib64"},
    {NULL, "/usr/local/cuda-*/lib64"},
    {"VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/*/lib"},
    {"CONDA_PREFIX", "/lib/python3*/site-packages/nvidia/*/lib"},
    {"HOME", "/.local/lib/python3*/site-packages/nvidia/*/lib"},
    {NULL, "/usr/local/lib/python3*/*-packages/nvidia/*/lib"},
};

static bool try_place(search *s, const place *where, const char *name)
{
    const char *before = where->variable ? getenv(where->variable) : NULL;
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool opened = false;
    int length;

    if (where->variable && (!before || !*before))
        return false;
    length =
        snprintf(pattern, sizeof pattern, "%s%s/%s", before ? before : "", where->folder, name);
    if (length < 0 || (size_t)length >= sizeof pattern)
        return false;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; !opened && i < found.gl_pathc; i++)
            opened = try_library(s, found.gl_pathv[i]);
    globfree(&found);
    return opened;
}

static bool try_version(search *s, unsigned major)
{
    char name[32];

    name_of(major, name);
    if (try_library(s, name))
        return true;
    for (size_t i = 0; i < COUNT(places); i++)
        if (try_place(s, &places[i], name))
            return true;
    return false;
}

static pm_status tell(const search *s, pm_error *err)
{
    if (*s->why)
        return pm_fail(err, PM_FAILED, "%s", s->why);
    return pm_fail(err, PM_FAILED,
                   "no NVRTC (libnvrtc.so.13, .12 or .11.2) where the loader looks, in $CUDA_HOME, "
                   "in /usr/local/cuda or among Python's packages: pip install nvidia-cuda-nvrtc "
                   "(of CUDA 12: nvidia-cuda-nvrtc-cu12), or set PERFMODEL_NVRTC to the library");
}

pm_status pm_nvrtc_open(pm_nvrtc *nvrtc, unsigned capability, unsigned cuda, pm_error *err)
{
    const char *chosen = getenv("PERFMODEL_NVRTC");
    search s = {.nvrtc = nvrtc, .capability = capability};

    memset(nvrtc, 0, sizeof *nvrtc);
    if (chosen && *chosen) {
        if (try_library(&s, chosen))
            return PM_OK;
        return *s.why ? tell(&s, err)
                      : pm_fail(err, PM_FAILED,
                                "PERFMODEL_NVRTC=%.400s is not a library that loads", chosen);
    }
    for (unsigned major = cuda; major >= OLDEST; major--)
        if (try_version(&s, major))
            return PM_OK;
    for (unsigned major = cuda < OLDEST ? OLDEST : cuda + 1; major <= cuda + NEWEST_BEYOND; major++)
        if (try_version(&s, major))
            return PM_OK;
    return tell(&s, err);
}

void pm_nvrtc_close(pm_nvrtc *nvrtc)
{
    if (nvrtc->library)
        dlclose(nvrtc->library);
    memset(nvrtc, 0, sizeof *nvrtc);
}

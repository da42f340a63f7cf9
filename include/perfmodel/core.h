/* The version of the interface, how functions fail, and where the shipped files are. See
 * perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_CORE_H
#define PERFMODEL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions ---------------------------------------------------------------------------- */

#define PM_VERSION "0.1.0" /* of perfmodel */

/* Of the interface that this header declares: major << 16 | minor. A minor version adds, a major
 * one may take away, and has another name of the shared library. */
#define PM_API_MAJOR 1
#define PM_API_MINOR 0
#define PM_API_VERSION (PM_API_MAJOR << 16 | PM_API_MINOR)

/* Those of the library that runs: PM_VERSION and PM_API_VERSION when it was built. */
const char *pm_library_version(void);
unsigned pm_api_version(void);

/* ---- errors and messages ----------------------------------------------------------------- */

/* The values are the exit codes of the command line. */
typedef enum {
    PM_OK = 0,
    PM_FAILED = 1,   /* the work failed: a device, a missing tool */
    PM_BAD_INPUT = 2 /* the command line, an input file or the place for the output is wrong */
} pm_status;

typedef struct {
    pm_status status;
    char text[1024]; /* one line, no newline */
    uint64_t reserved[8];
} pm_error;

/* Where notices go (a dropped row, a counter that cannot be read). fn may be NULL: silence.
 * Complete. */
typedef struct {
    void (*fn)(void *user, const char *line);
    void *user;
} pm_log;

/* ---- where the shipped files are --------------------------------------------------------- */

/* Writes into path the place of a file under share/perfmodel (kernels/, datasets/, counters.ini):
 * $PERFMODEL_SHARE, else beside the shared library or the program (../share/perfmodel), else under
 * the prefix that the library was installed into. */
pm_status pm_share_path(const char *name, char *path, size_t path_size, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif

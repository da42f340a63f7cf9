/* Versions of the library, statuses and errors, and the path of installed data files. See
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

#define PM_VERSION "0.1.0" /* version of perfmodel */

/* Version of the interface that this header declares: major << 16 | minor. A new minor version only
 * adds to the interface. A new major version may remove from it, and the shared library then has
 * another name. */
#define PM_API_MAJOR 1
#define PM_API_MINOR 1
#define PM_API_VERSION (PM_API_MAJOR << 16 | PM_API_MINOR)

/* pm_library_version returns PM_VERSION of the loaded library, and pm_api_version returns its
 * PM_API_VERSION. They may differ from the macros in the header that the caller was compiled with.
 * The text is static. */
const char *pm_library_version(void);
unsigned pm_api_version(void);

/* ---- errors and messages ----------------------------------------------------------------- */

/* Result of a function that can fail. The values are also exit codes of the command line. */
typedef enum {
    PM_OK = 0,
    PM_FAILED = 1,   /* The work failed: for example a device failed, or a tool is missing. */
    PM_BAD_INPUT = 2 /* The caller's input is wrong: an option, an input file, or an output path. */
} pm_status;

/* Description of a failure, which a function fills if it fails. The caller owns it. */
typedef struct {
    pm_status status; /* status that the failed function returned: PM_FAILED or PM_BAD_INPUT */
    char text[1024];  /* message in one line, without a newline at its end */
    uint64_t reserved[8];
} pm_error;

/* Receiver of notices: a notice says for example that a row was dropped or that a counter cannot be
 * read. No later version adds members. */
typedef struct {
    /* Callback that gets the text of one notice. NULL: notices are discarded. */
    void (*fn)(void *user, const char *line);
    void *user; /* first argument of fn */
} pm_log;

/* ---- installed data files ---------------------------------------------------------------- */

/* Writes the path of an installed data file into path, which has path_size bytes. name is relative
 * to share/perfmodel: for example kernels/, datasets/ or counters.ini. The file is looked for in
 * $PERFMODEL_SHARE if that is set. Else it is looked for in PREFIX/share/perfmodel, where PREFIX is
 * a folder up to three levels above the shared library or the program, then the prefix of the
 * installation. Errors: PM_BAD_INPUT if $PERFMODEL_SHARE is set and does not have the file;
 * PM_FAILED if the file is not found. */
pm_status pm_share_path(const char *name, char *path, size_t path_size, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif

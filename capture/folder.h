/* The folder of a capture, and what is put into it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   capture.workload, capture.cl        of the program source whose launches took longest
 *   capture_2.workload, capture_2.cl    of the next one, ...
 *   headers/2/...                       that capture_2.cl includes
 *   contents/ID.bin                     of buffers, before a launch and after all
 *   records/                            while the program runs
 */
#ifndef PM_CAPTURE_FOLDER_H
#define PM_CAPTURE_FOLDER_H

#include "capture/replay/replay.h"

typedef struct {
    pm_memory *memory;
    const char *path;
    const char *command; /* that was captured, for a comment; NULL: not known */
    double tolerance;    /* of floats in results; 0: bit for bit */
    uint64_t bytes;      /* of what was put into contents/ */
    size_t written;      /* workload files so far */
} pm_capture_folder;

/* A new folder, or one that is empty. */
void pm_folder_make(const pm_capture_folder *folder);
/* Makes a folder below it if there is none. */
void pm_folder_below(const pm_capture_folder *folder, const char *below);
/* That the path is a folder, and no link to one: nothing is written or moved elsewhere. */
void pm_folder_require(const pm_capture_folder *folder, const char *path);
void pm_folder_remove(const pm_capture_folder *folder, const char *below); /* with all in it */
/* A source's or header's text: what is given, or else of contents; of malloc. */
char *pm_folder_text(const pm_capture_folder *folder, const pm_captured_process *process,
                     const char *given, const char *contents);
void pm_folder_write(const pm_capture_folder *folder, const char *name, const char *text);
/* Puts contents of so many bytes in their place, and returns it as seen from the folder. */
const char *pm_folder_contents(pm_capture_folder *folder, const pm_captured_process *process,
                               const char *contents, size_t bytes);

/* Puts the images that the process loaded into modules/. */
void pm_folder_modules(const pm_capture_folder *folder, const pm_captured_process *process);

/* ---- headers.c ---------------------------------------------------------------------------------
 */

/* Puts the program's headers below headers/NUMBER, where they stand to each other as they did.
 * Returns its options with -I of there, behind prefix. */
const char *pm_folder_options(const pm_capture_folder *folder, const pm_captured_process *process,
                              const pm_captured_program *program, const char *prefix);
void pm_folder_headers(const pm_capture_folder *folder, const pm_captured_process *process,
                       const pm_captured_program *program);

/* ---- write.c --------------------------------------------------------------------------------- */

/* The name of the next workload file and its source, without their endings. */
const char *pm_folder_next(const pm_capture_folder *folder);
/* How its source's name ends. */
const char *pm_folder_ending(const pm_captured_program *program);
/* Writes the next workload file of the replay; name is what tables are to call it. */
void pm_folder_workload(pm_capture_folder *folder, const pm_replay *replay, const char *name);

#endif

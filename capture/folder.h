/* The folder of a capture and its files.
 *   capture.workload, capture.cl        program source that was launched first
 *   capture_2.workload, capture_2.cl    program source that was launched next, ...
 *   headers/2/...                       headers that capture_2.cl includes
 *   contents/ID.bin.zst                 contents of buffers, before a launch and after all launches
 *   records/                            records, only while the program runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_FOLDER_H
#define PM_CAPTURE_FOLDER_H

#include "capture/replay/replay.h"
#include "program/page_use.h"

/* Contents of a buffer that are to be written. A page whose `use` is less than `least` is written
 * as zeros, because no launch needs it. */
typedef struct {
    /* id of the recorded contents, the name of their file; or =HEX: contents that repeat this
     * pattern */
    const char *contents;
    size_t bytes;
    /* use[page]: a pm_page_use for each page of PM_USE_PAGE bytes; NULL: all pages are written */
    const uint8_t *use;
    pm_page_use least;
} pm_folder_part;

/* A file of contents (the bytes of a buffer) in the folder contents/ of the capture. */
typedef struct {
    const pm_captured_process *process;
    pm_folder_part part;
    const char *name; /* path of the file, relative to the capture's folder */
} pm_folder_stored;

typedef struct {
    pm_memory *memory;
    const char *path;
    /* command line that was captured, written as a comment in workload files; NULL: unknown */
    const char *command;
    /* tolerance of floats that workload files state for comparisons with the captured results; 0:
     * results must be equal bit for bit */
    double tolerance;
    uint64_t bytes; /* bytes written to contents/, compressed */
    size_t stored_count;
    pm_folder_stored *stored;
    size_t written; /* number of workload files written */
} pm_capture_folder;

/* Creates the folder of the capture. Fails if the folder exists and is not empty. */
void pm_folder_make(const pm_capture_folder *folder);
/* Creates the subfolder `below` of the capture's folder, unless it exists. */
void pm_folder_below(const pm_capture_folder *folder, const char *below);
/* Fails unless path is a folder and not a symbolic link. A link could lead outside of the
 * capture. */
void pm_folder_require(const pm_capture_folder *folder, const char *path);
/* Deletes the subfolder `below` of the capture's folder, with its files. */
void pm_folder_remove(const pm_capture_folder *folder, const char *below);
/* Returns recorded contents (the bytes of a buffer), which the caller frees. contents: their id in
 * the records. bytes: their size. NULL: they cannot be read. */
uint8_t *pm_folder_bytes(const pm_capture_folder *folder, const pm_captured_process *process,
                         const char *contents, size_t bytes);
/* Returns the text of a source or a header, which the caller frees. It is a copy of `given`. If
 * `given` is NULL, it is the text of the recorded contents with the id `contents`. */
char *pm_folder_text(const pm_capture_folder *folder, const pm_captured_process *process,
                     const char *given, const char *contents);
void pm_folder_write(const pm_capture_folder *folder, const char *name, const char *text);
/* Fails because a file of the capture could not be written; errno says why. */
_Noreturn void pm_folder_unwritten(const pm_capture_folder *folder, const char *path);
/* Returns the path of a file with recorded contents. Fails if the path leads outside of the
 * capture, because the file may be a symbolic link. */
const char *pm_folder_recorded(const pm_capture_folder *folder, const pm_captured_process *process,
                               const char *contents);

/* ---- contents.c ------------------------------------------------------------------------------ */

/* Writes contents of a buffer to the folder contents/ of the capture, compressed, unless they are
 * there. Returns the file's path relative to the capture's folder. */
const char *pm_folder_contents(pm_capture_folder *folder, const pm_captured_process *process,
                               const pm_folder_part *part);

/* Copies the images (PTX, cubins, fatbins) that the process loaded to the folder modules/. */
void pm_folder_modules(const pm_capture_folder *folder, const pm_captured_process *process);

/* ---- headers.c ---------------------------------------------------------------------------------
 */

/* Returns the program's build options with new -I options, which name the folders in headers/NUMBER
 * of the capture to which pm_folder_headers copies the headers. The paths begin with `prefix`. */
const char *pm_folder_options(const pm_capture_folder *folder, const pm_captured_process *process,
                              const pm_captured_program *program, const char *prefix);
void pm_folder_headers(const pm_capture_folder *folder, const pm_captured_process *process,
                       const pm_captured_program *program);
/* Deletes the subfolder with the headers that were copied for the workload file to be written
 * next. */
void pm_folder_remove_headers(const pm_capture_folder *folder);

/* ---- write.c --------------------------------------------------------------------------------- */

/* Returns the name of the next workload file without suffix, such as "capture_2". The file of its
 * source has the same name. */
const char *pm_folder_next(const pm_capture_folder *folder);
/* Returns the suffix of the program's source file: .cl, .cu or .ptx. */
const char *pm_folder_ending(const pm_captured_program *program);
/* Writes the next workload file from the captured launches in `replay`. name: name of the workload
 * in tables. */
void pm_folder_workload(pm_capture_folder *folder, const pm_replay *replay, const char *name);
/* Writes the next workload file for a trace only; the next call of pm_folder_workload replaces it.
 * Contents of buffers are not copied: the file names the recorded files, which still exist.
 * Expected contents after the launches are left out. has_contents: false to use zeros as
 * contents. */
void pm_folder_draft(pm_capture_folder *folder, const pm_replay *replay, const char *name,
                     bool has_contents);

#endif

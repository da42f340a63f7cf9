/* A replay: the captured launches of a program with their buffers and loops, which becomes a
 * workload file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In a workload file, no host writes to a buffer between launches. So if a launch finds other
 * contents in a buffer than the previous launch left there, the replay gets a further buffer with
 * these contents. This also covers the effects of other programs, of launches that were not
 * recorded, and of overlapping parts of a buffer.
 */
#ifndef PM_CAPTURE_REPLAY_REPLAY_H
#define PM_CAPTURE_REPLAY_REPLAY_H

#include "base/text.h"
#include "capture/replay/launches.h"
#include "transform/source/source.h"

typedef struct {
    const char *name;
    const char *wanted; /* name of the parameter; `number` is a suffix such as _2 if other buffers
                           have the same name */
    size_t number;
    unsigned buffer; /* id of the captured buffer, and the part of it */
    size_t offset, bytes;
    const char *first, *last; /* contents before the first launch, and after the latest */
    const char *type;         /* element type in the first kernel that uses it */
    size_t element;           /* bytes of an element */
    bool written;
    bool unknown; /* its contents after the launches were not recorded */
} pm_replay_buffer;

/* An argument of a launch. */
typedef struct {
    enum { PM_REPLAY_BUFFER, PM_REPLAY_LOCAL, PM_REPLAY_VALUE, PM_REPLAY_NULL } kind;
    size_t buffer, bytes;
    size_t start; /* index of the buffer's element to which the argument points */
    const unsigned char *value;
    const char *type; /* type of a value; "" if workload files have no name for it */
} pm_replay_arg;

typedef struct {
    const pm_captured_launch *from;
    const char *kernel;
    size_t local[3]; /* chosen here if the program left it to the driver */
    bool local_chosen;
    size_t arg_count;
    pm_replay_arg *args;
} pm_replay_launch;

/* A launch in a loop's body, which represents all its repetitions. */
typedef struct {
    size_t launch;       /* index of its first launch */
    size_t stride;       /* distance to its next launch */
    size_t count;        /* number of launches */
    const char *section; /* name of the section in the file: the kernel's name with a suffix */
    size_t number;
    size_t leader; /* first section of the loop's body; its own index: no loop */
} pm_replay_section;

/* Launches that a workload file cannot express. */
typedef struct {
    const char *why;
    uint64_t launches, ns;
} pm_replay_refused;

typedef struct {
    const pm_captured_process *process;
    const pm_captured_program *program;
    uint64_t ns;  /* total time of its launches */
    size_t first; /* index of its first launch in the process */
    size_t buffer_count, launch_count, section_count, refused_count;
    pm_replay_buffer *buffers;
    pm_replay_launch *launches;
    pm_replay_section *sections;
    pm_replay_refused *refused;
    size_t symbol_count; /* contents of __constant__ variables before the first launch */
    const pm_captured_symbol *symbols;
} pm_replay;

/* Describes the parameters of the program's kernels from the driver's information, for a source
 * that cannot be parsed. False if the driver has none. */
bool pm_replay_describe(pm_memory *memory, const pm_replay *replay, pm_source_info *info);
/* Fills a replay. info: the parameters of the source's kernels. */
void pm_replay_fill(pm_memory *memory, pm_replay *replay, const pm_source_info *info);
/* Folds repeated launches into loops. */
void pm_replay_find_loops(pm_memory *memory, pm_replay *replay);

/* ---- write.c ----------------------------------------------------------------------------------
 */

/* Parts of a workload file's text that the replay does not have. */
typedef struct {
    const char *head; /* lines of comments, each with a newline */
    const char *name, *source;
    const char *options; /* "" if there are none */
    double tolerance;    /* tolerance of expected floats; 0: bit for bit */
    /* Returns the path of contents of `bytes` bytes, relative to the workload file. */
    const char *(*place)(void *user, const char *contents, size_t bytes);
    void *user;
} pm_replay_words;

/* Writes a replay after pm_replay_find_loops. memory owns the text. */
const pm_text *pm_replay_write(pm_memory *memory, const pm_replay *replay,
                               const pm_replay_words *words);

/* ---- values.c: values as a workload file writes them ------------------------------------------
 */

/* Bytes of a scalar or vector type. 0 if workload files have no such type. */
size_t pm_replay_type_bytes(const char *type);
/* A value in a workload file, such as "float 0.5" or "int4 (1, 2, 3, 4)". Other values are "bytes
 * 0x...". */
const char *pm_replay_value(pm_memory *memory, const char *type, const unsigned char *value,
                            size_t bytes);
/* Reads an integer type of up to 8 bytes. False if the type is another one. */
bool pm_replay_integer(const char *type, const unsigned char *value, int64_t *integer);
/* Expression for `contents` if they repeat a pattern. NULL if a workload file cannot express it. */
const char *pm_replay_pattern(pm_memory *memory, const char *type, const char *contents);

#endif

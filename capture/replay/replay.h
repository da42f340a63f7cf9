/* What becomes one workload file: the captured launches of a program, with buffers of their own and
 * with loops found.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A workload file knows no host that writes to a buffer between launches. So where a launch finds
 * other contents in a buffer than the last launch left there, the replay has one more buffer for
 * it. That also holds what other programs, unseen launches and parts of one buffer do to each
 * other.
 */
#ifndef PM_CAPTURE_REPLAY_H
#define PM_CAPTURE_REPLAY_H

#include "base/text.h"
#include "capture/replay/launches.h"
#include "source/source.h"

typedef struct {
    const char *name;
    const char *wanted; /* the parameter's name, and what is behind it where others have it: _2 */
    size_t number;
    unsigned buffer; /* of the captured program, and which part of it */
    size_t offset, bytes;
    const char *first, *last; /* contents at first, and now */
    const char *type;         /* of an element, as the kernel that first takes it has it */
    size_t element;           /* bytes of it */
    bool written;
    bool unknown; /* what it holds after the launches was not recorded */
} pm_replay_buffer;

/* An argument as a launch has it. */
typedef struct {
    enum { PM_REPLAY_BUFFER, PM_REPLAY_LOCAL, PM_REPLAY_VALUE, PM_REPLAY_NULL } kind;
    size_t buffer, bytes;
    size_t start; /* of a buffer: the element that it is passed from on */
    const unsigned char *value;
    const char *type; /* of a value; "": one that a workload file has no name of */
} pm_replay_arg;

typedef struct {
    const pm_captured_launch *from;
    const char *kernel;
    size_t local[3]; /* chosen here where the program left it to the driver */
    bool local_chosen;
    size_t arg_count;
    pm_replay_arg *args;
} pm_replay_launch;

/* A launch of a loop's body: the first of those that it stands for. */
typedef struct {
    size_t launch;       /* its first */
    size_t stride;       /* to its next one */
    size_t count;        /* how many there are */
    const char *section; /* what the file calls it: the kernel's name, and as above */
    size_t number;
    size_t leader; /* the section that it takes turns with; its own number: none */
} pm_replay_section;

/* Launches that the file cannot have. */
typedef struct {
    const char *why;
    uint64_t launches, ns;
} pm_replay_refused;

typedef struct {
    const pm_captured_process *process;
    const pm_captured_program *program;
    uint64_t ns;  /* of its launches */
    size_t first; /* of them, by its place in the process */
    size_t buffer_count, launch_count, section_count, refused_count;
    pm_replay_buffer *buffers;
    pm_replay_launch *launches;
    pm_replay_section *sections;
    pm_replay_refused *refused;
    size_t symbol_count; /* as the first launch found them */
    const pm_captured_symbol *symbols;
} pm_replay;

/* What the program's kernels take, as far as the driver told, for a source that cannot be read.
 * false: it told nothing. */
bool pm_replay_describe(pm_memory *memory, const pm_replay *replay, pm_source_info *info);
/* info: what the source's kernels take. */
void pm_replay_fill(pm_memory *memory, pm_replay *replay, const pm_source_info *info);
/* Folds launches into loops. */
void pm_replay_find_loops(pm_memory *memory, pm_replay *replay);

/* ---- write.c ----------------------------------------------------------------------------------
 */

/* What the text of a workload file has beside the replay. */
typedef struct {
    const char *head; /* lines of comments, each with its newline */
    const char *name, *source;
    const char *options; /* "": none */
    double tolerance;    /* of expected floats; 0: bit for bit */
    /* The path of contents of so many bytes, as seen from the file. */
    const char *(*place)(void *user, const char *contents, size_t bytes);
    void *user;
} pm_replay_words;

/* With loops found. The text is of memory. */
const pm_text *pm_replay_write(pm_memory *memory, const pm_replay *replay,
                               const pm_replay_words *words);

/* ---- values.c: values as a workload file writes them ------------------------------------------
 */

/* Bytes of a scalar or vector type; 0: it is none that a workload file has. */
size_t pm_replay_type_bytes(const char *type);
/* "float 0.5", "int4 (1, 2, 3, 4)"; "bytes 0x..." of what has no such words. */
const char *pm_replay_value(pm_memory *memory, const char *type, const unsigned char *value,
                            size_t bytes);
/* The value of an integer type of up to 8 bytes; false: the type is none. */
bool pm_replay_integer(const char *type, const unsigned char *value, int64_t *integer);
/* What a buffer that repeats a pattern holds, as `contents` says it; NULL: it has no words for it.
 */
const char *pm_replay_pattern(pm_memory *memory, const char *type, const char *contents);

#endif

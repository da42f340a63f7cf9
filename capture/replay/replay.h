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
#include "program/page_use.h"
#include "transform/source/source.h"

/* A pointer in a buffer or in a struct argument: the 8 bytes from byte `at` on are the address of
 * byte `offset` of the replay's buffer `buffer`. */
typedef struct {
    size_t at, buffer, offset;
} pm_replay_pointer;

typedef struct {
    size_t count;
    pm_replay_pointer *items;
} pm_replay_pointers;

typedef struct {
    const char *name;
    /* `wanted`: name of the kernel parameter for which the buffer is passed. The buffer's name is
     * `wanted`, with `number` as a suffix such as _2 if another buffer has this name. */
    const char *wanted;
    size_t number;
    /* id of the captured buffer. This buffer of the replay is the range of `bytes` bytes from byte
     * `offset` on of the captured one. */
    unsigned buffer;
    size_t offset, bytes;
    /* names of the files with the buffer's contents before the first launch and after the latest
     * launch */
    const char *first, *last;
    const char *type; /* element type in the first kernel that uses the buffer */
    size_t element;   /* bytes of an element */
    bool written;
    bool unknown;                /* true: contents after the launches were not recorded */
    pm_replay_pointers pointers; /* pointers in the contents before the first launch */
    /* A pm_page_use for each page. Pages of the contents that no launch needs are written as zeros.
     * NULL: all pages are written as they were captured. */
    const uint8_t *use;
} pm_replay_buffer;

/* An argument of a captured kernel launch: a buffer, local memory, a value, or a NULL pointer. */
typedef struct {
    enum { PM_REPLAY_BUFFER, PM_REPLAY_LOCAL, PM_REPLAY_VALUE, PM_REPLAY_NULL } kind;
    size_t buffer, bytes;
    size_t start; /* index of the buffer element to which the argument points */
    const unsigned char *value;
    const char *type; /* type of the value; "" if workload files have no name for the type */
    pm_replay_pointers pointers; /* pointers in the value */
} pm_replay_arg;

typedef struct {
    const pm_captured_launch *from;
    const char *kernel;
    const char *plain; /* short name of a kernel whose name is mangled; NULL: `kernel` is short */
    /* work-group size; chosen by pm_replay_fill if the program left the choice to the driver */
    size_t local[3];
    bool local_chosen;
    size_t arg_count;
    pm_replay_arg *args;
} pm_replay_launch;

/* A section [launch NAME] of the workload file. It describes one captured launch, or all iterations
 * of a launch in the body of a loop. */
typedef struct {
    /* index in pm_replay.launches of the launch in the first iteration of the loop */
    size_t launch;
    /* distance between the indices of this launch in two successive iterations of the loop */
    size_t stride;
    size_t count; /* number of launches */
    /* name of the launch's section in the workload file: the kernel's name, with a suffix if the
     * kernel has several sections */
    const char *section;
    size_t number;
    /* index in pm_replay.sections of the first section of the loop that contains this launch; the
     * section's own index if it is in no loop */
    size_t leader;
} pm_replay_section;

/* A reason why a workload file cannot express launches. launches, ns: number and total time of
 * these launches. */
typedef struct {
    const char *why;
    uint64_t launches, ns;
} pm_replay_refused;

typedef struct {
    const pm_captured_process *process;
    pm_captured_program *program;
    uint64_t ns; /* total time of the launches in `launches` on the GPU, ns */
    /* index of the replay's first launch among all captured launches of the process */
    size_t first;
    size_t buffer_count, launch_count, section_count, refused_count;
    pm_replay_buffer *buffers;
    pm_replay_launch *launches;
    pm_replay_section *sections;
    pm_replay_refused *refused;
    /* number of __constant__ variables whose contents before the first launch were captured */
    size_t symbol_count;
    const pm_captured_symbol *symbols;
} pm_replay;

/* Describes the parameters of the program's kernels from the driver's information, for a source
 * that cannot be parsed. False if the driver has none. */
bool pm_replay_describe(pm_memory *memory, const pm_replay *replay, pm_source_info *info);
/* Describes the parameters of the program's kernels. parsed: description from the PTX, which lacks
 * types and names. The types and names come from the kernels' mangled names, from the source, and
 * from the captured launches. */
void pm_replay_describe_ptx(pm_memory *memory, const pm_replay *replay,
                            const pm_source_info *parsed, pm_source_info *info);
/* Callback that reads recorded contents. contents: their id, the name of a file, or =HEX. Returns
 * their first `bytes` bytes, which the caller frees; NULL: they cannot be read. */
typedef struct {
    uint8_t *(*read)(void *user, const char *contents, size_t bytes);
    void *user;
} pm_replay_reader;
/* Converts the captured launches of the replay's program to the buffers and launches that the
 * workload file will describe. info: description of the kernels' parameters. reader: function that
 * reads contents of buffers, which are searched for pointers. */
void pm_replay_fill(pm_memory *memory, pm_replay *replay, const pm_source_info *info,
                    const pm_replay_reader *reader);

/* ---- pointers.c */

/* Returns the pointers in recorded bytes: words of 8 bytes that are addresses in the launch's
 * memory. buffers[m]: replay's buffer for memory m of the launch. */
pm_replay_pointers pm_replay_find_pointers(pm_memory *memory, const uint8_t *bytes, size_t size,
                                           const pm_captured_launch *launch, const size_t *buffers);
bool pm_replay_same_pointers(const pm_replay_pointers *a, const pm_replay_pointers *b);
/* Returns pointers as text for a workload file, such as "0: a, 8: b + 64": offset of the pointer,
 * and the buffer to which it points. between: separator, such as ", ". */
const char *pm_replay_pointer_text(pm_memory *memory, const pm_replay *replay,
                                   const pm_replay_pointers *pointers, const char *between);
/* Finds loops: sets sections so that repeated launches become loops in the workload file. */
void pm_replay_find_loops(pm_memory *memory, pm_replay *replay);

/* ---- write.c ----------------------------------------------------------------------------------
 */

/* Texts that pm_replay_write needs in addition to the replay (captured launches and buffers of a
 * program). */
typedef struct {
    const char *head; /* lines of comments at the start of the file, each with a newline */
    const char *name, *source;
    const char *options; /* "" if there are none */
    /* has_contents: true if the file names the contents of buffers before the launches; false: they
     * are zeros. has_expected: true if it also names the contents after the launches. */
    bool has_contents, has_expected;
    /* tolerance of expected floating-point numbers; 0: they must equal bit for bit */
    double tolerance;
    /* Callback that returns the path of a file with recorded contents, relative to the workload
     * file. contents: id of the contents, which have `bytes` bytes. use[page]: a pm_page_use for
     * each page. Pages with a smaller value than `least` are not needed and may be zeros. use NULL:
     * all pages are needed. */
    const char *(*place)(void *user, const char *contents, size_t bytes, const uint8_t *use,
                         pm_page_use least);
    /* Callback that writes a text to a file in the folder of the contents. Returns its path,
     * relative to the workload file. name: name of the file, without folder. */
    const char *(*keep)(void *user, const char *name, const char *text);
    void *user;
} pm_replay_words;

/* Returns the text of a workload file for the captured launches in `replay`. Call
 * pm_replay_find_loops first. memory owns the text. */
const pm_text *pm_replay_write(pm_memory *memory, const pm_replay *replay,
                               const pm_replay_words *words);

/* ---- values.c: values as a workload file writes them ------------------------------------------
 */

/* Returns the size of a scalar or vector type in bytes. 0 if workload files do not have the
 * type. */
size_t pm_replay_type_bytes(const char *type);
/* Returns a value as text for a workload file, such as "float 0.5" or "int4 (1, 2, 3, 4)". A value
 * of another type becomes "bytes 0x...". */
const char *pm_replay_value(pm_memory *memory, const char *type, const unsigned char *value,
                            size_t bytes);
/* Converts the bytes of a value to *integer if `type` is an integer type of up to 8 bytes. False if
 * it is another type. */
bool pm_replay_integer(const char *type, const unsigned char *value, int64_t *integer);
/* Returns an expression of the workload file for contents that repeat a pattern (=HEX), for a
 * buffer with elements of type `type`. NULL: the contents repeat no pattern, or no expression gives
 * this pattern. */
const char *pm_replay_pattern(pm_memory *memory, const char *type, const char *contents);
/* Writes bytes of contents that repeat a pattern to `to`: the bytes from offset `at` to at + bytes
 * - 1. `contents` is "=", and two hexadecimal digits for each byte of the pattern. */
void pm_replay_repeat(const char *contents, size_t at, size_t bytes, uint8_t *to);

#endif

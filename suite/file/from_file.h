/* What a program out of a workload file is made of. See program.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_FILE_FROM_FILE_H
#define PM_SUITE_FILE_FROM_FILE_H

#include "base/memory.h"
#include "program/program.h"
#include "suite/file/narrow.h"
#include "suite/file/workload_file.h"
#include "worker/source.h"

/* The source of a variant with a source or options of its own, in the size that asked first. */
typedef struct {
    bool asked;
    pm_source *source; /* NULL: as below */
} pm_tried_source;

/* The program, with what it was read from. */
typedef struct {
    pm_program program; /* its context is this */
    pm_memory memory;
    const char *path; /* while it is read */
    char *text;       /* likewise: what is read in place of the file; NULL: the file is */
    const char *root; /* the folder of the capture that the file is of; NULL: of none */
    pm_workload_file *file;
    pm_worker *worker;
    pm_tune_space space; /* what [tune] says */
    pm_source *source; /* of the plain variant; NULL: libclang is not there or cannot describe it */
    pm_error no_source;     /* why */
    pm_tried_source *tried; /* of each variant, while all are tried in all sizes; else NULL */
} pm_from_file;

/* A workload that is being built. */
typedef struct {
    const pm_from_file *from;
    const pm_workload_file *file;
    const pm_file_variant *variant; /* NULL: the plain one */
    const pm_file_size *size;
    /* Of the size, of [tune], and i. */
    pm_named_number parameters[PM_FILE_PARAMETERS + 1];
    pm_numbers numbers;  /* all but i */
    pm_numbers counting; /* the same with i */
    uint64_t seed;
    bool dry;     /* only to see whether it can be built: buffers get no contents */
    bool exact;   /* dry, by the source of this size rather than by that of the first */
    bool against; /* it is to be held against the plain version */
    pm_workload *workload;
    pm_source *own;    /* of a variant with a source or options of its own; see pm_file_info */
    bool asked;        /* for own */
    pm_memory *memory; /* of the attempt to build it, which a fault ends */
} pm_file_build;

#define pm_file_fault(b, line, ...)                                                                \
    (pm_workload_file_fault((b)->file, line, (b)->memory->err, __VA_ARGS__),                       \
     pm_give_up((b)->memory, PM_BAD_INPUT))

/* ---- program.c */

/* Makes the program of from->file, whose variants are all tried once. What is wrong ends the
 * attempt. */
void pm_file_make_program(pm_from_file *from);
void pm_file_close_tried(pm_from_file *from); /* sources that are open while that lasts */

/* A build of a variant (NULL: the plain one) in a size, with the first values of [tune]. */
void pm_file_start_build(pm_file_build *b, const pm_from_file *from, const pm_file_variant *variant,
                         const pm_file_size *size);
/* Whether a variant (NULL: the plain one) is compiled from another source or with other options. */
bool pm_file_has_own_source(const pm_file_variant *variant);
/* NULL: there is none of that name, which err says. */
const pm_file_size *pm_file_find_size(const pm_workload_file *f, const char *name, pm_error *err);

/* ---- space.c */

/* Gives the parameters of [tune] values, or those that another build has. */
void pm_file_tune(pm_file_build *b, const int64_t *values);
void pm_file_tune_alike(pm_file_build *b, const pm_file_build *other);
/* Lists them in the program. */
void pm_file_list_tuned(pm_from_file *from);
/* What runs where nobody chooses has to be among what may be run: else it is a fault. */
void pm_file_check_first(const pm_from_file *from);

/* ---- types.c */

typedef enum {
    PM_SCALAR_SIGNED,
    PM_SCALAR_UNSIGNED,
    PM_SCALAR_REAL /* IEEE's of 4 and 8 bytes, or of 2 by narrow.h */
} pm_scalar_kind;
typedef struct {
    const char *name;
    size_t bytes;
    pm_scalar_kind kind;
    const pm_narrow *narrow; /* of a real type of 2 bytes; NULL: another */
} pm_scalar;
/* A scalar or vector of OpenCL C; one of 3 has the size of one of 4. */
typedef struct {
    const pm_scalar *scalar;
    size_t width, bytes;
} pm_file_type;

/* false: it is no such type. */
bool pm_file_type_find(const char *name, pm_file_type *type);
/* Of a found type, what the language of the workload's source makes of it: CUDA's vectors of 3 have
 * the room of three scalars. */
void pm_file_type_adapt(const pm_file_build *b, pm_file_type *type);
/* Stores a value of an integer or real type; that it fits is checked before. */
void pm_scalar_store(const pm_scalar *scalar, void *to, int64_t integer, double real);
double pm_scalar_real(const pm_scalar *scalar, const void *at);
/* Returns whether a number fits into a real type. */
bool pm_scalar_fits(const pm_scalar *scalar, double value);
/* Whether an integer is among a type's values. */
bool pm_scalar_holds(const pm_scalar *scalar, int64_t value);

/* ---- expressions of the file, with faults that say where; substitute.c */

int64_t pm_file_integer(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                        unsigned line);
double pm_file_real(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                    unsigned line);
/* The text with {EXPRESSION} replaced by its value. */
void pm_file_substitute(const pm_file_build *b, const pm_file_text *text, char *out, size_t size);
/* A path of the file, seen from the file's folder. One that leads out of the capture is a fault.
 * paths.c */
void pm_file_path(const pm_file_build *b, const char *path, unsigned line, char *out, size_t size);

/* Notes the capture that the file is of, before it is read. A file that its folder only links to is
 * a fault. paths.c */
void pm_file_find_root(pm_from_file *from);

/* The build options, for any compiler: text NULL if there are none. options.c */
void pm_file_add_options(const pm_file_build *b, const pm_file_text *options);
/* That what the source includes are regular files, or nothing that is there, and of a capture its
 * own; line is the source's. paths.c */
void pm_file_check_headers(const pm_file_build *b, unsigned line);
/* What the variant's source says; NULL: unknown. program.c */
const pm_source_info *pm_file_info(pm_file_build *b);
/* A struct of the plain source by its name, with or without "struct"; NULL: none is known. */
const pm_struct *pm_file_struct(const pm_from_file *from, const char *name);

/* Whether text starts with the word; *rest is what is behind it, NULL for nothing. place.c */
bool pm_file_starts(const char *text, const char *word, const char **rest);
/* Where in a file the bytes of a buffer are. */
typedef struct {
    char path[4096];
    int64_t offset;
} pm_file_place;
/* Reads what stands behind "file" in text: PATH [, OFFSET]. That the file does not have so many
 * bytes there is a fault. */
void pm_file_place_find(const pm_file_build *b, const pm_file_text *text, const char *buffer,
                        const char *rest, size_t bytes, pm_file_place *place);
pm_status pm_file_place_read(const pm_file_place *place, void *to, size_t bytes, pm_error *err);

/* Gives the workload a check: of what the file expects of buffers, and (reference not NULL) of the
 * outputs of a reference, which is run beside it. A type of output that cannot be compared is a
 * fault. results.c */
void pm_file_add_check(const pm_file_build *b, pm_workload *reference);
/* A check against the plain version alone, whose outputs become those of the workload. */
void pm_file_add_plain_check(const pm_file_build *b, pm_workload *plain);
/* Makes outputs of all buffers that kernels of the plain version may write, unless the file names
 * its outputs. */
void pm_file_mark_written(pm_file_build *b);

/* ---- the parts of a workload, in this order */

/* All buffers of the file, in its order: buffer b of the file is buffer b of the workload. */
void pm_file_add_buffers(pm_file_build *b);  /* buffers.c */
void pm_file_add_symbols(pm_file_build *b);  /* buffers.c */
void pm_file_add_launches(pm_file_build *b); /* launches.c */
/* The range of the first launch. launches.c */
void pm_file_first_range(const pm_file_build *b, pm_launch_range *range);

/* A part of a buffer that contents are for: scalars or vectors, one in each element or (of an array
 * field) more. contents.c */
typedef struct {
    const char *buffer, *field; /* field NULL: the buffer itself */
    pm_file_type type;
    uint8_t *base;           /* NULL: only check */
    size_t elements, stride; /* bytes from one element to the next */
    const pm_field *extents; /* of an array field; NULL: none */
} pm_file_target;
void pm_file_fill(const pm_file_build *b, const pm_file_target *target,
                  const pm_file_text *contents);
/* Contents that need no type: zeros and file PATH. false: it is neither. */
bool pm_file_fill_bytes(const pm_file_build *b, const pm_file_text *contents, const char *buffer,
                        uint8_t *base, size_t bytes);
/* Of an element of a buffer. buffers.c */
size_t pm_file_element_bytes(const pm_file_build *b, const pm_file_buffer *buffer);

/* One argument of a launch. arguments.c */
void pm_file_add_argument(pm_file_build *b, const char *item, unsigned line);
/* Whether the last launch's arguments fit its kernel. */
void pm_file_check_arguments(pm_file_build *b, const pm_file_launch_texts *texts);

/* Adds an argument that is a value: TYPE VALUE, TYPEn (...), STRUCT (...), bytes 0x... false: it
 * does not look like one. values.c */
bool pm_file_add_value(pm_file_build *b, const char *item, unsigned line);
/* Whether such a value is what a kernel's parameter takes. path is its source's. */
bool pm_file_value_fits(const char *path, const char *item, size_t bytes,
                        const pm_source_info *info, const pm_source_param *param);
/* Cuts the first word off, and returns what is behind it. */
const char *pm_file_word(const char *item, char word[PM_FILE_ITEM]);

#endif

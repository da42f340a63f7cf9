/* A workload file: a user's kernels with their launches and data, as text. docs/workloads.md shows
 * the format by examples. Here the file is parsed into a description (pm_workload_file). Its names,
 * keys and references are checked. Its expressions are not parsed yet. program.c makes a program
 * from the description.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The member `sections` of a description owns the strings in it. A member `line` is a line of the
 * file; 0: the file does not give the value, and it is a default.
 */
#ifndef PM_PROGRAM_FILE_WORKLOAD_FILE_H
#define PM_PROGRAM_FILE_WORKLOAD_FILE_H

#include <stdint.h>

#include "base/ini.h"
#include "base/memory.h"
#include "program/contents/expression.h"

/* Largest number of parameters of a program: those of a size and those of the [tune] section
 * together. */
enum { PM_FILE_PARAMETERS = 64 };

typedef struct {
    const char *text; /* NULL: not given */
    unsigned line;
} pm_file_text;

typedef struct {
    const char *name;
    unsigned line;
    const int64_t *values; /* values of the parameters in this size */
} pm_file_size;

/* The line contents.FIELD = ... of a section [buffer NAME]: initial contents of one field of a
 * struct. */
typedef struct {
    const char *field;
    pm_file_text contents;
} pm_file_field;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text type, bytes, count, contents;
    /* expected contents of the buffer after the last launch, and the tolerance for the
     * comparison */
    pm_file_text expected, tolerance;
    pm_file_text errors; /* name of a buffer of the reference with allowed errors */
    size_t errors_at;    /* index of the buffer `errors`, if it is given */
    /* name of a buffer that is an output of a version. The reference's buffer starts with the
     * contents of this output after the version has run. text NULL: it does not. */
    pm_file_text after;
    size_t after_at; /* index of the buffer `after`, if it is given */
    /* pointers at given bytes of the buffer, in addition to those in `contents` */
    pm_file_text pointers;
    /* name of the __device__, __constant__ or __managed__ variable whose memory the buffer is; text
     * NULL: none */
    pm_file_text symbol;
    bool output, restore, scratch;
    /* true: only the workloads of the sections [reference] and [contents] have the buffer. Such
     * buffers come after all other buffers. */
    bool reference;
    /* name of the stream of random numbers for random contents; text NULL: the buffer's name */
    pm_file_text stream;
    size_t field_count;
    pm_file_field *fields;
} pm_file_buffer;

/* Section [texture NAME]: a texture of CUDA. A text is NULL if the section does not have the key.
 */
typedef struct {
    const char *name;
    unsigned line;
    pm_file_text buffer, type, width, height, pitch, filter, address, coordinates, read;
    bool array; /* true: the texels are in the layout of a CUDA array */
    pm_file_text
        object; /* the texture object as "bytes 0x... (0: BUFFER)", in place of all others */
} pm_file_texture;

/* Keys of a launch section. In a variant, a key whose text is not NULL replaces the key of the
 * launch. */
typedef struct {
    pm_file_text kernel, global, local, offset, arguments;
    pm_file_text grid, block; /* names for CUDA, which are used instead of global and local */
    pm_file_text shared;      /* NULL: none */
    pm_file_text repeat;      /* NULL: once */
} pm_file_launch_texts;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_launch_texts texts;
    /* true: the launch runs before all versions, and computes initial contents of buffers */
    bool contents;
    /* Index of the first launch of the group of alternating launches to which this one belongs. It
     * is the launch's own index if it does not alternate with an earlier launch. */
    size_t with;
} pm_file_launch;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text source, options;
    /* launches[l]: keys that replace those of launch l of the file */
    pm_file_launch_texts *launches;
} pm_file_variant;

/* Section [reference]: a version whose outputs are correct. Outputs of other versions are compared
 * with its outputs. */
typedef struct {
    pm_file_variant version;
    pm_file_text tolerance, absolute, relative; /* tolerances of floats; text NULL: not given */
    bool all_sizes; /* true: outputs are compared in all sizes; false: only in the smallest size */
    /* true: the reference runs after each version, and starts with outputs of the version */
    bool after;
    /* true: if the reference's output is NaN, every finite value of the element is right */
    bool partial;
} pm_file_reference;

/* Section [layout NAME]: a data layout that is listed as variant NAME. */
typedef struct {
    const char *name;
    unsigned line;
    pm_file_text layout;
} pm_file_layout;

/* A tuning parameter, which a line of the section [tune] describes. */
typedef struct {
    const char *name;
    unsigned line;
    size_t count;
    int64_t *values; /* values of the parameter; the first is the default */
} pm_file_tuned;

/* A condition that a version of [tune] must fulfil. */
typedef struct {
    pm_file_text text;
    pm_expression expression; /* expression of the parameters of a size and those of [tune] */
} pm_file_restriction;

typedef struct {
    pm_sections sections;
    const char *path;
    const char *folder; /* folder of the file: "" or ends in '/' */
    pm_file_text name, source, options, base;
    pm_file_text class; /* name of a group of similar programs */
    pm_file_text title; /* short description; text NULL: none */
    /* amount of work of one run of all launches; text NULL: their number of work-items */
    pm_file_text work;
    /* Comma-separated data layouts that are listed as variants. "no": the program has no variants
     * in other data layouts. text NULL: none is listed. */
    pm_file_text listed_layouts;
    /* true: the program only measures the device, so advice and transforms leave it out */
    bool probe;
    pm_file_reference *reference;    /* NULL: none */
    pm_file_variant *contents;       /* source of the launches that compute contents; NULL: none */
    pm_file_text expected_tolerance; /* default tolerance of comparisons with expected contents */
    /* position of the plain version in lists of the program's variants */
    size_t base_place;
    size_t common_count; /* number of buffers without reference = yes */
    size_t parameter_count, size_count, buffer_count, symbol_count, launch_count, variant_count;
    size_t layout_count, texture_count;
    const char **parameters;
    int64_t *values; /* parameter_count values */
    pm_file_size *sizes;
    pm_file_buffer *buffers;
    pm_file_buffer *symbols; /* variables in CUDA's __constant__ memory, with their contents */
    pm_file_texture *textures;
    pm_file_launch *launches;
    pm_file_variant *variants;
    pm_file_layout *layouts;
    size_t tuned_count, restriction_count;
    pm_file_tuned *tuned;
    pm_file_restriction *restrictions;
    pm_memory memory; /* owns all of these */
} pm_workload_file;

/* Reads a workload file. PM_BAD_INPUT if the file is missing, is not text or is not a workload
 * file. The message has path, line and advice. NULL: failed. */
pm_workload_file *pm_workload_file_read(const char *path, pm_error *err);
/* Parses the text of a workload file, and modifies the text. `path` is the name for messages. */
pm_workload_file *pm_workload_file_parse(char *text, const char *path, pm_error *err);
void pm_workload_file_free(pm_workload_file *file);

/* Returns PM_BAD_INPUT with a message that starts with path:line. */
#define pm_workload_file_fault(file, line, err, ...)                                               \
    pm_sections_fault(&(file)->sections, line, err, __VA_ARGS__)

/* Reads the [tune] section. The parameters of the sizes must have been read before. A fault raises
 * an error: pm_attempt, which runs with file->memory, then returns its status. Defined in
 * tune.c. */
void pm_file_read_tune(pm_workload_file *file, const pm_section *section);
/* Returns whether a combination of tuning parameters fulfils all conditions of the key `restrict`.
 * If not, *broken is the first condition that is violated. `names` has the values of the size's
 * parameters, then of those of [tune]. If a condition cannot be evaluated, returns false with a
 * message in `fault`. */
bool pm_file_allows(const pm_workload_file *file, const pm_numbers *names,
                    const pm_file_restriction **broken, char *fault);

/* size of the buffer for an item of a list: enough for an argument of 4096 bytes in hexadecimal */
enum { PM_FILE_ITEM = 8448 };
/* Takes the next item of a list that is separated by commas. Commas in parentheses or braces do not
 * separate.
 * Copies the item at *rest to `item` without blanks around it. Moves *rest past the comma, or to
 * NULL at the end. Returns false if the item is empty or too long. */
bool pm_file_item(const char **rest, char item[PM_FILE_ITEM]);

#endif

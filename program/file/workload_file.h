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
    const int64_t *values; /* values of the size's parameters, parameter_count numbers */
} pm_file_size;

/* A line contents.FIELD of a section [buffer NAME]: the initial contents of one field of the
 * buffer's structs. */
typedef struct {
    const char *field;
    pm_file_text contents;
} pm_file_field;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text type, bytes, count, contents;
    /* expected: contents that the buffer should have after the last launch. tolerance: allowed
     * deviation in this comparison. A text is NULL if the file does not have the key. */
    pm_file_text expected, tolerance;
    /* Name of a buffer of the reference that has the allowed error of each element. text NULL:
     * none. */
    pm_file_text errors;
    size_t errors_at; /* index of the buffer that `errors` names, if errors.text is not NULL */
    /* Only for buffers of the reference, which runs after the variant that is checked: name of the
     * output buffer of that variant from which this buffer gets its initial contents. text NULL: it
     * gets none. */
    pm_file_text after;
    size_t after_at; /* index of the buffer that `after` names, if after.text is not NULL */
    /* Text "AT: POINTER" for each pointer inside of the buffer, separated by commas, in addition to
     * the pointers in `contents`. The text AT is an offset in bytes. text NULL: none. */
    pm_file_text pointers;
    /* name of the __device__, __constant__ or __managed__ variable whose memory the buffer is; text
     * NULL: none */
    pm_file_text symbol;
    bool output, restore, scratch;
    /* true: only the reference, and the launches that compute initial contents, have this buffer.
     * These buffers come after all other buffers. */
    bool reference;
    /* name of the stream of random numbers for random contents; text NULL: the stream has the
     * buffer's name */
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
    bool array; /* true: the texels are in the tiled layout of a CUDA array */
    /* the texture object as "bytes 0x... (0: BUFFER)", which replaces all other keys */
    pm_file_text object;
} pm_file_texture;

/* Keys of a section [launch NAME]. The section of a variant replaces each key of the launch for
 * which it has a text that is not NULL. */
typedef struct {
    pm_file_text kernel, global, local, offset, arguments;
    /* grid and block: the size in CUDA's terms, which replaces global and local */
    pm_file_text grid, block;
    pm_file_text shared; /* NULL: none */
    pm_file_text repeat; /* NULL: once */
} pm_file_launch_texts;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_launch_texts texts;
    /* true: the launch (with contents = yes) runs before every variant of the program and computes
     * initial contents of buffers */
    bool contents;
    /* Launches with the key "repeat = with NAME" form a group with launch NAME: each repeat makes
     * all launches of the group once. The member `with` is the index of the group's first launch.
     * It is the launch's own index if the launch is the first, or in no group. */
    size_t with;
} pm_file_launch;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text source, options;
    /* launches[l]: keys of this variant that replace those of launch l of the file */
    pm_file_launch_texts *launches;
} pm_file_variant;

/* Section [reference]: a version whose outputs are correct, and with which the outputs of other
 * versions are compared. */
typedef struct {
    pm_file_variant version;
    /* tolerances for the comparison of floating-point numbers; text NULL: not given */
    pm_file_text tolerance, absolute, relative;
    /* true: outputs are compared with the reference in all sizes; false: only in the smallest size
     */
    bool all_sizes;
    /* true: the reference runs after each run of the variant that is checked, and some of its
     * buffers start with outputs of that variant */
    bool after;
    /* true: for an element whose value in the reference is NaN, every finite value is right */
    bool partial;
} pm_file_reference;

/* Section [layout NAME]: a data layout of the program's structs, which becomes the variant NAME. */
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

/* A condition on the values of the tuning parameters, from the key `restrict` of section [tune].
 * Versions that violate it do not exist. */
typedef struct {
    pm_file_text text;
    /* the condition, over the parameters of a size and the tuning parameters; true if not 0 */
    pm_expression expression;
} pm_file_restriction;

typedef struct {
    pm_sections sections;
    const char *path;
    const char *folder; /* folder of the file: "" or ends in '/' */
    pm_file_text name, source, options, base;
    /* name of the program's class, a group of similar programs; text NULL: none */
    pm_file_text class;
    pm_file_text title; /* short description; text NULL: none */
    /* Amount of work of one pass (each launch once) as an expression. text NULL: the number of
     * work-items. */
    pm_file_text work;
    /* Comma-separated data layouts that become variants. "no": the program has no variants in other
     * data layouts. text NULL: none is named here. */
    pm_file_text listed_layouts;
    /* true: the program only measures the device. Advice and transforms leave it out. */
    bool probe;
    pm_file_reference *reference; /* NULL: none */
    /* source of the launches that compute initial contents (section [contents]); NULL: none */
    pm_file_variant *contents;
    /* Default tolerance of comparisons with contents that the file expects. */
    pm_file_text expected_tolerance;
    /* position of the plain version (the program's source without transforms) in lists of the
     * program's variants, from 0 */
    size_t base_place;
    /* Number of buffers that all variants of the program have. Buffers with reference = yes come
     * after them. */
    size_t common_count;
    size_t parameter_count, size_count, buffer_count, symbol_count, launch_count, variant_count;
    size_t layout_count, texture_count;
    const char **parameters;
    int64_t *values; /* parameter_count values */
    pm_file_size *sizes;
    pm_file_buffer *buffers;
    /* variables of a CUDA source (sections [symbol NAME]), with their initial contents */
    pm_file_buffer *symbols;
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
/* Parses the text of a workload file, which this function overwrites. path: name of the file in
 * messages. NULL on failure. */
pm_workload_file *pm_workload_file_parse(char *text, const char *path, pm_error *err);
void pm_workload_file_free(pm_workload_file *file);

/* Reports a fault in a workload file: fills err with a message that starts with path:line. Returns
 * PM_BAD_INPUT. */
#define pm_workload_file_fault(file, line, err, ...)                                               \
    pm_sections_fault(&(file)->sections, line, err, __VA_ARGS__)

/* Reads the [tune] section. The parameters of the sizes must have been read before. A fault raises
 * an error: pm_attempt, which runs with file->memory, then returns its status. Defined in
 * tune.c. */
void pm_file_read_tune(pm_workload_file *file, const pm_section *section);
/* Returns whether the values of the tuning parameters fulfil all conditions of the key `restrict`.
 * If not, *broken is the first condition that is violated. names: the values of the size's
 * parameters, then of the tuning parameters. If a condition cannot be evaluated, returns false with
 * a message in `fault`. */
bool pm_file_allows(const pm_workload_file *file, const pm_numbers *names,
                    const pm_file_restriction **broken, char *fault);

/* size in bytes of the buffer for an item of a list; enough for a kernel argument of 4096 bytes in
 * hexadecimal */
enum { PM_FILE_ITEM = 8448 };
/* Reads the next item of a comma-separated list at *rest. Commas in parentheses or braces do not
 * separate items. Copies the item to `item` without blanks around it. Advances *rest past the
 * comma, or sets it to NULL at the end. Returns false if the item is empty or too long. */
bool pm_file_item(const char **rest, char item[PM_FILE_ITEM]);

#endif

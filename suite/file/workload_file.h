/* A workload file: a user's own kernels with what they run on, as text. docs/workloads.md tells the
 * format by example. Here it becomes a description, in which names, keys and references are right
 * and expressions are still texts; kernels/from_file/ makes a program of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A description's texts belong to its sections. line is where a thing stands in the file, 0 where
 * it does not and is a default.
 */
#ifndef PM_SUITE_FILE_WORKLOAD_FILE_H
#define PM_SUITE_FILE_WORKLOAD_FILE_H

#include <stdint.h>

#include "base/ini.h"
#include "base/memory.h"
#include "suite/file/expression.h"

enum { PM_FILE_PARAMETERS = 64 }; /* of a size and of [tune] together */

typedef struct {
    const char *text; /* NULL: not given */
    unsigned line;
} pm_file_text;

typedef struct {
    const char *name;
    unsigned line;
    const int64_t *values; /* of the parameters */
} pm_file_size;

/* contents.FIELD = ... */
typedef struct {
    const char *field;
    pm_file_text contents;
} pm_file_field;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text type, bytes, count, contents;
    pm_file_text expected, tolerance; /* what it should hold at the end */
    bool output, restore, scratch;
    size_t field_count;
    pm_file_field *fields;
} pm_file_buffer;

/* What a launch is made of, or what a variant puts in its place (text NULL: leaves as it is). */
typedef struct {
    pm_file_text kernel, global, local, offset, arguments;
    pm_file_text grid, block; /* in place of global and local */
    pm_file_text shared;      /* NULL: none */
    pm_file_text repeat;      /* NULL: once */
} pm_file_launch_texts;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_launch_texts texts;
    size_t with; /* a launch that it takes turns with, which comes first; its own number: none */
} pm_file_launch;

typedef struct {
    const char *name;
    unsigned line;
    pm_file_text source, options;
    pm_file_launch_texts *launches; /* as many as the file has */
} pm_file_variant;

/* A parameter of [tune]. */
typedef struct {
    const char *name;
    unsigned line;
    size_t count;
    int64_t *values; /* the first one is what it has where nobody says */
} pm_file_tuned;

/* What a version has to fulfil. */
typedef struct {
    pm_file_text text;
    pm_expression expression; /* over the parameters of a size, and those of [tune] behind them */
} pm_file_restriction;

typedef struct {
    pm_sections sections;
    const char *path;
    const char *folder; /* of the file: "" or ends in '/' */
    pm_file_text name, source, options, base;
    pm_file_text class;              /* of programs that are alike */
    pm_file_variant *reference;      /* what defines the results; NULL: nothing does */
    pm_file_text tolerance;          /* of results beside the reference's */
    pm_file_text expected_tolerance; /* of what buffers should hold, where they have none */
    size_t parameter_count, size_count, buffer_count, symbol_count, launch_count, variant_count;
    const char **parameters;
    int64_t *values; /* of all sizes */
    pm_file_size *sizes;
    pm_file_buffer *buffers;
    pm_file_buffer *symbols; /* variables in CUDA's __constant__ memory */
    pm_file_launch *launches;
    pm_file_variant *variants;
    size_t tuned_count, restriction_count;
    pm_file_tuned *tuned;
    pm_file_restriction *restrictions;
    pm_memory memory; /* that all of these are of */
} pm_workload_file;

/* A file that is not there, not text or not such a description is PM_BAD_INPUT; the message has
 * path, line and what to do. */
pm_workload_file *pm_workload_file_read(const char *path, pm_error *err);
/* The same of a text, which is written into; path names it in messages. */
pm_workload_file *pm_workload_file_parse(char *text, const char *path, pm_error *err);
void pm_workload_file_free(pm_workload_file *file);

/* path:line: and what is wrong there, as PM_BAD_INPUT. */
#define pm_workload_file_fault(file, line, err, ...)                                               \
    pm_sections_fault(&(file)->sections, line, err, __VA_ARGS__)

/* Reads [tune]; the parameters of sizes are known. What is wrong ends the attempt of file->memory.
 * tune.c */
void pm_file_read_tune(pm_workload_file *file, const pm_section *section);
/* Whether a version fulfils the restrictions; which one it does not, *broken tells. names are the
 * size's parameters and those of [tune]. false with fault: one cannot be worked out. */
bool pm_file_allows(const pm_workload_file *file, const pm_numbers *names,
                    const pm_file_restriction **broken, char *fault);

/* Cuts a list at the commas outside of parentheses. Copies the item that *rest starts with, without
 * blanks around it, into item, and moves *rest behind its comma, or to NULL at the end. false: it
 * is empty or too long. */
enum { PM_FILE_ITEM = 8448 }; /* for a value of 4096 bytes in hexadecimal */
bool pm_file_item(const char **rest, char item[PM_FILE_ITEM]);

#endif

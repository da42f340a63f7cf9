/* Makes a program with its workloads (kernel launches and their data) from a workload file, in
 * which a user describes them as text. See program.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_FILE_FROM_FILE_H
#define PM_PROGRAM_FILE_FROM_FILE_H

#include "base/memory.h"
#include "collector/worker/source.h"
#include "program/contents/fill.h"
#include "program/file/workload_file.h"
#include "program/program.h"

/* The parsed source of a variant whose source or compiler options differ from those of the plain
 * version. While a file is checked, one parse serves for all sizes of the variant, although options
 * may depend on the size. asked: true if parsing was tried. */
typedef struct {
    bool asked;
    /* the parsed source; NULL: libclang is missing, or it cannot describe the source */
    pm_source *source;
} pm_tried_source;

/* A program and the workload file that it was read from. */
typedef struct {
    pm_program program; /* the program; program.context points to this struct */
    pm_memory memory;
    const char *path; /* path of the workload file; valid only while the file is read */
    /* Text of the workload file, which is parsed instead of the file at `path`. Only valid while
     * the file is read. NULL: the file is read. */
    char *text;
    /* true: a program of the suite, whose file is not checked here because tests have checked it */
    bool shipped;
    /* folder of the capture that contains the file; NULL: the file is in no capture */
    const char *root;
    pm_workload_file *file;
    pm_worker *worker;
    pm_tune_space space; /* parameters of [tune] */
    /* Parsed source of the plain version (the program's source without transforms). NULL: libclang
     * is missing, or it cannot describe the source. */
    pm_source *source;
    pm_error no_source; /* reason why `source` is NULL */
    /* tried[v]: parsed source of variant number v, while each variant is checked in each size. NULL
     * at all other times. */
    pm_tried_source *tried;
} pm_from_file;

/* State while a workload (launches and data of a program's variant in one size) is built from a
 * workload file. */
typedef struct {
    const pm_from_file *from;
    const pm_workload_file *file;
    const pm_file_variant *variant; /* NULL: the plain variant */
    const pm_file_size *size;
    /* Values of the names that expressions may use: the parameters of the size, then those of
     * [tune], then i, the index of a launch's repeat. */
    pm_named_number parameters[PM_FILE_PARAMETERS + 1];
    pm_numbers numbers;  /* `parameters` without i */
    pm_numbers counting; /* `parameters` with i */
    uint64_t seed;
    /* true: the build only checks the file for faults, and contents of buffers are not computed */
    bool dry;
    /* Used if `dry` is true. true: the arguments of launches are checked with the source as it was
     * parsed for this size. false: with the source as it was parsed for the first size, which is
     * faster. */
    bool exact;
    /* true: the workload's results are only compared with those of the program's source without
     * transforms, and not with contents that the file expects */
    bool against;
    /* A workload of the same file whose buffers have the same initial contents as this build's. The
     * new workload uses their memory instead of a copy. NULL: none. */
    const pm_workload *lender;
    /* Workload of the launches with contents = yes, which compute contents of buffers. It exists
     * only while `workload` is built; NULL: none. */
    pm_workload *contents;
    /* Workload in which launches with contents = yes have already computed initial contents, which
     * this build copies. NULL: none. */
    const pm_workload *computed;
    pm_workload *workload;
    /* parsed source of the variant, if the variant has its own source or compiler options */
    pm_source *own;
    /* true: this build has already tried to parse the source for `own`, with or without success */
    bool asked;
    /* memory of the workload while it is built; a fault in the file raises an error, whose status
     * pm_attempt returns */
    pm_memory *memory;
} pm_file_build;

#define pm_file_fault(b, line, ...)                                                                \
    (pm_workload_file_fault((b)->file, line, (b)->memory->err, __VA_ARGS__),                       \
     pm_give_up((b)->memory, PM_BAD_INPUT))

/* ---- program.c */

/* Makes the program from->program from the parsed workload file from->file. Builds each variant
 * once in each size to find faults in the file. A fault raises an error: pm_attempt, which runs
 * with from->memory, then returns its status. */
void pm_file_make_program(pm_from_file *from);
/* Closes the sources in from->tried, which pm_file_make_program opened. */
void pm_file_close_tried(pm_from_file *from);

/* Starts a build of a variant in a size. variant NULL: the plain version, which is the program's
 * source without transforms. Tuning parameters of section [tune] get their first values. */
void pm_file_start_build(pm_file_build *b, const pm_from_file *from, const pm_file_variant *variant,
                         const pm_file_size *size);
/* Returns whether a variant has a source or compiler options of its own. variant NULL: the plain
 * version, which is the program's source without transforms. */
bool pm_file_has_own_source(const pm_file_variant *variant);
/* Returns whether `b` builds the reference: the source and launches of section [reference], which
 * compute the expected results. */
bool pm_file_is_reference(const pm_file_build *b);
/* Returns whether `b` builds the workload of the launches with contents = yes, which compute
 * initial contents. */
bool pm_file_is_contents(const pm_file_build *b);
/* Returns the size with this name in the file. NULL with err set: there is no such size. */
const pm_file_size *pm_file_find_size(const pm_workload_file *f, const char *name, pm_error *err);

/* ---- space.c */

/* pm_file_tune sets the values of the tuning parameters, in the order of section [tune].
 * pm_file_tune_alike copies the values from another build. */
void pm_file_tune(pm_file_build *b, const int64_t *values);
void pm_file_tune_alike(pm_file_build *b, const pm_file_build *other);
/* Stores the parameters of section [tune] and their possible values in from->program. */
void pm_file_list_tuned(pm_from_file *from);
/* Raises an error if the first values of the tuning parameters, which are their defaults, violate a
 * condition of the key `restrict`. */
void pm_file_check_first(const pm_from_file *from);

/* Sets type->bytes, the size of a vector type, to the size in the language of the workload's
 * source. A vector of 3 has the size of three scalars in CUDA, and of four in OpenCL C. Defined in
 * elements.c. */
void pm_file_type_adapt(const pm_file_build *b, pm_file_type *type);

/* ---- expressions in the file (substitute.c); a fault raises an error with the line ---- */

int64_t pm_file_integer(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                        unsigned line);
double pm_file_real(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                    unsigned line);
/* Writes a text of the workload file to `out`, in which each {EXPRESSION} is replaced by its
 * value. */
void pm_file_substitute(const pm_file_build *b, const pm_file_text *text, char *out, size_t size);
/* Resolves a path in the workload file, which is relative to the file's folder or absolute, and
 * writes it to `out`. Raises an error if the path leads out of the capture that contains the file.
 * Defined in paths.c. */
void pm_file_path(const pm_file_build *b, const char *path, unsigned line, char *out, size_t size);

/* Sets from->root to the capture's folder if the file is in a capture. Raises an error if a
 * symbolic link leads from there to a file outside. Defined in paths.c. */
void pm_file_find_root(pm_from_file *from);

/* Sets the workload's build options from the value of a key. options->text NULL: keeps the present
 * options. Adds the source's folder as -I if the source has an #include. Defined in options.c. */
void pm_file_add_options(const pm_file_build *b, const pm_file_text *options);
/* Raises an error if the source includes a file that is not a regular file. Missing files are
 * allowed. All files that a captured source includes must be inside of the capture. line: line of
 * the source's key in the workload file. Defined in paths.c. */
void pm_file_check_headers(const pm_file_build *b, unsigned line);
/* Returns libclang's description of the variant's source. NULL: libclang is missing, or it cannot
 * describe the source. Defined in build.c. */
const pm_source_info *pm_file_info(pm_file_build *b);
/* Returns the description of a struct in the program's source (without transforms), by its name
 * with or without "struct" before it. NULL: the source has no such struct, or could not be parsed.
 */
const pm_struct *pm_file_struct(const pm_from_file *from, const char *name);

/* Returns whether a text starts with a word. *rest becomes the text after the word, or NULL if the
 * text does not start with it. Defined in place.c. */
bool pm_file_starts(const char *text, const char *word, const char **rest);
/* The file that has a buffer's contents, and the offset in bytes at which they start. */
typedef struct {
    char path[4096];
    int64_t offset;
} pm_file_place;
/* Finds the file with a buffer's contents. text: the contents in the workload file, "file PATH [,
 * OFFSET]". rest: the text after "file". Raises an error if the file has fewer than `bytes` bytes
 * after the offset. */
void pm_file_place_find(const pm_file_build *b, const pm_file_text *text, const char *buffer,
                        const char *rest, size_t bytes, pm_file_place *place);
pm_status pm_file_place_read(const pm_file_place *place, void *to, size_t bytes, pm_error *err);

/* Sets the function that checks the workload's results. It compares the final contents of buffers
 * with the contents that the file expects. If reference is not NULL, it also runs the reference
 * workload, and compares the outputs of both. Raises an error if the type of an output cannot be
 * compared. Defined in results.c. */
void pm_file_add_check(const pm_file_build *b, pm_workload *reference);
/* Adds a check that compares the workload's output buffers only with those of the plain version
 * (the program's source without transforms). The buffers that are outputs of the plain version are
 * marked as outputs of the workload. */
void pm_file_add_plain_check(const pm_file_build *b, pm_workload *plain);
/* If the file does not name its output buffers, marks as outputs all buffers that the kernels of
 * the program's source (without transforms) may write. */
void pm_file_mark_written(pm_file_build *b);

/* ---- the parts of a workload, added in this order */

/* Adds the buffers of the file to the workload, with the same indices. Buffers with reference = yes
 * are only added for the reference and for launches with contents = yes. */
void pm_file_add_buffers(pm_file_build *b); /* defined in buffers.c */
void pm_file_add_symbols(pm_file_build *b); /* defined in buffers.c */
/* Adds the textures of a CUDA source to the workload, after the buffers. Defined in textures.c. */
void pm_file_add_textures(const pm_file_build *b);
void pm_file_add_launches(pm_file_build *b); /* launches.c */
/* Runs a workload on the CPU by the trace engine. The array `to` has, for each buffer, the memory
 * that gets its final contents; NULL: they are not needed. Defined in computed.c. */
pm_status pm_file_run(const pm_from_file *from, const pm_workload *workload, void *const *to,
                      pm_error *err);
/* Computes initial contents by launches: runs the workload `contents`, which has the launches with
 * contents = yes. Copies the final contents of its buffers to the buffers of b->workload. Contents
 * of a buffer that b->workload does not have stay in `contents`. Runs nothing if b->dry. Defined in
 * computed.c. */
void pm_file_compute_contents(const pm_file_build *b, pm_workload *contents);
/* Writes the global and local size of the workload's first launch to *range. Defined in
 * launches.c. */
void pm_file_first_range(const pm_file_build *b, pm_launch_range *range);

/* Where the contents that a line of the workload file gives are stored: in the elements of a
 * buffer, or in one field of each element (a scalar, a vector or an array). The function
 * pm_file_fill, defined in contents.c, stores them there. */
typedef struct {
    const char *buffer, *field; /* field: name of a struct's field; NULL: the elements themselves */
    const char *stream;         /* name of the random stream for random numbers */
    pm_file_type type;
    /* first byte of memory to fill; NULL: the contents are only checked */
    uint8_t *base;
    /* gets a rule for the contents, and no memory is filled; NULL: the memory at `base` is filled
     */
    pm_fills *rules;
    size_t elements, stride; /* stride: bytes from one element to the next */
    /* bytes from the start of an element to the field; 0 for the elements themselves */
    size_t offset;
    /* number of values that the contents "list" must have, after which zeros follow; 0: a value for
     * each scalar */
    size_t listed;
    const pm_field *extents; /* array extents of the field; NULL: the field is not an array */
} pm_file_target;
void pm_file_fill(const pm_file_build *b, const pm_file_target *target,
                  const pm_file_text *contents);
/* Returns whether contents can be stored as a rule, from which any section of the buffer can be
 * computed alone. Contents are no rule if they are a list, a file or a box ("within"). */
bool pm_file_is_by_rule(const pm_file_text *contents);
/* Fills a buffer of which the type need not be known: with contents "zeros" or "file PATH". Returns
 * false for other contents. */
bool pm_file_fill_bytes(const pm_file_build *b, const pm_file_text *contents, const char *buffer,
                        uint8_t *base, size_t bytes);

/* ---- elements.c */

/* The element type of a buffer. */
typedef struct {
    bool is_struct;
    bool is_pointer;   /* true: elements are pointers, whose values pm_file_add_pointers sets */
    pm_file_type type; /* type of the elements if they are scalars or vectors */
    /* struct of the elements; NULL: elements are no structs, or the fields of the struct are
     * unknown */
    const pm_struct *structure;
    size_t bytes;
} pm_file_element;
/* Finds the element type of a buffer. Raises an error if it is not known. */
void pm_file_find_element(const pm_file_build *b, const pm_file_buffer *buffer, pm_file_element *e);
/* Returns the number of bytes of an element of the buffer. */
size_t pm_file_element_bytes(const pm_file_build *b, const pm_file_buffer *buffer);
/* Returns whether a type is a pointer: its name ends in an asterisk. */
bool pm_file_is_pointer(const char *type);
/* If the parser could not determine the fields of some struct in the source, returns the reason.
 * NULL: the fields of all structs are known. */
const char *pm_file_left_struct(const pm_file_build *b);

/* ---- pointers.c */

/* Text of a pointer in the file, such as "rows + i * width", and its line. */
typedef struct {
    const char *item;
    unsigned line;
    bool is_argument; /* true: the text is a whole argument of a launch; only for messages */
    bool in_bytes;    /* true: the offset after + is in bytes, not in elements */
} pm_file_pointer_text;
typedef struct {
    size_t count;
    pm_pointer *items;
} pm_file_pointers;
/* Parses a pointer and sets to->buffer and to->offset. Returns false for null. Raises an error if
 * the text is malformed. */
bool pm_file_read_pointer(const pm_file_build *b, const pm_file_pointer_text *text, pm_pointer *to);
/* Parses a list "AT: POINTER, ..." of pointers inside of a value or buffer of `bytes` bytes, and
 * adds them to `list`. The text AT is the offset of the pointer in bytes. */
void pm_file_read_placed(const pm_file_build *b, const char *items, unsigned line, size_t bytes,
                         pm_file_pointers *list);
/* Sets the pointers that buffers contain. Call it when all buffers have been added. */
void pm_file_add_pointers(pm_file_build *b);

/* Parses an argument of a kernel in the file and adds it to the launch that was added last. Defined
 * in arguments.c. */
void pm_file_add_argument(pm_file_build *b, const char *item, unsigned line);
/* Raises an error if the arguments of the launch that was added last do not fit the parameters of
 * its kernel. */
void pm_file_check_arguments(pm_file_build *b, const pm_file_launch_texts *texts);

/* Adds an argument that is a value: "TYPE VALUE", "TYPEn (...)", "STRUCT (...)", or "bytes 0x...".
 * Returns false if the item has none of these forms. Defined in values.c. */
bool pm_file_add_value(pm_file_build *b, const char *item, unsigned line);
/* A texture object as a CUDA kernel gets it: an argument of 24 bytes. */
typedef struct {
    unsigned char bytes[24];
    pm_pointer texels; /* the pointer at byte 0 of the object, to the texels */
} pm_file_object;
/* Parses a texture object in the form "bytes 0x... (0: BUFFER)". */
void pm_file_read_object(const pm_file_build *b, const char *item, unsigned line,
                         pm_file_object *object);
/* Adds an argument "texture NAME" or "texture NAME|NAME" to the launch that was added last. names:
 * the text after "texture". Defined in textures.c. */
void pm_file_add_texture_argument(const pm_file_build *b, const char *item, const char *names,
                                  unsigned line);
/* Adds an argument "tensor_map (...)" to the launch that was added last. fields: the text after
 * "tensor_map". Defined in tensor_maps.c. */
void pm_file_add_tensor_map(const pm_file_build *b, const char *item, const char *fields,
                            unsigned line);
/* Returns whether a value in the file can be passed for a kernel's parameter. path: path of the
 * kernel's source, whose suffix tells the language. bytes: size of the value. */
bool pm_file_value_fits(const char *path, const char *item, size_t bytes,
                        const pm_source_info *info, const pm_source_param *param);
/* Copies the first word of an item to `word`, and returns the text after it. */
const char *pm_file_word(const char *item, char word[PM_FILE_ITEM]);

#endif

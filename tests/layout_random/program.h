/* A random program that uses arrays of structs: its source, structs, buffers, kernels and launches,
 * and the Workload that they make.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program is a function of its seed. It has no undefined behaviour and no races: a work-item
 * writes elements of its own only, or atomically; nothing is read that another work-item of the
 * launch writes; indices are reduced to their range; integers are unsigned where they could
 * overflow; floats are only added, and multiplied by powers of two, so that fusing the two changes
 * nothing. Its outputs are therefore the same bits on every device and in every layout.
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_PROGRAM_H
#define PM_TESTS_LAYOUT_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/workload.h"

enum {
    LR_MEMBERS = 8,
    LR_RECORDS = 6,
    LR_BUFFERS = 12,
    LR_KERNELS = 8,
    LR_PARAMS = 12,
    LR_LAUNCHES = 16,
    LR_UNITS = 1024
};

typedef enum {
    LR_CHAR,
    LR_UCHAR,
    LR_SHORT,
    LR_USHORT,
    LR_INT,
    LR_UINT,
    LR_LONG,
    LR_ULONG,
    LR_FLOAT,
    LR_DOUBLE,
    LR_SCALARS
} lr_scalar;

/* INDEX: an int that is always the number of an element. ATOMIC: an int or uint that kernels may
 * count with. RAW: a declaration that no access is made to (a union, a pointer). */
typedef enum { LR_PLAIN, LR_INDEX, LR_ATOMIC, LR_RAW } lr_role;

typedef struct lr_record lr_record;

typedef struct {
    const char *name;
    lr_scalar scalar;
    unsigned width;          /* 1 to 4; of a vector of 3 the fourth is padding */
    const lr_record *record; /* nested struct, or NULL */
    unsigned dims, dim[2];
    lr_role role;
    const char *raw; /* RAW: its declaration */
    size_t offset;
} lr_member;

struct lr_record {
    const char *name;     /* as layouts name it */
    const char *spelling; /* as the source does: P, struct P; NULL: it has no name */
    const char *attribute;
    bool top; /* kernels take arrays of it */
    unsigned count;
    lr_member members[LR_MEMBERS];
    size_t bytes, align;
};

/* OWN: read and written, own elements only. READ: any element, not written. ATOMIC: any element,
 * atomics on the ATOMIC members and reads of the others. */
typedef enum { LR_OWN, LR_READ, LR_COUNT_UP } lr_mode;
typedef enum {
    LR_PARAM_RECORDS,
    LR_PARAM_OUT,   /* uint per element */
    LR_PARAM_WORDS, /* uint, LR_WORDS of any value */
    LR_PARAM_INDEX, /* int, an element's number per element */
    LR_PARAM_ORDER, /* int, a permutation of the elements' numbers */
    LR_PARAM_N,
    LR_PARAM_LOCAL /* a struct per work-item of a group */
} lr_param_kind;
enum { LR_WORDS = 64, LR_STEPS = 3 /* a macro of the build options */ };

typedef struct {
    lr_param_kind kind;
    const char *name;
    const lr_record *record;
    lr_mode mode;
    bool restricted, in_constant, read_only; /* read_only: const; OWN may be */
} lr_param;

typedef struct {
    const char *name;
    size_t count;
    lr_param params[LR_PARAMS];
    size_t items, group;
    bool dropped;
} lr_kernel;

typedef struct {
    size_t kernel;
    size_t buffers[LR_PARAMS]; /* of RECORDS parameters */
} lr_launch;

typedef struct {
    const char *name;
    const lr_record *record;
} lr_buffer;

typedef struct {
    uint64_t seed;
    struct lr_chunk *chunks; /* the memory of all texts */
    unsigned features;
    const char *odd; /* what the program has that a layout may be refused for; NULL: nothing */
    const char *source;
    size_t units;
    size_t n; /* elements of every buffer */
    size_t record_count;
    lr_record *records[LR_RECORDS];
    size_t buffer_count;
    lr_buffer buffers[LR_BUFFERS];
    size_t kernel_count;
    lr_kernel kernels[LR_KERNELS];
    size_t launch_count;
    lr_launch launches[LR_LAUNCHES];
} lr_program;

/* The program without its units (kernels, helpers, statements) whose numbers are not 0 in dropped,
 * which has LR_UNITS members or is NULL. It may not compile without some. */
lr_program *lr_program_create(uint64_t seed, const unsigned char *dropped);
void lr_program_free(lr_program *program);

/* Layout number `which` for the program, by its seed; to free. */
char *lr_layout(const lr_program *program, unsigned which);

/* What the outputs of a program are on some device; NULL before its first run. */
typedef struct {
    const lr_program *program;
    unsigned char **buffers;
    size_t count;
} lr_outputs;

/* Its check takes the outputs of the first run down in `outputs`, which must outlive it, and
 * compares those of later ones: the members of structs bit by bit, padding not. */
pm_workload *lr_workload(const lr_program *program, lr_outputs *outputs, pm_error *err);
void lr_outputs_free(lr_outputs *outputs);

/* Calls visit for every scalar or vector of a struct. */
typedef void (*lr_visit)(void *context, size_t offset, const lr_member *member);
void lr_record_visit(const lr_record *record, size_t base, lr_visit visit, void *context);
size_t lr_scalar_bytes(lr_scalar scalar);

#endif

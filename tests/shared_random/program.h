/* A random kernel with what it is run on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_PROGRAM_H
#define PM_TESTS_SHARED_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/workload.h"

enum { SR_ARRAYS = 8, SR_PARAMS = 24, SR_LAUNCHES = 2, SR_UNITS = 256 };

typedef enum {
    SR_FLOAT,
    SR_INT,
    SR_UINT,
    SR_UCHAR,
    SR_SHORT,
    SR_FLOAT4,
    SR_INT2,
    SR_TYPES
} sr_type;

/* first: what is added to all indices of an array, so that none is negative; count: elements.
 * A program is generated with room on both sides, run to see what it accesses, and generated again
 * with what it needs. */
typedef struct {
    int64_t first[SR_ARRAYS];
    size_t count[SR_ARRAYS];
} sr_sizes;

typedef struct {
    const char *name;
    sr_type type;
    bool written;
    int low, high; /* of its contents */
    size_t buffer; /* of the workload; others may have it too */
} sr_array;

typedef enum {
    SR_PARAM_ARRAY,
    SR_PARAM_CONSTANT,
    SR_PARAM_INT,
    SR_PARAM_ULONG,
    SR_PARAM_FLOAT,
    SR_PARAM_LOCAL
} sr_param_kind;

typedef struct {
    sr_param_kind kind;
    size_t array;               /* SR_PARAM_ARRAY, SR_PARAM_CONSTANT */
    int64_t value[SR_LAUNCHES]; /* of a number; SR_PARAM_LOCAL: bytes */
} sr_param;

struct sr_chunk;

typedef struct {
    uint64_t seed;
    char *source;
    const char *kernel;
    unsigned dimensions, launches;
    size_t global[3], local[3], offset[3];
    sr_array arrays[SR_ARRAYS];
    size_t array_count, param_count;
    sr_param params[SR_PARAMS];
    sr_sizes sizes;
    const char *odd; /* what a transform may refuse it for; NULL: nothing */
    size_t units;    /* pieces of text that can be left out */
    struct sr_chunk *chunks;
} sr_program;

/* sizes: NULL: with room. dropped (may be NULL): SR_UNITS members, non-zero for pieces to leave
 * out. */
sr_program *sr_program_create(uint64_t seed, const sr_sizes *sizes, const unsigned char *dropped);
void sr_program_free(sr_program *program);
size_t sr_type_bytes(sr_type type);

/* Contents of written buffers after a run. */
typedef struct {
    const sr_program *program;
    unsigned char *buffers[SR_ARRAYS]; /* NULL: not run yet, or not written */
    bool taken;
} sr_outputs;
void sr_outputs_free(sr_outputs *outputs);

/* The check of the first run keeps the outputs, later ones compare with them. */
pm_workload *sr_workload(const sr_program *program, sr_outputs *outputs, pm_error *err);

#endif

/* A random program: its source, its data, and the workload that they make.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program is a function of its seed (and of the sizes of its arrays, see suite.h).
 */
#ifndef PM_TESTS_RANDOM_PROGRAM_H
#define PM_TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language.h"
#include "program/workload.h"

enum { RD_BUFFERS = 16, RD_PARAMS = 24, RD_LAUNCHES = 16 };

typedef struct {
    const char *name;
    size_t bytes;
    const void *contents; /* NULL: zeros */
    bool written;
    /* Per byte of an element: whether it is compared; padding is not. NULL: all bytes are. */
    const bool *counts;
    size_t element;
} rd_buffer;

typedef struct {
    enum { RD_ARG_BUFFER, RD_ARG_INT, RD_ARG_ULONG, RD_ARG_LOCAL } kind;
    int64_t value; /* number of the buffer if the kind is a buffer; bytes of local memory if the
                      kind is local */
} rd_arg;

typedef struct {
    const char *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t arg_count;
    rd_arg args[RD_PARAMS];
} rd_launch;

typedef struct {
    uint64_t seed;
    rd_language language;
    struct rd_chunk *chunks; /* memory of all data that the program points to */
    const char *source;
    const char *options; /* of its build */
    const char *odd;     /* construct because of which a transform may refuse the program; NULL:
                          * none */
    size_t buffer_count;
    rd_buffer buffers[RD_BUFFERS];
    size_t launch_count;
    rd_launch launches[RD_LAUNCHES];
    const struct lr_shape *shape; /* structs, for tests of random layouts */
    const struct st_shape *nest;  /* arrays, for tests of random staging */
} rd_program;

rd_program *rd_program_create(uint64_t seed, rd_language language);
void rd_program_free(rd_program *program);
/* Zeroed memory that lives as long as the program. */
void *rd_program_memory(rd_program *program, size_t bytes);

/* Contents of written buffers after a run; all zero before the first run. */
typedef struct {
    bool taken;
    unsigned char *buffers[RD_BUFFERS];
} rd_outputs;
void rd_outputs_free(rd_outputs *outputs);

/* Returns a check that stores the outputs of the first run in `outputs`, and compares later outputs
 * with them bit by bit. Program and outputs must outlive it. */
pm_workload *rd_workload(const rd_program *program, rd_outputs *outputs, pm_error *err);

#endif

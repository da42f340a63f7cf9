/* Launches that were captured, by whatever recorded them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_REPLAY_LAUNCHES_H
#define PM_CAPTURE_REPLAY_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum { PM_CAPTURED_MOST_ARGS = 128 };

typedef struct {
    const char *path, *contents;
    const char *text; /* in place of contents; NULL: they have it */
} pm_captured_header;

typedef struct {
    unsigned id;
    const char *kind, *contents, *options;
    bool cuda;
    const char *path, *text; /* of CUDA, where its source was found; else NULL */
    size_t header_count;
    pm_captured_header *headers;
} pm_captured_program;

/* Launches of a kernel that were captured, or left out for one reason. */
typedef struct {
    uint64_t launches, ns, untimed;
} pm_captured_total;

/* What the driver tells of a kernel's parameter: global, constant, local or private. */
typedef struct {
    const char *address, *type, *name;
} pm_captured_param;

typedef struct {
    unsigned id;
    const pm_captured_program *program;
    const char *name;
    size_t param_count; /* 0: it tells nothing */
    pm_captured_param *params;
    pm_captured_total *totals; /* one for each pm_left_out (capture/record.h) */
} pm_captured_kernel;

typedef enum { PM_CAPTURED_VALUE, PM_CAPTURED_LOCAL, PM_CAPTURED_BUFFER } pm_captured_arg_kind;

typedef struct {
    pm_captured_arg_kind kind;
    size_t bytes;
    const unsigned char *value; /* of a value */
    unsigned buffer;
    size_t offset, at;
    const char *before, *after; /* contents; after is NULL where the kernel cannot change them */
} pm_captured_arg;

/* What a variable in CUDA's __constant__ memory held before a launch. */
typedef struct {
    const char *name, *contents;
    size_t bytes;
} pm_captured_symbol;

typedef struct {
    uint64_t number, ns;
    const pm_captured_kernel *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t arg_count;
    pm_captured_arg *args;
    size_t shared; /* bytes of shared memory, of CUDA */
    size_t symbol_count;
    pm_captured_symbol *symbols;
    bool dropped;
} pm_captured_launch;

/* An image that CUDA loaded: of kind ptx, cubin or fatbin. */
typedef struct {
    const char *kind, *contents;
} pm_captured_module;

/* What one process of the program left. */
typedef struct {
    const char *folder; /* of its records */
    const char *place;  /* the folder that it ran in */
    const char *device; /* NULL: nothing was recorded */
    bool ended;         /* normally */
    size_t program_count, kernel_count, launch_count;
    pm_captured_program **programs;
    pm_captured_kernel **kernels;
    pm_captured_launch *launches;
    size_t module_count;
    pm_captured_module *modules;
} pm_captured_process;

#endif

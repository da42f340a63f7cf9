/* Launches that host code makes or that options describe. A bare source needs them to be a
 * workload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_LAUNCHES_H
#define PM_SOURCE_LAUNCHES_H

#include "base/memory.h"

typedef struct {
    char *name;
    char *type;        /* of an element, as the workload file writes it: float, float4, a struct;
                          "": unknown, and `elements` and offsets are bytes */
    uint64_t elements; /* 0: unknown, as many as the work-items turn out to need */
    bool assumed;      /* `elements` rests on an assumption */
    bool zeros;        /* initial contents are zeros; otherwise they are random */
    int line;          /* of the allocation */
    char *decided_by;  /* variables of the host code that decide the size: "n, batch"; "": none */
} pm_launch_buffer;

typedef enum {
    PM_LAUNCH_BUFFER,
    PM_LAUNCH_VALUE,
    PM_LAUNCH_NULL,
    PM_LAUNCH_LOCAL /* local memory of OpenCL: `offset` bytes */
} pm_launch_argument_kind;

typedef struct {
    pm_launch_argument_kind kind;
    size_t buffer;   /* index into the buffers */
    uint64_t offset; /* offset of a buffer argument, in elements */
    char *value;     /* typed value as in a workload file: int 5, float2 (1, 2); NULL: unknown */
    char *bytes;     /* of a struct's value, as they lie in memory: 0x0100...; NULL: not known */
} pm_launch_argument;

typedef struct {
    char *kernel;               /* name with its template arguments */
    uint64_t grid[3], block[3]; /* 0: unknown; of OpenCL global and local size */
    uint64_t shared;            /* bytes of dynamic shared memory */
    uint64_t times;             /* number of launches in a loop of the host, at least 1 */
    int line;                   /* source line of the launch */
    size_t argument_count;
    pm_launch_argument *arguments;
} pm_source_launch;

/* An integer that was assumed, for example "n" with the value "1048576". */
typedef struct {
    char *name, *value;
    int line;
} pm_launch_assumption;

typedef struct {
    size_t buffer_count, launch_count, assumption_count, needed_count;
    pm_launch_buffer *buffers;
    pm_source_launch *launches;
    pm_launch_assumption *assumptions;
    char **needed; /* names for which --set can give a value */
    bool is_opencl;
    char *build_options; /* of clBuildProgram; "": none */
    pm_memory memory;    /* owns the arrays and their contents */
} pm_source_launches;

/* Frees the members and sets them to zero. */
void pm_source_launches_free(pm_source_launches *of);

#endif

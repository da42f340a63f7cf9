/* Kernel launches that a bare source's host code makes, or that launch options describe. They turn
 * a bare source into a workload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_LAUNCHES_H
#define PM_TRANSFORM_SOURCE_LAUNCHES_H

#include "base/memory.h"

typedef struct {
    char *name;
    /* Element type as in a workload file: float, float4, the name of a struct. "": unknown;
     * `elements` and the offsets of arguments then count bytes. */
    char *type;
    uint64_t elements; /* 0: unknown; the work-items' accesses then decide it */
    bool assumed;      /* `elements` rests on an assumption */
    bool zeros;        /* initial contents are zeros; otherwise they are random */
    int line;          /* source line of the allocation */
    char *decided_by;  /* names of the host's variables that determine the size, such as "n, batch";
                        * "": none */
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
    char *bytes; /* struct passed by value: its bytes in memory order, 0x0100...; NULL: unknown */
} pm_launch_argument;

typedef struct {
    char *kernel;               /* name with its template arguments */
    uint64_t grid[3], block[3]; /* 0: unknown; OpenCL: global and local size */
    uint64_t shared;            /* bytes of dynamic shared memory */
    uint64_t times;             /* number of launches in a loop of the host, at least 1 */
    int line;                   /* source line of the launch */
    size_t argument_count;
    pm_launch_argument *arguments;
} pm_source_launch;

/* Information about a program that its source does not contain. */
typedef struct {
    const char *const *sets; /* values of variables as NAME=VALUE, NULL-terminated; NULL: none */
    /* Command-line arguments of the program, without its own name, NULL-terminated; NULL: unknown.
     */
    const char *const *arguments;
    uint64_t most; /* largest integer to assume for a size; 0: the default limit */
} pm_launch_inputs;

/* An assumed value of an integer variable, for example name "n" and value "1048576". line: source
 * line of its declaration. */
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
    char *build_options; /* options that the host passes to clBuildProgram; "": none */
    pm_memory memory;    /* owns the arrays and their contents */
} pm_source_launches;

/* Frees the members and sets them to zero. */
void pm_source_launches_free(pm_source_launches *of);

#endif

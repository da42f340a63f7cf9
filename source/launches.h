/* Launches that host code makes, or that options describe: what a bare source lacks to be a
 * workload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_LAUNCHES_H
#define PM_SOURCE_LAUNCHES_H

#include "base/memory.h"

typedef struct {
    char *name;
    char *type;        /* of an element, as the workload file writes it: float, float4, a struct */
    uint64_t elements; /* 0: unknown, as many as the work-items turn out to need */
    bool assumed;      /* `elements` rests on an assumption */
    bool zeros;        /* initial contents are zeros; otherwise they are random */
    int line;          /* of the allocation */
    char *decided_by;  /* variables of the host code that decide the size: "n, batch"; "": none */
} pm_launch_buffer;

typedef enum { PM_LAUNCH_BUFFER, PM_LAUNCH_VALUE, PM_LAUNCH_NULL } pm_launch_argument_kind;

typedef struct {
    pm_launch_argument_kind kind;
    size_t buffer;   /* index into the buffers */
    uint64_t offset; /* of a buffer's argument, in elements */
    char *value;     /* of a value, with its type, as the workload file writes it: int 5,
                      * float2 (1, 2); NULL: unknown */
} pm_launch_argument;

typedef struct {
    char *kernel;               /* with its template arguments */
    uint64_t grid[3], block[3]; /* 0: unknown */
    uint64_t shared;            /* bytes of dynamic shared memory */
    uint64_t times;             /* how often a loop of the host makes it, at least 1 */
    int line;                   /* of the launch */
    size_t argument_count;
    pm_launch_argument *arguments;
} pm_source_launch;

/* An integer that was assumed: "n", "1048576". */
typedef struct {
    char *name, *value;
    int line;
} pm_launch_assumption;

typedef struct {
    size_t buffer_count, launch_count, assumption_count, needed_count;
    pm_launch_buffer *buffers;
    pm_source_launch *launches;
    pm_launch_assumption *assumptions;
    char **needed;    /* names that --set may give */
    pm_memory memory; /* of all that the arrays hold, and of the arrays */
} pm_source_launches;

/* Frees what it holds; all zeros are left behind. */
void pm_source_launches_free(pm_source_launches *of);

#endif

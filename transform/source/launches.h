/* Kernel launches of a source file, found in its host code or given by command-line options. With
 * them, a source file without a workload file can be run or traced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_LAUNCHES_H
#define PM_TRANSFORM_SOURCE_LAUNCHES_H

#include "base/memory.h"

typedef struct {
    char *name;
    /* Element type in the syntax of workload files: float, float4, the name of a struct. "":
     * unknown; then `elements` and the offsets of kernel arguments in this buffer are in bytes. */
    char *type;
    /* number of elements; 0: unknown, and later derived from the addresses that work-items
     * access */
    uint64_t elements;
    bool assumed; /* true: `elements` depends on an assumption */
    bool zeros;   /* true: the initial contents are zeros; false: they are random */
    int line;     /* source line of the allocation */
    /* names of the host's variables from which the buffer's size is computed, such as "n, batch";
     * "": none */
    char *decided_by;
    /* Pointers to other buffers in the initial contents, in the syntax of the key `pointers` of a
     * workload file, such as "0: a, 8: b + 64"; "": none. */
    char *pointers;
    /* Lines "contents.FIELD = ..." with the values of fields that the host code sets, if the buffer
     * has pointers; "": none. */
    char *fields;
    /* Initial contents that the host code gives, in the syntax of the key `contents` of a workload
     * file, such as "list 1, 2, 5"; "": unknown, or zeros. */
    char *contents;
    /* name of the __device__, __constant__ or __managed__ variable whose memory the buffer is, with
     * its namespaces; "": none */
    char *symbol;
    /* partial: true if `contents` has zeros in place of values that are unknown; changes: true if
     * the host code gives the variable `symbol` other contents between launches */
    bool partial, changes;
} pm_launch_buffer;

typedef enum {
    PM_LAUNCH_BUFFER,
    PM_LAUNCH_VALUE,
    PM_LAUNCH_NULL,
    PM_LAUNCH_LOCAL /* local memory of OpenCL; `offset` is its size in bytes */
} pm_launch_argument_kind;

typedef struct {
    pm_launch_argument_kind kind;
    size_t buffer;   /* index into pm_source_launches.buffers if the kind is a buffer */
    uint64_t offset; /* offset of a buffer argument, in elements of the buffer */
    /* value with its type in the syntax of workload files, such as int 5 or float2 (1, 2); NULL:
     * unknown */
    char *value;
    /* Bytes of a struct passed by value, in memory order as text such as 0x01ff. Pointers follow in
     * parentheses, for example "(0: a, 8: b + 64)". NULL: unknown. */
    char *bytes;
} pm_launch_argument;

typedef struct {
    char *kernel; /* name of the kernel with its template arguments */
    /* number of blocks, and threads of a block; an OpenCL launch has its global and local size
     * here; 0: unknown */
    uint64_t grid[3], block[3];
    uint64_t shared; /* bytes of dynamic shared memory */
    /* number of times that the host code makes this launch, if a loop repeats it with equal
     * arguments; at least 1 */
    uint64_t times;
    int line; /* source line of the launch */
    size_t argument_count;
    pm_launch_argument *arguments;
} pm_source_launch;

/* Values from the user that complete the host code of a source, for example values of variables
 * that the host code reads at run time. */
typedef struct {
    /* values of variables, "NAME=VALUE" each, NULL-terminated; NULL: none */
    const char *const *sets;
    /* Command-line arguments of the program, without its name, NULL-terminated. NULL: unknown. */
    const char *const *arguments;
    uint64_t most; /* largest integer to assume for a size; 0: the default limit */
} pm_launch_inputs;

/* An integer variable of the host code whose value is unknown, with the value that was assumed for
 * it, for example "n" and "1048576". line: source line of the variable's declaration. */
typedef struct {
    char *name, *value;
    int line;
} pm_launch_assumption;

/* A texture that the host code binds to a texture reference of CUDA. */
typedef struct {
    char *name; /* name of the reference */
    /* the texture object as a kernel argument in the syntax of workload files: its bytes, and the
     * buffer to which its pointer points, as in "bytes 0x... (0: BUFFER)" */
    char *object;
} pm_launch_texture;

typedef struct {
    size_t buffer_count, texture_count, launch_count, assumption_count, needed_count;
    pm_launch_buffer *buffers;
    pm_launch_texture *textures;
    pm_source_launch *launches;
    pm_launch_assumption *assumptions;
    char **needed; /* names of variables for which the option --set can give a value */
    bool is_opencl;
    char *build_options; /* options that the host code passes to clBuildProgram; "": none */
    pm_memory memory;    /* memory of the arrays and their contents */
} pm_source_launches;

/* Frees the members and sets them to zero. */
void pm_source_launches_free(pm_source_launches *of);

#endif

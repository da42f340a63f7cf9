/* Kernels rewritten for other layouts of data, and staged in local memory. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_TRANSFORM_H
#define PERFMODEL_TRANSFORM_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C for the host: the types of a struct's parts, and functions that pack and unpack arrays.
 * Complete. */
typedef struct {
    char *structure;
    char *text;
} pm_header;

/* An array of a kernel in one region of it, as the work-items of a group use it. */
typedef struct {
    char *kernel, *array;
    unsigned line, last_line; /* of the region: the statements that the tile serves */
    bool read, written;
    char *range;     /* what is accessed, for people: "in[(y0 - 1 + 0..9) * width + ...]" */
    size_t elements; /* distinct ones, by a work-group, each time the region runs; 0: unknown */
    double accesses; /* by a work-group, each time the region runs; 0: unknown */
    size_t element_bytes;
    size_t tile_bytes; /* of local memory; 0: no tile can be made */
    size_t tile;       /* iterations that a loop is tiled by for it; 0: none is */
    bool staged;
    char *reason; /* why it is not staged: "path:line: reason"; NULL: it is, or it was not asked for
                   */
    uint64_t reserved[4];
} pm_stage_array;

typedef struct {
    char *source; /* OpenCL C, or CUDA; NULL where only an analysis was asked for */
    bool is_cuda;
    size_t header_count;
    pm_header *headers;
    size_t edits;                   /* places of the source that changed */
    size_t wide_loads, wide_stores; /* wide accesses, each made of several */
    /* Where arrays are staged in local memory: */
    size_t array_count;
    pm_stage_array *arrays;
    size_t assumption_count;
    char **assumptions; /* what has to hold and the source does not show, a sentence each */
    struct pm_memory_block *memory; /* of all that is here */
    uint64_t reserved[8];
} pm_transformed;

typedef struct {
    const char *size;          /* of a program, whose launches may depend on it; NULL: the smallest
                                */
    const char *layouts;       /* as --layout has them, then what to stage in local memory: soa,
                                * shared, shared:a+b/16, soa;shared:x */
    const char *build_options; /* of clBuildProgram, or nvcc; may be NULL. A program has its own */
    /* Of staging. A program's launches tell the first two. */
    size_t work_group[3]; /* of kernels that do not say theirs; 0: unknown */
    const char *scratch;  /* parameters, with '+' between them, of buffers whose contents nobody
                             needs before or after a launch; may be NULL */
    size_t local_bytes;   /* of local memory that a work-group may have; 0: 48 KiB */
    bool analyse;         /* only what could be staged, no new source */
    /* Of a CUDA source: instances of templates, such as sum<float, 256>, that are written out as
     * functions. A program's launches tell them. */
    const char *const *kernels;
    size_t kernel_count;
    uint64_t reserved[6];
} pm_transform_options;

/* Rewrites OpenCL C, or CUDA where path ends in .cu, for other layouts of its arrays of structs,
 * and stages arrays in local memory. path names the source in messages and is where it
 * looks for what it includes. What cannot be kept right is PM_BAD_INPUT with path, line and reason.
 */
pm_status pm_transform_source(pm_session *session, const char *text, const char *path,
                              const pm_transform_options *options, pm_transformed *out,
                              pm_error *err);
/* The same of a program of the suite: of its base. Layouts may differ between kernels: conversions
 * are in the source, and assumptions say where they are launched. */
pm_status pm_transform_program(pm_session *session, const char *program,
                               const pm_transform_options *options, pm_transformed *out,
                               pm_error *err);
/* The same of a workload, as in pm_trace_options, whose size NULL is the largest. A version that
 * was written by hand comes as it is. */
pm_status pm_transform_workload(pm_session *session, const char *workload,
                                const pm_transform_options *options, pm_transformed *out,
                                pm_error *err);
void pm_transformed_free(pm_transformed *transformed); /* what it owns, not itself */

#ifdef __cplusplus
}
#endif

#endif

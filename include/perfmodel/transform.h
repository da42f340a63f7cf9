/* Rewrites the source of kernels: changes the memory layout of structs, or copies arrays to local
 * memory (OpenCL's local, CUDA's shared memory). See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_TRANSFORM_H
#define PERFMODEL_TRANSFORM_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Text of a C header for the host code, for one struct in its new layout. The header declares the
 * types of the new arrays. It also has a function that copies (packs) an array of structs to the
 * new arrays, and one that copies them back. No later version adds members. */
typedef struct {
    char *structure; /* name of the struct; NAME_2 for the second new layout of struct NAME */
    char *text;      /* text of the header */
} pm_header;

/* An array that a kernel accesses in a loop or another part of its code: a candidate for a copy
 * (tile) in local memory. */
typedef struct {
    char *kernel, *array;
    /* first and last source line of the code that would use the tile in local memory */
    unsigned line, last_line;
    /* read: whether this code reads the array. written: whether it writes the array. */
    bool read, written;
    char *range; /* accessed elements as a formula, such as "in[(y0 - 1 + 0..9) * width + ...]" */
    /* Number of distinct array elements that a work-group accesses each time this code runs. 0:
     * unknown. */
    size_t elements;
    /* number of accesses of a work-group each time this code runs; 0: unknown */
    double accesses;
    size_t element_bytes; /* bytes of an element */
    size_t tile_bytes;    /* bytes of the tile in local memory; 0: no tile is possible */
    /* number of iterations of the loop that share one tile; 0: no loop is divided into tiles */
    size_t tile;
    /* true: the rewritten source copies the array to a tile in local memory */
    bool staged;
    /* "path:line: reason" why the array is not staged; NULL: it is staged, or staging was not
     * requested */
    char *reason;
    uint64_t reserved[4];
} pm_stage_array;

/* A source that was rewritten for another memory layout of its structs, or to use arrays copied
 * to local memory. */
typedef struct {
    char *source; /* rewritten source in OpenCL C or CUDA; NULL: only an analysis was requested */
    bool is_cuda; /* true: the source is CUDA */
    size_t header_count;
    /* host code to pack and unpack structs: one header for each new layout of each struct */
    pm_header *headers;
    size_t edits; /* number of source locations that changed */
    /* Number of vector loads and of vector stores in the new source. Each replaces several scalar
     * accesses. */
    size_t wide_loads, wide_stores;
    size_t array_count;
    pm_stage_array *arrays; /* candidates for staging, if staging was requested */
    size_t assumption_count;
    /* Conditions that must hold for the new source to compute the same results, and that could not
     * be proved. Each is a sentence. */
    char **assumptions;
    /* allocation that contains all members; pm_transformed_free frees it */
    struct pm_memory_block *memory;
    uint64_t reserved[8];
} pm_transformed;

typedef struct {
    /* Size of a program, on which the arguments of its launches may depend. NULL: the smallest size
     * of a program of the suite, or the largest size of a workload. */
    const char *size;
    /* Layouts in the syntax of --layout, followed by arrays to stage in local memory. Examples:
     * soa, shared, shared:a+b/16, soa;shared:x. */
    const char *layouts;
    /* Options for clBuildProgram or nvcc. NULL: none. Not used for a program of the suite, which
     * has build options of its own. */
    const char *build_options;
    /* Staging only: work-group size of kernels that do not state it as an attribute. 0: unknown.
     * Not used if the launches are known. */
    size_t work_group[3];
    /* Staging only: names of kernel parameters, separated by '+'. Their buffers are scratch memory:
     * the contents matter neither before nor after a launch. NULL: none. Not used if the launches
     * are known. */
    const char *scratch;
    size_t local_bytes; /* largest local memory of a work-group in bytes; 0: 48 KiB */
    /* true: only finds arrays that can be staged in local memory, and writes no source */
    bool analyse;
    /* CUDA only: instances of templates, such as sum<float, 256>, that the new source has as
     * functions. kernel_count members. For a program, the launches determine the instances. */
    const char *const *kernels;
    size_t kernel_count;
    uint64_t reserved[6];
} pm_transform_options;

/* Rewrites a source for other layouts of its arrays of structs, and stages arrays in local memory.
 * text: source in OpenCL C, or in CUDA if path ends in .cu, .cuh or .hip. path: file name for
 * messages; its folder is searched for included files. Free the members of *out with
 * pm_transformed_free. If the function fails, *out is zero. PM_BAD_INPUT, with path, line and
 * reason, if the rewritten source would not be equivalent. */
pm_status pm_transform_source(pm_session *session, const char *text, const char *path,
                              const pm_transform_options *options, pm_transformed *out,
                              pm_error *err);
/* Rewrites the base variant of a program of the suite, as pm_transform_source does. If kernels have
 * different layouts, the new source has conversion kernels, and `assumptions` says where to launch
 * them. */
pm_status pm_transform_program(pm_session *session, const char *program,
                               const pm_transform_options *options, pm_transformed *out,
                               pm_error *err);
/* Rewrites a workload's source, as pm_transform_source does. workload: a path, as in
 * pm_trace_options. If options->layouts is the name of a version that the workload lists, returns
 * the source of that version unchanged. */
pm_status pm_transform_workload(pm_session *session, const char *workload,
                                const pm_transform_options *options, pm_transformed *out,
                                pm_error *err);
/* Frees the members of a pm_transformed, which must not be NULL, and zeroes it. */
void pm_transformed_free(pm_transformed *transformed);

#ifdef __cplusplus
}
#endif

#endif

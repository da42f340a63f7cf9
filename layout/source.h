/* Kernel source in OpenCL C: what structs it has arrays of, what its kernels do with them, and the
 * same source for other layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The half that needs libclang is a module of its own (clang/), loaded on first use as the trace
 * engine's is: nothing else pays for loading it. A source is used from one thread.
 */
#ifndef PM_LAYOUT_SOURCE_H
#define PM_LAYOUT_SOURCE_H

#include "fields.h"
#include "plan.h"
#include "shared.h"

/* A parameter of a kernel. */
typedef enum { PM_TAKES_VALUE, PM_TAKES_BUFFER, PM_TAKES_LOCAL } pm_source_takes;
typedef struct {
    char *name;
    pm_source_takes takes;
    char type[16];    /* of the value, or of what it points to: float, uint4; "": no scalar or
                       * vector */
    size_t structure; /* index into the structs; PM_NO_STRUCT: no array of structs in global or
                       * constant memory */
    bool read, written;
} pm_source_param;

#define PM_NO_STRUCT ((size_t)-1)

/* A field that a kernel reads or writes, once for each place in the source (the field access tree
 * of Nakai and Ohno 2017, section 6.1). Helper functions count as part of the loop that calls them.
 */
typedef struct {
    size_t structure, field;
    unsigned line, column; /* of the access */
    unsigned loop;         /* line of the innermost loop around it in the kernel; 0: none */
    bool read, written;
} pm_source_access;

typedef struct {
    char *name;
    unsigned line;
    size_t param_count;
    pm_source_param *params;
    size_t access_count;
    pm_source_access *accesses;
} pm_source_kernel;

typedef struct {
    pm_structs structs; /* those that a kernel takes an array of in global or constant memory */
    size_t kernel_count;
    pm_source_kernel *kernels;
    /* All that the source declares at file scope but its kernels' own names: types, tags,
     * functions, constants. Two rewritten sources stand in one text if one of them has these
     * renamed. */
    size_t name_count;
    char **names;
} pm_source_info;

typedef struct pm_source pm_source;

/* Parses. build_options as for clBuildProgram. Source that does not compile, and structs that no
 * layout can be made for (a union, bit-field or pointer inside, packed) are PM_BAD_INPUT with
 * path:line and the reason. */
pm_source *pm_source_open(const char *text, const char *path, const char *build_options,
                          const pm_log *log, pm_error *err);
void pm_source_close(pm_source *source);
const pm_source_info *pm_source_describe(const pm_source *source);

/* What becomes of a kernel's parameters. */
typedef enum { PM_PARAM_SAME, PM_PARAM_PART, PM_PARAM_COUNT } pm_param_kind;
typedef struct {
    pm_param_kind kind;
    size_t argument; /* SAME: which of the old ones; PART, COUNT: the array of structs */
    size_t part;     /* PART */
} pm_param_map;
typedef struct {
    char *name;
    size_t count;
    pm_param_map *params; /* in the order of the new kernel's parameters; COUNT is a ulong */
} pm_kernel_map;

typedef struct {
    char *text;
    size_t kernel_count; /* as in the description, in the same order */
    pm_kernel_map *kernels;
    size_t edits; /* places of the source that changed */
    /* The wide accesses that were made of several: reads and writes of parts as a whole. */
    size_t wide_loads, wide_stores;
} pm_rewritten;

/* The source with plans[s] for struct s of the description (NULL: unchanged); one plan for all
 * kernels. What cannot be kept right is PM_BAD_INPUT with path:line and the reason. */
pm_status pm_source_rewrite(pm_source *source, const pm_plan *const *plans, pm_rewritten *out,
                            pm_error *err);
/* The source with arrays staged in local memory. What is asked for by name and cannot be done is
 * PM_BAD_INPUT with path:line and the reason; so is an automatic choice that finds nothing. */
pm_status pm_source_share(pm_source *source, const pm_share_request *request, pm_shared *out,
                          pm_error *err);
void pm_rewritten_free(pm_rewritten *rewritten); /* what it owns, not itself */

#endif

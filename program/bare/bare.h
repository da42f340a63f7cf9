/* A bare source: a source file without a workload file. The steps from the source to a workload
 * file's text. See bare.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A string whose comment says "an expression" is an expression of workload files
 * (docs/workloads.md).
 */
#ifndef PM_PROGRAM_BARE_BARE_H
#define PM_PROGRAM_BARE_BARE_H

#include "base/memory.h"
#include "collector/executor.h"
#include "collector/worker/source.h"
#include "program/reach.h"
#include "program/suite/suite.h"
#include "transform/source/launches.h"

/* A parameter of the size, which expressions use by name. */
typedef struct {
    const char *name, *value; /* an integer */
    bool assumed;
} pm_bare_number;

typedef struct {
    const char *name, *type;
    size_t element;             /* bytes per element */
    bool is_known;              /* a workload file can describe its type */
    bool is_opaque;             /* a struct whose fields are unknown; only its bytes are given */
    bool is_integer;            /* its random integers are bounded, because they may be indices */
    bool is_narrow;             /* integers of 1 or 2 bytes */
    const pm_struct *structure; /* NULL: not a struct, or its fields are unknown */
    const char *below;          /* an expression: upper bound of random integers in it */
    const char *count;          /* an expression; NULL: unknown, as large as the work-items need */
    uint64_t trial;             /* number of elements while count is NULL */
    bool count_assumed;
    bool count_unknown; /* in a draft: count is a placeholder that the user must replace */
    bool zeros;         /* the host code fills it with zeros */
    bool decides;       /* branches or addresses depend on its contents */
    bool reads, writes; /* kernels load from it; store to it */
} pm_bare_buffer;

typedef struct {
    const char *name, *kernel;             /* the kernel's name with its template arguments */
    const char *grid, *block;              /* expressions with commas; OpenCL: global, local */
    bool range_assumed, arguments_assumed; /* of grid or block; of any argument */
    const char *shared;                    /* an expression: bytes; NULL: none */
    uint64_t times;                        /* number of consecutive launches, at least 1 */
    const char *trouble; /* message of the error that left buffer sizes unknown; NULL: no error */
    size_t argument_count;
    const char **arguments;
} pm_bare_launch;

/* Plan of a workload: numbers, buffers and launches from which the text of the workload file is
 * written. While sizes of buffers are searched, a plan has the launches of one kernel. The final
 * plan has the launches of all kernels. */
typedef struct {
    size_t number_count, buffer_count, launch_count, said_count;
    pm_bare_number *numbers;
    pm_bare_buffer *buffers;
    pm_bare_launch *launches;
    const char **said; /* assumptions that are not marked elsewhere, such as "a = 1" */
} pm_bare_plan;

typedef struct {
    pm_session *session;
    const char *path;
    const pm_launch_options *options;
    bool cannot_load; /* the last plan did not compile, so trying other sizes is useless */
    bool is_draft;    /* unknown sizes are marked in the text for the user to fill in */
    pm_memory memory;
    bool is_cuda;
    const char *host_text;   /* host code; NULL: not read */
    const char *source_path; /* of the kernels' source: `path`, or a .cl file of host code in C */
    const char
        *source_name; /* of such a .cl file, as seen from the host code; NULL: there is none */
    const char *build_options; /* NULL: none are given */
    pm_workload *workload;     /* has the text that `source` describes */
    pm_source *source;
    const pm_source_info *info;
    const char *const *wanted; /* names of the kernels to launch, with their template arguments */
    size_t wanted_count;
    const pm_source_kernel **kernels;     /* the kernels of `wanted`, in its order */
    pm_source_launches host;              /* launches of the host code, in the order of `wanted` */
    const char *const *program_arguments; /* of the command that runs it; NULL: not known */
    const char *const **more_arguments;   /* of the makefile's next commands, NULL-terminated */
    bool is_hopeless;                     /* with these arguments no launch can be traced */
    const char *arguments_from;           /* name of the makefile that they are in */
    uint64_t most_assumed; /* largest number to assume for a size of the host code; 0: any */
    double work;      /* blocks that counting all launches once takes, for the last plan that ran */
    bool may_shrink;  /* smaller numbers may be assumed if work-groups exceed step_limit */
    bool is_too_long; /* work-groups exceed step_limit with the assumed numbers */
    const char **left_out; /* notices about kernels and launches that are left out */
    size_t left_out_count;
    pm_executor *engine;              /* runs work-groups; NULL: not opened yet */
    double step_limit;                /* limit on basic blocks per warp of `engine` */
    bool *used_arguments, *used_sets; /* per option: some kernel uses it */
    pm_bare_plan plan;
} pm_bare;

#define pm_bare_fault(b, ...) pm_leave(&(b)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- options.c: the session's launch options */

const pm_launch_options *pm_bare_options(const pm_session *session);
/* Returns VALUE of the item "NAME=VALUE" in a NULL-terminated list; NULL: no item has this name.
 * *index becomes the item's index; index may be NULL. */
const char *pm_bare_said(const char *const *list, const char *name, size_t *index);
/* Returns the item of a list that applies to kernel number `kernel`. The list has one item for all
 * kernels, or one item per kernel. NULL: the list is empty. */
const char *pm_bare_for(const char *const *list, size_t kernel);

/* ---- bare.c: numbers of a plan */

/* Returns the number with the name; NULL: there is none. */
const pm_bare_number *pm_bare_find_number(const pm_bare_plan *plan, const char *name);
/* Adds the number, unless one with its name exists. */
void pm_bare_add_number(pm_memory *memory, pm_bare_plan *plan, pm_bare_number number);

/* ---- describe.c: the source and its kernels */

/* pm_bare_read_text reads the source's text. pm_bare_describe then fills in the members of b that
 * describe the source. */
void pm_bare_read_text(pm_bare *b);
void pm_bare_describe(pm_bare *b);

/* ---- flags.c: compiler options from makefiles, folders of headers */

/* Adds options from the makefile in a CUDA source's folder, and folders with its headers, to the
 * build options. The text of the source must have been read. */
void pm_bare_find_options(pm_bare *b);

/* ---- command.c: the command that runs the program */

/* Sets b->program_arguments and the members behind it if the makefile in a CUDA source's folder
 * runs the program. */
void pm_bare_find_arguments(pm_bare *b);

/* ---- host.c: launches of host code */

/* Reads the launches of the host code and sets `wanted` to their kernels. Returns false if the host
 * code launches no kernel that the options ask for. */
bool pm_bare_read_host(pm_bare *b);
/* Makes the plan from these launches. Returns false if b->is_too_long or
 * b->is_hopeless. */
bool pm_bare_launch_as_host(pm_bare *b);
/* Returns whether an assumed number may determine sizes of buffers and is larger than `than`. */
bool pm_bare_assumes_size(const pm_bare *b, uint64_t than);
/* Keeps the launches of the kernels that the options ask for, and sets `wanted` to their kernels.
 */
void pm_bare_choose_launches(pm_bare *b);
/* Returns the name of a number of the plan with the value `value`. If there is none, returns the
 * value in decimal digits. */
const char *pm_bare_say_number(pm_bare *b, unsigned long long value);

/* ---- opencl.c: host code of OpenCL */

/* Reads the host code in C or C++, and finds the source of its kernels. */
void pm_bare_read_opencl(pm_bare *b);

/* ---- opencl_launch.c: sizes and arguments of OpenCL's launches */

/* Fills in global and local size of a launch of OpenCL host code. */
void pm_bare_say_opencl_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                               pm_bare_launch *launch);
/* Returns a value of the host code with the type of the kernel's parameter. */
const char *pm_bare_opencl_value(pm_bare *b, const char *value, const pm_source_param *param);

/* ---- keep.c: selects the launches of the host code that can be traced */

/* Finds sizes for the buffers of the plan that have none. Launches that cannot be traced are left
 * out, each with a notice. Leaves b->memory if none is left. If b->may_shrink, it may set
 * b->is_too_long and find no sizes, and if there are program arguments, b->is_hopeless. */
void pm_bare_find_sizes(pm_bare *b);

/* ---- repeats.c: reduces how often launches are repeated */

/* Divides the repeats of the plan's launches, so that all together have at most about 100. Each
 * launch stays at least once. Returns the divisor. */
uint64_t pm_bare_limit_repeats(pm_bare *b);
/* Divides the repeats again if counting them would take too long by b->work, and states the product
 * of this divisor and of `share`, the divisor of pm_bare_limit_repeats(). Call it after
 * pm_bare_find_sizes(). */
void pm_bare_limit_work(pm_bare *b, uint64_t share);

/* ---- words.c: guesses from types and names of parameters */

/* Returns whether the type is an integer type, as libclang's description spells it. */
bool pm_bare_is_integer(const char *type);
/* Returns whether a parameter is an integer that gives the problem's size in some dimension. */
bool pm_bare_is_extent(const pm_source_param *param);
/* Returns whether the name suggests the second dimension (height, rows). */
bool pm_bare_looks_vertical(const char *name);

/* ---- assume.c: launches from options and assumptions */

/* A guess of the problem size and the work-group. */
typedef struct {
    uint64_t side; /* problem size in each dimension */
    size_t group;  /* index among the usual work-groups */
} pm_bare_guess;

/* Makes the plan of one kernel. `total` is the plan of earlier kernels; names that it uses are not
 * reused for other things. Returns false if there is no work-group with the guess's index. */
bool pm_bare_guess_launch(pm_bare *b, size_t kernel, const pm_bare_plan *total,
                          const pm_bare_guess *guess, pm_bare_plan *plan);
/* pm_bare_describe_type fills in the members that depend on the type's name, which is set.
 * pm_bare_describe_element takes the type from a kernel's parameter. */
void pm_bare_describe_type(const pm_bare *b, pm_bare_buffer *buffer);
void pm_bare_describe_element(const pm_bare *b, const pm_source_param *param,
                              pm_bare_buffer *buffer);
/* Reads X, X,Y or X,Y,Z. Missing dimensions are 1. */
void pm_bare_read_range(const char *text, uint64_t range[3]);
/* Returns the number of dimensions of a kernel's launch. */
size_t pm_bare_dimensions(const pm_bare *b, size_t kernel);

/* ---- reach.c: sizes of buffers */

/* Returns a number of elements as an expression of the plan's numbers. exact: the expression has
 * exactly that value; else it may be larger by a border of 1/16. Returns the number as text if no
 * expression fits. */
const char *pm_bare_say_count(pm_bare *b, const pm_bare_plan *plan, uint64_t elements, bool exact);
/* Finds counts for the buffers of a plan that have none, by running some work-groups. Returns
 * PM_BAD_INPUT if the work-groups cannot run, for example because a buffer would be too large. */
pm_status pm_bare_reach(pm_bare *b, pm_bare_plan *plan, pm_error *err);

/* ---- write.c: the text of the workload file and the assumptions */

/* Returns the text of the workload file, which the caller frees. `source` is the path of the source
 * that is written into it. NULL: out of memory. */
char *pm_bare_write(const pm_bare *b, const pm_bare_plan *plan, const char *source, bool comments);
/* Returns whether a buffer starts with random contents. It does unless the host code fills it with
 * zeros, it is opaque, or kernels only write it. */
bool pm_bare_is_random(const pm_bare_buffer *buffer);
/* Returns whether the buffer's contents are random and contain integers, which are bounded by
 * `below`. */
bool pm_bare_has_bound(const pm_bare_buffer *buffer);
/* Returns the list of assumptions, NULL-terminated. */
const char *const *pm_bare_assumed(pm_bare *b, const pm_bare_plan *plan);

#endif

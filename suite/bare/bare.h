/* A bare source: what becomes of it on the way to a workload file. See bare.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that start as "an expression" are those of a workload file (docs/workloads.md).
 */
#ifndef PM_SUITE_BARE_BARE_H
#define PM_SUITE_BARE_BARE_H

#include "base/memory.h"
#include "collector/executor.h"
#include "program/reach.h"
#include "source/launches.h"
#include "suite/suite.h"
#include "worker/source.h"

/* A parameter of the size: a name that expressions use. */
typedef struct {
    const char *name, *value; /* an integer */
    bool assumed;
} pm_bare_number;

typedef struct {
    const char *name, *type;
    size_t element;             /* bytes of an element */
    bool is_known;              /* its type is one that a workload file describes */
    bool is_opaque;             /* a struct that nobody can describe: its bytes are said */
    bool is_integer;            /* of 4 or 8 bytes, so that it may hold indices */
    const pm_struct *structure; /* NULL: none that can be described */
    const char *below;          /* an expression: integers in it are below that */
    const char *count;          /* an expression; NULL: as many as the work-items need */
    uint64_t trial;             /* elements, as long as count is NULL */
    bool count_assumed;
    bool count_unknown; /* of a draft: count is anything */
    bool zeros;         /* by the host code */
    bool decides;       /* branches or addresses depend on what it holds */
    bool reads, writes; /* kernels load from it, or store to it */
} pm_bare_buffer;

typedef struct {
    const char *name, *kernel;             /* the kernel with its template arguments */
    const char *grid, *block;              /* expressions with commas; of OpenCL global and local */
    bool range_assumed, arguments_assumed; /* some of the arguments */
    const char *shared;                    /* an expression; NULL: none */
    uint64_t times;
    const char *trouble; /* why sizes of its buffers are not known; NULL: they are */
    size_t argument_count;
    const char **arguments;
} pm_bare_launch;

/* A workload: of one kernel while its sizes are looked for, then of all. */
typedef struct {
    size_t number_count, buffer_count, launch_count, said_count;
    pm_bare_number *numbers;
    pm_bare_buffer *buffers;
    pm_bare_launch *launches;
    const char **said; /* assumptions that nothing else says, such as "a = 1" */
} pm_bare_plan;

typedef struct {
    pm_session *session;
    const char *path;
    const pm_launch_options *options;
    bool cannot_load; /* the last plan could not even be compiled: no other sizes help */
    bool is_draft;    /* what cannot be found out is marked, for a person to fill in */
    pm_memory memory;
    bool is_cuda;
    const char *build_options; /* NULL: none are said */
    pm_workload *workload;     /* with the text that `source` describes */
    pm_source *source;
    const pm_source_info *info;
    const char *const *wanted; /* kernels with their template arguments */
    size_t wanted_count;
    const pm_source_kernel **kernels; /* of wanted */
    pm_source_launches host;          /* what its host code launches; the same order as wanted */
    pm_executor *engine;              /* that runs work-groups; NULL: not opened yet */
    bool *used_arguments, *used_sets; /* by option: some kernel has taken it */
    pm_bare_plan plan;
} pm_bare;

#define pm_bare_fault(b, ...) pm_leave(&(b)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- options.c: what the session's launch options say */

const pm_launch_options *pm_bare_options(const pm_session *session);
/* The text behind NAME= in a list; NULL: it has none. index (may be NULL) is its place. */
const char *pm_bare_said(const char *const *list, const char *name, size_t *index);
/* The text of a list with one for all kernels, or one for each; NULL: it says nothing. */
const char *pm_bare_for(const char *const *list, size_t kernel);

/* ---- bare.c: numbers of a plan */

/* The number of that name; NULL: there is none. */
const pm_bare_number *pm_bare_find_number(const pm_bare_plan *plan, const char *name);
/* Adds the number, unless there is one of its name. */
void pm_bare_add_number(pm_memory *memory, pm_bare_plan *plan, pm_bare_number number);

/* ---- describe.c: the source and its kernels */

/* Reads the text; then fills in all of b that is of the source. */
void pm_bare_read_text(pm_bare *b);
void pm_bare_describe(pm_bare *b);

/* ---- flags.c: options of makefiles, folders of headers */

/* Adds options from the makefile beside a CUDA source, and folders with its headers, to the
 * build options. The text of the source must have been read. */
void pm_bare_find_options(pm_bare *b);

/* ---- host.c: launches of host code */

/* Reads them; what is wanted is then theirs. false: it launches no kernel that is wanted. */
bool pm_bare_read_host(pm_bare *b);
/* Makes the plan of them. */
void pm_bare_launch_as_host(pm_bare *b);
/* The name of the plan's number of that value, else the value. */
const char *pm_bare_say_number(pm_bare *b, unsigned long long value);

/* ---- keep.c: which of the host code's launches can be traced */

/* Finds sizes for the buffers of the plan that have none. Launches that cannot be traced are left
 * out, each with a notice. Leaves b->memory if none is left. */
void pm_bare_find_sizes(pm_bare *b);

/* ---- words.c: what names tell */

/* Whether a type is an integer's, as the description spells it. */
bool pm_bare_is_integer(const char *type);
/* Whether a parameter is an integer that says how large the problem is. */
bool pm_bare_is_extent(const pm_source_param *param);
/* Whether it does so for the second dimension. */
bool pm_bare_looks_vertical(const char *name);

/* ---- assume.c: a launch by options and assumptions */

/* A guess: how large a problem, and which work-group. */
typedef struct {
    uint64_t side; /* of each dimension */
    size_t group;  /* which of the usual groups */
} pm_bare_guess;

/* Makes the plan of one kernel alone. total is what earlier kernels became, whose names it does not
 * use for other things. false: there is no such group. */
bool pm_bare_guess_launch(pm_bare *b, size_t kernel, const pm_bare_plan *total,
                          const pm_bare_guess *guess, pm_bare_plan *plan);
/* Fills in what is of the type of a buffer: by the name that it has, or by a kernel's parameter. */
void pm_bare_describe_type(const pm_bare *b, pm_bare_buffer *buffer);
void pm_bare_describe_element(const pm_bare *b, const pm_source_param *param,
                              pm_bare_buffer *buffer);
/* Reads X, X,Y or X,Y,Z, with 1 for what is not said. */
void pm_bare_read_range(const char *text, uint64_t range[3]);
/* Dimensions of a kernel's launch. */
size_t pm_bare_dimensions(const pm_bare *b, size_t kernel);

/* ---- reach.c: sizes of buffers */

/* Elements as an expression of the plan's numbers; exact: else of those that they are about, but
 * for a border. */
const char *pm_bare_say_count(pm_bare *b, const pm_bare_plan *plan, uint64_t elements, bool exact);
/* Finds counts for the buffers of a plan that have none, by running some work-groups. PM_BAD_INPUT
 * if they cannot be run, as where a buffer would be too large. */
pm_status pm_bare_reach(pm_bare *b, pm_bare_plan *plan, pm_error *err);

/* ---- write.c: texts */

/* The workload file, to be freed; source is its path as the file says it. NULL: out of memory. */
char *pm_bare_write(const pm_bare *b, const pm_bare_plan *plan, const char *source, bool comments);
/* Returns whether a buffer starts with random contents. It does unless it is zero by the host
 * code, opaque, or only written by kernels. */
bool pm_bare_is_random(const pm_bare_buffer *buffer);
/* Returns whether its contents are random and have integers, which are below `below`. */
bool pm_bare_has_bound(const pm_bare_buffer *buffer);
/* What was assumed, NULL-terminated. */
const char *const *pm_bare_assumed(pm_bare *b, const pm_bare_plan *plan);

#endif

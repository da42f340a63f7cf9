/* A bare source: a source file without a workload file. Declares the steps that make the text of a
 * workload file from it. See bare.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A string whose comment says "expression" is an expression of workload files (docs/workloads.md).
 */
#ifndef PM_PROGRAM_BARE_BARE_H
#define PM_PROGRAM_BARE_BARE_H

#include "base/memory.h"
#include "collector/executor.h"
#include "collector/worker/source.h"
#include "program/reach.h"
#include "program/suite/suite.h"
#include "transform/source/launches.h"

/* A number on which the problem size depends. Expressions in the workload file use it by name. */
typedef struct {
    const char *name, *value; /* an integer */
    bool assumed;
} pm_bare_number;

/* Contents that are assumed for integers, which may be indices or numbers of iterations. `below` is
 * the upper bound in pm_bare_buffer. */
typedef enum {
    PM_BARE_RANDOM,    /* random below `below` */
    PM_BARE_POSITIONS, /* element i is i modulo `below`: valid as row pointers and as a permutation
                        */
    PM_BARE_ONES,
    PM_BARE_ZEROS
} pm_bare_integers;

typedef struct {
    const char *name, *type;
    size_t element; /* bytes per element */
    bool is_known;  /* true: a workload file can describe the element type */
    /* true: the element type is a struct whose fields are unknown; only its size is given */
    bool is_opaque;
    /* true: elements are integers, whose random values get an upper bound, because a kernel may use
     * them as indices */
    bool is_integer;
    bool is_pointer; /* true: elements are pointers */
    bool is_narrow;  /* true: elements are integers of 1 or 2 bytes */
    /* struct of the elements; NULL: they are no structs, or the struct's fields are unknown */
    const pm_struct *structure;
    const char *below; /* expression: upper bound of the random integers in the buffer */
    pm_bare_integers integers;
    /* expression: number of elements; NULL: unknown, and will be as large as the work-items need */
    const char *count;
    uint64_t trial; /* number of elements to try while count is NULL */
    bool count_assumed;
    /* true: the workload file is a draft, and `count` is a placeholder that the user must
     * replace */
    bool count_unknown;
    bool zeros; /* true: the host code fills the buffer with zeros */
    /* true: branches or addresses of a kernel depend on the buffer's contents */
    bool decides;
    /* lines of the host code's contents (pm_launch_buffer); NULL or "": none */
    const char *pointers, *fields;
    /* the host code's contents, such as "list 1, 2"; NULL or "": none */
    const char *contents;
    const char *symbol; /* name of the variable whose memory the buffer is; NULL or "": none */
    bool reads, writes; /* reads: kernels load from the buffer; writes: kernels store to it */
} pm_bare_buffer;

typedef struct {
    /* kernel: name of the kernel with its template arguments */
    const char *name, *kernel;
    /* expressions separated by commas; in OpenCL: grid is the global size, block the local size */
    const char *grid, *block;
    /* range_assumed: true if the grid or block was assumed, and not given by host code or options.
     * arguments_assumed: true if an argument was assumed. */
    bool range_assumed, arguments_assumed;
    /* expression: bytes of dynamic shared memory; NULL: none */
    const char *shared;
    uint64_t times; /* number of consecutive launches, at least 1 */
    /* error message of a launch that failed, because of which the sizes of buffers are unknown;
     * NULL: no error */
    const char *trouble;
    size_t argument_count;
    const char **arguments;
} pm_bare_launch;

/* A planned workload, for a source without a workload file: numbers, buffers and launches, from
 * which the text of a workload file is written. While buffer sizes are searched, a plan has the
 * launches of one kernel. The final plan has the launches of all kernels. */
typedef struct {
    size_t number_count, buffer_count, launch_count, said_count;
    pm_bare_number *numbers;
    pm_bare_buffer *buffers;
    pm_bare_launch *launches;
    /* assumptions for which no member of a number, buffer or launch exists, such as "a = 1" */
    const char **said;
} pm_bare_plan;

typedef struct {
    pm_session *session;
    const char *path;
    const pm_launch_options *options;
    /* true: the kernels of the latest plan did not compile, so trying other sizes is useless */
    bool cannot_load;
    /* true: write unknown sizes as placeholders into the workload file, for the user to fill in
     * (perfmodel init) */
    bool is_draft;
    pm_memory memory;
    bool is_cuda;
    /* true: some kernel is described by PTX, because clang refuses it */
    bool is_by_nvidia;
    bool has_blocks;       /* true: launches give blocks and threads, as in CUDA and PTX */
    const char *host_text; /* host code; NULL: not read */
    /* path of the file with the kernels: equal to `path`, or a .cl file that the OpenCL host code
     * in `path` loads */
    const char *source_path;
    const char *source_name; /* path of the .cl file relative to the host code; NULL: `path` has the
                                kernels */
    const char *build_options; /* NULL: none are given */
    pm_workload *workload;     /* workload with the source text that `source` describes */
    pm_source *source;         /* NULL: it is described by PTX */
    const pm_source_info *info;
    pm_source_info ptx; /* description by the PTX of NVIDIA's compiler */
    /* names of the kernels to launch, with their template arguments; NULL-terminated */
    const char *const *wanted;
    size_t wanted_count;
    /* descriptions of the kernels in `wanted`, in the same order */
    const pm_source_kernel **kernels;
    /* launches of the host code; launch i starts kernel wanted[i] */
    pm_source_launches host;
    /* arguments of the command in the makefile that runs the program; NULL: unknown */
    const char *const *program_arguments;
    /* arguments of the further commands in the makefile, NULL-terminated */
    const char *const **more_arguments;
    /* true: with the present arguments of the program, no launch of the host code can be traced */
    bool is_hopeless;
    const char *arguments_from; /* name of the makefile that contains the arguments */
    /* upper limit on values that are assumed for unknown sizes in the host code; 0: no limit */
    uint64_t most_assumed;
    /* number of basic blocks that the trace engine would execute to count all launches of the
     * latest plan once */
    double work;
    /* true: if work-groups exceed step_limit, they may be run again with smaller assumed values */
    bool may_shrink;
    /* true: with the values that were assumed, a work-group executed more basic blocks than
     * step_limit */
    bool is_too_long;
    const char **left_out; /* notices about kernels and launches that were left out */
    size_t left_out_count;
    pm_executor *engine; /* trace engine that runs work-groups; NULL: not opened yet */
    /* limit of `engine` on the basic blocks that a warp executes */
    double step_limit;
    /* used_arguments[i], used_sets[i]: true if the i-th --arg or --set was used for some kernel */
    bool *used_arguments, *used_sets;
    pm_bare_plan plan;
} pm_bare;

#define pm_bare_fault(b, ...) pm_leave(&(b)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- options.c: the session's launch options ---- */

const pm_launch_options *pm_bare_options(const pm_session *session);
/* Finds the item "NAME=VALUE" with this name in a NULL-terminated list. Returns VALUE; NULL: no
 * item has the name. *index becomes the item's index; index may be NULL. */
const char *pm_bare_said(const char *const *list, const char *name, size_t *index);
/* Returns the item of a launch option, such as --grid, that applies to kernel number `kernel`. The
 * list of the option's items has one item for all kernels, or one item per kernel. NULL: the list
 * is empty. */
const char *pm_bare_for(const char *const *list, size_t kernel);

/* ---- bare.c: numbers of a plan */

/* Returns the number with this name, such as the problem size n, of a planned workload. NULL: it
 * has no number with this name. */
const pm_bare_number *pm_bare_find_number(const pm_bare_plan *plan, const char *name);
/* Adds a named number, such as the problem size n, to a planned workload, unless it already has a
 * number with this name. */
void pm_bare_add_number(pm_memory *memory, pm_bare_plan *plan, pm_bare_number number);

/* ---- describe.c: the source and its kernels */

/* pm_bare_read_text reads the source's text. pm_bare_describe then fills in the members of b that
 * describe the source. */
void pm_bare_read_text(pm_bare *b);
void pm_bare_describe(pm_bare *b);

/* ---- cut_kernels.c: kernels that do not compile */

/* Names each kernel that is in the source's text, but not in its description, because it does not
 * compile. The source must have been described. */
void pm_bare_tell_cut(pm_bare *b);

/* ---- flags.c: compiler options from makefiles, folders of headers */

/* Adds compiler options to the build options: those in the makefile in a CUDA source's folder, and
 * -I for folders with headers that the source includes. The source text must have been read. */
void pm_bare_find_options(pm_bare *b);

/* ---- elsewhere.c: definitions in other files */

/* Adds -include for files that define functions and variables for the GPU which the CUDA source
 * declares and uses, but does not define. The source text must have been read. */
void pm_bare_find_definitions(pm_bare *b);

/* ---- command.c: the command that runs the program */

/* Sets b->program_arguments, more_arguments and arguments_from, if the makefile in a CUDA source's
 * folder has a command that runs the program. */
void pm_bare_find_arguments(pm_bare *b);

/* ---- host.c: launches of host code */

/* Finds the kernel launches of the host code, and sets b->wanted to the launched kernels. Returns
 * false if the host code launches no kernel, or none that the option --kernel names. */
bool pm_bare_read_host(pm_bare *b);
/* Makes b->plan from the launches of the host code. Returns false with b->is_too_long or
 * b->is_hopeless set if it should be tried again with other assumed values or program arguments. */
bool pm_bare_launch_as_host(pm_bare *b);
/* Returns whether perfmodel assumed a value above `than` for an unknown number of the host code on
 * which buffer sizes may depend. */
bool pm_bare_assumes_size(const pm_bare *b, uint64_t than);
/* Removes launches of kernels that the option --kernel does not name. Sets b->wanted to the kernels
 * of the remaining launches. */
void pm_bare_choose_launches(pm_bare *b);
/* Returns an expression for a value: the name of a number of b->plan that has this value, or else
 * decimal digits. */
const char *pm_bare_say_number(pm_bare *b, unsigned long long value);

/* ---- opencl.c: host code of OpenCL */

/* Reads OpenCL host code in C or C++, and finds the source of its kernels. */
void pm_bare_read_opencl(pm_bare *b);

/* ---- opencl_launch.c: sizes and arguments of launches in OpenCL host code ---- */

/* Sets global and local size of launch l of OpenCL host code. */
void pm_bare_say_opencl_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                               pm_bare_launch *launch);
/* Converts a value in the host code to the type of the kernel's parameter. Returns it as text. */
const char *pm_bare_opencl_value(pm_bare *b, const char *value, const pm_source_param *param);

/* ---- keep.c: selects the launches of the host code that can be traced */

/* Finds the number of elements of each buffer of b->plan that has none yet, by running work-groups.
 * Leaves out launches that cannot be traced, with notices. If no launch remains, raises an error
 * (pm_attempt of b->memory), with two exceptions. If b->may_shrink and work-groups ran too long, it
 * only sets b->is_too_long. If other program arguments can be tried, it only sets
 * b->is_hopeless. */
void pm_bare_find_sizes(pm_bare *b);

/* ---- apart.c: independent launches */

/* Gives each launch of the plan copies of the buffers that earlier launches use, so that it does
 * not depend on their results. Returns false if there is no such buffer, or if there would be too
 * many buffers. */
bool pm_bare_set_apart(pm_bare *b, pm_bare_plan *plan);

/* ---- repeats.c: reduces how often launches are repeated */

/* Benchmarks repeat launches to measure them. Divides the numbers of repeats of the plan's launches
 * by a common divisor, so that their sum is at most about 100. Each launch is made at least once.
 * Returns the divisor. */
uint64_t pm_bare_limit_repeats(pm_bare *b);
/* Divides the numbers of repeats again if counting the launches would take too long by the estimate
 * b->work. Adds an assumption that tells the user the total divisor, which is this divisor times
 * `share`, the divisor of pm_bare_limit_repeats(). Call it after pm_bare_find_sizes(). */
void pm_bare_limit_work(pm_bare *b, uint64_t share);

/* ---- words.c: guesses from types and names of parameters */

/* Returns whether the type is an integer type, as libclang's description spells it. */
bool pm_bare_is_integer(const char *type);
/* Returns whether a parameter is an integer that is probably the problem size in some dimension. */
bool pm_bare_is_extent(const pm_source_param *param);
/* Returns whether the name suggests the second dimension (height, rows). */
bool pm_bare_looks_vertical(const char *name);

/* ---- assume.c: launches from options and assumptions */

/* A problem size and a work-group to try, for a kernel that no host code launches. */
typedef struct {
    uint64_t side; /* problem size in each dimension */
    size_t group;  /* index in the list of typical work-groups */
} pm_bare_guess;

/* Plans a launch of one kernel with the guessed sizes. `total` is the planned workload of the
 * kernels before; the names of its numbers and buffers are not used again for other things. Returns
 * false if the guess is past the last possible work-group. */
bool pm_bare_guess_launch(pm_bare *b, size_t kernel, const pm_bare_plan *total,
                          const pm_bare_guess *guess, pm_bare_plan *plan);
/* pm_bare_describe_type sets the members of a buffer that follow from the name of its element type,
 * which must be set. pm_bare_describe_element first sets this name to the type of a kernel's
 * parameter. */
void pm_bare_describe_type(const pm_bare *b, pm_bare_buffer *buffer);
void pm_bare_describe_element(const pm_bare *b, const pm_source_param *param,
                              pm_bare_buffer *buffer);
/* Reads a range: "X", "X,Y" or "X,Y,Z". Missing dimensions are 1. */
void pm_bare_read_range(const char *text, uint64_t range[3]);
/* Returns the number of dimensions of a kernel's launch. */
size_t pm_bare_dimensions(const pm_bare *b, size_t kernel);

/* Leaves out all launches of a kernel that the host code makes. describe.c */
void pm_bare_drop_kernel(pm_bare *b, const char *kernel);

/* ---- by_nvidia.c: kernels that clang refuses */

/* Adds what the PTX of NVIDIA's compiler says of kernels whose statements clang refuses: which
 * parameters they read and write. Call it after the source was described. */
void pm_bare_add_facts(pm_bare *b);
/* Describes all wanted kernels, or all of the source if none is wanted, by PTX alone, because
 * libclang cannot describe the source. Returns false if this machine has no such compiler, or if it
 * refuses the source, too. */
bool pm_bare_describe_by_nvidia(pm_bare *b);

/* ---- reach.c: sizes of buffers */

/* Returns a number of elements as an expression of the named numbers in `plan`, such as n * n. If
 * `exact`, the expression has exactly this value. Otherwise its value may be larger by up to 1/16.
 * Returns decimal digits if no expression has such a value. */
const char *pm_bare_say_count(pm_bare *b, const pm_bare_plan *plan, uint64_t elements, bool exact);
/* Finds the number of elements of those buffers of a planned workload for which it is unknown. Runs
 * some work-groups, and uses the largest address that they access. Returns PM_BAD_INPUT if they
 * cannot run, for example because a buffer would be too large. */
pm_status pm_bare_reach(pm_bare *b, pm_bare_plan *plan, pm_error *err);

/* ---- write.c: the text of the workload file and the assumptions */

/* Returns the text of the workload file, which the caller frees. `source`: path of the source to
 * write into the text. comments: whether assumptions are written as comments. NULL: out of
 * memory. */
char *pm_bare_write(const pm_bare *b, const pm_bare_plan *plan, const char *source, bool comments);
/* Returns whether a buffer starts with random contents. It does not if the host code fills it with
 * zeros, if the type of its elements is unknown, or if kernels only write to it. */
bool pm_bare_is_random(const pm_bare_buffer *buffer);
/* Returns whether the buffer starts with random integers, which then have the upper bound
 * `below`. */
bool pm_bare_has_bound(const pm_bare_buffer *buffer);
/* Returns the list of assumptions, NULL-terminated. */
const char *const *pm_bare_assumed(pm_bare *b, const pm_bare_plan *plan);

#endif

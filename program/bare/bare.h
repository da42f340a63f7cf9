/* Declares the steps that generate a workload file (description of kernel launches) for a bare
 * source: a source file of kernels for which the user has written none. See bare.c.
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

/* A named number of a generated workload file, such as the problem size n. Expressions in the file
 * use it by name. */
typedef struct {
    const char *name, *value; /* an integer */
    bool assumed;
} pm_bare_number;

/* Contents that are assumed for a buffer of integers, which may be indices or numbers of
 * iterations. PM_BARE_RANDOM: random numbers from 0 to pm_bare_buffer.below - 1. */
typedef enum {
    PM_BARE_RANDOM, /* random below `below` */
    /* element i is i modulo pm_bare_buffer.below: valid as row pointers of a sparse matrix and as a
     * permutation */
    PM_BARE_POSITIONS,
    PM_BARE_ONES,
    PM_BARE_ZEROS
} pm_bare_integers;

typedef struct {
    const char *name, *type;
    size_t element; /* bytes per element */
    bool is_known;  /* true: a workload file can describe the buffer's element type */
    /* true: the element type is a struct whose fields are unknown; only its size is given */
    bool is_opaque;
    /* true: elements are integers of at least 4 bytes. Their random values get an upper bound,
     * because a kernel may use them as indices. */
    bool is_integer;
    bool is_pointer; /* true: elements are pointers */
    bool is_narrow;  /* true: elements are integers of 1 or 2 bytes */
    /* struct that is the element type; NULL: elements are no structs, or the struct's fields are
     * unknown */
    const pm_struct *structure;
    /* Expression: upper bound, itself excluded, of the random integers in the buffer. */
    const char *below;
    pm_bare_integers integers;
    /* Expression: number of elements. NULL: not known yet. It is found by running some work-groups
     * and looking at the addresses that they access. */
    const char *count;
    uint64_t trial; /* number of elements in trial runs, used while `count` is NULL */
    bool count_assumed;
    /* true: the workload file is a draft, and `count` is a placeholder that the user must
     * replace */
    bool count_unknown;
    bool zeros; /* true: the host code fills the buffer with zeros */
    /* true: a kernel's addresses or branches depend on the buffer's contents */
    bool decides;
    /* Lines of the workload file that say where pointers in the buffer point and which values the
     * fields of its structs have, as the host code sets them (pm_launch_buffer). NULL or "":
     * none. */
    const char *pointers, *fields;
    /* Contents that the host code writes to the buffer, as the workload file gives them, such as
     * "list 1, 2". NULL or "": none. */
    const char *contents;
    /* name of the __device__ or __constant__ variable whose memory the buffer is; NULL or "": none
     */
    const char *symbol;
    bool reads, writes; /* reads: kernels load from the buffer; writes: kernels store to it */
} pm_bare_buffer;

typedef struct {
    /* name: name of the launch in the workload file. kernel: name of the kernel with its template
     * arguments. */
    const char *name, *kernel;
    /* grid: number of blocks in each dimension. block: number of threads of a block in each
     * dimension. If the source is OpenCL, they are the global and the local size instead. Each is a
     * list of expressions, separated by commas. */
    const char *grid, *block;
    /* range_assumed: true if the grid or block was assumed, and not given by host code or options.
     * arguments_assumed: true if an argument was assumed. */
    bool range_assumed, arguments_assumed;
    /* Expression: dynamic shared memory in bytes. NULL: none. */
    const char *shared;
    uint64_t times; /* number of times that the launch is made one after the other, at least 1 */
    /* Error message of a failed trial run of this launch. Because the run failed, the sizes of the
     * launch's buffers are unknown. NULL: no error. */
    const char *trouble;
    size_t argument_count;
    const char **arguments;
} pm_bare_launch;

/* A workload that is being put together: the named numbers, buffers and launches from which the
 * text of a workload file is written, for a source without one. It has the launches of one
 * kernel while buffer sizes are searched, and of all kernels at the end. */
typedef struct {
    size_t number_count, buffer_count, launch_count, said_count;
    pm_bare_number *numbers;
    pm_bare_buffer *buffers;
    pm_bare_launch *launches;
    /* assumptions about anything else than a number, buffer or launch, for example about the
     * program's command-line arguments */
    const char **said;
} pm_bare_plan;

typedef struct {
    pm_session *session;
    const char *path;
    const pm_launch_options *options;
    /* true: the kernels of the latest planned workload did not compile, so it is useless to try
     * other problem sizes */
    bool cannot_load;
    /* true: the user runs `perfmodel init`. Unknown sizes are written as placeholders into the
     * workload file, and the user fills them in. */
    bool is_draft;
    pm_memory memory;
    bool is_cuda;
    /* true: clang refuses some kernel, which is therefore described by PTX from NVIDIA's compiler
     */
    bool is_by_nvidia;
    /* true: launches give numbers of blocks and threads, as in CUDA and PTX, and not the global
     * size as in OpenCL */
    bool has_blocks;
    const char *host_text; /* host code; NULL: not read */
    /* path of the file with the kernels: equal to `path`, or a .cl file that the OpenCL host code
     * in `path` loads */
    const char *source_path;
    /* path of the .cl file relative to the host code's folder; NULL: the kernels are in `path` */
    const char *source_name;
    const char *build_options; /* NULL: none are given */
    /* workload with the text of the source, which `source` or `ptx` describes */
    pm_workload *workload;
    /* libclang's description of the source; NULL: the source is described by PTX */
    pm_source *source;
    const pm_source_info *info;
    pm_source_info ptx; /* description of the source by the PTX of NVIDIA's compiler */
    /* Names of the wanted_count kernels to launch, with their template arguments, NULL-terminated.
     */
    const char *const *wanted;
    size_t wanted_count;
    /* descriptions of the kernels in `wanted`, in the same order */
    const pm_source_kernel **kernels;
    /* the kernel launches of the host code; launch i starts the kernel wanted[i] */
    pm_source_launches host;
    /* Arguments of the program in the makefile's command that runs it. NULL: unknown. */
    const char *const *program_arguments;
    /* Arguments in the further commands of the makefile that run the program, NULL-terminated. They
     * are tried if the first arguments fail. */
    const char *const **more_arguments;
    /* true: no launch of the host code can be traced if the program has the arguments in
     * program_arguments */
    bool is_hopeless;
    const char *arguments_from; /* name of the makefile that contains the arguments */
    /* Upper limit on values that are assumed for unknown numbers in the host code on which sizes
     * depend. 0: no limit. */
    uint64_t most_assumed;
    /* Upper limit on values that are assumed for unknown numbers of the host code. Only numbers
     * from which the host code computes sizes are limited. 0: no limit. */
    double work;
    /* true: if work-groups execute more than step_limit basic blocks, the caller may try smaller
     * assumed values */
    bool may_shrink;
    /* true: a work-group executed more than step_limit basic blocks, so that smaller values should
     * be assumed */
    bool is_too_long;
    const char **left_out; /* messages for the user about kernels and launches that were left out */
    size_t left_out_count;
    pm_executor *engine; /* trace engine that runs work-groups; NULL: not opened yet */
    /* largest number of basic blocks that a warp may execute in `engine` */
    double step_limit;
    /* used_arguments[i], used_sets[i]: true if the value of the i-th option --arg or --set was used
     * for some kernel */
    bool *used_arguments, *used_sets;
    pm_bare_plan plan;
} pm_bare;

#define pm_bare_fault(b, ...) pm_leave(&(b)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- options.c: the session's launch options ---- */

const pm_launch_options *pm_bare_options(const pm_session *session);
/* Finds the item "NAME=VALUE" with this name in a NULL-terminated list of option values. Returns
 * VALUE. NULL: no item has the name. *index becomes the item's index; index may be NULL. */
const char *pm_bare_said(const char *const *list, const char *name, size_t *index);
/* Returns the value of an option, such as --grid, that applies to kernel number `kernel`. The list
 * has one value for all kernels, or one per kernel. NULL: the list is empty. */
const char *pm_bare_for(const char *const *list, size_t kernel);

/* ---- bare.c: numbers of a plan */

/* Returns the number with this name, such as the problem size n, of a generated workload. NULL: it
 * has no such number. */
const pm_bare_number *pm_bare_find_number(const pm_bare_plan *plan, const char *name);
/* Adds a named number, such as the problem size n, to a generated workload, unless it already has a
 * number with this name. */
void pm_bare_add_number(pm_memory *memory, pm_bare_plan *plan, pm_bare_number number);

/* ---- describe.c: the source and its kernels */

/* pm_bare_read_text reads the text of the source b->path. pm_bare_describe then sets the members of
 * b that describe the source, such as its kernels and their parameters. */
void pm_bare_read_text(pm_bare *b);
void pm_bare_describe(pm_bare *b);

/* ---- cut_kernels.c: kernels that do not compile */

/* Gives a notice for each kernel in the source's text that is missing from its description because
 * it does not compile. Call it after pm_bare_describe. */
void pm_bare_tell_cut(pm_bare *b);

/* ---- flags.c: compiler options from makefiles, folders of headers */

/* Adds compiler options to the build options: the options in the makefile in a CUDA source's
 * folder, and -I with each folder that has headers which the source includes. Call it after
 * pm_bare_read_text. */
void pm_bare_find_options(pm_bare *b);

/* ---- elsewhere.c: definitions in other files */

/* Looks in other files for functions and variables for the GPU that the CUDA source declares and
 * uses, but does not define. Adds -include for the files that define them to the build options.
 * Call it after pm_bare_read_text. */
void pm_bare_find_definitions(pm_bare *b);

/* ---- command.c: the command that runs the program */

/* Searches the makefile in a CUDA source's folder for commands that run the program. Sets
 * b->program_arguments to the arguments of the first, more_arguments to those of the others, and
 * arguments_from to the makefile's name. */
void pm_bare_find_arguments(pm_bare *b);

/* ---- host.c: launches of host code */

/* Finds the kernel launches of the host code, and sets b->wanted to the launched kernels. Returns
 * false if the host code launches no kernel, or no kernel that the option --kernel names. */
bool pm_bare_read_host(pm_bare *b);
/* Makes b->plan, the planned workload, from the kernel launches of the host code. Returns false if
 * it should be called again with smaller assumed values (b->is_too_long) or other arguments of the
 * program (b->is_hopeless). */
bool pm_bare_launch_as_host(pm_bare *b);
/* The host code may contain numbers whose values perfmodel had to assume. Returns whether an
 * assumed value is above `than` and may determine the size of a buffer. */
bool pm_bare_assumes_size(const pm_bare *b, uint64_t than);
/* Removes the launches of kernels that the option --kernel does not name. Sets b->wanted to the
 * kernels of the remaining launches. */
void pm_bare_choose_launches(pm_bare *b);
/* Returns an expression for a value in the workload file: the name of a number of b->plan that has
 * this value, or else decimal digits. */
const char *pm_bare_say_number(pm_bare *b, unsigned long long value);

/* ---- opencl.c: host code of OpenCL */

/* Reads OpenCL host code in C or C++, and finds the .cl source of the kernels that it launches. */
void pm_bare_read_opencl(pm_bare *b);

/* ---- opencl_launch.c: sizes and arguments of launches in OpenCL host code ---- */

/* Sets the global and local size of launch number l of OpenCL host code. assumed: the workload that
 * perfmodel would assume without host code; its sizes are used where the host code does not tell
 * them. */
void pm_bare_say_opencl_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                               pm_bare_launch *launch);
/* Converts a kernel argument, as the host code gives it, to the type of the kernel's parameter.
 * Returns it as text for the workload file. */
const char *pm_bare_opencl_value(pm_bare *b, const char *value, const pm_source_param *param);

/* ---- keep.c: selects the launches of the host code that can be traced */

/* Runs work-groups to find the numbers of elements of those buffers of b->plan, the planned
 * workload, for which they are unknown. Leaves out launches that cannot be traced, with notices. If
 * no launch remains, raises an error (pm_attempt of b->memory), with two exceptions. If
 * b->may_shrink and work-groups ran too long, it only sets b->is_too_long. If other program
 * arguments can be tried, it only sets b->is_hopeless. */
void pm_bare_find_sizes(pm_bare *b);

/* ---- apart.c: independent launches */

/* Gives each launch of the planned workload copies of those of its buffers that earlier launches
 * use, too, so that the launch does not depend on results of earlier launches. Returns false if no
 * buffer is used by several launches, or if there would be too many buffers. */
bool pm_bare_set_apart(pm_bare *b, pm_bare_plan *plan);

/* ---- repeats.c: reduces how often launches are repeated */

/* Reduces repeated launches, which benchmarks make to measure time. Divides the numbers of repeats
 * of the planned workload's launches by a common divisor, so that their sum is at most about 100.
 * Each launch is made at least once. Returns the divisor. */
uint64_t pm_bare_limit_repeats(pm_bare *b);
/* Divides the numbers of repeats of launches again if the trace would take too long by the estimate
 * b->work. share: the divisor that pm_bare_limit_repeats returned. Adds an assumption that tells
 * the user the product of both divisors. Call it after pm_bare_find_sizes. */
void pm_bare_limit_work(pm_bare *b, uint64_t share);

/* ---- words.c: guesses from types and names of parameters */

/* Returns true if a type name, as in libclang's description of a source, names an integer type. */
bool pm_bare_is_integer(const char *type);
/* Returns whether a kernel parameter is an integer that is probably the problem size in some
 * dimension, judged by its name and use. */
bool pm_bare_is_extent(const pm_source_param *param);
/* Returns whether the name of a parameter suggests the second dimension, such as "height" or
 * "rows". */
bool pm_bare_looks_vertical(const char *name);

/* ---- assume.c: launches from options and assumptions */

/* A problem size and a work-group size with which the launch of a kernel is tried that no host
 * code launches. */
typedef struct {
    uint64_t side; /* problem size in each dimension */
    size_t group;  /* index in the list of work-group sizes to try */
} pm_bare_guess;

/* Plans a workload with one launch of one kernel, which has the guessed sizes. `total` is the
 * planned workload of the kernels before it. If a name of a number or buffer is taken in `total`,
 * another name is chosen. Returns false if guess->group is past the last work-group size. */
bool pm_bare_guess_launch(pm_bare *b, size_t kernel, const pm_bare_plan *total,
                          const pm_bare_guess *guess, pm_bare_plan *plan);
/* pm_bare_describe_type sets the members of a buffer that follow from buffer->type, the name of its
 * element type. pm_bare_describe_element first sets buffer->type to the type of a kernel
 * parameter's elements. */
void pm_bare_describe_type(const pm_bare *b, pm_bare_buffer *buffer);
void pm_bare_describe_element(const pm_bare *b, const pm_source_param *param,
                              pm_bare_buffer *buffer);
/* Parses a size in up to three dimensions: "X", "X,Y" or "X,Y,Z". Missing dimensions become 1. */
void pm_bare_read_range(const char *text, uint64_t range[3]);
/* Returns the number of dimensions in which a kernel is launched, 1 to 3, from the options --block
 * and --grid and from the kernel's code. */
size_t pm_bare_dimensions(const pm_bare *b, size_t kernel);

/* Removes all launches of a kernel from the launches of the host code. Defined in describe.c. */
void pm_bare_drop_kernel(pm_bare *b, const char *kernel);

/* ---- by_nvidia.c: kernels that clang refuses */

/* Completes the description of kernels whose statements clang refuses: adds which parameters they
 * read and write, from the PTX of NVIDIA's compiler. Call it after the source was described. */
void pm_bare_add_facts(pm_bare *b);
/* Describes the kernels that b->wanted names, or all kernels of the source if it names none, by PTX
 * alone, because libclang cannot describe the source. Returns false if this machine does not have
 * NVIDIA's compiler, or if that compiler refuses the source, too. */
bool pm_bare_describe_by_nvidia(pm_bare *b);

/* ---- reach.c: sizes of buffers */

/* Returns a number of elements as an expression for the workload file: in terms of the planned
 * workload's named numbers, such as n * n. If `exact`, the expression has exactly this value.
 * Otherwise its value may be larger by up to 1/16. Returns decimal digits if no expression has such
 * a value. */
const char *pm_bare_say_count(pm_bare *b, const pm_bare_plan *plan, uint64_t elements, bool exact);
/* Finds the number of elements of those buffers of a planned workload for which it is unknown. Runs
 * some work-groups in the trace engine, and takes the largest address that they access. Returns
 * PM_BAD_INPUT if they cannot run, for example because a buffer would be too large. */
pm_status pm_bare_reach(pm_bare *b, pm_bare_plan *plan, pm_error *err);

/* ---- write.c: the text of the workload file and the assumptions */

/* Returns the text of the workload file for a planned workload, which the caller frees. source:
 * path of the source, as the file gives it. comments: true if the assumptions are written as
 * comments into the file. NULL: out of memory. */
char *pm_bare_write(const pm_bare *b, const pm_bare_plan *plan, const char *source, bool comments);
/* Returns whether a buffer of the workload starts with random contents. It does not if the host
 * code fills it with zeros, if the type of its elements is unknown, or if kernels only write to
 * it. */
bool pm_bare_is_random(const pm_bare_buffer *buffer);
/* Returns whether a buffer of the workload starts with random integers below buffer->below. */
bool pm_bare_has_bound(const pm_bare_buffer *buffer);
/* Returns the assumptions about the launches of a bare source as sentences for the user,
 * NULL-terminated. */
const char *const *pm_bare_assumed(pm_bare *b, const pm_bare_plan *plan);

#endif

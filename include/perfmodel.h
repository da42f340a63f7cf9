/* perfmodel: what an optimization of a GPU kernel is worth, before it is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library's interface. Opaque types come in create/free pairs; freeing NULL does nothing. There
 * is no global state: two threads may use the library at once, each on its own objects. GSL's error
 * handler, of which a process has one, stays the caller's: it misses only failures in a thread
 * while the library computes there.
 *
 * Errors: a function that can fail returns a pm_status (or a pointer, NULL on failure) and takes a
 * pm_error as its last argument, which then says in one line what went wrong, where, and what to
 * do. Times are seconds, sizes are bytes unless a name says otherwise. An unknown number is NaN.
 *
 * It is one long file on purpose: a program includes one header, and who reads it from top to
 * bottom has read the whole interface, in which each part uses types of those before it.
 */
#ifndef PERFMODEL_H
#define PERFMODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PM_VERSION "0.1.0"

/* ---- errors and messages ---------------------------------------------------------------- */

/* The values are the exit codes of the command line. */
typedef enum {
    PM_OK = 0,
    PM_FAILED = 1,   /* the work failed: a device, a missing tool */
    PM_BAD_INPUT = 2 /* the command line, an input file or the place for the output is wrong */
} pm_status;

typedef struct {
    pm_status status;
    char text[1024]; /* one line, no newline */
} pm_error;

/* Where notices go (a dropped row, a counter that cannot be read). fn may be NULL: silence. */
typedef struct {
    void (*fn)(void *user, const char *line);
    void *user;
} pm_log;

/* ---- sessions ---------------------------------------------------------------------------- */

/* What commands have in common. */
typedef struct {
    const char *datasets; /* folder where datasets, devices.csv and classes.csv are looked up first;
                           * may be NULL */
    pm_log log;
    /* Before each step of long work: done of total (0: not known yet). May be NULL. */
    void (*progress)(void *user, size_t done, size_t total, const char *step);
    void *progress_user;
    /* May be NULL. A signal handler may set it: once nonzero, long work ends soon with PM_FAILED,
     * interrupted. */
    volatile const int *cancel;
    double sample;     /* share of the work-groups that the trace engine runs, in (0, 1]; 0: a fixed
                        * amount of work */
    double step_limit; /* basic blocks that one warp may run there; 0: the default */
    /* Path of NVIDIA's ptxas, which then tells registers and shared memory of traced kernels, and
     * so how many work-groups are resident; "": $PERFMODEL_PTXAS, else the one that PATH or the
     * CUDA toolkit has. NULL: they are estimated. */
    const char *ptxas;
    unsigned long long seed; /* of inputs, and of what is sampled */
    unsigned
        threads; /* of the trace engine; 0: $PERFMODEL_THREADS, else as many as there are cores */
} pm_session_options;

/* A session keeps what it has read, counted and fitted, and does nothing twice: only the next
 * session sees that a file has changed. What functions return as const belongs to the session.
 * Other results may point into it, so the session has to outlive them. One thread at a time may use
 * a session. */
typedef struct pm_session pm_session;

/* options may be NULL: no folder, no messages, seed 1. */
pm_session *pm_session_create(const pm_session_options *options, pm_error *err);
void pm_session_free(pm_session *session);

/* ---- where the shipped files are --------------------------------------------------------- */

/* Writes into path the place of a file under share/perfmodel (kernels/, datasets/, counters.ini):
 * $PERFMODEL_SHARE, else beside the shared library or the program (../share/perfmodel), else under
 * the prefix that the library was installed into. */
pm_status pm_share_path(const char *name, char *path, size_t path_size, pm_error *err);

/* ---- datasets ---------------------------------------------------------------------------- */

/* One kernel run: identity, time, counters. Owned by its dataset. */
typedef struct {
    const char *device, *program, *variant, *size, *kernel, *counter_source;
    double time_s;     /* median over the runs; NaN where only counters are known */
    double time_mad_s; /* median absolute deviation */
    double runs;
    double work_items;      /* of all launches together */
    double work_group;      /* work-items of one work-group */
    const double *counters; /* pm_dataset_counters() values; NaN is unknown */
    size_t line;            /* line of the file that it came from, 1 is the header; 0: none */
    const char *origin;     /* who published the time, such as "ktt"; "": perfmodel measured it.
                             * NULL will do in a sample that is written or added. */
    bool cuda;              /* its source is CUDA's, and it is launched by CUDA, not by OpenCL */
} pm_sample;

typedef struct pm_dataset pm_dataset;

/* Reads a dataset CSV. A torn last row (no newline at its end) is dropped with a notice; every
 * other fault is PM_BAD_INPUT, naming file and line. */
pm_dataset *pm_dataset_read(const char *path, const pm_log *log, pm_error *err);
void pm_dataset_free(pm_dataset *dataset);
const char *pm_dataset_path(const pm_dataset *dataset);
size_t pm_dataset_rows(const pm_dataset *dataset);
size_t pm_dataset_counters(const pm_dataset *dataset);
const char *pm_dataset_counter_name(const pm_dataset *dataset, size_t counter);
/* Whether that column is no counter but the standard error of one: NAME_se beside NAME. */
bool pm_dataset_counter_is_error(const pm_dataset *dataset, size_t counter);
const pm_sample *pm_dataset_sample(const pm_dataset *dataset, size_t row);
/* The row with the same program, variant, size and kernel; NULL if there is none. */
const pm_sample *pm_dataset_find(const pm_dataset *dataset, const pm_sample *like);

/* The dataset of that name or path (as pm_dataset_locate finds it in the session's folder), read
 * once. */
const pm_dataset *pm_dataset_open(pm_session *session, const char *name, pm_error *err);

/* The rows of several such datasets of one device as one, in which the first of several rows of a
 * key counts; the counters are those of the first. names is NULL-terminated and has one at least.
 */
const pm_dataset *pm_dataset_open_all(pm_session *session, const char *const *names, pm_error *err);

/* Times that others published of a GPU with this row of devices.csv (docs/published.md), from the
 * folder `public` of a folder of datasets, read once. NULL with err->status PM_OK: there are none.
 */
const pm_dataset *pm_dataset_published(pm_session *session, const char *device, pm_error *err);

/* Finds a dataset by name (h100) or by path (anything with a '/' in it or ending in .csv): in
 * folder (may be NULL), then $PERFMODEL_DATASETS, then the user's folder
 * ($XDG_DATA_HOME/perfmodel/datasets), then the shipped ones. A wrong name is PM_BAD_INPUT and
 * lists the right ones. */
pm_status pm_dataset_locate(const char *name, const char *folder, char *path, size_t path_size,
                            pm_error *err);
/* The dataset in the user's folder that was collected last: `predict` starts from it. */
pm_status pm_dataset_locate_latest(const char *folder, char *path, size_t path_size, pm_error *err);

/* Run counters only exist after a run (active_cycles, active_warps); code counters are all the
 * others, and can be known for a variant that never ran. Profiled time (duration) and energy are
 * neither, and no model learns from energy. */
typedef enum {
    PM_COUNTER_CODE,
    PM_COUNTER_RUN,
    PM_COUNTER_TIME,
    PM_COUNTER_ENERGY
} pm_counter_kind;

/* ---- devices and programs ---------------------------------------------------------------- */

typedef struct {
    char id[64];    /* the name used in datasets and --device, such as h100 */
    char name[128]; /* as the driver gives it */
    char vendor[128];
    char platform[128];
    char driver[128];
    bool is_cpu;
    bool is_nvidia;
    unsigned compute_units;
    unsigned clock_mhz;
    size_t memory_bytes, local_memory_bytes, max_work_group;
    unsigned pci_bus, pci_slot; /* NVIDIA only */
    size_t platform_index, device_index;
} pm_device;

/* Every OpenCL device behind the ICD loader; *devices is freed with free(). None is PM_FAILED. */
pm_status pm_devices(pm_device **devices, size_t *count, pm_error *err);

/* A GPU with a dataset, and what the copy probe measured on it: for each vector width bytes read
 * plus written a second, at the largest size (Shimada et al. 2010, figure 1). */
typedef struct {
    char *name, *path;
    size_t samples;
    size_t copy_count;
    struct {
        char *variant;
        double bytes;    /* of the largest copy, read plus written */
        double gb_per_s; /* 1e9 bytes */
    } copies[8];
} pm_target;
/* The datasets that pm_dataset_locate finds by name, as targets. A broken one is left out with a
 * notice. Left out without one are those that only add to another (NAME-trace, NAME-shared,
 * NAME-layouts, NAME-energy beside NAME), or have only traced counters of a GPU with a row of
 * devices.csv. */
pm_status pm_targets(pm_session *session, pm_target **targets, size_t *count, pm_error *err);
void pm_targets_free(pm_target *targets, size_t count);

/* The names of the rows of devices.csv that have what a prediction needs, NULL-terminated, in the
 * table's order. *names is freed with pm_profiles_free. */
pm_status pm_profiles(pm_session *session, char ***names, size_t *count, pm_error *err);
void pm_profiles_free(char **names);

/* Where the value of a column comes from. */
typedef enum {
    PM_PROBE_UNKNOWN,  /* from nowhere: the cell is empty */
    PM_PROBE_ASKED,    /* of a driver, or follows from what it says */
    PM_PROBE_MEASURED, /* by a kernel */
    PM_PROBE_LIKE      /* the row of a GPU of the same architecture says so */
} pm_probe_origin;

typedef struct {
    const char *name; /* of the column */
    char *value;      /* "": unknown */
    char *how;        /* a few words: what was asked or ran, and how far the runs spread */
    pm_probe_origin origin;
} pm_probe_cell;

/* A row of devices.csv: a cell for each column, in the order of the table. */
typedef struct {
    pm_device device;
    size_t count;
    pm_probe_cell *cells;
} pm_probe_row;

typedef struct {
    const char *device; /* NULL: the first GPU, else the first device; see pm_devices */
    const char *output; /* a table to append the row to, or a new one; NULL: nowhere */
} pm_probe_options;

/* Fills a row of devices.csv for a device of this machine: asks the drivers, runs microbenchmarks,
 * and takes what neither tells from the row of a GPU of the same architecture. An output that has
 * the device already, or cannot be written, is PM_BAD_INPUT before anything is measured. NULL on
 * failure. */
pm_probe_row *pm_probe_run(pm_session *session, const pm_probe_options *options, pm_error *err);
void pm_probe_free(pm_probe_row *row);
/* The header of the table and the row as CSV, with a newline after each; freed with free(). */
char *pm_probe_csv(const pm_probe_row *row, pm_error *err);

/* A program of the suite. */
typedef struct {
    const char *name;
    const char *title;
    bool probe;       /* measures the device, not an algorithm */
    bool layouts;     /* any data layout of the base is a variant too */
    bool tuned;       /* it has parameters, and tune:NAME=VALUE,NAME=VALUE is a variant too */
    const char *base; /* the variant that transforms start from; staged in local memory it is a
                         variant too; NULL: none */
    const char *const *variants; /* NULL-terminated */
    const char *const *sizes;    /* NULL-terminated, smallest work first */
} pm_program_info;
size_t pm_program_count(void);
const pm_program_info *pm_program_at(size_t i);

/* ---- trace ------------------------------------------------------------------------------- */

/* A memory instruction of a kernel, as it ran: a row of the access table (Nakai and Ohno 2017,
 * table 1 and figure 12). Texts are "" where nothing is known. */
typedef struct {
    const char *kind;  /* load, store, atomic */
    const char *space; /* global, shared, constant, private */
    unsigned bytes;    /* of one work-item's access */
    unsigned line, column;
    const char *buffer;            /* kernel argument or variable */
    const char *structure, *field; /* of the source */
    unsigned loop;                 /* line of the innermost loop around it; 0: none */
    double executions;             /* by warps */
    double work_items;             /* by work-items */
    double transactions;           /* by the target's rule; in shared memory wavefronts */
    /* Mean number of work-items of a warp whose addresses lie within 128 bytes from that of the
     * first, itself included. */
    double coalesced_threads;
    const char *access_class; /* UnCoalesc, Coalesc, ShareCoalesc; "" where not global */
} pm_access;

typedef struct {
    const char *kernel;
    size_t launches;
    double sampled;               /* share of the work-groups that ran */
    const char *registers_source; /* estimate, or a version of ptxas */
    size_t count;                 /* of counters */
    const char *const *names, *const *units;
    const double *values, *errors; /* standard error that sampling leaves; NaN: unknown */
    size_t access_count;
    pm_access *accesses;
} pm_trace_kernel;

/* What the language of a source calls what runs a kernel, and the memory that a group shares. */
typedef struct {
    const char *items, *groups, *shared;
} pm_terms;

typedef struct {
    char *program, *variant, *size, *target;
    const pm_terms *terms; /* of its source's language */
    size_t kernel_count;
    pm_trace_kernel *kernels;
} pm_trace;

typedef struct {
    const char *target;   /* GPU by whose rules to count, a row of devices.csv; NULL: h100 */
    const char *workload; /* a workload of one's own, in place of program: a file, or a capture,
                           * recorded launch or folder of one alone; or NULL */
} pm_trace_options;

/* Runs a program of the suite, or a workload file (program NULL), on the CPU and counts what the
 * target would count. variant and size may be NULL: its first variant, its smallest size. Wrong
 * names are PM_BAD_INPUT and list the right ones. */
const pm_trace *pm_trace_run(pm_session *session, const char *program, const char *variant,
                             const char *size, const pm_trace_options *options, pm_error *err);

/* ---- collect ----------------------------------------------------------------------------- */

/* One of count shares of the work; count 0: all of it. */
typedef struct {
    unsigned index; /* from 1 to count */
    unsigned count;
} pm_shard;

typedef struct {
    const char *device;           /* NULL: the first GPU, else the first device; see pm_devices.
                                   * none: no device and no times, counters by the trace engine */
    const char *suite;            /* suite (NULL is that, too), corpus or all */
    const char *const *workloads; /* files, captures and folders of them, NULL-terminated, in place
                                   * of a suite; or NULL */
    const char *const *programs;  /* NULL-terminated lists; NULL: all */
    const char *const *variants;
    const char *const *sizes;
    const char *counters; /* auto, cupti, trace, none; NULL is auto */
    const char *target;   /* trace: GPU whose rules count; NULL: the device if devices.csv has it,
                           * else h100 */
    const char *output;   /* path of the dataset; NULL: DEVICE.csv in the user's folder, and
                           * TARGET-trace.csv for device none */
    bool energy;          /* also joules of the launches, which takes a second and more for each
                           * workload (docs/datasets.md) */
    double time_limit_s;  /* a size whose one pass would last longer is left out; 0: no limit */
    pm_shard shard;       /* only programs' variants of this share, into NAME-IofN.csv */
    const char *command;  /* for the provenance */
} pm_collect_options;

typedef struct {
    size_t measured, kept, failed, skipped; /* kept: were in the dataset already */
    char path[4096];
    char device[64];
} pm_collect_result;

/* Runs programs on a device and appends its samples to the dataset, a whole row at a time. */
pm_status pm_collect(pm_session *session, const pm_collect_options *options,
                     pm_collect_result *result, pm_error *err);

/* Joins the shares that runs of pm_collect with pm_shard have written (paths is NULL-terminated)
 * into one dataset, with its provenance: rows in the order in which one run would have written
 * them. A row that is in several counts once if it is the same; else, as with datasets that do not
 * go together, it is PM_BAD_INPUT and nothing is written. A torn last row is dropped, and a share
 * that is missing told of, with a notice. An output that is there already is written over. */
pm_status pm_merge(pm_session *session, const char *const *paths, const char *output,
                   pm_error *err);

/* ---- validate and predict ---------------------------------------------------------------- */

/* What the model that predicts a program has not seen: not in its parameters, not in its intervals.
 */
typedef enum {
    PM_LEAVE_NOTHING,
    PM_LEAVE_PROGRAM, /* the program with all its variants and sizes */
    PM_LEAVE_CLASS,   /* all programs of its class, which its workload file says, else classes.csv;
                       * one that neither has is a class by itself */
    PM_LEAVE_SAMPLE,  /* its variant, size and kernel alone: of pm_validate */
    /* Of pm_validate_published: all times of the GPU, or of all GPUs of its architecture. */
    PM_LEAVE_GPU,
    PM_LEAVE_ARCHITECTURE
} pm_leave_out;

typedef struct {
    const char *method;     /* auto, paper, ... (pm_method_at); NULL is auto */
    pm_leave_out leave_out; /* of pm_validate; PM_LEAVE_NOTHING is PM_LEAVE_PROGRAM */
    const char *counters;   /* all, code, or names with commas; NULL is all */
    /* Only samples of these variants and sizes, NULL-terminated; NULL: all. */
    const char *const *variants, *const *sizes;
    bool no_source_time; /* with a source: do not use its time as a variable */
    /* Of pm_validate: datasets whose rows are learned from, too, and not predicted,
     * NULL-terminated; NULL: none. Of use are rows of the target's device that have a time and
     * counters of the same source as its first row; with a source, rows with times for the target,
     * and rows of its device and source of counters for the source. */
    const pm_dataset *const *with;
} pm_model_options;

/* The methods by name, with a sentence on each. */
typedef struct {
    const char *name, *what;
} pm_method_info;
size_t pm_method_count(void);
const pm_method_info *pm_method_at(size_t i);

/* What a unit of the GPU adds to a predicted time. */
typedef struct {
    /* issue, fp32, fp64, int, special, lsu, l1, shared, constant, requests (of lines of L2), l2,
     * atomics, dram, latency, launch */
    const char *unit;
    double alone_s; /* that it would need if it were the only one */
    double added_s; /* its part of the prediction; those of all units add up to it */
} pm_time_term;

enum { PM_MAX_TIME_TERMS = 16 };

/* Why a prediction is what it is; n is 0 where the method knows no units. */
typedef struct {
    const char *bound; /* the unit that adds most; NULL where n is 0 */
    size_t n;
    pm_time_term terms[PM_MAX_TIME_TERMS]; /* what adds most first */
} pm_explanation;

typedef struct {
    const pm_sample *sample;        /* of the target where it is there, else of the source */
    double measured_s;              /* NaN where nobody measured it */
    double predicted_s, lo_s, hi_s; /* 90 % interval */
    pm_explanation why;
} pm_prediction;

typedef struct {
    const char *dataset, *from; /* paths; from is NULL without a source */
    const char *method;
    const char *leave_out; /* program, class or sample */
    size_t counter_count;
    const char **counters; /* names of those that the model was offered */
    size_t n;
    pm_prediction *samples;
    double mape, median_ape, coverage90; /* fractions, over samples */
} pm_validation;

/* What a model gets on programs (classes, samples) that it has not seen: target's times from
 * target's counters, or from source's counters (and time) where source is not NULL. The datasets
 * must outlive the result. */
pm_validation *pm_validate(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const pm_model_options *options, pm_error *err);
/* What the model of many GPUs (method auto; units: one set of parameters for all, of the GPUs that
 * perfmodel measured alone) gets on the times that others published, in the folder `public` of
 * datasets: of each GPU without its times, without those of its architecture, or, with
 * PM_LEAVE_PROGRAM and PM_LEAVE_CLASS, with all but those of the program or its class. Of options
 * method and leave_out count; PM_LEAVE_NOTHING is PM_LEAVE_GPU. Samples are the published rows. */
pm_validation *pm_validate_published(pm_session *session, const pm_model_options *options,
                                     pm_error *err);
void pm_validation_free(pm_validation *validation);

/* All kernels of a program's variant and size together: one after another, as they run. */
typedef struct {
    const char *program, *variant, *size;
    size_t kernels;
    double measured_s;              /* NaN where one's is */
    double predicted_s, lo_s, hi_s; /* NaN where one could not be predicted. The ends of the 90 %
                                     * intervals are added up: a model tends to be wrong the same
                                     * way on all kernels of a program */
    pm_explanation why;
} pm_predicted_total;

typedef struct {
    const char *method;
    const char *basis; /* dataset: learned from the target's times; profile: from those of other
                          GPUs, transferred by the target's row of devices.csv */
    const char *registers_source; /* of what was traced for it: estimate, or a version of ptxas that
                                     told all of them; NULL: nothing was traced now */
    size_t n;
    pm_prediction *predictions; /* a member a kernel */
    size_t total_count;
    pm_predicted_total *totals; /* in the order of the first kernel of each */
    pm_dataset *rows;           /* samples that are its own; NULL: none is */
} pm_predictions;

/* Target's times for source's samples (of the programs named, NULL-terminated; NULL: all) by a
 * model fitted on the samples that both have. The datasets must outlive the result. */
pm_predictions *pm_predict(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const char *const *programs, pm_leave_out leave_out,
                           const pm_model_options *options, pm_error *err);
void pm_predictions_free(pm_predictions *predictions);

typedef struct {
    const char *target; /* a GPU: a name, or the path of its dataset */
    const char *from;   /* the samples to predict, and their counters and times: a dataset's
                         * name or path; NULL: that collected last, and if there is none
                         * all that the trace engine counted for the target */
    /* Files, captures and folders of them, NULL-terminated: their programs are predicted, from what
     * is traced of them now. from (NULL: nothing) then only has times of theirs on another GPU.
     * NULL: what from has. */
    const char *const *workloads;
    /* Of them; NULL-terminated; NULL: all. */
    const char *const *programs, *const *variants, *const *sizes;
    const char *basis;      /* dataset or profile; NULL: dataset where the target's has enough */
    pm_leave_out leave_out; /* of each program */
    pm_model_options model; /* of basis dataset, but for variants and sizes; profile takes its
                             * no_source_time */
} pm_predict_options;

/* Predicts for a GPU that need not be here nor have been measured. Basis dataset is pm_predict.
 * Basis profile: the target's row of devices.csv, with counters by its rules (those of the datasets
 * TARGET-trace and TARGET-shared-trace, else traced now), and what the units model learned on the
 * measured GPUs; the target's own samples recalibrate it. Times of the samples on a source GPU
 * count too, where that has a profile and traced counters.
 *
 * Of workloads, and of samples none of whose programs the target's dataset has, basis NULL is what
 * the units model learned on the target where that was measured enough, else profile. Samples of
 * programs that are not of the suite are predicted from their own counters. */
pm_predictions *pm_predict_on(pm_session *session, const pm_predict_options *options,
                              pm_error *err);

/* ---- transform ---------------------------------------------------------------------------- */

/* C for the host: the types of a struct's parts, and functions that pack and unpack arrays. */
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
} pm_transform_options;

/* Rewrites OpenCL C, or CUDA where path ends in .cu, for other layouts of its arrays of structs,
 * and stages arrays of OpenCL C in local memory. path names the source in messages and is where it
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

/* ---- roofline ----------------------------------------------------------------------------- */

/* Levels of memory. L1 is global and private memory through it. */
typedef enum { PM_ROOF_DRAM, PM_ROOF_L2, PM_ROOF_L1, PM_ROOF_SHARED } pm_roof_level;
enum { PM_ROOF_LEVELS = 4 };
/* dram, l2, l1, shared */
const char *pm_roof_level_name(pm_roof_level level);

/* Peaks of a GPU by its row of devices.csv: operations and bytes a second; NaN: unknown. */
typedef struct {
    double fp32_per_s, fp64_per_s; /* a fused multiply-add is two */
    double int_per_s;              /* instructions */
    double bytes_per_s[PM_ROOF_LEVELS];
    double dram_in_practice; /* bytes a second that a large copy reaches */
} pm_roofs;

/* A point of the roofline (Williams, Waterman and Patterson 2009), with an intensity for each level
 * of memory (Yang, Kurth and Williams 2020). NaN: unknown; intensity: or no bytes. */
typedef struct {
    const char *operations; /* fp32, fp64, fp32+fp64; int: integers, where there are none of
                             * floating point; NULL: unknown */
    double count;           /* of them */
    double bytes[PM_ROOF_LEVELS], intensity[PM_ROOF_LEVELS]; /* operations a byte */
    double time_s;
    bool measured;     /* time_s; else it is predicted */
    double per_s;      /* operations a second */
    const char *bound; /* the lowest roof: a level, fp32, fp64 or int; NULL: none is known */
    double roof_per_s; /* operations a second that it allows */
    double least_s;    /* the time that it allows */
    double share;      /* of the roof that is reached */
} pm_roofline;

/* ---- advise ------------------------------------------------------------------------------- */

/* How much of a program a version rewrites: what its effort is estimated from (cost/effort.h). */
typedef struct {
    size_t kernels;      /* that change */
    size_t structs;      /* whose layout changes, and with it the host code that fills them */
    size_t source_lines; /* of OpenCL C that are added or changed */
    size_t host_lines;   /* of host code that are added: packing, unpacking, buffers, arguments */
    bool by_hand;        /* the program's own version; no tool wrote it */
} pm_rewrite_size;

/* All launches of a kernel of a version, conversions among them. */
typedef struct {
    const char *kernel;
    double predicted_s, lo_s, hi_s; /* 90 % interval; NaN: it could not be predicted */
    double measured_s;              /* NaN where the target's datasets have no such row */
    pm_explanation why;
    pm_roofline roofline; /* at measured_s, else at predicted_s */
} pm_choice_kernel;

/* A version of a program, and what it is expected to do. */
typedef struct {
    char *variant;      /* as the variant column has it: listed, or the text of a transform */
    double predicted_s; /* of one pass over all kernels, conversions included */
    double gain;        /* the base's time / this one's */
    double lo, hi;      /* 90 % interval of the gain */
    double lo_s, hi_s;  /* 90 % interval of predicted_s */
    double chance;      /* that it is faster than the base, 0 ... 1; NaN: of the base, or unknown */
    double measured_s;  /* NaN where the target's datasets have no such rows */
    double energy_j;    /* measured, of such a pass; NaN where the target's datasets lack it */
    double energy_s;    /* that the pass took beside it */
    bool missed;        /* measured_s is outside of lo_s ... hi_s */
    /* Where both it and the base were measured: the gain by these times, and its 90 % interval by
     * the standard errors of their medians. Else false, and NaN. */
    bool measured;
    double measured_gain, measured_lo, measured_hi;
    pm_explanation why;   /* of predicted_s, over all kernels */
    pm_roofline roofline; /* of all kernels together, at measured_s, else at predicted_s */
    size_t kernel_count;
    pm_choice_kernel *kernels;    /* in the order in which they first run */
    pm_rewrite_size rewrite;      /* how much of the base's source it changes */
    const char *registers_source; /* of its trace: estimate, or a version of ptxas */
} pm_choice;

/* The steps of the method of Nakai and Ohno (2017) on each of a program's structs. */
typedef struct pm_nakai pm_nakai;

typedef struct {
    char *target, *program, *size;
    const char *basis; /* dataset or profile, as in pm_predictions */
    char *base;        /* the variant that gains are over */
    char *best;      /* of the largest gain, as measured where that is known, else as predicted; but
                      * one in local memory only if its gain over the best without is at least 1.02
                      * and more than the interval says is noise */
    char *nakai;     /* what the method of Nakai and Ohno chooses; aos: neither layout is better;
                      * NULL: the program has no array of structs */
    pm_nakai *steps; /* how it came to that, on a whole trace of the program's smallest size; NULL:
                      * as nakai */
    size_t examined; /* layouts that the search ranked before it chose which to trace */
    /* Whether the best was run and left the results of the plain version (of the suite's programs:
     * their references'). */
    const char *checked;  /* trace: all work-groups in the trace engine; no */
    char *checked_size;   /* the size that it was run in; NULL: it was not */
    char *unchecked;      /* why it was not; NULL: it was */
    double power_limit_w; /* of the target\'s board; NaN: unknown */
    pm_roofs roofs;       /* of the target; all unknown where devices.csv does not have it */
    size_t n;
    pm_choice *choices;             /* fastest first */
    struct pm_memory_block *memory; /* of all that is here, and of itself */
} pm_advice;

typedef struct {
    const char *target;          /* a GPU with a row in devices.csv, or a dataset, or both */
    const char *program, *size;  /* size NULL: the largest */
    const char *const *variants; /* only these beside the base, NULL-terminated; NULL: those that
                                  * are worth a try */
    const char *workload;        /* as in pm_trace_options */
    pm_leave_out leave_out;      /* of the program */
    size_t clusters;             /* clustered layouts to trace; 0: 10 */
    double check_limit;          /* instructions of work-items that running the best version to see
                                  * whether it is right may take; 0: PM_CHECK_LIMIT; infinity: any */
} pm_advise_options;

#define PM_CHECK_LIMIT 4e9

/* Finds layouts of the program's structs and arrays to stage in local memory. Traces each version,
 * and those that the program lists, by the target's rules, predicts their times, and ranks them. */
pm_advice *pm_advise(pm_session *session, const pm_advise_options *options, pm_error *err);
void pm_advice_free(pm_advice *advice);

/* A workload file (docs/workloads.md) to fill in, with comments; it works as it stands. To free. */
char *pm_workload_template(pm_error *err);
/* The same of a source in CUDA C++. */
char *pm_workload_template_cuda(pm_error *err);

/* ---- tune ---------------------------------------------------------------------------------- */

/* A parameter of a workload's [tune] section, and what it does to the predicted time. */
typedef struct {
    const char *name;
    size_t count;
    const int64_t *values;
    /* Of each value: over all versions that have it the geometric mean of the predicted times, and
     * the shortest; NaN: none of those that were predicted has it. */
    const double *mean_s, *best_s;
    double share; /* of the variance of log time that its values alone explain */
} pm_tune_parameter;

typedef struct {
    const char *variant;            /* as --variant takes it */
    const int64_t *values;          /* one a parameter */
    double predicted_s, lo_s, hi_s; /* 90 % interval */
    double measured_s;              /* NaN: it was not */
    bool was_run;                   /* it was measured here, and not by whom a file is of */
    bool examined;                  /* its counters were traced; else a surrogate tells its time */
} pm_tune_choice;

/* Of all that was measured, the best time over that of the best of those to run first: 1 where they
 * have it. */
typedef struct {
    size_t runs;
    double fraction;
} pm_tune_reached;
#define PM_TUNE_REACHED 4

typedef struct {
    const char *target, *program, *size;
    const char *basis;  /* dataset or profile, as in pm_predictions */
    const char *kernel; /* that is launched first */
    size_t parameter_count;
    pm_tune_parameter *parameters;
    size_t space;        /* versions that the restrictions allow */
    size_t examined;     /* of them those whose counters are known */
    size_t traced;       /* of these those that were traced; the others compile to the same code */
    size_t failed;       /* could not be compiled or run */
    const char *failure; /* the first one's reason; NULL: none */
    const int64_t *failures; /* their values, parameter_count for each */
    size_t measured;         /* whose time is known */
    size_t reached_count;    /* 0: nothing was measured */
    pm_tune_reached reached[PM_TUNE_REACHED];
    size_t n;
    /* Fastest first: by the time of those that were run here, by what is predicted of others. */
    pm_tune_choice *choices;
    /* The order in which to run them, as places in choices: the best of the first few is expected
     * to be fastest if they are not all of one kind. Up to PM_TUNE_FIRST of those that were not run
     * here. */
    size_t first_count;
    const size_t *first;
    struct pm_memory_block *memory; /* of all that is here, and of itself */
} pm_tuning;

typedef struct {
    const char *target;   /* as in pm_advise_options */
    const char *workload; /* a file with a [tune] section */
    const char *size;     /* NULL: the largest */
    /* A cache file of Kernel Tuner, a T1 problem or T4 results, whose versions are the space, and
     * whose times stand beside the predictions; NULL: the space is the workload's. */
    const char *space;
    pm_leave_out leave_out;
    size_t budget;   /* versions to examine; 0: all of a space of up to PM_TUNE_WHOLE, else that */
    double budget_s; /* seconds after which no version is begun; 0: no limit */
    size_t measure;  /* how many of the most promising are run; 0: none */
    const char *device; /* where, as in pm_collect_options */
} pm_tune_options;

#define PM_TUNE_WHOLE 400
#define PM_TUNE_FIRST 50

/* Searches the versions of a workload for the fastest: compiles and traces some, predicts their
 * times, and has a surrogate tell which to trace next, and the times of the others. */
pm_tuning *pm_tune(pm_session *session, const pm_tune_options *options, pm_error *err);
void pm_tuning_free(pm_tuning *tuning);
/* Writes predicted times as a cache file that Kernel Tuner's simulation mode takes, or the values
 * of the versions as a JSON list of lists: those to run first, then the others, fastest first. */
pm_status pm_tuning_write_cache(const pm_tuning *tuning, const char *path, pm_error *err);
pm_status pm_tuning_write_ranking(const pm_tuning *tuning, const char *path, pm_error *err);

/* What a share of a run has done. */
typedef struct {
    size_t done, kept, failed; /* kept: were finished already */
    char path[4096];           /* of its file */
} pm_share_result;

/* A share of a campaign: counts versions of workloads on targets (NULL-terminated lists, in place
 * of those of options) into the share's file, NAME-IofN.jsonl for an output of NAME.json. The
 * campaign has all versions, or those of options->budget that hashes of the seed and of their names
 * choose, whatever comes out of others; pm_shard says which are this share's. Ended at any point,
 * the same call goes on where it was. */
pm_status pm_tune_share(pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *const *workloads,
                        const pm_shard *shard, const char *output, pm_share_result *result,
                        pm_error *err);

/* What a campaign found: of each workload a tuning for each target, in that order. */
typedef struct {
    size_t workload_count, target_count;
    pm_tuning **tunings;
} pm_campaign;

/* Joins its shares (paths is NULL-terminated), and predicts and ranks what they counted: the same
 * bytes for any number of shares. Of a whole space it is what pm_tune finds. Errors and notices are
 * those of pm_merge. */
pm_campaign *pm_tune_join(pm_session *session, const char *const *paths, pm_error *err);
void pm_campaign_free(pm_campaign *campaign);

/* ---- cost --------------------------------------------------------------------------------- */

/* The middle, and the 5 % and 95 % quantiles around it. */
typedef struct {
    double lo, mid, hi;
} pm_interval;

/* What an hour of work does; cost/effort.c says where each number is from. */
typedef struct {
    double write_lines;  /* an hour, of a version written by hand, design and tests included */
    double read_lines;   /* an hour, of what perfmodel transform wrote and a person looks through */
    double kernel_hours; /* for each kernel that changes: to measure and to test it */
    double
        struct_hours; /* for each struct that changes: to connect the host code, and to test it */
    double factor;    /* the 90 % interval of the hours is from 1/factor to factor of them */
} pm_effort_rates;

/* What energy costs; NaN: not asked. */
typedef struct {
    double price; /* of a kWh */
    double co2_g; /* grams of CO2 for a kWh, of the mix that the user has */
} pm_energy_price;

typedef struct {
    double hours;          /* of work for a version; NaN: estimated from what it rewrites */
    double hourly_rate;    /* an hour of work costs */
    double gpu_hour;       /* an hour of one GPU costs */
    double runs_per_month; /* of the program */
    double passes;         /* of the program's launches in a run */
    double gpus;           /* that a run occupies, each of them for all of its time */
    const char *currency;  /* for people; NULL: none is named */
    pm_effort_rates effort;
    pm_energy_price energy;
} pm_cost_options;

/* Hours are estimated. The prices and the runs are examples without a source: 100 an hour of work,
 * 2 an hour of a GPU, 1000 runs a month of one pass on one GPU. */
pm_cost_options pm_cost_options_default(void);
/* PM_BAD_INPUT: a number that is impossible, or too large for the results; the message names it as
 * the command line does. */
pm_status pm_cost_check(const pm_cost_options *options, pm_error *err);

/* How the energy that a version saves is known. */
typedef enum {
    PM_ENERGY_UNKNOWN,
    PM_ENERGY_MEASURED, /* that of both versions was measured */
    PM_ENERGY_BY_POWER, /* the base's mean power as measured, for the time saved */
    PM_ENERGY_AT_MOST   /* the board's power limit for it: no more than that */
} pm_energy_basis;
/* measured, power, at most, unknown */
const char *pm_energy_basis_name(pm_energy_basis basis);

/* What a version saves of energy; negative where it takes more. Of the board alone: neither its
 * host nor cooling is in it. With base time T, gain G and power P a pass saves P T (1 - 1/G), at
 * the middle of time and gain; where the energy of both was measured, the difference. NaN: unknown,
 * or its price was not asked. */
typedef struct {
    pm_energy_basis basis;
    double watts;       /* that the base draws; at most: the limit */
    double joules;      /* a pass */
    double kwh_a_month; /* runs x passes x gpus of it */
    double money_a_month, co2_kg_a_month;
} pm_energy_saving;

/* A month is a twelfth of 365.25 days. An unknown interval makes lo and hi NaN, and the chance. */
typedef struct {
    pm_interval hours;
    pm_interval cost;            /* of the hours */
    pm_interval saving;          /* a month; negative where the version is slower */
    pm_interval break_even_runs; /* until the saving has paid the cost; infinite: it never does */
    pm_interval break_even_days;
    pm_interval net;         /* twelve months' saving less the cost */
    double chance_a_year;    /* that it saves, and that it has paid the cost after twelve months */
    pm_energy_saving energy; /* no part of the saving */
} pm_payback;

/* What a choice costs and returns. With base time T, gain G and hours H independent of each other,
 * each a distribution from its middle and interval (cost/chance.h), it is integrated over them:
 * saving = runs x passes x gpus x price x T (1 - 1/G). The base itself costs and saves 0. */
pm_status pm_cost_of(const pm_advice *advice, const pm_choice *choice,
                     const pm_cost_options *options, pm_payback *cost, pm_error *err);

/* A GPU to run on, and what an hour of it costs. */
typedef struct {
    const pm_advice *advice; /* of the same program and size for that GPU */
    double gpu_hour;
} pm_place_to_run;

/* A program on one GPU, as it is and in the version that is proposed for it. */
typedef struct {
    pm_interval base, best; /* a month */
    double base_year;       /* after twelve months */
    double best_year;       /* the same, with the version's work */
} pm_place_cost;

/* Where to run, and whether to optimize, after a year. */
typedef enum { PM_BASE_HERE, PM_BEST_HERE, PM_BASE_THERE, PM_BEST_THERE } pm_cheapest;

typedef struct {
    pm_place_cost here, there;
    pm_cheapest cheapest;  /* the least sum after twelve months; without work in case of a tie */
    pm_interval overtakes; /* days after which the optimized program here has cost less than the
                            * unoptimized one there; infinite: never. 0: at once */
    double chance_a_year;  /* that it has after twelve months */
} pm_elsewhere;

/* The other choice than to optimize for a GPU (Shimada et al. 2010, section 1): to run the program
 * as it is on another one. The times on the two GPUs are taken as independent. */
pm_status pm_cost_elsewhere(const pm_place_to_run *here, const pm_place_to_run *there,
                            const pm_cost_options *options, pm_elsewhere *elsewhere, pm_error *err);

/* ---- check -------------------------------------------------------------------------------- */

/* What became of a kernel since a baseline was written. */
typedef enum {
    PM_CHECK_SAME,    /* nothing that is counted differs */
    PM_CHECK_CHANGED, /* something does, and the time by no more than the tolerance, or not surely
                       */
    PM_CHECK_FASTER,  /* by more than the tolerance, with a probability of 95 % or more */
    PM_CHECK_SLOWER,  /* the same */
    PM_CHECK_NEW,     /* the baseline does not have it */
    PM_CHECK_GONE     /* the baseline alone has it */
} pm_check_verdict;

typedef struct {
    const char *name;
    double before, after;
} pm_check_count;

/* A kernel of a workload on a GPU, then and now: both predicted by today's model. */
typedef struct {
    const char *target, *program, *variant, *size, *kernel;
    pm_check_verdict verdict;
    double before_s, after_s;           /* NaN: it is not there, or could not be predicted */
    double ratio, lo, hi;               /* after_s / before_s and its 90 % interval */
    double chance;                      /* that the ratio is above 1 + tolerance */
    const char *unit;                   /* that adds most to the difference; NULL: there is none */
    double unit_before_s, unit_after_s; /* what it adds to the two times */
    size_t count_count;
    pm_check_count *counts; /* counters that differ, what changed by the largest factor first */
    /* The place in the source that made the difference, as far as is known. */
    const char *file;         /* NULL: unknown */
    unsigned line, last_line; /* 0: unknown */
    const char *reason;       /* a sentence without a full stop; NULL: unknown */
} pm_check_kernel;

typedef struct {
    double tolerance;
    size_t slower; /* kernels of that verdict */
    size_t n;
    pm_check_kernel *kernels;       /* in the order of targets, workloads, variants and sizes */
    struct pm_memory_block *memory; /* of all that is here, and of itself */
} pm_check;

typedef struct {
    const char *const *workloads;               /* as in pm_collect_options */
    const char *const *targets;                 /* NULL-terminated; NULL: those of the baseline */
    const char *const *variants, *const *sizes; /* NULL-terminated; NULL: all */
    const char
        *against;       /* the baseline to hold them against; NULL: none, and nothing is compared */
    const char *output; /* where to write what was counted now, as a baseline; NULL: nowhere */
    double tolerance;   /* by how much a kernel may become slower: 0.05 for 5 % */
} pm_check_options;

/* Traces all kernels of workloads by the rules of targets and holds counts and predicted times
 * against a baseline that it wrote before. A baseline of another version of perfmodel, seed or
 * sample is PM_BAD_INPUT, as its counts could differ for that alone. Without a baseline kernels are
 * PM_CHECK_NEW. The same sources give the same bytes. */
pm_check *pm_check_run(pm_session *session, const pm_check_options *options, pm_error *err);
void pm_check_free(pm_check *check);

/* A share of a check: counts the variants of programs that shard has into the share's file,
 * NAME-IofN.jsonl for an output of NAME.json, and judges nothing. Of a baseline it takes the
 * targets alone, where none are named. Ended at any point, the same call goes on where it was. */
pm_status pm_check_share(pm_session *session, const pm_check_options *options,
                         const pm_shard *shard, pm_share_result *result, pm_error *err);
/* What pm_check_run finds, and the baseline that it writes, of what shares have counted (paths is
 * NULL-terminated) in place of workloads. One that is missing or not finished is PM_FAILED, as
 * nothing can be told of it; other errors and notices are those of pm_merge. options has against,
 * output and tolerance. */
pm_check *pm_check_join(pm_session *session, const char *const *paths,
                        const pm_check_options *options, pm_error *err);

/* ---- report ------------------------------------------------------------------------------ */

/* Predicted over measured time per program as bars (the geometric mean of a program's samples, with
 * the range from the smallest to the largest), as an SVG drawn by gnuplot. title may be NULL. */
pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err);

/* What a report is made of. Lists are NULL-terminated. */
typedef struct {
    const char *const *targets;   /* GPUs as pm_advise_options has them; at least one */
    const char *const *programs;  /* NULL: all of the suite that have a base */
    const char *const *variants;  /* as pm_advise_options has them */
    const char *size;             /* NULL: the middle one of each program, of an even number the
                                   * smaller */
    const char *const *workloads; /* as in pm_collect_options, in place of programs; or NULL */
    pm_leave_out leave_out;       /* of each program */
    size_t clusters;              /* as in pm_advise_options */
    double check_limit;           /* as in pm_advise_options */
    pm_cost_options cost;
    const char *command; /* for the provenance; may be NULL */
} pm_report_options;

typedef struct pm_report pm_report;

/* Gathers a report: for each target and program an advice, what its best version costs and returns,
 * and traces of the base and of that version; for each target with a dataset the errors on programs
 * that the model has not seen. What cannot be made is left out, and the report says what and why.
 * Wrong names, and a report with nothing in it, are PM_BAD_INPUT. */
pm_report *pm_report_create(pm_session *session, const pm_report_options *options, pm_error *err);
void pm_report_free(pm_report *report);

/* All three hold the same, but only the HTML has figures. It is one file that needs no network. */
typedef enum { PM_REPORT_HTML, PM_REPORT_MARKDOWN, PM_REPORT_JSON } pm_report_format;
/* html, md or json; or where format is NULL by the ending of path. Another is PM_BAD_INPUT. */
pm_status pm_report_format_of(const char *format, const char *path, pm_report_format *out,
                              pm_error *err);
/* Writes a whole file or none. path NULL: standard output. */
pm_status pm_report_write(const pm_report *report, pm_report_format format, const char *path,
                          pm_error *err);

#ifdef __cplusplus
}
#endif

#endif

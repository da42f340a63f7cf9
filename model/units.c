/* The time of a kernel from the units of the GPU. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "units.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

/* The two parameters that every model has: seconds of a launch, and q - 1. */
enum { OVERHEAD, OVERLAP, FIRST_SLOWDOWN };

/* What the parameters are held near: a launch takes a few microseconds; units overlap so that q is
 * some 4, pipes of a compute unit too; a unit reaches 95 % of its rate, DRAM 90 %, the L2 cache
 * perhaps 60 % of an older chip's rate; of a lone warp, an instruction that needs another starts 4
 * cycles behind it, one that needs none 1 cycle, and it waits 20 to 200 of them for memory
 * (latencies of Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
 * 2018, divided by the loads in flight, which is why they are loose). */
static const struct {
    double value, spread; /* of the logarithm */
} priors[] = {
    {3e-6, .7},     /* OVERHEAD */
    {3, .7},        /* OVERLAP */
    {1 / .95, .05}, /* SM_SLOWDOWN */
    {1 / .6, .4},   /* L2_SLOWDOWN */
    {1 / .9, .1},   /* DRAM_SLOWDOWN */
    {4, .7},        /* INSTRUCTION_CYCLES */
    {30, 1},        /* LOAD_CYCLES */
    {20, 1},        /* SHARED_CYCLES */
    {200, 1},       /* MISS_CYCLES */
    {3, .7},        /* PIPES_OVERLAP */
    {1, .7},        /* OWN_CYCLES */
};
enum {
    SM_SLOWDOWN = FIRST_SLOWDOWN,
    L2_SLOWDOWN,
    DRAM_SLOWDOWN,
    INSTRUCTION_CYCLES,
    LOAD_CYCLES,
    SHARED_CYCLES,
    MISS_CYCLES,
    PIPES_OVERLAP,
    OWN_CYCLES,
    CODE_PARAMETERS
};
static const double CYCLES_SPREAD = 1;
/* What a warp waits for shared memory: 29 cycles on an H100 (Luo et al., "Benchmarking and
 * Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking", 2024), more in a queue. */
static const double SHARED_WAIT_CYCLES = 30, SHARED_WAIT_SPREAD = .3;

void pm_units_free(pm_units *units)
{
    if (!units)
        return;
    free(units->work);
    free(units->launches);
    free(units);
}

static pm_units *units_alloc(size_t n, pm_error *err)
{
    pm_units *units = calloc(1, sizeof *units);

    if (units) {
        units->n = n;
        units->work = calloc(n * PM_UNITS_COLUMNS, sizeof *units->work);
        units->launches = calloc(n, sizeof *units->launches);
    }
    if (!units || !units->work || !units->launches) {
        pm_units_free(units);
        pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
        return NULL;
    }
    return units;
}

static void set_prior(pm_units *units, size_t parameter, double value, double spread)
{
    units->prior[parameter] = log(value);
    units->spread[parameter] = spread;
    if (parameter >= units->parameters)
        units->parameters = parameter + 1;
}

/* Counters may be anything that a double holds, also negative: no work is less than nothing, and
 * none so much that sums and powers of it are infinite. */
static double bounded(double work)
{
    return fmin(fmax(work, 0), 1e100);
}

static void set_launches(pm_units *units, const double *launches)
{
    for (size_t i = 0; i < units->n; i++)
        units->launches[i] = launches ? bounded(fmax(launches[i], 1)) : 1;
}

/* ---- from code counters -------------------------------------------------------------------- */

/* The counters that the code model needs, by their place here. */
enum {
    ISSUED,
    EXECUTED,
    FMA,
    FMAHEAVY,
    ALU,
    XU,
    LSU,
    GLOBAL_WAVEFRONT,
    SHARED_WAVEFRONT,
    L2_READ,
    L2_WRITE,
    DRAM_READ,
    DRAM_WRITE,
    GLD_REQUEST,
    GLD_SECTOR,
    L1_MISS,
    LOAD_WAIT,
    LOAD_WAIT_MISS,
    DEPTH,
    SHARED_LOAD,
    SHARED_WAIT,
    WORK_GROUPS,
    WARPS,
    RESIDENT,
    LAUNCHES,
    COUNTERS
};
static const char *const counter_names[COUNTERS] = {
    [ISSUED] = "inst_issued",
    [EXECUTED] = "inst_executed",
    [FMA] = "pipe_fma",
    [FMAHEAVY] = "pipe_fmaheavy",
    [ALU] = "pipe_alu",
    [XU] = "pipe_xu",
    [LSU] = "pipe_lsu",
    [GLOBAL_WAVEFRONT] = "global_wavefront",
    [SHARED_WAVEFRONT] = "shared_wavefront",
    [L2_READ] = "l2_read_sector",
    [L2_WRITE] = "l2_write_sector",
    [DRAM_READ] = "dram_read_bytes",
    [DRAM_WRITE] = "dram_write_bytes",
    [GLD_REQUEST] = "gld_request",
    [GLD_SECTOR] = "gld_sector",
    [L1_MISS] = "l1_global_load_miss",
    [LOAD_WAIT] = "load_wait",
    [LOAD_WAIT_MISS] = "load_wait_miss",
    [DEPTH] = "inst_depth",
    [SHARED_LOAD] = "shared_load",
    [SHARED_WAIT] = "shared_wait",
    [WORK_GROUPS] = "work_groups",
    [WARPS] = "launched_warps",
    [RESIDENT] = "resident_groups",
    [LAUNCHES] = "launches",
};

/* What stands in where a pipe's counter is unknown, as where the trace engine counted, which knows
 * classes of instructions and not what the chip's compiler made of them. Multiplication of
 * integers, which is what the heavy pipe has to itself, is in no class. */
static const struct {
    size_t counter;
    const char *name;  /* NULL: nothing is taken to run there */
    bool by_work_item; /* counted for each, and not a warp at a time */
} stand_ins[] = {
    {ISSUED, "inst_executed", false},  {FMA, "inst_fp32", true},
    {FMAHEAVY, NULL, false},           {ALU, "inst_int", true},
    {XU, "inst_special", true},        {LSU, "inst_memory", true},
    {LOAD_WAIT, "gld_request", false}, {LOAD_WAIT_MISS, NULL, false},
    {DEPTH, "inst_executed", false},   {SHARED_WAIT, "shared_load", false},
};

/* A counter of all rows: value[i], times the warp instructions a work-item's instruction is where
 * scaled; value NULL: 0 in every row. */
typedef struct {
    const double *value;
    bool scaled;
} code_column;

static const double SECTOR_BYTES = 32;

static void set_work(pm_units *units, size_t row, size_t column, size_t term, size_t parameter,
                     double seconds)
{
    units->work[row * PM_UNITS_COLUMNS + column] = bounded(seconds);
    units->term[column] = term;
    units->parameter[column] = parameter;
    if (column >= units->columns)
        units->columns = column + 1;
    if (term >= units->terms)
        units->terms = term + 1;
}

/* The units of a compute unit. Where the groups do not divide evenly, the fullest one decides. */
static size_t fill_sm(pm_units *units, size_t row, const double *c, const pm_profile *p)
{
    double share = c[WORK_GROUPS] / c[LAUNCHES] / p->compute_units;
    double imbalance = share > 0 ? ceil(share) / share : 1;
    double cycles_s = imbalance / (p->compute_units * p->clock_mhz * 1e6);
    const double cycles[] = {
        c[ISSUED] / p->issue_per_cycle,
        c[FMA] / p->fma_per_cycle,
        c[FMAHEAVY] / p->fmaheavy_per_cycle,
        c[ALU] / p->alu_per_cycle,
        c[XU] / p->xu_per_cycle,
        c[LSU] / p->lsu_per_cycle,
        (c[GLOBAL_WAVEFRONT] + c[SHARED_WAVEFRONT]) / p->l1_wavefronts_per_cycle,
    };
    size_t count = sizeof cycles / sizeof *cycles;

    for (size_t k = 0; k < count; k++)
        set_work(units, row, k, k, SM_SLOWDOWN, cycles[k] * cycles_s);
    return count;
}

/* Rounds of resident warps, times what one warp executes and waits for: seconds a cycle. */
static void fill_latency(pm_units *units, size_t row, size_t column, size_t term, const double *c,
                         const pm_profile *p, bool waits)
{
    double resident = fmax(c[RESIDENT], 1) * p->compute_units;
    double rounds = fmax(c[LAUNCHES], c[WORK_GROUPS] / resident);
    double scale = c[WARPS] > 0 ? rounds / c[WARPS] / (p->clock_mhz * 1e6) : 0;

    set_work(units, row, column, term, INSTRUCTION_CYCLES, scale * c[DEPTH]);
    set_work(units, row, column + 1, term, LOAD_CYCLES, scale * c[LOAD_WAIT]);
    set_work(units, row, column + 2, term, SHARED_CYCLES, scale * c[SHARED_WAIT]);
    set_work(units, row, column + 3, term, MISS_CYCLES, scale * c[LOAD_WAIT_MISS]);
    /* Where DEPTH is the chain of instructions alone: those beside it are issued too. */
    if (waits)
        set_work(units, row, column + 4, term, OWN_CYCLES, scale * c[EXECUTED]);
}

static void fill_code(pm_units *units, size_t row, const double *c, const pm_profile *p, bool waits)
{
    double l2_bytes = (c[L2_READ] + c[L2_WRITE]) * SECTOR_BYTES;
    double dram_bytes = c[DRAM_READ] + c[DRAM_WRITE];
    size_t k = fill_sm(units, row, c, p);

    units->pipes = k;
    set_work(units, row, k, k, L2_SLOWDOWN,
             l2_bytes / (p->l2_bytes_per_cycle * p->clock_mhz * 1e6));
    k++;
    set_work(units, row, k, k, DRAM_SLOWDOWN, dram_bytes / (p->dram_gb_s * 1e9));
    k++;
    fill_latency(units, row, k, k, c, p, waits);
}

/* Whether the counter, or what stands in for it, is known. */
static bool find_column(const pm_problem *problem, size_t counter, code_column *column)
{
    *column = (code_column){pm_problem_known(problem, counter_names[counter]), false};
    if (column->value)
        return true;
    for (size_t s = 0; s < sizeof stand_ins / sizeof *stand_ins; s++) {
        if (stand_ins[s].counter != counter)
            continue;
        if (!stand_ins[s].name)
            return true;
        *column =
            (code_column){pm_problem_known(problem, stand_ins[s].name), stand_ins[s].by_work_item};
        return column->value != NULL;
    }
    return false;
}

static void read_counters(const code_column *columns, const double *threads, size_t row, double *c)
{
    double executed = columns[EXECUTED].value[row];
    double warps = threads && threads[row] > 0 ? executed / threads[row] : 0;

    for (size_t k = 0; k < COUNTERS; k++) {
        c[k] = columns[k].value ? columns[k].value[row] : 0;
        if (columns[k].scaled)
            c[k] *= warps;
    }
    c[LAUNCHES] = fmax(c[LAUNCHES], 1);
    /* Each load waits alone, and as often for a miss as its sectors miss. */
    if (!columns[LOAD_WAIT_MISS].value && c[GLD_SECTOR] > 0)
        c[LOAD_WAIT_MISS] = c[L1_MISS] / c[GLD_SECTOR] * c[GLD_REQUEST];
}

/* Where waits were counted, and not loads that may be under way together, and where the GPU's
 * latencies were measured, these are what a wait takes; a miss may wait for others' in L2. */
static void set_latencies(pm_units *units, const pm_profile *profile)
{
    if (!(profile->load_l2_cycles > profile->load_l1_cycles))
        return;
    set_prior(units, LOAD_CYCLES, fmax(profile->load_l1_cycles, 1), 0.1);
    set_prior(units, MISS_CYCLES, profile->load_l2_cycles - profile->load_l1_cycles, 0.2);
}

static void set_code_priors(pm_units *units, const pm_profile *profile, bool waits,
                            bool shared_waits)
{
    /* the last is that of a column which only waits have */
    for (size_t i = 0; i < (waits ? CODE_PARAMETERS : OWN_CYCLES); i++)
        set_prior(units, i, priors[i].value, priors[i].spread);
    units->pipes_overlap = PIPES_OVERLAP;
    if (waits)
        set_latencies(units, profile);
    if (shared_waits)
        set_prior(units, SHARED_CYCLES, SHARED_WAIT_CYCLES, SHARED_WAIT_SPREAD);
}

/* Every load and instruction for itself. */
static void forget_waits(code_column *columns)
{
    columns[LOAD_WAIT] = columns[GLD_REQUEST];
    columns[LOAD_WAIT_MISS].value = NULL;
    columns[DEPTH] = columns[EXECUTED];
    columns[SHARED_WAIT] = columns[SHARED_LOAD];
}

pm_status pm_units_of_code(const pm_problem *problem, const pm_profile *profile, bool waits,
                           pm_units **units, pm_error *err)
{
    const double *threads = pm_problem_known(problem, "thread_inst_executed");
    bool shared_waits = waits && pm_problem_known(problem, counter_names[SHARED_WAIT]);
    code_column columns[COUNTERS];

    *units = NULL;
    if (!profile->present)
        return PM_OK;
    for (size_t k = 0; k < COUNTERS; k++)
        if (!find_column(problem, k, &columns[k]) || (columns[k].scaled && !threads))
            return PM_OK;
    waits = waits && columns[LOAD_WAIT_MISS].value;
    if (!waits)
        forget_waits(columns);
    *units = units_alloc(problem->n, err);
    if (!*units)
        return PM_FAILED;
    set_code_priors(*units, profile, waits, shared_waits);
    for (size_t row = 0; row < problem->n; row++) {
        double c[COUNTERS];

        read_counters(columns, threads, row, c);
        fill_code(*units, row, c, profile, waits);
    }
    set_launches(*units, columns[LAUNCHES].value);
    return PM_OK;
}

/* ---- from active cycles -------------------------------------------------------------------- */

static double median_ratio(const pm_problem *problem, const double *cycles, const size_t *rows,
                           size_t n, double *work)
{
    for (size_t i = 0; i < n; i++)
        work[i] = problem->t[rows[i]] / fmax(cycles[rows[i]], 1);
    gsl_sort(work, 1, n);
    return gsl_stats_median_from_sorted_data(work, 1, n);
}

pm_status pm_units_of_cycles(const pm_problem *problem, const size_t *rows, size_t n,
                             pm_units **units, pm_error *err)
{
    const double *cycles = pm_problem_known(problem, "active_cycles");
    double *work, seconds;

    *units = NULL;
    if (!cycles)
        return PM_OK;
    work = calloc(n, sizeof *work);
    if (!work)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    seconds = median_ratio(problem, cycles, rows, n, work);
    free(work);
    *units = units_alloc(problem->n, err);
    if (!*units)
        return PM_FAILED;
    set_prior(*units, OVERHEAD, priors[OVERHEAD].value, priors[OVERHEAD].spread);
    set_prior(*units, OVERLAP, priors[OVERLAP].value, priors[OVERLAP].spread);
    set_prior(*units, FIRST_SLOWDOWN, 1, CYCLES_SPREAD);
    for (size_t row = 0; row < problem->n; row++)
        set_work(*units, row, 0, 0, FIRST_SLOWDOWN, seconds * fmax(cycles[row], 1));
    set_launches(*units, pm_problem_known(problem, "launches"));
    return PM_OK;
}

/* ---- the model ----------------------------------------------------------------------------- */

/* The norm over the terms, and its slopes: share[j] is d norm / d x_j; *by_q is d norm / d q. Terms
 * are taken relative to the largest, so that no power over- or underflows. */
static double norm_of(const double *x, size_t terms, double q, double *share, double *by_q)
{
    double most = 0, sum = 0, entropy = 0, norm;

    for (size_t j = 0; j < terms; j++)
        most = fmax(most, x[j]);
    *by_q = 0;
    if (!(most > 0)) {
        memset(share, 0, terms * sizeof *share);
        return 0;
    }
    for (size_t j = 0; j < terms; j++) {
        double relative = x[j] / most, power = relative > 0 ? pow(relative, q) : 0;

        share[j] = relative > 0 ? power / relative : 0;
        sum += power;
        entropy += relative > 0 ? power * log(relative) : 0;
    }
    norm = most * pow(sum, 1 / q);
    for (size_t j = 0; j < terms; j++)
        share[j] *= norm / (most * sum);
    *by_q = norm * (entropy / (sum * q) - log(sum) / (q * q));
    return norm;
}

/* The norm over all terms, the pipes first: as norm_of, *by_r is its slope by the exponent of the
 * pipes. */
static double norm_of_all(const pm_units *units, const double *x, double q, double r, double *share,
                          double *by_q, double *by_r)
{
    double outer[PM_UNITS_TERMS + 1], outer_share[PM_UNITS_TERMS + 1] = {0}, norm;
    size_t pipes = units->pipes, others = units->terms - pipes;

    outer[0] = norm_of(x, pipes, r, share, by_r);
    memcpy(outer + 1, x + pipes, others * sizeof *x);
    norm = norm_of(outer, others + 1, q, outer_share, by_q);
    for (size_t j = 0; j < pipes; j++)
        share[j] *= outer_share[0];
    memcpy(share + pipes, outer_share + 1, others * sizeof *share);
    *by_r *= outer_share[0];
    return norm;
}

/* A parameter from its logarithm: whatever step a fit tries, the time is a number above 0. */
static double positive(double logarithm)
{
    return exp(fmin(fmax(logarithm, -200), 200));
}

double pm_units_log_time(const pm_units *units, const double *parameters, size_t row, double *slope)
{
    const double *work = units->work + row * PM_UNITS_COLUMNS;
    double x[PM_UNITS_TERMS] = {0}, part[PM_UNITS_COLUMNS], share[PM_UNITS_TERMS] = {0}, by_q, by_r;
    double overhead = positive(parameters[OVERHEAD]) * units->launches[row];
    double overlap = positive(parameters[OVERLAP]), time;
    double pipes_overlap = units->pipes ? positive(parameters[units->pipes_overlap]) : 0;

    for (size_t k = 0; k < units->columns; k++) {
        part[k] = work[k] * positive(parameters[units->parameter[k]]);
        x[units->term[k]] += part[k];
    }
    time = overhead + norm_of_all(units, x, 1 + overlap, 1 + pipes_overlap, share, &by_q, &by_r);
    if (!slope)
        return log(time);
    memset(slope, 0, units->parameters * sizeof *slope);
    slope[OVERHEAD] = overhead / time;
    slope[OVERLAP] = by_q * overlap / time;
    if (units->pipes)
        slope[units->pipes_overlap] = by_r * pipes_overlap / time;
    for (size_t k = 0; k < units->columns; k++)
        slope[units->parameter[k]] += share[units->term[k]] * part[k] / time;
    return log(time);
}

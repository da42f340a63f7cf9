/* Types and functions shared by the files that transfer a model of kernel times, fitted on measured
 * GPUs, to another GPU. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_PARTS_H
#define PM_MODEL_TRANSFER_PARTS_H

#include "model/samples/table.h"
#include "model/spread.h"
#include "model/transfer/fit_store.h"
#include "model/transfer/transfer.h"

/* Training rows of the units model: measured kernels, each with its time and with the seconds
 * that it keeps each functional unit of the GPU busy. The rows of a program are a group. */
typedef struct {
    pm_units *units;
    pm_units_rows of; /* training rows, as indices into `units` */
    /* program[g]: program of group g of training rows */
    const char **program;
    /* class[g]: class (group of similar programs in classes.csv) of the program of group g */
    const char **class;
} pm_transfer_rows;

/* Collects the samples of `count` GPUs that are both traced and measured, as training rows. It
 * takes at most PM_TRANSFER_MOST samples of each program on each GPU, evenly spaced in sorted
 * times. */
enum { PM_TRANSFER_MOST = 24 };
void pm_transfer_rows_fill(pm_memory *memory, pm_transfer_rows *rows, const pm_known_gpu *gpus,
                           size_t count, const pm_classes *classes);

/* For a cross-validation, programs or classes of similar programs are divided into folds, of
 * which each is left out in turn. Up to PM_TRANSFER_ALONE of them have a fold each; more are
 * divided into PM_TRANSFER_FOLDS folds. */
enum { PM_TRANSFER_ALONE = 40, PM_TRANSFER_FOLDS = 10 };
typedef struct {
    const char *const *name; /* name[g]: program or class of group g of training rows */
    size_t folds;
    /* fold[g]: number of the fold of group g of training rows. The groups of a fold (programs or
     * classes) are left out together. */
    size_t *fold;
    /* sets[f]: parameters that were fitted to the training rows of all folds except fold f; NULL:
     * not needed yet */
    pm_transfer_set **sets;
} pm_transfer_cut;

void pm_transfer_cut_make(pm_memory *memory, const pm_transfer_rows *rows, const char **name,
                          pm_transfer_cut *cut);
/* Returns the fold that a program or class belongs to, that is, the set of programs or classes with
 * which it is left out of a fit. name: its name. cut->folds: no training row belongs to it. */
size_t pm_transfer_fold(const pm_transfer_cut *cut, const pm_transfer_rows *rows, const char *name);

/* Parameters of the units model that were fitted without one fold (programs, or classes of
 * programs, that are left out together). They are fitted when a prediction first needs them. */
struct pm_transfer_set {
    const pm_transfer_cut *cut;
    size_t left_out; /* fold that is left out; cut->folds: none */
    double *fitted;  /* fitted parameters */
    /* inner cross-validation, from which the distribution of residuals comes: each fold of `inner`
     * is left out in turn, in addition to the fold left_out */
    const pm_transfer_cut *inner;
    /* row f (PM_UNITS_PARAMETERS numbers) has the parameters fitted without the fold left_out and
     * without fold f of `inner` */
    double *without;
    /* distribution of the residuals of the training rows, each computed with the parameters in
     * `without` whose fit has not seen its fold of `inner` */
    pm_spread spread;
    /* The members below are set in a copy of the set for one target (pm_transfer_view), else
     * NULL. */
    /* parameters of the target GPU: `fitted`, or from the model of many GPUs `pool` */
    const double *moved;
    /* covariance of `moved`, the uncertainty of the target's parameters: a matrix of
     * PM_UNITS_PARAMETERS rows and columns, stored by row */
    const double *open;
    /* Model of many GPUs from which `moved` and `open` come. NULL: they come from one set of
     * parameters for all GPUs. */
    const pm_hierarchy *pool;
};

/* The units model (times of a GPU's functional units), fitted to some GPUs. It does not depend on a
 * target GPU. */
struct pm_trained {
    pm_memory memory;  /* owns all members below */
    pm_memory scratch; /* scratch space while parameters are fitted */
    pm_known_gpu *gpus;
    size_t gpu_count;
    const pm_classes *classes;
    pm_fit_store store;
    /* true: `rows` has the work and the times of the training rows; false: `rows` was read from the
     * cache and has only the names of their programs */
    bool filled;
    pm_transfer_rows rows;           /* training rows */
    pm_transfer_cut programs, kinds; /* divisions into folds by program and by class */
    /* Division into folds by class for a program (renamed) that shall have another class
     * (renamed_class) than classes.csv says. Only the last requested one is kept; NULL: none was
     * requested. */
    const char *renamed, *renamed_class;
    pm_transfer_cut *renamed_kinds;
    /* parameters fitted to all rows, with no fold left out; NULL: not needed yet */
    pm_transfer_set *all;
};

/* Reads the datasets and fills trained->rows, unless that was done already. Raises
 * errors by longjmp (base/memory.h), to the pm_attempt() that runs with trained->memory. */
void pm_trained_fill(pm_trained *trained);
/* Finds the set of parameters that was fitted without a program or without its class (a group of
 * similar programs). `without` says which of the two is left out. `trained` owns the set. */
pm_status pm_trained_find(pm_trained *trained, const char *program, pm_withheld without,
                          const pm_transfer_set **set, pm_error *err);

/* Fitted parameters for one target GPU: a copy of the set `of`, in which the target's own
 * parameters and their covariance are filled in. */
typedef struct pm_transfer_view {
    struct pm_transfer_view *next;
    const pm_transfer_set *of;
    /* parameters of a target that is none of the GPUs in the model of many GPUs (set.pool) */
    pm_hierarchy_guest guest;
    double open[PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS];
    pm_transfer_set set;
} pm_transfer_view;

struct pm_transfer {
    pm_memory memory; /* owns all members below */
    pm_trained *trained;
    bool owns_trained;
    const pm_known_gpu *target;
    bool seen; /* true: the target is one of trained->gpus */
    /* Years between the target and the nearest of trained->gpus (pm_profile_years_apart). 0: the
     * target is one of them or has the architecture of one. */
    double years;
    pm_pooled *pooled; /* model of many GPUs; NULL: none */
    bool owns_pooled;
    pm_transfer_view *views;
    /* Variances by which the target's parameters may differ from the fitted ones: a diagonal matrix
     * of PM_UNITS_PARAMETERS rows and columns, stored by row. Used without a model of many GPUs. */
    double *covariance;
};

/* Finds the distribution of residuals of unseen programs by an inner cross-validation: fits the set
 * without each fold of set->inner, and fills the members inner, without and spread. A residual is
 * log(measured time / modelled time). spread->lo and hi are its quantiles. Adding spread->point to
 * log time gives the prediction with the least expected relative error. */
void pm_transfer_spread(pm_trained *trained, pm_transfer_set *set);

/* ---- stored.c: sets and rows in the cache ---------------------------------------------------- */

/* Returns where the cache stores the training rows and the fitted sets of parameters of a model. */
pm_fit_store pm_trained_store(pm_session *session, const pm_trained *trained);
/* Reads the names of the programs of the training rows from the cache, without their counters and
 * times. Returns false if the cache does not have them. */
bool pm_trained_load_rows(pm_trained *trained);
void pm_trained_save_rows(const pm_trained *trained);
/* Reads a set of fitted parameters from the cache. set->cut and set->left_out must say which fold
 * it leaves out. Returns false if the cache does not have it. */
bool pm_trained_load_set(pm_trained *trained, pm_transfer_set *set);
void pm_trained_save_set(pm_trained *trained, const pm_transfer_set *set);

#endif

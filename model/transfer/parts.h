/* Internals of the transfer of a model to another GPU. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_PARTS_H
#define PM_MODEL_TRANSFER_PARTS_H

#include "model/samples/table.h"
#include "model/spread.h"
#include "model/transfer/fit_store.h"
#include "model/transfer/transfer.h"

/* Training samples and their work on the GPU's functional units, sorted by program. */
typedef struct {
    pm_units *units;
    pm_units_rows of;     /* training rows, as indices into `units` */
    const char **program; /* program[g]: program of group g of rows */
    const char **class;   /* class[g]: class of group g of rows */
} pm_transfer_rows;

/* Collects the samples that are both traced and measured on a GPU. Takes at most PM_TRANSFER_MOST
 * per program and GPU, evenly spaced in sorted times. */
enum { PM_TRANSFER_MOST = 24 };
void pm_transfer_rows_fill(pm_memory *memory, pm_transfer_rows *rows, const pm_known_gpu *gpus,
                           size_t count, const pm_classes *classes);

/* Division of programs or classes into folds, of which each is left out in turn. Up to
 * PM_TRANSFER_ALONE programs or classes are left out one at a time; more are divided into
 * PM_TRANSFER_FOLDS folds. */
enum { PM_TRANSFER_ALONE = 40, PM_TRANSFER_FOLDS = 10 };
typedef struct {
    const char *const *name; /* name[g]: program or class of group g of rows */
    size_t folds;
    size_t *fold;           /* fold[g]: fold of group g of rows */
    pm_transfer_set **sets; /* sets[f]: parameters fitted without fold f; NULL: not needed yet */
} pm_transfer_cut;

void pm_transfer_cut_make(pm_memory *memory, const pm_transfer_rows *rows, const char **name,
                          pm_transfer_cut *cut);
/* Returns the fold of a program or class. Returns cut->folds if none of the training samples belong
 * to it. */
size_t pm_transfer_fold(const pm_transfer_cut *cut, const pm_transfer_rows *rows, const char *name);

/* Parameters fitted without one fold. A set is fitted when a prediction first needs it. */
struct pm_transfer_set {
    const pm_transfer_cut *cut;
    size_t left_out; /* fold that is left out; cut->folds: none */
    double *fitted;  /* fitted parameters */
    /* Inner cross-validation: each fold of `inner` is left out in turn from the remaining rows. */
    const pm_transfer_cut *inner;
    /* matrix with a row of parameters for each fold of `inner`; a row is fitted without the fold
     * left_out and without this inner fold */
    double *without;
    /* distribution of residuals: each fit in `without` gives the residuals of the inner fold that
     * it has not seen */
    pm_spread spread;
    /* The members below are set in a copy of the set for one target (pm_transfer_view), else
     * NULL. */
    const double *moved; /* the target's parameters: `fitted`, or parameters from `pool` */
    /* covariance of `moved`: a matrix of PM_UNITS_PARAMETERS rows and columns, stored by row */
    const double *open;
    /* Model of many GPUs that gives `moved` and `open`; NULL: none. */
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
    /* true: `rows` has the work and the times; false: it has only the names of programs, from the
     * cache */
    bool filled;
    pm_transfer_rows rows;           /* training rows */
    pm_transfer_cut programs, kinds; /* divisions into folds by program and by class */
    /* Division into folds by class, if a program has another class than classes.csv says. Only the
     * last requested one is stored; NULL: none was requested. */
    const char *renamed, *renamed_class;
    pm_transfer_cut *renamed_kinds;
    /* parameters fitted to all rows, with no fold left out; NULL: not needed yet */
    pm_transfer_set *all;
};

/* Reads the datasets and fills `rows`, unless `rows` is filled already. An error ends the function
 * that pm_attempt runs with trained->memory. */
void pm_trained_fill(pm_trained *trained);
/* Finds the parameters that were fitted without a program or its class. `trained` owns them. */
pm_status pm_trained_find(pm_trained *trained, const char *program, pm_withheld without,
                          const pm_transfer_set **set, pm_error *err);

/* A copy of a set of fitted parameters, with the target's parameters. */
typedef struct pm_transfer_view {
    struct pm_transfer_view *next;
    const pm_transfer_set *of;
    /* parameters of a target that is not in the model of many GPUs (set.pool) */
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
    /* prior variances of the parameters between GPUs: a diagonal matrix of PM_UNITS_PARAMETERS rows
     * and columns, stored by row */
    double *covariance;
};

/* Cross-validates a set: fits it without each of its inner folds, and fills its members inner,
 * without and spread. spread: quantiles of log(measured / modelled time), and the point of least
 * expected relative error. */
void pm_transfer_spread(pm_trained *trained, pm_transfer_set *set);

/* ---- stored.c: sets and rows in the cache ---------------------------------------------------- */

/* Returns the cache for the parts of a trained model. */
pm_fit_store pm_trained_store(pm_session *session, const pm_trained *trained);
/* Reads the names of the training rows' programs from the cache. Returns false if the cache does
 * not have them. */
bool pm_trained_load_rows(pm_trained *trained);
void pm_trained_save_rows(const pm_trained *trained);
/* Reads the fitted parameters of a set from the cache. set->cut and set->left_out say which set.
 * Returns false if the cache does not have it. */
bool pm_trained_load_set(pm_trained *trained, pm_transfer_set *set);
void pm_trained_save_set(pm_trained *trained, const pm_transfer_set *set);

#endif

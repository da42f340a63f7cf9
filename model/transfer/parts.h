/* What carrying a model to another GPU is made of. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_PARTS_H
#define PM_MODEL_TRANSFER_PARTS_H

#include "model/spread.h"
#include "model/transfer/fit_store.h"
#include "model/transfer/transfer.h"
#include "samples/table.h"

/* Samples with their work, program by program. */
typedef struct {
    pm_units *units;
    pm_units_rows of;     /* of which rows of units */
    const char **program; /* a member a group */
    const char **class;   /* a member a group */
} pm_transfer_rows;

/* The samples of the GPUs that are traced and measured, at most PM_TRANSFER_MOST of each program on
 * each, evenly spaced in its times. */
enum { PM_TRANSFER_MOST = 24 };
void pm_transfer_rows_fill(pm_memory *memory, pm_transfer_rows *rows, const pm_known_gpu *gpus,
                           size_t count, const pm_classes *classes);

/* What is left out one at a time: programs, or classes. More than PM_TRANSFER_ALONE of them are
 * left out in PM_TRANSFER_FOLDS folds of them. */
enum { PM_TRANSFER_ALONE = 40, PM_TRANSFER_FOLDS = 10 };
typedef struct {
    const char *const *name; /* a member a group of rows: of its program, or of its class */
    size_t folds;
    size_t *fold;           /* a member a group of rows */
    pm_transfer_set **sets; /* without each fold; NULL: has not been needed yet */
} pm_transfer_cut;

void pm_transfer_cut_make(pm_memory *memory, const pm_transfer_rows *rows, const char **name,
                          pm_transfer_cut *cut);
/* The fold of a name; cut->folds where there are no samples of it. */
size_t pm_transfer_fold(const pm_transfer_cut *cut, const pm_transfer_rows *rows, const char *name);

/* What has been learned without a fold: found when a prediction first needs it. */
struct pm_transfer_set {
    const pm_transfer_cut *cut;
    size_t left_out; /* cut->folds: none */
    double *fitted;  /* the parameters */
    /* Of what stays, each fold of inner is left out in turn, too. */
    const pm_transfer_cut *inner;
    double *without;  /* inner->folds sets of parameters, by fits that have seen neither */
    pm_spread spread; /* what these get wrong of the fold that they have not seen */
    /* Set in a target's view of the set (pm_transfer_view), else NULL: */
    const double *moved; /* the target's parameters: `fitted`, or those of `pool` */
    const double *open;  /* covariance of `moved`: PM_UNITS_PARAMETERS squared, by row */
    /* Model of many GPUs that gives `moved` and `open`; NULL: none. */
    const pm_hierarchy *pool;
};

/* The units model as learned from some GPUs, independent of a target. */
struct pm_trained {
    pm_memory memory;  /* of all below */
    pm_memory scratch; /* of an attempt to learn a set */
    pm_known_gpu *gpus;
    size_t gpu_count;
    const pm_classes *classes;
    pm_fit_store store;
    bool filled;                     /* rows have units and times; false: only the cached names */
    pm_transfer_rows rows;           /* learned from */
    pm_transfer_cut programs, kinds; /* kinds: by class */
    /* By class too, but for a program that is of another class than the table has it: the one that
     * was last asked for. NULL: none was. */
    const char *renamed, *renamed_class;
    pm_transfer_cut *renamed_kinds;
    pm_transfer_set *all; /* the set that leaves nothing out; NULL: not needed yet */
};

/* Reads the datasets and fills `rows`, unless that is done. An error ends the pm_attempt on
 * trained->memory.
 */
void pm_trained_fill(pm_trained *trained);
/* Finds the set that was learned without a program or its class. `trained` owns it. */
pm_status pm_trained_find(pm_trained *trained, const char *program, pm_withheld without,
                          const pm_transfer_set **set, pm_error *err);

/* A target's view of a set: a copy with the target's parameters. */
typedef struct pm_transfer_view {
    struct pm_transfer_view *next;
    const pm_transfer_set *of;
    pm_hierarchy_guest guest; /* parameters of a target that set.pool does not have */
    double open[PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS];
    pm_transfer_set set;
} pm_transfer_view;

struct pm_transfer {
    pm_memory memory; /* owns all members below */
    pm_trained *trained;
    bool owns_trained;
    const pm_known_gpu *target;
    bool seen; /* the target is one of trained->gpus */
    /* Years of development between the target and the nearest of trained->gpus. 0: the target is
     * one of them or has the architecture of one.
     */
    double years;
    pm_pooled *pooled; /* NULL: there is none */
    bool owns_pooled;
    pm_transfer_view *views;
    double *covariance; /* PM_UNITS_PARAMETERS squared, by row, diagonal: variances between GPUs */
};

/* Fills inner, without and spread from fitted: quantiles of the log of measured over modelled time,
 * and the point of least expected relative error. */
void pm_transfer_spread(pm_trained *trained, pm_transfer_set *set);

/* ---- stored.c: sets and rows in the cache ---------------------------------------------------- */

/* Makes the store of the parts of a trained model. */
pm_fit_store pm_trained_store(pm_session *session, const pm_trained *trained);
/* Reads the rows' names from the cache. Returns false if it does not have them. */
bool pm_trained_load_rows(pm_trained *trained);
void pm_trained_save_rows(const pm_trained *trained);
/* Reads the set with set->cut and set->left_out from the cache. Returns false if it does not have
 * the set. */
bool pm_trained_load_set(pm_trained *trained, pm_transfer_set *set);
void pm_trained_save_set(pm_trained *trained, const pm_transfer_set *set);

#endif

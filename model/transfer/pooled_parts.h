/* Types and functions shared by the files that fit one model of kernel times to many GPUs. See
 * pooled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_POOLED_PARTS_H
#define PM_MODEL_TRANSFER_POOLED_PARTS_H

#include "base/memory.h"
#include "base/strings.h"
#include "model/transfer/fit_store.h"
#include "model/transfer/pooled.h"

/* Texts in order of arrival. A text's number is its index in `items`. */
typedef struct {
    pm_hash_index index;
    const char **items;
    size_t count;
} pm_numbered;

/* Fitted parameters of the model of many GPUs, for which one fold (programs, or classes of
 * programs, that are left out together) was not used. */
typedef struct pm_pooled_fit {
    struct pm_pooled_fit *next;
    bool by_class;
    size_t fold; /* fold that is left out; PM_NO_NAME: none */
    /* if by_class: number of the class (group of similar programs) that is left out, together with
     * the other classes of its fold */
    size_t class;
    /* if by_class: number of the program that counts as a member of `class`, although classes.csv
     * says otherwise; PM_NO_NAME: none */
    size_t renamed;
    pm_hierarchy *h;
} pm_pooled_fit;

struct pm_pooled {
    pm_memory memory;
    pm_memory scratch; /* scratch space while the training rows are read */
    pm_known_gpu *gpus;
    size_t gpu_count;
    const pm_classes *classes;
    pm_fit_store store;
    /* true: `rows` has the work and the times; false: it has only the names, from the cache */
    bool filled;
    pm_numbered programs, variants, configs, sources, kinds;
    /* class[program]: number of the program's class (group of similar programs) in the list `kinds`
     */
    size_t *class;
    pm_hierarchy_rows rows;
    pm_pooled_fit *fits;
};

/* ---- names.c: numbers of names ----------------------------------------------------------------
 */

/* Returns the number of a text in the list. Returns PM_NO_NAME if the list does not have it. */
size_t pm_numbered_find(const pm_numbered *list, const char *text);
/* Returns the number of a text in the list, and adds the text if it is new. */
size_t pm_numbered_add(pm_memory *memory, pm_numbered *list, const char *text);
/* Return texts that are allocated in `memory`. pm_variant_name: identifies a kernel in a variant of
 * a program; pm_config_name: the same with the size (a configuration). */
const char *pm_variant_name(pm_memory *memory, const pm_sample *s);
const char *pm_config_name(pm_memory *memory, const pm_sample *s);

/* ---- gather.c ---------------------------------------------------------------------------------
 */

/* Reads the datasets and fills pooled->rows, unless that was done already. Raises
 * errors by longjmp (base/memory.h), to the pm_attempt() that runs with pooled->memory. */
void pm_pooled_fill(pm_pooled *pooled);
/* Fills pooled->class: class[program] becomes the number of the program's class, a group of similar
 * programs that classes.csv lists together. */
void pm_pooled_classify(pm_pooled *pooled);

/* ---- pooled_stored.c: in the cache ------------------------------------------------------------
 */

/* Reads from the cache which GPU, program, variant, configuration and source each training row has,
 * without counters and times. Returns false if the cache does not have it. */
bool pm_pooled_load_rows(pm_pooled *pooled);
void pm_pooled_save_rows(pm_pooled *pooled);
/* Reads from the cache the fit that learned from the training rows i with seen[i]. Returns false if
 * the cache does not have it. */
bool pm_pooled_load_fit(pm_pooled *pooled, const bool *seen, pm_hierarchy **h);
void pm_pooled_save_fit(pm_pooled *pooled, const bool *seen, pm_hierarchy *h);

#endif

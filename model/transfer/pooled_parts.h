/* What a model of many GPUs is made of. See pooled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_POOLED_PARTS_H
#define PM_MODEL_TRANSFER_POOLED_PARTS_H

#include "base/memory.h"
#include "base/strings.h"
#include "model/transfer/fit_store.h"
#include "model/transfer/pooled.h"

/* Texts and their numbers, in the order in which they came. */
typedef struct {
    pm_hash_index index;
    const char **items;
    size_t count;
} pm_numbered;

/* What was learned without a fold of programs or classes. */
typedef struct pm_pooled_fit {
    struct pm_pooled_fit *next;
    bool by_class;
    size_t fold;    /* PM_NO_NAME: nothing is left out */
    size_t class;   /* by_class: number of the class that is asked for */
    size_t renamed; /* by_class: number of a program that is of that class, though the table has
                     * another; PM_NO_NAME: there is none */
    pm_hierarchy *h;
} pm_pooled_fit;

struct pm_pooled {
    pm_memory memory;
    pm_known_gpu *gpus;
    size_t gpu_count;
    const pm_classes *classes;
    pm_fit_store store;
    bool filled; /* rows have units and times; else what they are of alone, out of the cache */
    pm_numbered programs, variants, configs, sources, kinds;
    size_t *class; /* a member a program: its number among the kinds */
    pm_hierarchy_rows rows;
    pm_pooled_fit *fits;
};

/* ---- names.c: numbers of names ----------------------------------------------------------------
 */

/* PM_NO_NAME: the text is not in the list. */
size_t pm_numbered_find(const pm_numbered *list, const char *text);
/* The text's number, a new one if it was not there. */
size_t pm_numbered_add(pm_memory *memory, pm_numbered *list, const char *text);
/* What rows of one variant and kernel of a program are called, and those of one size, too. */
const char *pm_variant_name(pm_memory *memory, const pm_sample *s);
const char *pm_config_name(pm_memory *memory, const pm_sample *s);

/* ---- gather.c ---------------------------------------------------------------------------------
 */

/* Reads the datasets and fills rows, unless that is done; ends the attempt of memory if it fails.
 */
void pm_pooled_fill(pm_pooled *pooled);
/* Numbers the programs' classes. */
void pm_pooled_classify(pm_pooled *pooled);

/* ---- pooled_stored.c: in the cache ------------------------------------------------------------
 */

/* What rows are of; false: the cache does not have it. */
bool pm_pooled_load_rows(pm_pooled *pooled);
void pm_pooled_save_rows(pm_pooled *pooled);
/* The fit to the rows that are seen (rows.n); false: the cache does not have it. */
bool pm_pooled_load_fit(pm_pooled *pooled, const bool *seen, pm_hierarchy **h);
void pm_pooled_save_fit(pm_pooled *pooled, const bool *seen, pm_hierarchy *h);

#endif

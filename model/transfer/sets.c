/* What a carried model has learned without a program, or a class: found when a prediction first
 * needs it, and kept. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS };

static pm_units_rows folded(const pm_units_rows *rows, size_t folds, const size_t *fold)
{
    pm_units_rows result = *rows;

    result.folds = folds;
    result.fold = fold;
    return result;
}

/* From the priors: where the fit to all rows ends, what is left out has been seen. */
static void fit(pm_transfer *carry, pm_transfer_set *set)
{
    const pm_transfer_cut *cut = set->cut;
    const pm_units_rows rows = folded(&carry->rows.of, cut->folds, cut->fold);

    set->fitted = pm_take(&carry->memory, P, sizeof *set->fitted);
    memcpy(set->fitted, carry->rows.units->prior, P * sizeof *set->fitted);
    pm_require(&carry->memory, pm_units_fit(carry->rows.units, &rows, set->left_out, set->fitted,
                                            carry->memory.err));
}

/* ---- all of it ------------------------------------------------------------------------------ */

typedef struct {
    pm_transfer *carry;
    pm_transfer_set **place;
    pm_transfer_set set;
} learning;

static void learn(void *user)
{
    learning *l = user;
    pm_transfer *carry = l->carry;
    pm_transfer_set *kept;

    carry->scratch = pm_memory_beside(&carry->memory);
    fit(carry, &l->set);
    pm_transfer_spread(carry, &l->set);
    l->set.moved = l->set.fitted;
    l->set.open = carry->covariance;
    kept = pm_take(&carry->memory, 1, sizeof *kept);
    *kept = l->set;
    *l->place = kept;
}

/* The classes of the programs, of which one has another. */
static const char **rename_class(pm_transfer *carry)
{
    const pm_transfer_rows *rows = &carry->rows;
    const char **class = pm_take(&carry->memory, rows->of.groups, sizeof *class);

    for (size_t g = 0; g < rows->of.groups; g++)
        class[g] =
            pm_are_twins(rows->program[g], carry->renamed) ? carry->renamed_class : rows->class[g];
    return class;
}

typedef struct {
    pm_transfer *carry;
    const char *program, *class;
} renaming;

static void rename_program(void *user)
{
    const renaming *r = user;
    pm_transfer *carry = r->carry;
    pm_transfer_cut *cut = pm_take(&carry->memory, 1, sizeof *cut);

    carry->renamed_class = pm_copy(&carry->memory, r->class);
    carry->renamed = pm_copy(&carry->memory, r->program);
    pm_transfer_cut_make(&carry->memory, &carry->rows, rename_class(carry), cut);
    carry->renamed_kinds = cut;
}

static pm_status find_kinds(pm_transfer *carry, const char *program, const char *class,
                            pm_transfer_cut **cut, pm_error *err)
{
    renaming r = {carry, program, class};
    pm_status status = PM_OK;

    *cut = &carry->kinds;
    if (strcmp(class, pm_class_of(carry->classes, program)) == 0)
        return PM_OK;
    if (!carry->renamed || strcmp(carry->renamed, program) != 0 ||
        strcmp(carry->renamed_class, class) != 0)
        status = pm_attempt(&carry->memory, rename_program, &r, err);
    if (status != PM_OK)
        carry->renamed = NULL;
    *cut = carry->renamed_kinds;
    return status;
}

/* The set without a fold, in its place. */
static pm_status have_set(pm_transfer *carry, const pm_transfer_cut *cut, size_t fold,
                          pm_transfer_set **place, pm_error *err)
{
    learning l = {carry, place, {.cut = cut, .left_out = fold}};
    pm_status status = PM_OK;

    if (*place)
        return PM_OK;
    status = pm_attempt(&carry->memory, learn, &l, err);
    pm_memory_free(&carry->scratch);
    return status;
}

/* ---- with a model of many GPUs -------------------------------------------------------------- */

typedef struct {
    pm_transfer *carry;
    const pm_transfer_set *of;
    const pm_hierarchy *pool;
    const pm_transfer_set *made;
} pooling;

static void pool_set(void *user)
{
    pooling *p = user;
    pm_transfer *carry = p->carry;
    pm_transfer_pooled_set *s = pm_take(&carry->memory, 1, sizeof *s);
    const size_t gpu = pm_pooled_gpu(carry->pooled, carry->target->name);

    *s = (pm_transfer_pooled_set){.next = carry->pooled_sets, .of = p->of, .set = *p->of};
    s->set.pool = p->pool;
    s->set.moved = pm_take(&carry->memory, P, sizeof *s->set.moved);
    s->set.open = pm_take(&carry->memory, P * P, sizeof *s->set.open);
    memcpy(s->set.moved, pm_hierarchy_parameters(p->pool, gpu), P * sizeof *s->set.moved);
    pm_hierarchy_covariance(p->pool, gpu, s->set.open);
    carry->pooled_sets = s;
    p->made = &s->set;
}

static pm_status find_pooled(pm_transfer *carry, const char *program, pm_withheld without,
                             const pm_transfer_set **set, pm_error *err)
{
    pooling p = {.carry = carry, .of = *set};
    pm_status status = pm_pooled_find(carry->pooled, program, without, &p.pool, err);

    *set = NULL;
    if (status != PM_OK)
        return status;
    for (const pm_transfer_pooled_set *s = carry->pooled_sets; s; s = s->next)
        if (s->of == p.of && s->set.pool == p.pool)
            *set = &s->set;
    if (*set)
        return PM_OK;
    status = pm_attempt(&carry->memory, pool_set, &p, err);
    *set = p.made;
    return status;
}

pm_status pm_transfer_find(pm_transfer *carry, const char *program, pm_withheld without,
                           const pm_transfer_set **set, pm_error *err)
{
    const char *class = without.class ? without.class : pm_class_of(carry->classes, program);
    const bool by_class = without.unit == PM_LEAVE_CLASS;
    pm_transfer_cut *cut = &carry->programs;
    pm_transfer_set **place = &carry->all;
    pm_status status = by_class ? find_kinds(carry, program, class, &cut, err) : PM_OK;
    size_t fold;

    *set = NULL;
    if (status != PM_OK)
        return status;
    fold = cut->folds;
    if (without.unit != PM_LEAVE_NOTHING)
        fold = pm_transfer_fold(cut, &carry->rows, by_class ? class : program);
    if (fold != cut->folds)
        place = &cut->sets[fold];
    status = have_set(carry, cut, fold, place, err);
    *set = *place;
    return status == PM_OK && carry->pooled ? find_pooled(carry, program, without, set, err)
                                            : status;
}

/* Estimates the fraction of a kernel's residual on one GPU that is expected on another GPU, from 0
 * to 1. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * There is one estimate for each relation of two GPUs (pm_kinship). It uses all pairs of GPUs with
 * this relation and all kernels timed on both. The fraction s minimizes sum w |r' - s r|, where r
 * and r' are the residuals of a kernel on the two GPUs. The weight w makes each program of a pair
 * of GPUs count as one. The minimum is the median of the ratios r' / r, weighted by w |r|. Its
 * standard error comes from the jackknife (Efron, The Jackknife, the Bootstrap and Other Resampling
 * Plans, 1982). The jackknife leaves out one GPU at a time, because all pairs with one GPU contain
 * its residuals. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/hierarchy/parts.h"

/* Least number of GPUs with a relation (pm_kinship) from which the fraction of a residual that is
 * expected on another GPU is estimated. If there are fewer, the default in `otherwise` is used. The
 * defaults were estimated from the shipped datasets. */
enum { LEAST_GPUS = 4 };
static const double otherwise[PM_KINSHIPS] = {
    [PM_SAME_CHIP] = 1, [PM_SAME_ARCHITECTURE] = .7, [PM_SAME_MAKER] = .4, [PM_NO_KINSHIP] = 0};

pm_kinship pm_kinship_of(const pm_profile *a, const pm_profile *b)
{
    if (*a->architecture && strcmp(a->architecture, b->architecture) == 0)
        return a->compute_capability == b->compute_capability ? PM_SAME_CHIP : PM_SAME_ARCHITECTURE;
    return (a->compute_capability > 0) == (b->compute_capability > 0) ? PM_SAME_MAKER
                                                                      : PM_NO_KINSHIP;
}

/* The residuals r and r' of one configuration (kernel, variant and size) on the GPUs `one` and
 * `other`. ratio: r' / r; weight: weight of the pair in the median, |r| divided by the number of
 * such pairs of the program. */
typedef struct {
    size_t one, other;
    pm_kinship kinship;
    double ratio, weight;
} pair;

typedef struct {
    const pm_hierarchy *h;
    pm_hierarchy_kept *out;
    pm_memory *memory;
    size_t *order; /* indices of the training rows, sorted by program and configuration */
    /* count[a * gpus + b]: number of pairs of rows of one program with the same configuration, one
     * on GPU a and one on GPU b */
    size_t *count;
    pair *pairs;
    size_t n;
} finding;

/* ---- pairs ---------------------------------------------------------------------------------- */

static int by_config(const void *a, const void *b, void *user)
{
    const pm_hierarchy_row *of = user;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (of[x].program != of[y].program)
        return of[x].program < of[y].program ? -1 : 1;
    if (of[x].config != of[y].config)
        return of[x].config < of[y].config ? -1 : 1;
    return (x > y) - (x < y);
}

static void add_pair(finding *f, size_t x, size_t y)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    const size_t one = rows->of[x].gpu, other = rows->of[y].gpu;
    const double here = f->h->residual[x], there = f->h->residual[y];

    if (one == other || here == 0)
        return;
    f->count[one * rows->gpus + other]++;
    *pm_add(f->memory, f->pairs, f->n) =
        (pair){one, other, pm_kinship_of(rows->profile[one], rows->profile[other]), there / here,
               fabs(here)};
}

/* Adds the pairs of residuals of one program: rows with the same configuration on two GPUs. The
 * program's rows are order[first] ... order[end - 1]. */
static void add_program(finding *f, size_t first, size_t end)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    const size_t before = f->n;

    memset(f->count, 0, rows->gpus * rows->gpus * sizeof *f->count);
    for (size_t i = first; i < end; i++)
        for (size_t j = i + 1;
             j < end && rows->of[f->order[j]].config == rows->of[f->order[i]].config; j++) {
            add_pair(f, f->order[i], f->order[j]);
            add_pair(f, f->order[j], f->order[i]);
        }
    for (size_t k = before; k < f->n; k++)
        f->pairs[k].weight /= (double)f->count[f->pairs[k].one * rows->gpus + f->pairs[k].other];
}

static void find_pairs(finding *f)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    size_t n = 0;

    f->order = pm_take(f->memory, rows->n, sizeof *f->order);
    f->count = pm_take(f->memory, rows->gpus * rows->gpus, sizeof *f->count);
    for (size_t i = 0; i < rows->n; i++)
        if (f->h->seen[i])
            f->order[n++] = i;
    qsort_r(f->order, n, sizeof *f->order, by_config, (void *)rows->of);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first;
             end < n && rows->of[f->order[end]].program == rows->of[f->order[first]].program;)
            end++;
        pm_go_on(f->memory);
        add_program(f, first, end);
    }
}

/* ---- medians -------------------------------------------------------------------------------- */

static int by_ratio(const void *a, const void *b)
{
    const pair *x = a, *y = b;

    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* Returns the weighted median of the residuals' ratios, over the pairs of GPUs with this relation,
 * limited to [0, 1]. Pairs with GPU `without` are left out. Returns NAN if no pair remains. */
static double median_without(const finding *f, pm_kinship kinship, size_t without)
{
    double sum = 0, below = 0;

    for (size_t k = 0; k < f->n; k++)
        if (f->pairs[k].kinship == kinship && f->pairs[k].one != without &&
            f->pairs[k].other != without)
            sum += f->pairs[k].weight;
    for (size_t k = 0; k < f->n; k++) {
        if (f->pairs[k].kinship != kinship || f->pairs[k].one == without ||
            f->pairs[k].other == without)
            continue;
        below += f->pairs[k].weight;
        if (below >= sum / 2)
            return fmin(fmax(f->pairs[k].ratio, 0), 1);
    }
    return (double)NAN;
}

static void find_share(finding *f, pm_kinship kinship)
{
    const size_t gpus = f->h->rows->gpus;
    double sum = 0, squares = 0, count = 0;

    for (size_t g = 0; g < gpus; g++) {
        bool tells = false;
        double share;

        for (size_t k = 0; k < f->n && !tells; k++)
            tells = f->pairs[k].kinship == kinship && f->pairs[k].one == g;
        share = tells ? median_without(f, kinship, g) : (double)NAN;
        if (isnan(share))
            continue;
        sum += share;
        squares += share * share;
        count++;
    }
    if (count < LEAST_GPUS)
        return;
    f->out->gpus[kinship] = (size_t)count;
    f->out->share[kinship] = median_without(f, kinship, gpus);
    f->out->error[kinship] =
        sqrt(fmax((count - 1) * (squares / count - sum * sum / (count * count)), 0));
}

void pm_kept_find(pm_hierarchy *h, pm_memory *scratch)
{
    finding f = {.h = h, .out = &h->kept, .memory = scratch};

    h->kept = (pm_hierarchy_kept){.gpus = {0}};
    memcpy(h->kept.share, otherwise, sizeof otherwise);
    find_pairs(&f);
    if (f.n > 0)
        qsort(f.pairs, f.n, sizeof *f.pairs, by_ratio);
    for (pm_kinship k = 0; k < PM_KINSHIPS; k++)
        find_share(&f, k);
}

const pm_hierarchy_kept *pm_hierarchy_what_is_kept(const pm_hierarchy *h)
{
    return &h->kept;
}

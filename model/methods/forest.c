/* Random forests whose trees draw whole programs. They are some of the models whose predictions are
 * blended: one forest predicts the time, and another one the time divided by the time on the source
 * GPU. See forest.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows are sorted once by each feature. A split partitions each sorted list into two without
 * changing the order, so that no node sorts.
 */
#include "model/methods/forest.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* TREES: number of trees. MIN_LEAF: least number of rows of a leaf. SOURCE_COPIES: the time on the
 * source GPU is as likely to be tried as this number of other features. TRIED: a split tries 1 of
 * TRIED features, a third. */
enum { TREES = 64, MIN_LEAF = 2, SOURCE_COPIES = 3, TRIED = 3 };
enum { SEED = 1 };

typedef struct {
    /* index of the feature by which the node is split; the number of features: the node is a
     * leaf */
    size_t feature;
    double threshold;
    size_t left;       /* index of the left child; the right child is the next node */
    size_t begin, end; /* range of the node's rows in the tree's lists */
} node;

typedef struct {
    node *nodes;
    size_t *place; /* training rows in the leaves, as positions in the ascending order of y */
    /* share[i]: weight of training row place[i] in the mean of its leaf */
    double *share;
    bool *drawn; /* drawn[program]: whether the tree drew the program */
} forest_tree;

struct pm_forest {
    const pm_training *t;
    size_t p;      /* number of features: counters, and last the time on the source GPU */
    size_t *order; /* the n training rows in ascending order of y */
    /* place[row]: position of training row `row` in the array `order`, that is, its rank by y */
    size_t *place;
    forest_tree trees[TREES];
};

/* Number of a row in the lists of rows by feature. The type is small so that the lists of all
 * features fit into the L1 cache. */
typedef uint16_t row_number;
_Static_assert(PM_MOST_ROWS <= UINT16_MAX, "a training row's number fits");

/* State while a tree grows, with a list of rows for each feature. */
typedef struct {
    const pm_forest *forest;
    const double *y;
    gsl_rng *rng;
    size_t drawn_rows;
    row_number *sorted; /* sorted[j * n], ...: the n row numbers in ascending order of feature j */
    /* p x n matrix: the drawn rows, grouped by node and sorted by each feature within a node */
    row_number *lists;
    row_number *spare; /* scratch space for n row numbers */
    size_t *order;     /* scratch space for sorting n rows by one feature */
    double *count;     /* count[row]: how often the row was drawn */
    double *counted_y;
    bool *goes_left; /* goes_left[row]: whether the row goes to the left child of the node */
    /* list of `choices` features; each split draws from this list the features that it tries. The
     * time on the source GPU is in the list several times, so that it is drawn more often */
    size_t *features;
    size_t choices;
} grower;

/* ---- features ----------------------------------------------------------------------------- */

static const double *train_column(const pm_forest *forest, size_t feature)
{
    const pm_features *f = &forest->t->features;

    return feature < f->p ? f->train + feature * f->n : f->source_train;
}

static double test_value(const pm_training *t, size_t feature, size_t i)
{
    const pm_features *f = &t->features;

    return feature < f->p ? f->test[feature * f->m + i] : f->source_test[i];
}

/* ---- splits ------------------------------------------------------------------------------- */

typedef struct {
    size_t feature;
    double threshold, explained;
} split;

/* Sums over a node's rows. A row counts as often as it was drawn. */
typedef struct {
    double weight, sum;
} totals;

static totals add_up(const grower *g, const node *here)
{
    totals all = {0, 0};

    for (size_t k = here->begin; k < here->end; k++) {
        all.weight += g->count[g->lists[k]];
        all.sum += g->counted_y[g->lists[k]];
    }
    return all;
}

/* Finds the best split of a node by one feature. It minimizes the sum of squares within the two
 * sides, that is, it maximizes the total of sum^2 / weight over the sides. */
static void try_feature(const grower *g, const node *here, totals all, size_t feature, split *best)
{
    const double *value = train_column(g->forest, feature);
    const row_number *row = g->lists + feature * g->forest->t->n;
    double sum = 0, weight = 0;

    for (size_t k = here->begin; k + MIN_LEAF < here->end; k++) {
        double below = value[row[k]], above = value[row[k + 1]];
        double rest, rest_weight, explained;

        sum += g->counted_y[row[k]];
        weight += g->count[row[k]];
        if (k + 1 < here->begin + MIN_LEAF || !(below < above))
            continue;
        rest = all.sum - sum;
        rest_weight = all.weight - weight;
        explained = (sum * sum * rest_weight + rest * rest * weight) / (weight * rest_weight);
        if (explained > best->explained) {
            double middle = below + (above - below) / 2;

            *best = (split){feature, middle < above ? middle : below, explained};
        }
    }
}

/* Tries a third of the features in random order. Tries more features until one of them can split
 * the node. */
static split find_split(grower *g, const node *here)
{
    totals all = add_up(g, here);
    /* only a gain above rounding error makes a split */
    split best = {.feature = g->forest->p,
                  .explained = all.sum * all.sum / all.weight * (1 + 1e-12)};
    size_t tries = g->choices / TRIED > 1 ? g->choices / TRIED : 1;

    if (here->end - here->begin < 2 * MIN_LEAF)
        return best;
    for (size_t k = 0; k < g->choices && (k < tries || best.feature == g->forest->p); k++) {
        size_t other = k + gsl_rng_uniform_int(g->rng, g->choices - k);
        size_t feature = g->features[other];

        g->features[other] = g->features[k];
        g->features[k] = feature;
        try_feature(g, here, all, feature, &best);
    }
    return best;
}

/* Partitions the node's rows in the sorted list of each feature. Returns the index at which the
 * right side begins. */
static size_t part(grower *g, const node *here, const split *s)
{
    const double *value = train_column(g->forest, s->feature);
    size_t n = g->forest->t->n, middle = here->begin;

    for (size_t k = here->begin; k < here->end; k++) {
        size_t row = g->lists[k];

        g->goes_left[row] = value[row] <= s->threshold;
    }
    for (size_t j = 0; j < g->forest->p; j++) {
        row_number *list = g->lists + j * n;
        size_t left = here->begin, right = 0;

        /* partitions without a branch, which would be mispredicted half of the time */
        for (size_t k = here->begin; k < here->end; k++) {
            row_number row = list[k];

            list[left] = row;
            g->spare[right] = row;
            left += g->goes_left[row];
            right += !g->goes_left[row];
        }
        memcpy(list + left, g->spare, right * sizeof *list);
        middle = left;
    }
    return middle;
}

/* ---- trees -------------------------------------------------------------------------------- */

/* Draws programs with replacement, and lists their rows sorted by each feature. */
static void draw(grower *g, forest_tree *tree)
{
    const pm_training *t = g->forest->t;

    memset(g->count, 0, t->n * sizeof *g->count);
    for (size_t k = 0; k < t->groups; k++) {
        size_t program = gsl_rng_uniform_int(g->rng, t->groups);

        tree->drawn[program] = true;
        for (size_t row = t->start[program]; row < t->start[program + 1]; row++)
            g->count[row]++;
    }
    for (size_t row = 0; row < t->n; row++)
        g->counted_y[row] = g->count[row] * g->y[row];
    for (size_t j = 0; j == 0 || j < g->forest->p; j++) {
        g->drawn_rows = 0;
        for (size_t k = 0; k < t->n; k++)
            if (g->count[g->sorted[j * t->n + k]] > 0)
                g->lists[j * t->n + g->drawn_rows++] = g->sorted[j * t->n + k];
    }
}

/* Stores for each row of a leaf its weight in the predictions of the leaf: the number of times that
 * it was drawn, divided by the sum over the leaf. */
static void fill_leaf(const grower *g, forest_tree *tree, const node *leaf)
{
    double total = 0;

    for (size_t k = leaf->begin; k < leaf->end; k++)
        total += g->count[g->lists[k]];
    for (size_t k = leaf->begin; k < leaf->end; k++) {
        tree->place[k] = g->forest->place[g->lists[k]];
        tree->share[k] = g->count[g->lists[k]] / total;
    }
}

/* Grows a tree. Its arrays are allocated: 2 n nodes are enough, because a tree of n rows has less
 * than n leaves. */
static void grow(grower *g, forest_tree *tree)
{
    size_t nodes = 1;

    draw(g, tree);
    tree->nodes[0] = (node){.begin = 0, .end = g->drawn_rows};
    for (size_t k = 0; k < nodes; k++) {
        node *here = &tree->nodes[k];
        split s = find_split(g, here);

        here->feature = s.feature;
        here->threshold = s.threshold;
        if (s.feature == g->forest->p) {
            fill_leaf(g, tree, here);
        } else {
            size_t middle = part(g, here, &s);

            here->left = nodes;
            tree->nodes[nodes++] = (node){.begin = here->begin, .end = middle};
            tree->nodes[nodes++] = (node){.begin = middle, .end = here->end};
        }
    }
}

/* ---- the forest --------------------------------------------------------------------------- */

static void prepare_grower(pm_memory *memory, grower *g, const pm_forest *forest, const double *y)
{
    size_t n = forest->t->n, lists = forest->p > 0 ? forest->p : 1;
    size_t counters = forest->t->features.p;

    *g = (grower){.forest = forest,
                  .y = y,
                  .sorted = pm_take(memory, lists * n, sizeof *g->sorted),
                  .lists = pm_take(memory, lists * n, sizeof *g->lists),
                  .spare = pm_take(memory, n, sizeof *g->spare),
                  .order = pm_take(memory, n, sizeof *g->order),
                  .count = pm_take(memory, n, sizeof *g->count),
                  .counted_y = pm_take(memory, n, sizeof *g->counted_y),
                  .goes_left = pm_take(memory, n, sizeof *g->goes_left),
                  .features = pm_take(memory, counters + SOURCE_COPIES, sizeof *g->features)};
    for (size_t k = 0; forest->p == 0 && k < n; k++)
        g->sorted[k] = (row_number)k;
    for (size_t j = 0; j < forest->p; j++) {
        gsl_sort_index(g->order, train_column(forest, j), 1, n);
        for (size_t k = 0; k < n; k++)
            g->sorted[j * n + k] = (row_number)g->order[k];
    }
    for (size_t j = 0; j < counters; j++)
        g->features[g->choices++] = j;
    for (size_t k = 0; counters < forest->p && k < SOURCE_COPIES; k++)
        g->features[g->choices++] = counters;
}

static pm_forest *plant(pm_memory *memory, const pm_training *t, const double *y)
{
    pm_forest *forest = pm_take(memory, 1, sizeof *forest);

    forest->t = t;
    forest->p = t->features.p + (t->features.source_train ? 1 : 0);
    forest->order = pm_take(memory, t->n, sizeof *forest->order);
    forest->place = pm_take(memory, t->n, sizeof *forest->place);
    gsl_sort_index(forest->order, y, 1, t->n);
    for (size_t k = 0; k < t->n; k++)
        forest->place[forest->order[k]] = k;
    for (size_t k = 0; k < TREES; k++)
        forest->trees[k] =
            (forest_tree){.nodes = pm_take(memory, 2 * t->n, sizeof *forest->trees[k].nodes),
                          .place = pm_take(memory, t->n, sizeof *forest->trees[k].place),
                          .share = pm_take(memory, t->n, sizeof *forest->trees[k].share),
                          .drawn = pm_take(memory, t->groups, sizeof *forest->trees[k].drawn)};
    return forest;
}

pm_forest *pm_forest_grow(pm_memory *memory, const pm_training *t, const double *y)
{
    pm_forest *forest = plant(memory, t, y);
    grower g;

    prepare_grower(memory, &g, forest, y);
    g.rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!g.rng)
        pm_leave(memory, PM_FAILED, "out of memory for a forest of %zu rows", t->n);
    gsl_rng_set(g.rng, SEED);
    for (size_t k = 0; k < TREES && !pm_cancelled(&memory->cancel); k++)
        grow(&g, &forest->trees[k]);
    gsl_rng_free(g.rng);
    pm_go_on(memory);
    return forest;
}

const size_t *pm_forest_order(const pm_forest *forest)
{
    return forest->order;
}

/* ---- predicting --------------------------------------------------------------------------- */

/* Returns the value of a feature for test row i of `tests`, or for training row i if tests is
 * NULL. */
static double value_of(const pm_forest *forest, const pm_training *tests, size_t feature, size_t i)
{
    return tests ? test_value(tests, feature, i) : train_column(forest, feature)[i];
}

static void add_leaf(const pm_forest *forest, const forest_tree *tree, const pm_training *tests,
                     size_t i, double *weight)
{
    const node *here = &tree->nodes[0];

    while (here->feature < forest->p) {
        bool left = value_of(forest, tests, here->feature, i) <= here->threshold;

        here = &tree->nodes[here->left + !left];
    }
    for (size_t k = here->begin; k < here->end; k++)
        weight[tree->place[k]] += tree->share[k];
}

/* Computes weight[k], the weight of the k-th training row (in ascending order of y) in the
 * prediction of row i. It is the mean over the trees that did not draw `program`, so that the row's
 * own program has no influence. program t->groups: the mean over all trees. The row is test row i
 * of `tests`, or training row i if tests is NULL. */
static void weigh(const pm_forest *forest, const pm_training *tests, size_t i, size_t program,
                  double *weight)
{
    size_t n = forest->t->n, asked = 0;

    memset(weight, 0, n * sizeof *weight);
    for (size_t k = 0; k < TREES; k++) {
        if (program < forest->t->groups && forest->trees[k].drawn[program])
            continue;
        add_leaf(forest, &forest->trees[k], tests, i, weight);
        asked++;
    }
    for (size_t k = 0; k < n; k++)
        weight[k] = asked ? weight[k] / (double)asked : 1 / (double)n;
}

void pm_forest_weigh_train(const pm_forest *forest, size_t i, double *weight)
{
    weigh(forest, NULL, i, forest->t->group[i], weight);
}

void pm_forest_weigh_test(const pm_forest *forest, const pm_training *tests, size_t i,
                          double *weight)
{
    weigh(forest, tests, i, forest->t->groups, weight);
}

/* ---- candidates --------------------------------------------------------------------------- */

/* A random forest that is one of the models whose predictions are blended, with the sorted
 * values of the quantity that it predicts. */
typedef struct {
    const pm_forest *forest;
    size_t response; /* index of the response */
    /* values of the response of the n training rows in ascending order, and the numbers that
     * pm_reciprocals computes from them */
    double *value, *reciprocal;
} fitted;

static void fit(pm_memory *memory, const pm_training *t, fitted *f, pm_candidate *c)
{
    const pm_response *r = &t->response[f->response];
    double *weight = pm_take(memory, t->n, sizeof *weight);

    f->forest = pm_forest_grow(memory, t, r->y);
    f->value = pm_take(memory, t->n, sizeof *f->value);
    f->reciprocal = pm_take(memory, t->n, sizeof *f->reciprocal);
    for (size_t k = 0; k < t->n; k++)
        f->value[k] = r->y[pm_forest_order(f->forest)[k]];
    pm_reciprocals(f->value, t->n, f->reciprocal);
    for (size_t i = 0; i < t->n; i++) {
        pm_go_on(memory);
        pm_forest_weigh_train(f->forest, i, weight);
        c->inner[i] =
            pm_spread_moved(pm_spread_of(f->value, weight, f->reciprocal, t->n), r->offset[i]);
    }
}

static void *fit_all(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    fitted *models = pm_take(memory, PM_MAX_RESPONSES, sizeof *models);

    for (size_t k = 0; k < t->responses; k++) {
        const char *letter = t->response[k].letter;
        fitted *f;

        if (strcmp(letter, "o") == 0)
            continue;
        f = &models[list->n];
        f->response = k;
        fit(memory, t, f, pm_candidates_add(memory, list, t, "rf", letter));
    }
    return models;
}

static void predict(pm_memory *memory, const pm_training *t, const void *model, pm_candidates *list)
{
    const fitted *models = model;
    double *weight = pm_take(memory, t->n, sizeof *weight);

    for (size_t k = 0; k < list->n; k++) {
        const fitted *f = &models[k];
        pm_spread *outer = list->candidate[k].outer;

        for (size_t i = 0; i < t->m && outer; i++) {
            pm_forest_weigh_test(f->forest, t, i, weight);
            outer[i] = pm_spread_moved(pm_spread_of(f->value, weight, f->reciprocal, t->n),
                                       t->response[f->response].offset_test[i]);
        }
    }
}

const pm_family pm_forest_family = {.features = true, .fit = fit_all, .predict = predict};

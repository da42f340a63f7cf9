/* Training data of the models whose predictions are blended (candidates): training rows as log
 * times, counters as standardized features, and the responses (forms of the time). The test rows to
 * predict are in the same form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRAINING_H
#define PM_MODEL_TRAINING_H

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "model/problem.h"
#include "model/spread.h"

/* Transformation of a column of counters to a feature. If the counter is positive in all training
 * rows (positive), the feature is log(c), else log(1 + c / least), where `least` is the smallest
 * positive value. Then the mean is subtracted, and the result is divided by the standard deviation
 * (deviation). */
typedef struct {
    size_t column;
    double least, mean, deviation;
    double low, high; /* range of the standardized feature in the training rows */
    bool positive;
} pm_feature;

/* Features of training and test rows, by column: feature j of training row i is train[j * n + i].
 * The transformations depend on the training rows only. */
typedef struct {
    size_t p, n, m;
    pm_feature *how; /* how a counter becomes a feature: how[j] is for feature j */
    /* transformation of log source time; deviation 0: all source times are equal */
    pm_feature source;
    double *train, *test; /* features of the training rows and of the test rows */
    /* weight[j]: weight of feature j. The sum is 1, and a feature that correlates little with the
     * other features has a larger weight. */
    double *weight;
    /* standardized log source time of the n training and m test rows; NULL: no source */
    double *source_train, *source_test;
} pm_features;

typedef struct pm_training pm_training;
typedef struct pm_response pm_response;

/* A response: the variable that a model predicts. It is log time minus an offset of the row. */
struct pm_response {
    /* letter that names the modelled quantity: z: the time; d: the time divided by the time on the
     * source GPU; o: the time divided by a counter; l: the time divided by the prediction of a
     * linear model */
    const char *letter;
    double *y;           /* y[i]: log time of training row i minus offset[i] */
    double *offset;      /* offset[i]: offset of training row i */
    double *offset_test; /* offset_test[i]: offset of test row i */
    /* Returns the number that is subtracted from the log time of a row, which may be any row of the
     * problem. NULL: nothing is subtracted from any row. */
    double (*offset_of)(const pm_training *t, const pm_response *r, size_t row);
    const void *how; /* data for offset_of */
};

enum { PM_MAX_RESPONSES = 4 };

struct pm_training {
    const pm_problem *problem;
    size_t n, m, groups;
    size_t *row;        /* n training rows as indices into the problem's rows, sorted by program */
    const size_t *test; /* m test rows as indices into the problem's rows */
    /* program g has the training rows start[g] ... start[g + 1] - 1 */
    size_t *start;
    size_t *group; /* group[i]: program of training row i */
    double *z;     /* z[i]: logarithm of the time of training row i */
    /* number of rows for models that can learn from more than n rows; 0: there are no more than n
     * rows */
    size_t many;
    /* rows for models that can learn from `many` rows, as indices into the problem's rows */
    size_t *many_row;
    pm_features features;
    size_t responses;
    pm_response response[PM_MAX_RESPONSES];
};

/* Limits of the number of training rows. The work of most models grows with the cube of the rows.
 * The linear model (line.h) learns from up to PM_MANY_ROWS rows; more rows would not change a
 * printed digit of its few coefficients. */
enum { PM_MOST_ROWS = 256, PM_MANY_ROWS = 65536 };

/* Chooses the training rows and prepares features and responses. The number of training rows is
 * limited to PM_MOST_ROWS. If there are more rows, each program gets an equal quota. If there are
 * more programs than PM_MOST_ROWS, one row of evenly spaced programs is used.
 *
 * The rows of a program are evenly spaced in its sorted times. Their phase differs from program to
 * program, so that not all programs contribute the same size. Test rows have no influence on the
 * choice. Their counters are only transformed, and their times are not read. */
void pm_training_create(pm_memory *memory, pm_training *t, const pm_problem *problem,
                        const size_t *train, size_t n_train, const size_t *test, size_t n_test);

/* Returns the same training rows with other test rows. features: true if the features of the test
 * rows are transformed, too. */
pm_training pm_training_for(pm_memory *memory, const pm_training *t, const size_t *test,
                            size_t n_test, bool features);

/* Returns a counter's value, or a tenth of `least` if the value is smaller. Called before the
 * logarithm is taken, because log 0 is infinite. least: least value in the training rows. */
static inline double pm_floored(double counter, double least)
{
    return fmax(counter, fmax(0.1 * least, DBL_TRUE_MIN));
}

/* Compute features (features.c) and responses (response.c): the _create functions for the training
 * rows of t, and the _test functions for its test rows. */
void pm_features_create(pm_memory *memory, pm_features *f, const pm_training *t);
void pm_features_test(pm_memory *memory, pm_features *f, const pm_training *t);
void pm_responses_create(pm_memory *memory, pm_training *t);
void pm_responses_test(pm_memory *memory, pm_training *t);

/* Returns the response (what is modelled: log time minus an offset of each row) with this letter,
 * such as 'l'. NULL: there is none. */
const pm_response *pm_training_response(const pm_training *t, char letter);

/* One of the models whose predictions are blended (a candidate), with its predictions. inner:
 * predictions of the training rows, each by a model that has not seen the row's program. outer:
 * predictions of the test rows. */
typedef struct {
    char name[8];
    /* true: the model predicts the time divided by a linear model's prediction (response l) */
    bool over_line;
    bool cheap; /* true: a linear model, which takes almost no time to predict a row */
    /* true: the model has few learned parameters; the blended prediction uses it alone or not at
     * all */
    bool simple;
    pm_spread *inner; /* inner[i]: prediction of training row i */
    pm_spread *outer; /* outer[i]: prediction of test row i; NULL: not needed */
} pm_candidate;

enum { PM_MAX_CANDIDATES = 10 };

typedef struct {
    size_t n;
    pm_candidate candidate[PM_MAX_CANDIDATES];
} pm_candidates;

/* Adds a candidate to the list, and allocates its predictions of the training rows (`inner`). Its
 * name is the name of its family of models followed by the letter of its response. Raises an error
 * if the list is full. */
pm_candidate *pm_candidates_add(pm_memory *memory, pm_candidates *list, const pm_training *t,
                                const char *family, const char *letter);

/* Returns the distribution of n residuals (log time minus predicted log time) of rows that were
 * predicted without their programs. */
pm_spread pm_residual_spread(pm_memory *memory, const double *residual, size_t n);

/* A family (kind) of models of the kernel time, such as random forests, with the functions that
 * fit them and predict. */
typedef struct {
    bool features; /* true if predict reads the features of the test rows */
    /* Fits the models of the family (such as all random forests) to the training rows, adds them to
     * the list as candidates, and fills their `inner`. Returns the fitted models for predict. */
    void *(*fit)(pm_memory *memory, const pm_training *t, pm_candidates *list);
    /* Fills `outer` for the test rows of t, in each candidate model whose `outer` is not NULL. */
    void (*predict)(pm_memory *memory, const pm_training *t, const void *model,
                    pm_candidates *list);
} pm_family;
enum { PM_MOST_FAMILIES = 5 }; /* in one blend */

extern const pm_family pm_gp_family, pm_forest_family, pm_line_family, pm_source_family;
extern const pm_family pm_units_family, pm_waits_family, pm_sum_family;

#endif

/* What the candidates of a blend learn from: the training rows of a problem in logarithms, its
 * counters as standardised features, and the forms in which the time is modelled; and the same of
 * the test rows that are being predicted.
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

/* How a column becomes a feature: the logarithm of a counter that is positive throughout,
 * log(1 + c / least positive value) of one that can be 0, less the mean, over the deviation. */
typedef struct {
    size_t column;
    double least, mean, deviation;
    double low, high; /* the ends of what training rows have, standardised */
    bool positive;
} pm_feature;

/* Features of training and test rows, column by column: feature j of training row i is
 * train[j * n + i]. Made from the training rows alone. */
typedef struct {
    size_t p, n, m;
    pm_feature *how;                    /* p */
    pm_feature source;                  /* deviation 0: all source times are equal */
    double *train, *test;               /* p x n, p x m */
    double *weight;                     /* p, of sum 1: how little a feature repeats the others */
    double *source_train, *source_test; /* n, m: standardised log source time; NULL: no source */
} pm_features;

typedef struct pm_training pm_training;
typedef struct pm_response pm_response;

/* A form of the time: its logarithm less an offset that every row has. */
struct pm_response {
    const char *letter;  /* z: the time; d: over the source's; o: over a counter; l: over a line */
    double *y;           /* n: log time - offset */
    double *offset;      /* n */
    double *offset_test; /* m */
    /* The offset of any row of the problem; NULL: 0. */
    double (*offset_of)(const pm_training *t, const pm_response *r, size_t row);
    const void *how; /* that offset_of knows */
};

enum { PM_MAX_RESPONSES = 4 };

struct pm_training {
    const pm_problem *problem;
    size_t n, m, groups;
    size_t *row;        /* n: rows of the problem, program by program */
    const size_t *test; /* m: rows of the problem */
    size_t *start;      /* groups + 1: program g has the training rows start[g] ... start[g + 1] */
    size_t *group;      /* n */
    double *z;          /* n: log time */
    size_t many;        /* rows for what can learn from more than n; 0: there are no more */
    size_t *many_row;   /* rows of the problem */
    pm_features features;
    size_t responses;
    pm_response response[PM_MAX_RESPONSES];
};

/* The work of most families grows with the cube of the rows. That of a line does not: it learns
 * from PM_MANY_ROWS, of which more would change its few coefficients by less than a digit that is
 * printed. */
enum { PM_MOST_ROWS = 256, PM_MANY_ROWS = 65536 };

/* Of more than PM_MOST_ROWS training rows, that many are learned from: as equal a share of every
 * program as there is (and evenly spaced programs where there are more of them), evenly spaced in
 * its times, from a place on that differs between programs: of many programs with a row each, these
 * are not all of the same size. Looks at no time and no counter of the test rows but to transform
 * these. */
void pm_training_create(pm_memory *memory, pm_training *t, const pm_problem *problem,
                        const size_t *train, size_t n_train, const size_t *test, size_t n_test);

/* The same training rows with other test rows, for the families that look at the features of these
 * (features) or do not. */
pm_training pm_training_for(pm_memory *memory, const pm_training *t, const size_t *test,
                            size_t n_test, bool features);

/* A counter of which the training rows have `least` at least, as it stands in a logarithm: a test
 * row far under them counts as being a tenth of that, since a logarithm has no bottom. */
static inline double pm_floored(double counter, double least)
{
    return fmax(counter, fmax(0.1 * least, DBL_TRUE_MIN));
}

/* The two parts, in features.c and response.c; of the test rows beside the training rows. */
void pm_features_create(pm_memory *memory, pm_features *f, const pm_training *t);
void pm_features_test(pm_memory *memory, pm_features *f, const pm_training *t);
void pm_responses_create(pm_memory *memory, pm_training *t);
void pm_responses_test(pm_memory *memory, pm_training *t);

/* The response of that letter; NULL: there is none. */
const pm_response *pm_training_response(const pm_training *t, char letter);

/* A candidate's answer: the distribution of a training row by a model that has not seen the row's
 * program, and that of a test row. */
typedef struct {
    char name[8];
    bool over_line;   /* of the response of letter l */
    bool cheap;       /* the line itself: next to no time a row */
    bool simple;      /* little is learned, as the most of it is known: alone, or not at all */
    pm_spread *inner; /* n */
    pm_spread *outer; /* m; NULL: nobody asks for it */
} pm_candidate;

enum { PM_MAX_CANDIDATES = 10 };

typedef struct {
    size_t n;
    pm_candidate candidate[PM_MAX_CANDIDATES];
} pm_candidates;

/* A new candidate, named family and letter, with room for its answers of training rows. */
pm_candidate *pm_candidates_add(pm_memory *memory, pm_candidates *list, const pm_training *t,
                                const char *family, const char *letter);

/* The distribution of residuals of programs unseen: n members, log time less what was predicted. */
pm_spread pm_residual_spread(pm_memory *memory, const double *residual, size_t n);

/* A family of models. */
typedef struct {
    bool features; /* whether predict looks at features of the test rows */
    /* Adds its candidates and fills inner; what it returns is given to predict. */
    void *(*fit)(pm_memory *memory, const pm_training *t, pm_candidates *list);
    /* Fills outer of the candidates that have one, for the test rows of t. */
    void (*predict)(pm_memory *memory, const pm_training *t, const void *model,
                    pm_candidates *list);
} pm_family;
enum { PM_MOST_FAMILIES = 5 }; /* side by side */

extern const pm_family pm_gp_family, pm_forest_family, pm_line_family, pm_source_family;
extern const pm_family pm_units_family, pm_waits_family, pm_sum_family;

#endif

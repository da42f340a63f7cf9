/* What the candidates of a blend learn from: the training rows of a problem in logarithms, its
 * counters as standardised features, and the forms in which the time is modelled.
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

/* Features of training and test rows, column by column: feature j of training row i is
 * train[j * n + i]. Made from the training rows alone. */
typedef struct {
    size_t p, n, m;
    double *train, *test;               /* p x n, p x m */
    double *weight;                     /* p, of sum 1: how little a feature repeats the others */
    double *source_train, *source_test; /* n, m: standardised log source time; NULL: no source */
} pm_features;

/* A form of the time: its logarithm less an offset that every row has. */
typedef struct {
    const char *letter; /* z: the time; d: over the source's; o: over a counter */
    double *y;          /* n: log time - offset */
    double *offset;     /* n */
    double *offset_test;
} pm_response;

enum { PM_MAX_RESPONSES = 3 };

typedef struct {
    const pm_problem *problem;
    size_t n, m, groups;
    size_t *row;        /* n: rows of the problem, program by program */
    const size_t *test; /* m: rows of the problem */
    size_t *start;      /* groups + 1: program g has the training rows start[g] ... start[g + 1] */
    size_t *group;      /* n */
    double *z;          /* n: log time */
    pm_features features;
    size_t responses;
    pm_response response[PM_MAX_RESPONSES];
} pm_training;

/* The work grows with the cube of the rows; past this, more rows of the same programs gain little.
 */
enum { PM_MOST_ROWS = 256 };

/* Of more than PM_MOST_ROWS training rows, that many are learned from: as equal a share of every
 * program as there is, evenly spaced in its times (and evenly spaced programs where there are more
 * of them). Looks at no time and no counter of the test rows but to transform these. */
void pm_training_create(pm_memory *memory, pm_training *t, const pm_problem *problem,
                        const size_t *train, size_t n_train, const size_t *test, size_t n_test);

/* A counter of which the training rows have `least` at least, as it stands in a logarithm: a test
 * row far under them counts as being a tenth of that, since a logarithm has no bottom. */
static inline double pm_floored(double counter, double least)
{
    return fmax(counter, fmax(0.1 * least, DBL_TRUE_MIN));
}

/* The two parts, in features.c and response.c. */
void pm_features_create(pm_memory *memory, pm_features *f, const pm_training *t);
void pm_responses_create(pm_memory *memory, pm_training *t);

/* A candidate's answer: the distribution of a training row by a model that has not seen the row's
 * program, and that of a test row. */
typedef struct {
    char name[8];
    pm_spread *inner; /* n */
    pm_spread *outer; /* m */
} pm_candidate;

enum { PM_MAX_CANDIDATES = 8 };

typedef struct {
    size_t n;
    pm_candidate candidate[PM_MAX_CANDIDATES];
} pm_candidates;

/* A new candidate, named family and letter, with room for its answers. */
pm_candidate *pm_candidates_add(pm_memory *memory, pm_candidates *list, const pm_training *t,
                                const char *family, const char *letter);

/* A family of models: adds its candidates and fills them. */
typedef void (*pm_family)(pm_memory *memory, const pm_training *t, pm_candidates *list);
enum { PM_MOST_FAMILIES = 3 }; /* side by side */

void pm_gp_family(pm_memory *memory, const pm_training *t, pm_candidates *list);
void pm_units_family(pm_memory *memory, const pm_training *t, pm_candidates *list);
void pm_waits_family(pm_memory *memory, const pm_training *t, pm_candidates *list);
void pm_sum_family(pm_memory *memory, const pm_training *t, pm_candidates *list);
void pm_forest_family(pm_memory *memory, const pm_training *t, pm_candidates *list);

#endif

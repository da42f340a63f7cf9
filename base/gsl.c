/* Handles GSL's errors. See gsl.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state is global because GSL has one error handler per process.
 */
#include "base/gsl.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* number of calls of pm_gsl_begin, in all threads, whose pm_gsl_end has not been called yet */
static unsigned inside;
static gsl_error_handler_t *others;
static _Thread_local unsigned depth;

static void handle(const char *reason, const char *file, int line, int code)
{
    gsl_error_handler_t *theirs;

    if (depth > 0)
        return;
    pthread_mutex_lock(&lock);
    theirs = others;
    pthread_mutex_unlock(&lock);
    if (theirs) {
        theirs(reason, file, line, code);
        return;
    }
    /* The program has set no error handler of its own, so end the program as GSL's default handler
     * does. */
    fprintf(stderr, "gsl: %s:%d: ERROR: %s\n", file, line, reason);
    abort();
}

void pm_gsl_begin(void)
{
    depth++;
    pthread_mutex_lock(&lock);
    if (inside++ == 0)
        others = gsl_set_error_handler(handle);
    pthread_mutex_unlock(&lock);
}

void pm_gsl_end(void)
{
    depth--;
    pthread_mutex_lock(&lock);
    if (--inside == 0) {
        gsl_error_handler_t *now = gsl_set_error_handler(others);

        /* Other code has set another error handler since pm_gsl_begin. Keep it. */
        if (now != handle)
            gsl_set_error_handler(now);
    }
    pthread_mutex_unlock(&lock);
}

gsl_matrix *pm_take_matrix(pm_memory *memory, size_t rows, size_t columns)
{
    gsl_matrix *matrix = pm_take(memory, 1, sizeof *matrix);

    *matrix = (gsl_matrix){.size1 = rows,
                           .size2 = columns,
                           .tda = columns,
                           .data = pm_take(memory, rows * columns, sizeof *matrix->data)};
    return matrix;
}

gsl_vector *pm_take_vector(pm_memory *memory, size_t size)
{
    gsl_vector *vector = pm_take(memory, 1, sizeof *vector);

    *vector = (gsl_vector){
        .size = size, .stride = 1, .data = pm_take(memory, size, sizeof *vector->data)};
    return vector;
}

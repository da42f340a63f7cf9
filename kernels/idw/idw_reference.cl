/* Checks the inverse distance weighting: computes the results in double, with a bound of the float
 * results' error, for one query point in each of `samples` equal ranges, and for all query points
 * that are at a data point, where the result must be exact.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ULP (1.0 / (1 << 24))

typedef struct {
    float x, y, z;
} Point;

/* A sum as the kernel computes it, term by term, with a bound of its error. u is 2^-24. Adding a term rounds
 * by at most u times the new sum, and by at most the term, because the old sum is a float too.
 *
 * If a term is much larger than its rounding, the errors have random signs. They stay below 8 times the root
 * of the sum of their squares (Hoeffding, except with probability 3e-14). Other errors may all have the same
 * sign, for example if terms are lost in a sum with one huge weight. These errors are added up. */
typedef struct {
    double value;
    double size;    /* sum of the magnitudes of all terms */
    double squares; /* sum of squares of the roundings that have random signs */
    double one_way; /* sum of the other roundings, which may have the same sign */
} rounded_sum;

static void add(rounded_sum *sum, double term)
{
    sum->value += term;
    sum->size += fabs(term);
    const double rounding = ULP * fabs(sum->value);

    if (fabs(term) < 4 * rounding)
        sum->one_way += fmin(rounding, fabs(term));
    else
        sum->squares += rounding * rounding;
}

/* Returns the error bound of a sum. A term itself has at most 11 roundings: differences 2, squares and their
 * sum 3, the quotient's 2.5 units in the last place 5, the product 1. */
static double error_of(const rounded_sum *sum)
{
    return 11 * ULP * sum->size + sum->one_way + 8 * sqrt(sum->squares);
}

__kernel void idw_reference(__global const Point *data, __global Point *queries,
                            __global Point *errors, int n, int samples)
{
    const uint id = get_global_id(0), range = (uint)n / (uint)samples;
    const uint at = id < samples ? id * range + id * 2654435761u % range : (id - samples) * SAME;
    rounded_sum sum = {0, 0, 0, 0}, weights = {0, 0, 0, 0};

    if (at >= n)
        return;
    for (int j = 0; j < n; j++) {
        const double dx = (double)queries[at].x - data[j].x;
        const double dy = (double)queries[at].y - data[j].y;
        const double d2 = dx * dx + dy * dy;

        if (d2 == 0) {
            queries[at].z = data[j].z;
            return;
        }
        add(&sum, data[j].z / d2);
        add(&weights, 1 / d2);
    }
    queries[at].z = sum.value / weights.value;
    errors[at].z = (5 * ULP + error_of(&weights) / weights.value) * fabs(sum.value / weights.value) +
                   error_of(&sum) / weights.value;
}

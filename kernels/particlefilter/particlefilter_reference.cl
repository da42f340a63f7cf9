/* Checks the particle filter: computes the frame in double, with bounds of the float results'
 * errors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It does not depend on decisions that rounding affects. Positions are multiples of 2^-12 below
 * 2^12, where float is exact, so every device reads the same pixels. Their sum is an integer below
 * 2^24 and is exact too. A resampled particle must be the one that the checked version's own cdf
 * and u select, and both are compared before.
 *
 * Unit roundoff is u = 2^-24. A division costs 5 u and exp 6 u (OpenCL C, "Relative error as
 * ULPs"). So the likelihood L has the error 5 u, and a weight (5 |L| + 7) u. All weights are
 * positive, so a sum has the same relative error plus u for each addition that a term goes through.
 * These are GROUP_LEVELS additions in a group, and then one per group.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define BACKGROUND 100
#define FOREGROUND 228
#define VARIANCE 2500
#define GROUP 256
#define GROUP_LEVELS 8 /* 2^GROUP_LEVELS = GROUP */
#define ULP (1.0 / (1 << 24))

typedef struct {
    float x, y;
    float xj, yj;
    float weight;
    float likelihood;
    float cdf;
    float u;
    uint seed;
} Particle;

static int draw(uint *seed)
{
    *seed = 1103515245u * *seed + 12345u;
    return (int)(*seed >> 16 & 0xfffu);
}

static double draw_normal(uint *seed)
{
    int sum = 0;

    for (int i = 0; i < 12; i++)
        sum += draw(seed);
    return (sum - 12 * 2048) / 4096.0;
}

/* Moves a particle, which is exact in float, and computes its likelihood and weight. weights and
 * likelihoods are not normalized. */
__kernel void move(__global Particle *particles, __global const uchar *frame, __global const int *disk,
                   int points, int width, int height, __global double *likelihoods,
                   __global double *weights)
{
    const int i = get_global_id(0);
    __global Particle *p = &particles[i];
    uint seed = p->seed;
    double sum = 0;

    p->x = (double)p->xj + 1 + 5 * draw_normal(&seed);
    p->y = (double)p->yj - 2 + 2 * draw_normal(&seed);
    p->seed = seed;

    const int column = (int)floor((double)p->x + 0.5), row = (int)floor((double)p->y + 0.5);
    for (int k = 0; k < points; k++) {
        const int at = (row + disk[2 * k + 1]) * width + column + disk[2 * k];
        const int pixel = frame[at >= 0 && at < width * height ? at : 0];

        sum += (pixel - BACKGROUND) * (pixel - BACKGROUND) - (pixel - FOREGROUND) * (pixel - FOREGROUND);
    }
    likelihoods[i] = sum / (2.0 * VARIANCE * (double)points);
    weights[i] = (double)p->weight * exp(likelihoods[i]);
}

/* Adds up the weights. Launched with one work-item. sums[i]: sum of all weights up to i. results:
 * particles of the checked version. highest[i]: the version's largest cdf up to i, which never
 * decreases, unlike the rounded cdf; the first value that reaches u is also the first at which
 * `highest` reaches u. largest: the largest |L|. */
__kernel void add_up(__global const double *likelihoods, __global const double *weights,
                     __global const Particle *results, __global double *sums, __global float *highest,
                     __global double *largest, int count)
{
    double sum = 0, most = 0;
    float high = results[0].cdf;

    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(likelihoods[i]));
        sums[i] = sum += weights[i];
        highest[i] = high = results[i].cdf > high ? results[i].cdf : high;
    }
    *largest = most;
}

__kernel void normalize_all(__global Particle *particles, __global Particle *errors,
                            __global const double *likelihoods, __global const double *weights,
                            __global const double *sums, __global const double *largest, int count,
                            float first_u)
{
    const int i = get_global_id(0);
    const double weight = 5 * *largest + 7, sum = weight + GROUP_LEVELS + count / GROUP;
    const double normalized = weight + sum + 5, total = sums[count - 1];
    const double u = first_u + (double)i / count;

    particles[i].likelihood = likelihoods[i];
    particles[i].weight = weights[i] / total;
    particles[i].cdf = sums[i] / total;
    particles[i].u = u;
    errors[i].likelihood = 5 * ULP * fabs(likelihoods[i]);
    errors[i].weight = normalized * ULP * weights[i] / total;
    /* errors of both parts (normalization and sum), and one more rounding for their sum */
    errors[i].cdf = (fmax(normalized + GROUP_LEVELS, 2 * sum + 5) + 1) * ULP * sums[i] / total;
    errors[i].u = 6 * ULP * u;
}

/* Finds the first particle whose cdf reaches u, or else the last particle. */
__kernel void resample(__global Particle *particles, __global const Particle *results,
                       __global const float *highest, int count)
{
    const int i = get_global_id(0);
    int low = 0, high = count - 1;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (highest[middle] >= results[i].u)
            high = middle;
        else
            low = middle + 1;
    }
    particles[i].xj = results[low].x;
    particles[i].yj = results[low].y;
}

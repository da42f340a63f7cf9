/* A particle filter that follows an object through the frames of a video. In each frame, every
 * particle moves as the object might move. It is weighted by how much the pixels around it look
 * like the object. Then it is replaced by a particle that is drawn in proportion to the weights.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define BACKGROUND 100
#define FOREGROUND 228
#define VARIANCE 2500.0f /* variance of pixel values */

typedef struct {
    float x, y;   /* possible position of the object in this frame */
    float xj, yj; /* position after resampling, from which the next frame starts */
    float weight;
    float likelihood; /* logarithm of the likelihood */
    float cdf;        /* cumulative weight: sum of the weights up to this particle */
    float u;          /* value that is searched in the cdf */
    uint seed;
} Particle;

/* Linear congruential generator. Each draw has 12 good random bits. */
int draw(uint *seed)
{
    *seed = 1103515245u * *seed + 12345u;
    return (int)(*seed >> 16 & 0xfffu);
}

/* Returns a nearly normal random number with variance 1: the sum of twelve uniform numbers minus
 * its mean. */
float draw_normal(uint *seed)
{
    int sum = 0;

    for (int i = 0; i < 12; i++)
        sum += draw(seed);
    return (float)(sum - 12 * 2048) * 0x1p-12f;
}

int round_to_pixel(float position)
{
    return (int)floor(position + 0.5f);
}

/* Returns how much more a pixel looks like the object than like the background, before scaling. */
float pixel_likelihood(int pixel)
{
    const int background = pixel - BACKGROUND;
    const int foreground = pixel - FOREGROUND;

    return (float)(background * background - foreground * foreground);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
likelihood(__global Particle *particles, __global const uchar *frame, __global const int *disk,
           int disk_points, int width, int height, __global float *partial_sums)
{
    __local float sums[GROUP];
    const int i = get_global_id(0);
    const int lid = get_local_id(0);
    __global Particle *p = &particles[i];
    uint seed = p->seed;
    const float x = p->xj + 1.0f + 5.0f * draw_normal(&seed);
    const float y = p->yj - 2.0f + 2.0f * draw_normal(&seed);

    p->x = x;
    p->y = y;
    p->seed = seed;

    const int column = round_to_pixel(x);
    const int row = round_to_pixel(y);
    float sum = 0.0f;

    for (int k = 0; k < disk_points; k++) {
        int at = (row + disk[2 * k + 1]) * width + column + disk[2 * k];

        if (at < 0 || at >= width * height)
            at = 0;
        sum += pixel_likelihood(frame[at]);
    }
    p->likelihood = sum / (2.0f * VARIANCE * (float)disk_points);
    p->weight = p->weight * exp(p->likelihood);

    sums[lid] = p->weight;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (lid < reach)
            sums[lid] += sums[lid + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        partial_sums[get_group_id(0)] = sums[0];
}

/* Replaces each group's sum by the sum of all groups up to it. Launched with one work-item. */
__kernel void sum_weights(__global float *partial_sums, int groups)
{
    float sum = 0.0f;

    for (int g = 0; g < groups; g++) {
        sum += partial_sums[g];
        partial_sums[g] = sum;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
normalize_weights(__global Particle *particles, __global const float *partial_sums, int groups,
                  int count, float first_u)
{
    __local float sums[GROUP];
    const int i = get_global_id(0);
    const int lid = get_local_id(0);
    const int group = get_group_id(0);
    const float total = partial_sums[groups - 1];
    const float before = group > 0 ? partial_sums[group - 1] / total : 0.0f;

    particles[i].weight = particles[i].weight / total;
    particles[i].u = first_u + (float)i / (float)count;

    sums[lid] = particles[i].weight;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < GROUP; distance *= 2) {
        const float left = lid >= distance ? sums[lid - distance] : 0.0f;

        barrier(CLK_LOCAL_MEM_FENCE);
        sums[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    particles[i].cdf = before + sums[lid];
}

/* Finds the first particle whose cdf reaches the work-item's u, or else the last particle. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
find_index(__global Particle *particles, int count)
{
    const int i = get_global_id(0);
    const float u = particles[i].u;
    int index = count - 1;

    for (int k = 0; k < count; k++) {
        if (particles[k].cdf >= u) {
            index = k;
            break;
        }
    }
    particles[i].xj = particles[index].x;
    particles[i].yj = particles[index].y;
}

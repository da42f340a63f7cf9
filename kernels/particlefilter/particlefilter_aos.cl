/* A particle filter follows an object through the frames of a video. One frame: every particle
 * moves as the object might, is weighed by how much the pixels around it look like the object, and
 * is replaced by one drawn in proportion to the weights.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define BACKGROUND 100
#define FOREGROUND 228
#define VARIANCE 2500.0f /* of pixels, and of what makes them alike */

typedef struct {
    float x, y;   /* where the object may be in this frame */
    float xj, yj; /* the same, resampled: what the next frame starts from */
    float weight;
    float likelihood; /* its logarithm */
    float cdf;        /* the weights up to this one */
    float u;          /* where the cdf is searched */
    uint seed;
} Particle;

/* A linear congruential generator: 12 good bits a draw. */
int draw(uint *seed)
{
    *seed = 1103515245u * *seed + 12345u;
    return (int)(*seed >> 16 & 0xfffu);
}

/* Very nearly normal, with a variance of 1: twelve uniform numbers less their mean. */
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

/* How much more a pixel looks like the object than like the background. */
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

/* One work-item: each group's sum becomes that of all groups up to it. */
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

/* The first particle whose cdf reaches u, else the last one. */
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

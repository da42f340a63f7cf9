/* kernels/particlefilter/particlefilter_aos.cl in CUDA.
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
    unsigned int seed;
} Particle;

/* Linear congruential generator. Each draw has 12 good random bits. */
static __device__ int draw(unsigned int *seed)
{
    *seed = 1103515245u * *seed + 12345u;
    return (int)(*seed >> 16 & 0xfffu);
}

/* Returns a nearly normal random number with variance 1: the sum of twelve uniform numbers minus
 * its mean. */
static __device__ float draw_normal(unsigned int *seed)
{
    int sum = 0;

    for (int i = 0; i < 12; i++)
        sum += draw(seed);
    return (float)(sum - 12 * 2048) * 0x1p-12f;
}

static __device__ int round_to_pixel(float position)
{
    return (int)floorf(position + 0.5f);
}

/* Returns how much more a pixel looks like the object than like the background, before scaling. */
static __device__ float pixel_likelihood(int pixel)
{
    const int background = pixel - BACKGROUND;
    const int foreground = pixel - FOREGROUND;

    return (float)(background * background - foreground * foreground);
}

__global__ void __launch_bounds__(GROUP)
    likelihood(Particle *particles, const unsigned char *frame, const int *disk, int disk_points,
               int width, int height, float *partial_sums)
{
    __shared__ float sums[GROUP];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lid = threadIdx.x;
    Particle *p = &particles[i];
    unsigned int seed = p->seed;
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
    p->weight = p->weight * expf(p->likelihood);

    sums[lid] = p->weight;
    __syncthreads();
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (lid < reach)
            sums[lid] += sums[lid + reach];
        __syncthreads();
    }
    if (lid == 0)
        partial_sums[blockIdx.x] = sums[0];
}

/* Replaces each block's sum by the sum of all blocks up to it. Launched with one thread. */
__global__ void sum_weights(float *partial_sums, int groups)
{
    float sum = 0.0f;

    for (int g = 0; g < groups; g++) {
        sum += partial_sums[g];
        partial_sums[g] = sum;
    }
}

__global__ void __launch_bounds__(GROUP)
    normalize_weights(Particle *particles, const float *partial_sums, int groups, int count,
                      float first_u)
{
    __shared__ float sums[GROUP];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lid = threadIdx.x;
    const int group = blockIdx.x;
    const float total = partial_sums[groups - 1];
    const float before = group > 0 ? partial_sums[group - 1] / total : 0.0f;

    particles[i].weight = particles[i].weight / total;
    particles[i].u = first_u + (float)i / (float)count;

    sums[lid] = particles[i].weight;
    __syncthreads();
    for (int distance = 1; distance < GROUP; distance *= 2) {
        const float left = lid >= distance ? sums[lid - distance] : 0.0f;

        __syncthreads();
        sums[lid] += left;
        __syncthreads();
    }
    particles[i].cdf = before + sums[lid];
}

/* Finds the first particle whose cdf reaches the thread's u, or else the last particle. */
__global__ void __launch_bounds__(GROUP) find_index(Particle *particles, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
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

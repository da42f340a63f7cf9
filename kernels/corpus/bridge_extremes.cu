/* kernels/corpus/bridge_extremes.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define STEPS (1 << LEVELS)
#ifdef STEP_MAJOR
#define W(step) path[(step)*paths + me]
#else
#define W(step) path[me * (STEPS + 1) + (step)]
#endif

/* Returns an approximately normal number: the scaled sum of four uniform numbers, with mean 0 and
 * variance 1. */
static __device__ float draw(unsigned int *state)
{
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
        *state = *state * 1664525u + 1013904223u;
        sum += (float)(*state >> 8);
    }
    return (sum / 16777216.0f - 2.0f) * 1.7320508f;
}

__global__ void bridges(const unsigned int *seeds, float *path, float *highest, float *area,
                        int paths)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me < paths) {
        unsigned int rng = seeds[me];
        W(0) = 0.0f;
        W(STEPS) = draw(&rng);
        for (int gap = STEPS; gap > 1; gap /= 2) {
            float sigma = 0.5f * sqrtf((float)gap / STEPS);
            for (int left = 0; left < STEPS; left += gap)
                W(left + gap / 2) = 0.5f * (W(left) + W(left + gap)) + sigma * draw(&rng);
        }
        float top = 0.0f, sum = 0.0f;
        for (int s = 1; s <= STEPS; ++s) {
            float w = W(s);
            top = fmaxf(top, w);
            sum += w;
        }
        highest[me] = top;
        area[me] = sum / STEPS;
    }
}

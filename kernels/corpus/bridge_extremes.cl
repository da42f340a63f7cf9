#define STEPS (1 << LEVELS)
#ifdef STEP_MAJOR
#define W(step) path[(step) * paths + me]
#else
#define W(step) path[me * (STEPS + 1) + (step)]
#endif

/* Returns an approximately normal number: the scaled sum of four uniform numbers, with mean 0 and
 * variance 1. */
static float draw(uint *state)
{
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
        *state = *state * 1664525u + 1013904223u;
        sum += (float)(*state >> 8);
    }
    return (sum / 16777216.0f - 2.0f) * 1.7320508f;
}

__kernel void bridges(__global const uint *seeds, __global float *path, __global float *highest,
                      __global float *area, int paths)
{
    int me = get_global_id(0);
    if (me < paths) {
        uint rng = seeds[me];
        W(0) = 0.0f;
        W(STEPS) = draw(&rng);
        for (int gap = STEPS; gap > 1; gap /= 2) {
            float sigma = 0.5f * sqrt((float)gap / STEPS);
            for (int left = 0; left < STEPS; left += gap)
                W(left + gap / 2) = 0.5f * (W(left) + W(left + gap)) + sigma * draw(&rng);
        }
        float top = 0.0f, sum = 0.0f;
        for (int s = 1; s <= STEPS; ++s) {
            float w = W(s);
            top = fmax(top, w);
            sum += w;
        }
        highest[me] = top;
        area[me] = sum / STEPS;
    }
}

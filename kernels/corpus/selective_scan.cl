#define STATES 16
/* Axes of arrays: u, delta and y: batch, step, channel; B and C: batch, step, state; A: channel,
 * state. */
kernel void scan(global const float *u, global const float *delta, global const float *A, global const float *B,
                 global const float *C, global const float *skip, global float *y, int length, int channels)
{
    int channel = get_global_id(0), b = get_global_id(1);
    float a[STATES], h[STATES], through = skip[channel];
#pragma unroll
    for (int s = 0; s < STATES; s++) {
        a[s] = A[channel * STATES + s];
        h[s] = 0.0f;
    }
    for (int t = 0; t < length; t++) {
        int row = b * length + t;
        float d = delta[row * channels + channel], x = u[row * channels + channel], out = through * x;
#pragma unroll
        for (int s = 0; s < STATES; s++) {
            h[s] = exp(d * a[s]) * h[s] + d * x * B[row * STATES + s];
            out += h[s] * C[row * STATES + s];
        }
        y[row * channels + channel] = out;
    }
}

#define STEPS 16
kernel void scan_states(global const float *u, global const float *delta, global const float *A,
                        global const float *B, global const float *C, global const float *skip, global float *y,
                        int length, int channels)
{
    local float part[STEPS][16][STATES + 1];
    local float ds[STEPS][16], xs[STEPS][16];
    int me = get_local_id(0), b = get_global_id(1), channel0 = get_group_id(0) * 16;
    int s = me % STATES, mine = me / STATES;
    float a = A[(channel0 + mine) * STATES + s], h = 0.0f;
    for (int t0 = 0; t0 < length; t0 += STEPS) {
        /* From here on, each work-item has a second task: step me / 16 of channel me % 16. */
        int at = (b * length + t0 + me / 16) * channels + channel0 + me % 16;
        ds[me / 16][me % 16] = delta[at];
        xs[me / 16][me % 16] = u[at];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = 0; t < STEPS; t++) {
            int row = (b * length + t0 + t) * STATES + s;
            float d = ds[t][mine];
            h = exp(d * a) * h + d * xs[t][mine] * B[row];
            part[t][mine][s] = h * C[row];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float out = skip[channel0 + me % 16] * xs[me / 16][me % 16];
#pragma unroll
        for (int k = 0; k < STATES; k++)
            out += part[me / 16][me % 16][k];
        y[at] = out;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

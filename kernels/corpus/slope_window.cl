// signal has RADIUS samples of padding on both ends
#define N (2 * RADIUS + 1)
// sum of k^2 for k = -RADIUS..RADIUS
#define SKK ((float)(RADIUS * (RADIUS + 1) * (2 * RADIUS + 1) / 3))
#define RUN 32

kernel void fit_direct(global const float *signal, global float *slope, global float *rest, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    float s = 0.f, sk = 0.f, ss = 0.f;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        float v = signal[i + RADIUS + k];
        s += v;
        sk += k * v;
        ss += v * v;
    }
    slope[i] = sk / SKK;
    rest[i] = (ss - s * s / N - sk * sk / SKK) / N;
}

// Each work-item computes RUN adjacent outputs.
kernel void fit_running(global const float *signal, global float *slope, global float *rest, int n)
{
    int from = get_global_id(0) * RUN;
    if (from >= n) return;
    float s = 0.f, sk = 0.f, ss = 0.f;
    for (int k = 0; k < N; ++k) {
        float v = signal[from + k];
        s += v;
        sk += (k - RADIUS) * v;
        ss += v * v;
    }
    for (int i = from; ; ++i) {
        slope[i] = sk / SKK;
        rest[i] = (ss - s * s / N - sk * sk / SKK) / N;
        if (i == from + RUN - 1)
            break;
        float out = signal[i], in = signal[i + N];
        // Move the window by one: the oldest sample leaves at -RADIUS, all others move down by one,
        // and the new one enters at +RADIUS.
        sk += RADIUS * out - (s - out) + RADIUS * in;
        s += in - out;
        ss += in * in - out * out;
    }
}

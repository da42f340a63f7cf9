__kernel void norm_plain(__global const float* x, __global const float* gamma, __global const float* beta,
                         __global float* y, int per, int pixels, int groups, float eps)
{
    const int g = get_global_id(0);
    const int first = g * per * pixels, end = first + per * pixels;
    double s = 0, s2 = 0;
    for (int i = first; i < end; i++) {
        s += x[i];
        s2 += (double)x[i] * x[i];
    }
    const double m = s / (end - first);
    const double dev = sqrt(s2 / (end - first) - m * m + eps);
    for (int c = 0; c < per; c++)
        for (int p = 0; p < pixels; p++) {
            const int i = first + c * pixels + p, channel = g % groups * per + c;
            const double t = gamma[channel] * (x[i] - m) / dev + beta[channel];
            y[i] = (float)(t / (1 + exp(-t)));
        }
}

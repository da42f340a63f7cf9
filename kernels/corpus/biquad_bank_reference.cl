typedef struct {
    float b0, b1, b2;
    float a1, a2;
} Biquad;

/* Computes the filters in direct form I in double: each stage stores its last two inputs and
 * outputs. */
__kernel void run_bank(__global const Biquad *filters, __global const float *in,
                       __global float *out, __global float *peaks, uint samples)
{
    uint ch = get_global_id(0);
    double x1[STAGES] = {0}, x2[STAGES] = {0}, y1[STAGES] = {0}, y2[STAGES] = {0};
    double top = 0;

    for (uint t = 0; t < samples; t++) {
        double x = in[(ulong)ch * samples + t];
        for (int s = 0; s < STAGES; s++) {
            Biquad f = filters[ch * STAGES + s];
            double y = f.b0 * x + f.b1 * x1[s] + f.b2 * x2[s] - f.a1 * y1[s] - f.a2 * y2[s];
            x2[s] = x1[s];
            x1[s] = x;
            y2[s] = y1[s];
            y1[s] = y;
            x = y;
        }
        out[(ulong)ch * samples + t] = (float)x;
        if (fabs(x) > top)
            top = fabs(x);
    }
    peaks[ch] = (float)top;
}

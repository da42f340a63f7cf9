/* Uses the filter's symmetry: each coefficient multiplies the sum of two samples, in 64 bits. The
 * division is rounded down. */
__kernel void fir_symmetric(__global const short *x, __global short *y)
{
    const int half_taps[24] = {
    41, 49, 55, 58, 50, 24, -26, -103, -203, -315, -418, -486,
    -487, -389, -169, 187, 676, 1280, 1959, 2663, 3331, 3901, 4316, 4535
    };
    size_t n = get_global_id(0);
    long sum = 0;
    for (int k = 0; k < 24; k++) sum += (long)half_taps[k] * ((long)x[n + k] + x[n + 47 - k]);
    sum += 16384;
    long q = sum / 32768;
    if (sum % 32768 < 0) q--;
    y[n] = (short)(q > 32767 ? 32767 : q < -32768 ? -32768 : q);
}

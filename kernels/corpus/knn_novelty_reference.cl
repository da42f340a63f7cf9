/* Makes four passes. Each searches the nearest row after the last one found, in the order of
 * distance and then number. */
__kernel void four_passes(__global const float *train, int rows, __global const float *query, int queries,
                          __global float *score, __global float *radius)
{
    int q = get_global_id(0), last_row = -1;
    double last = -1, sum = 0;
    for (int pass = 0; pass < 4; pass++) {
        int found = -1;
        double least = 0;
        for (int r = 0; r < rows; r++) {
            double d = 0;
            for (int k = 7; k >= 0; k--) {
                double e = (double)train[8 * r + k] - query[8 * q + k];
                d += e * e;
            }
            if ((d > last || (d == last && r > last_row)) && (found < 0 || d < least)) {
                least = d;
                found = r;
            }
        }
        last = least;
        last_row = found;
        sum += sqrt(least);
    }
    score[q] = (float)(sum / 4);
    radius[q] = (float)sqrt(last);
}

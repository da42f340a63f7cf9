/* Factorises row by row on a private copy in double. A diagonal element is computed from the
 * squares of its row. */
__kernel void row_by_row(__global float *mats, float shift)
{
    __global float *m = mats + get_global_id(0) * 256;
    double l[16][16];
    for (int r = 0; r < 16; r++) {
        double squares = 0;
        for (int c = 0; c < r; c++) {
            double v = m[16 * r + c];
            for (int k = 0; k < c; k++) v -= l[r][k] * l[c][k];
            l[r][c] = v / l[c][c];
            squares += l[r][c] * l[r][c];
        }
        l[r][r] = sqrt((double)m[16 * r + r] + shift - squares);
    }
    for (int r = 0; r < 16; r++)
        for (int c = 0; c <= r; c++) m[16 * r + c] = (float)l[r][c];
}

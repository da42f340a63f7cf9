// Solves the full 6x6 system in double by Gauss-Jordan elimination with pivoting.
__kernel void normal_by_elimination(__global const float4 *src, __global const float4 *dst,
                                    __global const float4 *nrm, __global float *twist, int systems)
{
    int s = get_global_id(0);
    if (s >= systems) return;
    double m[6][7];
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 7; c++) {
            double sum = r == c ? 2.0 : 0.0;
            for (int p = s; p < s + PAIRS; p++) {
                double q[3] = { src[p].x, src[p].y, src[p].z };
                double n[3] = { nrm[p].x, nrm[p].y, nrm[p].z };
                double t[3] = { dst[p].x, dst[p].y, dst[p].z };
                double row[7];
                for (int k = 0; k < 3; k++) {
                    row[k] = q[(k + 1) % 3] * n[(k + 2) % 3] - q[(k + 2) % 3] * n[(k + 1) % 3];
                    row[k + 3] = n[k];
                }
                row[6] = 0;
                for (int k = 0; k < 3; k++) row[6] += (t[k] - q[k]) * n[k];
                sum += row[r] * row[c];
            }
            m[r][c] = sum;
        }
    for (int c = 0; c < 6; c++) {
        int best = c;
        for (int r = c + 1; r < 6; r++)
            if (fabs(m[r][c]) > fabs(m[best][c])) best = r;
        for (int k = 0; k < 7; k++) { double t = m[c][k]; m[c][k] = m[best][k]; m[best][k] = t; }
        for (int r = 0; r < 6; r++) {
            if (r == c) continue;
            double f = m[r][c] / m[c][c];
            for (int k = c; k < 7; k++) m[r][k] -= f * m[c][k];
        }
    }
    for (int r = 0; r < 6; r++) twist[s * 6 + r] = (float)(m[r][6] / m[r][r]);
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* In double and by solving J^T-systems with Cramer's rule for each node. */
double det3(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

__kernel void whole_matrix(__global const float *x, __global const float *y, __global const float *z,
                           __global const float *conductivity, __global float *matrix, int nx, int ny, int nz)
{
    int e = get_global_id(0), elements = nx * ny * nz;
    int i = e % nx, j = e / nx % ny, k = e / nx / ny;
    double K[8][8] = {{0}};
    for (int g = 0; g < 8; g++) {
        double at[3], N[8][3], G[8][3], J[3][3] = {{0}};
        for (int d = 0; d < 3; d++)
            at[d] = (g >> d & 1 ? 1 : -1) / sqrt(3.0);
        for (int a = 0; a < 8; a++) {
            int node = i + (a & 1) + (nx + 1) * (j + (a >> 1 & 1) + (ny + 1) * (k + (a >> 2)));
            double X[3] = {x[node], y[node], z[node]};
            for (int d = 0; d < 3; d++) {
                N[a][d] = 0.125;
                for (int f = 0; f < 3; f++)
                    N[a][d] *= (a >> f & 1 ? 1 : -1) * (f == d ? 1 : at[f]) + (f == d ? 0 : 1);
            }
            /* columns of J: derivatives of the position along r, s and t; J[space][d] */
            for (int d = 0; d < 3; d++)
                for (int f = 0; f < 3; f++)
                    J[f][d] += N[a][d] * X[f];
        }
        double det = det3(J[0], J[1], J[2]);
        for (int a = 0; a < 8; a++)
            for (int f = 0; f < 3; f++)
                G[a][f] = det3(f == 0 ? N[a] : J[0], f == 1 ? N[a] : J[1], f == 2 ? N[a] : J[2]) / det;
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                for (int f = 0; f < 3; f++)
                    K[a][b] += conductivity[e] * det * G[a][f] * G[b][f];
    }
    for (int a = 0; a < 8; a++)
        for (int b = 0; b <= a; b++)
            matrix[(a * (a + 1) / 2 + b) * elements + e] = (float)K[a][b];
}

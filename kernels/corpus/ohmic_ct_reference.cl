// components in a loop over cyclic triples, in double
#define PREPARE \
    int p[3] = {get_global_id(0), get_global_id(1), get_global_id(2)}; \
    int n[3] = {nx, ny, nz}, s[3] = {1, nx, nx * ny}; \
    double h[3] = {hx, hy, hz}; \
    int at = p[0] + s[1] * p[1] + s[2] * p[2];

__kernel void edge_emf(__global const float* bx, __global const float* by, __global const float* bz,
                       __global const float* eta, __global float* ex, __global float* ey, __global float* ez,
                       int nx, int ny, int nz, float hx, float hy, float hz)
{
    PREPARE
    __global const float* b[3] = {bx, by, bz};
    __global float* e[3] = {ex, ey, ez};
    for (int a = 0; a < 3; a++)
        if (p[a] == 0 || p[a] >= n[a] - 1)
            return;
    for (int a = 0; a < 3; a++) {
        int u = (a + 1) % 3, v = (a + 2) % 3;
        double curl = h[u] * ((double)b[v][at] - b[v][at - s[u]]) - h[v] * ((double)b[u][at] - b[u][at - s[v]]);
        e[a][at] = (float)(eta[at] * curl);
    }
}

__kernel void update_faces(__global float* bx, __global float* by, __global float* bz,
                           __global const float* ex, __global const float* ey, __global const float* ez,
                           int nx, int ny, int nz, float hx, float hy, float hz)
{
    PREPARE
    __global float* b[3] = {bx, by, bz};
    __global const float* e[3] = {ex, ey, ez};
    for (int a = 0; a < 3; a++)
        if (p[a] >= n[a] - 1)
            return;
    for (int a = 0; a < 3; a++) {
        int u = (a + 1) % 3, v = (a + 2) % 3;
        double curl = h[u] * ((double)e[v][at + s[u]] - e[v][at]) - h[v] * ((double)e[u][at + s[v]] - e[u][at]);
        b[a][at] = (float)(b[a][at] - curl);
    }
}

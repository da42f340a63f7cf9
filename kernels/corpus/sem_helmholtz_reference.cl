#pragma OPENCL EXTENSION cl_khr_fp64 : enable
int node(int e, int i, int j, int k)
{
    return e * 512 + k * 64 + j * 8 + i;
}

/* flux in direction axis (0: r, 1: s, 2: t) at a node, from its three derivatives */
double flux_at(global const float *D, global const float *u, global const float *factors, int nodes, int axis, int e,
               int i, int j, int k)
{
    double by[3] = {0, 0, 0};
    for (int l = 0; l < 8; l++) {
        by[0] += (double)D[i * 8 + l] * u[node(e, l, j, k)];
        by[1] += (double)D[j * 8 + l] * u[node(e, i, l, k)];
        by[2] += (double)D[k * 8 + l] * u[node(e, i, j, l)];
    }
    const int component[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    double sum = 0;
    for (int b = 0; b < 3; b++)
        sum += by[b] * factors[component[axis][b] * nodes + node(e, i, j, k)];
    return sum;
}

/* Computes one node of the result, and computes every flux that it needs anew. */
kernel void apply_node(global const float *D, global const float *u, global const float *factors, global float *w,
                       int nodes, float mass)
{
    int at = get_global_id(0), e = at / 512, i = at % 8, j = at / 8 % 8, k = at / 64 % 8;
    double sum = (double)mass * u[at];
    for (int l = 0; l < 8; l++) {
        sum += D[l * 8 + i] * flux_at(D, u, factors, nodes, 0, e, l, j, k);
        sum += D[l * 8 + j] * flux_at(D, u, factors, nodes, 1, e, i, l, k);
        sum += D[l * 8 + k] * flux_at(D, u, factors, nodes, 2, e, i, j, l);
    }
    w[at] = (float)sum;
}

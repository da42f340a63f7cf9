/* One work-item per population: moments of the cell are summed anew for each of them. The direction's components
 * and weight follow from the order of directions by small functions. */
#define CELLS (NX * NY * NZ)

int3 dir(int q)
{
    if (q == 0) return (int3)(0, 0, 0);
    int s = (q & 1) ? 1 : -1;
    if (q < 3) return (int3)(s, 0, 0);
    if (q < 5) return (int3)(0, s, 0);
    if (q < 7) return (int3)(0, 0, s);
    if (q < 9) return (int3)(s, s, 0);
    if (q < 11) return (int3)(s, -s, 0);
    if (q < 13) return (int3)(s, 0, s);
    if (q < 15) return (int3)(s, 0, -s);
    if (q < 17) return (int3)(0, s, s);
    return (int3)(0, s, -s);
}

__kernel void one_population(__global const float *in, __global float *out, __global float *rho, float omega)
{
    int id = get_global_id(0);
    int q = id / CELLS, cell = id % CELLS;
    int x = cell % NX, y = cell / NX % NY, z = cell / NX / NY;
    double sum = 0, mx = 0, my = 0, mz = 0, mine = 0;
    for (int k = 0; k < 19; k++) {
        int3 d = dir(k);
        int from = (x - d.x + NX) % NX + NX * ((y - d.y + NY) % NY + NY * ((z - d.z + NZ) % NZ));
        double v = in[k * CELLS + from];
        sum += v; mx += d.x * v; my += d.y * v; mz += d.z * v;
        if (k == q) mine = v;
    }
    int3 c = dir(q);
    int n = abs(c.x) + abs(c.y) + abs(c.z);
    double w = n == 0 ? 12.0 / 36 : n == 1 ? 2.0 / 36 : 1.0 / 36;
    double cu = (c.x * mx + c.y * my + c.z * mz) / sum;
    double uu = (mx * mx + my * my + mz * mz) / (sum * sum);
    double eq = w * sum * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu);
    out[id] = (float)((1 - omega) * mine + omega * eq);
    if (q == 0) rho[cell] = (float)sum;
}

/* Linear elements. tri: three nodes per element; corners: for each inner node the six places in
 * flux that belong to it. */

float2 position(__global const ushort2 *lattice, __global const float2 *shift, int node)
{
    return convert_float2(lattice[node]) + shift[node];
}

__kernel void element_fluxes(__global const int *tri, __global const ushort2 *lattice,
                             __global const float2 *shift, __global const float *kappa,
                             __global const float *temperature, __global float *flux, int count)
{
    int e = get_global_id(0);
    if (e >= count)
        return;

    int n0 = tri[3 * e], n1 = tri[3 * e + 1], n2 = tri[3 * e + 2];
    float2 p0 = position(lattice, shift, n0);
    float2 p1 = position(lattice, shift, n1);
    float2 p2 = position(lattice, shift, n2);

    /* twice the area times the gradients of the three shape functions */
    float2 g0 = (float2)(p1.y - p2.y, p2.x - p1.x);
    float2 g1 = (float2)(p2.y - p0.y, p0.x - p2.x);
    float2 g2 = (float2)(p0.y - p1.y, p1.x - p0.x);
    float twice_area = fabs(g1.x * g2.y - g1.y * g2.x);

    float2 heat = g0 * temperature[n0] + g1 * temperature[n1] + g2 * temperature[n2];
    heat *= kappa[e] / (2.0f * twice_area);

    flux[3 * e] = dot(g0, heat);
    flux[3 * e + 1] = dot(g1, heat);
    flux[3 * e + 2] = dot(g2, heat);
}

__kernel void gather_nodes(__global const int *corners, __global const float *flux,
                           __global float *residual, int count)
{
    int n = get_global_id(0);
    if (n >= count)
        return;

    float sum = 0.0f;
    for (int s = 0; s < 6; s++)
        sum += flux[corners[6 * n + s]];
    residual[n] = sum;
}

/* Node a of an element lies at the end of x, y, z where bits 0, 1, 2 of a are set; so do the points. */
kernel void shape_gradients(global float *gradient)
{
    int a = get_global_id(0) % 8, q = get_global_id(0) / 8;
    float f[3], s[3];
    for (int d = 0; d < 3; d++) {
        s[d] = a >> d & 1 ? 1.0f : -1.0f;
        f[d] = 1.0f + s[d] * (q >> d & 1 ? 0.57735026919f : -0.57735026919f);
    }
    gradient[(q * 8 + a) * 3] = 0.125f * s[0] * f[1] * f[2];
    gradient[(q * 8 + a) * 3 + 1] = 0.125f * f[0] * s[1] * f[2];
    gradient[(q * 8 + a) * 3 + 2] = 0.125f * f[0] * f[1] * s[2];
}

typedef struct {
    float4 x, y, z;
} rows3;

static rows3 cofactors(rows3 j)
{
    rows3 c;
    c.x = cross(j.y, j.z);
    c.y = cross(j.z, j.x);
    c.z = cross(j.x, j.y);
    return c;
}

static float4 node3(constant float *g, int a)
{
    return (float4)(g[3 * a], g[3 * a + 1], g[3 * a + 2], 0.0f);
}

/* Stress at a point, times the volume and the inverse of the Jacobian: the force of a node is its product with the
 * node's gradient. at, u: coordinates and displacements of the 8 nodes; lame: lambda and mu. */
static rows3 pulled_stress(constant float *g, const float4 *at, const float4 *u, float2 lame)
{
    rows3 j = {(float4)(0.0f), (float4)(0.0f), (float4)(0.0f)}, h = j;
#pragma unroll
    for (int a = 0; a < 8; a++) {
        float4 n = node3(g, a);
        j.x += at[a].x * n;
        j.y += at[a].y * n;
        j.z += at[a].z * n;
        h.x += u[a].x * n;
        h.y += u[a].y * n;
        h.z += u[a].z * n;
    }
    rows3 c = cofactors(j);
    float volume = dot(j.x, c.x), scale = 1.0f / volume;
    /* derivatives of the displacements in space: h times the inverse, whose column d is c's row d over the volume */
    float4 dx = (float4)(dot(h.x, c.x), dot(h.x, c.y), dot(h.x, c.z), 0.0f) * scale;
    float4 dy = (float4)(dot(h.y, c.x), dot(h.y, c.y), dot(h.y, c.z), 0.0f) * scale;
    float4 dz = (float4)(dot(h.z, c.x), dot(h.z, c.y), dot(h.z, c.z), 0.0f) * scale;
    float swell = lame.x * (dx.x + dy.y + dz.z);
    float xy = lame.y * (dx.y + dy.x), xz = lame.y * (dx.z + dz.x), yz = lame.y * (dy.z + dz.y);
    rows3 p;
    p.x = (swell + 2.0f * lame.y * dx.x) * c.x + xy * c.y + xz * c.z;
    p.y = xy * c.x + (swell + 2.0f * lame.y * dy.y) * c.y + yz * c.z;
    p.z = xz * c.x + yz * c.y + (swell + 2.0f * lame.y * dz.z) * c.z;
    return p;
}

static void fetch(global const int *node_of, global const float *x, global const float *y, global const float *z,
                  global const float *displacement, int element, float4 *at, float4 *u)
{
#pragma unroll
    for (int a = 0; a < 8; a++) {
        int node = node_of[8 * element + a];
        at[a] = (float4)(x[node], y[node], z[node], 0.0f);
        u[a] = (float4)(vload3(node, displacement), 0.0f);
    }
}

kernel void element_forces(constant float *gradient, global const int *node_of, global const float *x,
                           global const float *y, global const float *z, global const float *displacement,
                           global float *element_force, int elements, float2 lame)
{
    int e = get_global_id(0);
    float4 at[8], u[8], f[8];
    fetch(node_of, x, y, z, displacement, e, at, u);
#pragma unroll
    for (int a = 0; a < 8; a++)
        f[a] = (float4)(0.0f);
#pragma unroll UNROLL
    for (int q = 0; q < 8; q++) {
        constant float *g = gradient + 24 * q;
        rows3 p = pulled_stress(g, at, u, lame);
#pragma unroll
        for (int a = 0; a < 8; a++) {
            float4 n = node3(g, a);
            f[a] += (float4)(dot(p.x, n), dot(p.y, n), dot(p.z, n), 0.0f);
        }
    }
#pragma unroll
    for (int a = 0; a < 8; a++) {
        element_force[(3 * a) * elements + e] = f[a].x;
        element_force[(3 * a + 1) * elements + e] = f[a].y;
        element_force[(3 * a + 2) * elements + e] = f[a].z;
    }
}

kernel void point_forces(constant float *gradient, global const int *node_of, global const float *x,
                         global const float *y, global const float *z, global const float *displacement,
                         global float *element_force, int elements, float2 lame)
{
    local float part[16][24 * 8 + 1];
    int q = get_local_id(0) % 8, mine = get_local_id(0) / 8, e = get_global_id(0) / 8;
    float4 at[8], u[8];
    fetch(node_of, x, y, z, displacement, e, at, u);
    constant float *g = gradient + 24 * q;
    rows3 p = pulled_stress(g, at, u, lame);
    for (int a = 0; a < 8; a++) {
        float4 n = node3(g, a);
        part[mine][(3 * a) * 8 + q] = dot(p.x, n);
        part[mine][(3 * a + 1) * 8 + q] = dot(p.y, n);
        part[mine][(3 * a + 2) * 8 + q] = dot(p.z, n);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = get_group_id(0) * 16;
    for (int s = get_local_id(0); s < 16 * 24; s += 128) {
        float sum = 0.0f;
        for (int k = 0; k < 8; k++)
            sum += part[s % 16][s / 16 * 8 + k];
        element_force[s / 16 * elements + first + s % 16] = sum;
    }
}

/* a node's elements are those of the 2x2x2 around it; in the one that lies left of it it is the right end */
kernel void assemble(global const float *element_force, global float *force, int side)
{
    int node = get_global_id(0), nodes = side + 1;
    int x = node % nodes, y = node / nodes % nodes, z = node / nodes / nodes;
    if (z >= nodes)
        return;
    int elements = side * side * side;
    float3 sum = (float3)(0.0f);
    for (int a = 0; a < 8; a++) {
        int ex = x - (a & 1), ey = y - (a >> 1 & 1), ez = z - (a >> 2);
        if (ex < 0 || ey < 0 || ez < 0 || ex >= side || ey >= side || ez >= side)
            continue;
        int e = (ez * side + ey) * side + ex;
        sum += (float3)(element_force[3 * a * elements + e], element_force[(3 * a + 1) * elements + e],
                        element_force[(3 * a + 2) * elements + e]);
    }
    vstore3(sum, node, force);
}

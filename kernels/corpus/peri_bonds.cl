typedef struct {
    float x, y;   /* position at rest */
    float ux, uy; /* displacement */
    float vx, vy;
    float volume;
    float broken; /* damaged fraction of the bonds in the node's family */
} Node;

#define BONDS 25
#define HORIZON 3.0f
#define YIELD 0.008f   /* stretch at which damage begins */
#define RUPTURE 0.03f  /* stretch at which damage is complete */
#define STIFFNESS 4.0f

/* One bond: its force, per volume of the other end, and its weight. Damage never heals. */
float2 bond(float2 rest, float2 shift, __global float *damage, float *weight, float *lost)
{
    float length0 = length(rest);
    float2 now = rest + shift;
    float length1 = length(now), stretch = (length1 - length0) / length0;
    float harm = fmax(*damage, clamp((stretch - YIELD) * (1.0f / (RUPTURE - YIELD)), 0.0f, 1.0f));
    *damage = harm;
    *weight = fmax(1.0f - length0 * (1.0f / HORIZON), 0.0f);
    *lost = harm;
    return now * (STIFFNESS * *weight * (1.0f - harm) * stretch / length1);
}

__kernel void forces(__global Node *nodes, __global const int *family, __global float *damage, __global float2 *force,
                     int count)
{
    int i = get_global_id(0);
    float2 rest = (float2)(nodes[i].x, nodes[i].y), shift = (float2)(nodes[i].ux, nodes[i].uy), sum = 0;
    float all = 0, gone = 0;
    for (int k = 0; k < BONDS; k++) {
        int j = family[k * count + i];
        if (j < 0 || j == i)
            continue;
        float weight, lost;
        float2 f = bond((float2)(nodes[j].x, nodes[j].y) - rest, (float2)(nodes[j].ux, nodes[j].uy) - shift,
                        &damage[k * count + i], &weight, &lost);
        sum += f * nodes[j].volume;
        all += weight;
        gone += weight * lost;
    }
    force[i] = sum;
    nodes[i].broken = gone / all;
}

__kernel void move(__global Node *nodes, __global const float2 *force, int width, float dt)
{
    int i = get_global_id(0), column = i % width;
    float vx = nodes[i].vx + force[i].x * dt, vy = nodes[i].vy + force[i].y * dt;
    /* the testing machine holds and pulls three columns at each end */
    if (column < 3 || column >= width - 3) {
        vx = column < 3 ? -0.1f : 0.1f;
        vy = 0;
    }
    nodes[i].vx = vx;
    nodes[i].vy = vy;
    nodes[i].ux += vx * dt;
    nodes[i].uy += vy * dt;
}

__kernel void compact(__global const Node *nodes, __global float4 *places)
{
    int i = get_global_id(0);
    places[i] = (float4)(nodes[i].x, nodes[i].y, nodes[i].ux, nodes[i].uy);
}

__kernel void forces_compacted(__global Node *nodes, __global const float4 *places, __global const int *family,
                               __global float *damage, __global float2 *force, int count)
{
    int i = get_global_id(0);
    float4 own = places[i];
    float2 sum = 0;
    float all = 0, gone = 0;
    for (int k = 0; k < BONDS; k++) {
        int j = family[k * count + i];
        if (j < 0 || j == i)
            continue;
        float4 other = places[j] - own;
        float weight, lost;
        float2 f = bond(other.xy, other.zw, &damage[k * count + i], &weight, &lost);
        sum += f * nodes[j].volume;
        all += weight;
        gone += weight * lost;
    }
    force[i] = sum;
    nodes[i].broken = gone / all;
}

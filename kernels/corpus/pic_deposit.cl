/* Positions are a cell and 8-bit fractions, so that charges are exact integers. Each particle
 * deposits 65536 in total. */
#define WRAPX(x) ((x) % GX)
#define WRAPY(y) ((y) % GY)
#ifdef ORDERED
#define PARTICLE order[get_global_id(0)]
#else
#define PARTICLE get_global_id(0)
#endif

/* Particles of a cell are adjacent in memory: particle q is in cell 7919 * q modulo the number of
 * cells, a power of two. */
__kernel void order_by_cell(__global uint *order)
{
    uint c = get_global_id(0), k = get_global_id(1), cells = get_global_size(0);
    uint inverse = 1;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - 7919u * inverse;
    order[c * get_global_size(1) + k] = (c * inverse & (cells - 1)) + k * cells;
}

__kernel void deposit(__global const uint *cell, __global const ushort2 *fraction,
                      __global const uint *order, __global int *charge)
{
    const uint p = PARTICLE;
    const uint c = cell[p], x = c % GX, y = c / GX;
    const int fx = fraction[p].x, fy = fraction[p].y;

    atomic_add(&charge[y * GX + x], (256 - fx) * (256 - fy));
    atomic_add(&charge[y * GX + WRAPX(x + 1)], fx * (256 - fy));
    atomic_add(&charge[WRAPY(y + 1) * GX + x], (256 - fx) * fy);
    atomic_add(&charge[WRAPY(y + 1) * GX + WRAPX(x + 1)], fx * fy);
}

__kernel void smooth(__global const int *charge, __global float *potential)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint l = WRAPX(x + GX - 1), r = WRAPX(x + 1), u = WRAPY(y + GY - 1), d = WRAPY(y + 1);
    const int edge = charge[y * GX + l] + charge[y * GX + r] + charge[u * GX + x] + charge[d * GX + x];
    const int corner = charge[u * GX + l] + charge[u * GX + r] + charge[d * GX + l] + charge[d * GX + r];
    potential[y * GX + x] = (4 * charge[y * GX + x] + 2 * edge + corner) * (1.0f / (16 * 65536));
}

__kernel void gradient(__global const float *potential, __global float2 *field)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    field[y * GX + x] =
        0.5f * (float2)(potential[y * GX + WRAPX(x + GX - 1)] - potential[y * GX + WRAPX(x + 1)],
                        potential[WRAPY(y + GY - 1) * GX + x] - potential[WRAPY(y + 1) * GX + x]);
}

__kernel void push(__global const uint *cell, __global const ushort2 *fraction,
                   __global const uint *order, __global const float2 *field,
                   __global float2 *velocity, __global float2 *position, float dt)
{
    const uint p = PARTICLE;
    const uint c = cell[p], x = c % GX, y = c / GX;
    const float2 f = convert_float2(fraction[p]) * (1.0f / 256.0f);
    const float2 top = mix(field[y * GX + x], field[y * GX + WRAPX(x + 1)], f.x);
    const float2 bottom = mix(field[WRAPY(y + 1) * GX + x], field[WRAPY(y + 1) * GX + WRAPX(x + 1)], f.x);
    const float2 v = velocity[p] + dt * mix(top, bottom, f.y);

    velocity[p] = v;
    position[p] = (float2)(x, y) + f + dt * v;
}

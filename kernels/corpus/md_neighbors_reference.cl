#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes forces without neighbour lists, in double, with powers by pow(). */
double wrapped(double d, double box)
{
    while (d > box / 2)
        d -= box;
    while (d < -box / 2)
        d += box;
    return d;
}

__kernel void place_on_lattice(__global const float4 *jitter, __global float4 *pos, int side)
{
    int i = get_global_id(0);
    pos[i] = (float4)(jitter[i].x + (i % side + 0.5f), jitter[i].y + (i / side % side + 0.5f),
                      jitter[i].z + (i / side / side + 0.5f), 1);
}

/* Sites are 1 apart, and particles are less than 0.4 from their sites. So particles beyond three
 * sites are out of range. */
__kernel void all_near(__global const float4 *pos, __global float4 *force, int side)
{
    int i = get_global_id(0), x = i % side, y = i / side % side, z = i / side / side;
    double fx = 0, fy = 0, fz = 0, e = 0, rc = 1.8;
    double at_rc = 24 * (2 * pow(0.9 / rc, 12) - pow(0.9 / rc, 6)) / rc;
    for (int s = 0; s < 343; s++) {
        int u = (x + s % 7 - 3 + side) % side, v = (y + s / 7 % 7 - 3 + side) % side;
        int w = (z + s / 49 - 3 + side) % side, j = u + side * (v + side * w);
        double dx = wrapped((double)pos[i].x - pos[j].x, side);
        double dy = wrapped((double)pos[i].y - pos[j].y, side);
        double dz = wrapped((double)pos[i].z - pos[j].z, side);
        double r = sqrt(dx * dx + dy * dy + dz * dz), a = pow(0.9 / r, 6);
        if (i == j || r >= rc)
            continue;
        double push = 24 * (2 * a * a - a) / r - at_rc;
        fx += push * dx / r;
        fy += push * dy / r;
        fz += push * dz / r;
        e += 4 * (a * a - a) - 4 * (pow(0.9 / rc, 12) - pow(0.9 / rc, 6)) + at_rc * (r - rc);
    }
    force[i] = (float4)((float)fx, (float)fy, (float)fz, (float)(e / 2));
}

__kernel void leapfrog(__global float4 *pos, __global float4 *vel, __global const float4 *force,
                       float dt, float box)
{
    int i = get_global_id(0);
    float4 v = vel[i];
    v.xyz += dt * force[i].xyz;
    vel[i] = v;
    pos[i].xyz = fmod(pos[i].xyz + dt * v.xyz + (float3)(box), (float3)(box));
}

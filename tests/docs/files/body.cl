typedef struct { float x, y, z, mass, charge; } Body;

__kernel void energy(__global const Body *bodies, __global float *out)
{
    int i = get_global_id(0);
    out[i] = bodies[i].mass * (bodies[i].x * bodies[i].x + bodies[i].y * bodies[i].y) + bodies[i].charge;
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    float x, y, z, px, py, pz, charge, unused;
} Particle;

/* Interpolates a field at a position, with the weights of all eight nodes one after another. */
double3 field_at(global const float4 *field, double3 at)
{
    int3 low = min(convert_int3_rtz(at), (int3)(NX - 1, NY - 1, NZ - 1));
    double3 f = at - convert_double3(low), sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        double w = (dx ? f.x : 1 - f.x) * (dy ? f.y : 1 - f.y) * (dz ? f.z : 1 - f.z);
        int node = ((low.z + dz) % NZ * NY + (low.y + dy) % NY) * NX + (low.x + dx) % NX;
        sum += w * convert_double3(field[node].xyz);
    }
    return sum;
}

/* Moves a particle by one step, with the rotation as a matrix of its axis and angle. |t| is
 * tan(angle / 2). */
kernel void push_matrix(global Particle *particles, global const float4 *E, global const float4 *B, float dt)
{
    global Particle *one = particles + get_global_id(0);
    double3 at = (double3)(one->x, one->y, one->z), p = (double3)(one->px, one->py, one->pz);
    double half_kick = 0.5 * dt * one->charge;
    double3 e = field_at(E, at) * half_kick, b = field_at(B, at);
    p += e;
    double3 t = b * half_kick / sqrt(1 + dot(p, p));
    double tan_half = sqrt(dot(t, t)), angle = 2 * atan(tan_half);
    if (tan_half > 0) {
        double3 axis = t / tan_half;
        p = p * cos(angle) + cross(p, axis) * sin(angle) + axis * dot(axis, p) * (1 - cos(angle));
    }
    p += e;
    at += p * dt / sqrt(1 + dot(p, p));
    at.x = fmod(at.x + NX, (double)NX);
    at.y = fmod(at.y + NY, (double)NY);
    at.z = fmod(at.z + NZ, (double)NZ);
    one->x = (float)at.x;
    one->y = (float)at.y;
    one->z = (float)at.z;
    one->px = (float)p.x;
    one->py = (float)p.y;
    one->pz = (float)p.z;
}

kernel void sum_serial(global const Particle *particles, global float4 *moments)
{
    int group = get_global_id(0);
    double4 sum = 0;
    for (int i = 256 * group; i < 256 * group + 256; i++) {
        double4 p = (double4)(particles[i].px, particles[i].py, particles[i].pz, 0);
        p.w = sqrt(1 + dot(p, p)) - 1;
        sum += p;
    }
    moments[group] = convert_float4(sum);
}

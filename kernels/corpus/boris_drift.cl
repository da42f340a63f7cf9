typedef struct {
    float x, y, z, px, py, pz, charge, unused;
} Particle;

static float wrapped(float v, float size)
{
    return v < 0.0f ? v + size : v >= size ? v - size : v;
}

static float4 along_x(global const float4 *field, int row, int x0, int x1, float f)
{
    return mix(field[row + x0], field[row + x1], (float4)(f));
}

static float4 gather(global const float4 *field, int4 low, int4 high, float4 f)
{
    int r00 = (low.z * NY + low.y) * NX, r01 = (low.z * NY + high.y) * NX;
    int r10 = (high.z * NY + low.y) * NX, r11 = (high.z * NY + high.y) * NX;
    float4 below = mix(along_x(field, r00, low.x, high.x, f.x), along_x(field, r01, low.x, high.x, f.x), (float4)(f.y));
    float4 above = mix(along_x(field, r10, low.x, high.x, f.x), along_x(field, r11, low.x, high.x, f.x), (float4)(f.y));
    return mix(below, above, (float4)(f.z));
}

static float gamma_of(float4 p)
{
    return sqrt(1.0f + p.x * p.x + p.y * p.y + p.z * p.z);
}

/* Moves a particle by one step: half of the acceleration by E, rotation about B, the other half,
 * then the change of position. */
static void move(float4 *place, float4 *momentum, float charge, global const float4 *E, global const float4 *B,
                 float dt)
{
    float4 at = *place;
    int4 low = min(convert_int4_rtz(at), (int4)(NX - 1, NY - 1, NZ - 1, 0));
    float4 f = at - convert_float4(low);
    int4 high = low + (int4)(1, 1, 1, 0);
    high.x = high.x == NX ? 0 : high.x;
    high.y = high.y == NY ? 0 : high.y;
    high.z = high.z == NZ ? 0 : high.z;
    float half_kick = 0.5f * dt * charge;
    float4 e = gather(E, low, high, f) * half_kick, b = gather(B, low, high, f);
    e.w = b.w = 0.0f;
    float4 p = *momentum + e;
    float4 t = b * (half_kick / gamma_of(p));
    float4 s = t * (2.0f / (1.0f + dot(t, t)));
    p += cross(p + cross(p, t), s);
    p += e;
    float4 v = p * (dt / gamma_of(p));
    *momentum = p;
    *place = (float4)(wrapped(at.x + v.x, NX), wrapped(at.y + v.y, NY), wrapped(at.z + v.z, NZ), 0.0f);
}

kernel void push(global Particle *particles, global const float4 *E, global const float4 *B, float dt)
{
    int i = get_global_id(0);
    float4 place = (float4)(particles[i].x, particles[i].y, particles[i].z, 0.0f);
    float4 momentum = (float4)(particles[i].px, particles[i].py, particles[i].pz, 0.0f);
    move(&place, &momentum, particles[i].charge, E, B, dt);
    particles[i].x = place.x;
    particles[i].y = place.y;
    particles[i].z = place.z;
    particles[i].px = momentum.x;
    particles[i].py = momentum.y;
    particles[i].pz = momentum.z;
}

kernel void push_planes(global float *x, global float *y, global float *z, global float *px, global float *py,
                        global float *pz, global const float *charge, global const float4 *E,
                        global const float4 *B, float dt)
{
    int i = get_global_id(0);
    float4 place = (float4)(x[i], y[i], z[i], 0.0f), momentum = (float4)(px[i], py[i], pz[i], 0.0f);
    move(&place, &momentum, charge[i], E, B, dt);
    x[i] = place.x;
    y[i] = place.y;
    z[i] = place.z;
    px[i] = momentum.x;
    py[i] = momentum.y;
    pz[i] = momentum.z;
}

static void sum_group(local float4 *part, float4 p, global float4 *moments)
{
    int me = get_local_id(0);
    p.w = gamma_of(p) - 1.0f;
    part[me] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = 128; half_of > 0; half_of >>= 1) {
        if (me < half_of)
            part[me] += part[me + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        moments[get_group_id(0)] = part[0];
}

kernel void sum_moments(global const Particle *particles, global float4 *moments)
{
    local float4 part[256];
    int i = get_global_id(0);
    sum_group(part, (float4)(particles[i].px, particles[i].py, particles[i].pz, 0.0f), moments);
}

kernel void sum_moments_planes(global const float *px, global const float *py, global const float *pz,
                               global float4 *moments)
{
    local float4 part[256];
    int i = get_global_id(0);
    sum_group(part, (float4)(px[i], py[i], pz[i], 0.0f), moments);
}

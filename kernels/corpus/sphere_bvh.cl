#pragma OPENCL FP_CONTRACT OFF
#define FAR 1e30f

static float jitter(uint h)
{
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return (h >> 8) * (1.0f / 16777216.0f);
}

kernel void leaves(global const ushort *x, global const ushort *y, global const ushort *z, global float4 *sphere,
                   global float4 *low, global float4 *high, uint seed)
{
    uint i = get_global_id(0), n = get_global_size(0), s = seed + 4 * i;
    float r = 0.08f + 0.2f * jitter(s);
    float4 c = (float4)(x[i] + jitter(s + 1), y[i] + jitter(s + 2), z[i] + jitter(s + 3), 0.0f);
    low[n + i] = c - (r + 1e-3f);
    high[n + i] = c + (r + 1e-3f);
    c.w = r;
    sphere[i] = c;
}

kernel void refit(global float4 *low, global float4 *high, int level)
{
    int i = get_global_id(0);
    if (i >> level != 0)
        return;
    int node = (1 << level) + i;
    low[node] = min(low[2 * node], low[2 * node + 1]);
    high[node] = max(high[2 * node], high[2 * node + 1]);
}

/* Returns the distance to the sphere along the ray, or FAR if the ray misses the sphere. */
static float meet(float4 sphere, float4 from, float4 along)
{
    float4 to = (float4)(sphere.x - from.x, sphere.y - from.y, sphere.z - from.z, 0.0f);
    float b = to.x * along.x + to.y * along.y + to.z * along.z;
    float px = to.x - b * along.x, py = to.y - b * along.y, pz = to.z - b * along.z;
    float off = sphere.w * sphere.w - (px * px + py * py + pz * pz);
    if (off <= 0.0f)
        return FAR;
    float t = b - sqrt(off);
    return t > 0.0f ? t : FAR;
}

/* Returns the distance at which the ray enters the box, or FAR if it does not enter it before
 * `limit`. */
static float enter(float4 low, float4 high, float4 from, float4 inverse, float limit)
{
    float4 a = (low - from) * inverse, b = (high - from) * inverse;
    float4 lo = min(a, b), hi = max(a, b);
    float in = max(max(lo.x, lo.y), max(lo.z, 0.0f)), out = min(min(hi.x, hi.y), min(hi.z, limit));
    return in <= out ? in : FAR;
}

/* Makes the ray of a pixel. The w component of `along` is not used. */
static void camera(int x, int y, int w, int h, int spheres, float4 *from, float4 *along)
{
    float side = cbrt((float)spheres);
    float dx = (x + 0.5f) / w - 0.5f, dy = ((y + 0.5f) / h - 0.5f) * h / w;
    float d = rsqrt(1.0f + dx * dx + dy * dy);
    *from = (float4)(0.5f * side, 0.47f * side, -0.55f * side, 0.0f);
    *along = (float4)(dx * d, dy * d, d, 0.0f);
}

static float4 light_from(float4 from, float4 along, float t)
{
    float s = t - 1e-2f;
    return (float4)(from.x + along.x * s, from.y + along.y * s, from.z + along.z * s, 0.0f);
}

static float lambert(float4 sphere, float4 at, float4 light)
{
    float nx = at.x - sphere.x, ny = at.y - sphere.y, nz = at.z - sphere.z;
    return max(0.0f, (nx * light.x + ny * light.y + nz * light.z) / sphere.w);
}

/* Finds the nearest hit before `limit`. any: returns the first hit found, whichever it is. */
static int nearest(global const float4 *sphere, global const float4 *low, global const float4 *high, float4 from,
                   float4 along, int spheres, bool any, float *limit)
{
    int stack[20], depth = 0, node = 1, found = -1;
    float4 inverse = (float4)(1.0f / along.x, 1.0f / along.y, 1.0f / along.z, 0.0f);
    for (;;) {
        if (node >= spheres) {
            float t = meet(sphere[node - spheres], from, along);
            if (t < *limit) {
                *limit = t;
                found = node - spheres;
                if (any)
                    return found;
            }
        } else {
            int left = 2 * node;
            float a = enter(low[left], high[left], from, inverse, *limit);
            float b = enter(low[left + 1], high[left + 1], from, inverse, *limit);
            if (min(a, b) < FAR) {
                node = a <= b ? left : left + 1;
                if (max(a, b) < FAR)
                    stack[depth++] = node ^ 1;
                continue;
            }
        }
        if (depth == 0)
            return found;
        node = stack[--depth];
    }
}

static int nearest_skips(global const float4 *sphere, global const float4 *low, global const float4 *high, float4 from,
                         float4 along, int spheres, bool any, float *limit)
{
    int node = 1, found = -1;
    float4 inverse = (float4)(1.0f / along.x, 1.0f / along.y, 1.0f / along.z, 0.0f);
    do {
        if (enter(low[node], high[node], from, inverse, *limit) < FAR) {
            if (node < spheres) {
                node *= 2;
                continue;
            }
            float t = meet(sphere[node - spheres], from, along);
            if (t < *limit) {
                *limit = t;
                found = node - spheres;
                if (any)
                    return found;
            }
        }
        while (node & 1)
            node >>= 1;
        if (node != 0)
            node++;
    } while (node != 0);
    return found;
}

#define LIGHT (float4)(0.48f, -0.6f, -0.64f, 0.0f)

kernel void trace(global const float4 *sphere, global const float4 *low, global const float4 *high, global int *hit,
                  global float *shade, int spheres)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), pixel = y * w + x;
    float4 from, along;
    camera(x, y, w, get_global_size(1), spheres, &from, &along);
    float t = 1e9f, bright = 0.0f;
    int found = nearest(sphere, low, high, from, along, spheres, false, &t);
    if (found >= 0) {
        float4 at = light_from(from, along, t);
        float limit = 1e9f;
        bright = lambert(sphere[found], at, LIGHT);
        if (bright > 0.0f && nearest(sphere, low, high, at, LIGHT, spheres, true, &limit) >= 0)
            bright *= 0.25f;
    }
    hit[pixel] = found;
    shade[pixel] = bright;
}

kernel void trace_skips(global const float4 *sphere, global const float4 *low, global const float4 *high,
                        global int *hit, global float *shade, int spheres)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), pixel = y * w + x;
    float4 from, along;
    camera(x, y, w, get_global_size(1), spheres, &from, &along);
    float t = 1e9f, bright = 0.0f;
    int found = nearest_skips(sphere, low, high, from, along, spheres, false, &t);
    if (found >= 0) {
        float4 at = light_from(from, along, t);
        float limit = 1e9f;
        bright = lambert(sphere[found], at, LIGHT);
        if (bright > 0.0f && nearest_skips(sphere, low, high, at, LIGHT, spheres, true, &limit) >= 0)
            bright *= 0.25f;
    }
    hit[pixel] = found;
    shade[pixel] = bright;
}

typedef struct {
    uint id;
    uint flags;
    float ra, dec;          /* radians */
    float pm_ra, pm_dec;    /* 1e-3 radians in a year; pm_ra times cos(dec) */
    float parallax;
    float mag_g, mag_r;
    float err[7];
} Star;

enum { SATURATED = 1, BLENDED = 4 };

static int colour_bin(float g, float r) { return clamp((int)floor((g - r) * 24.0f) + 44, 0, 63); }

static float to_flux(float mag, uint flags)
{
    if (flags & (SATURATED | BLENDED))
        return 0.0f;
    return exp10(0.4f * (15.0f - mag));
}

static float2 moved(float ra, float dec, float pm_ra, float pm_dec, float years)
{
    float a = ra + pm_ra * 1e-3f * years / cos(dec);
    float d = dec + pm_dec * 1e-3f * years;
    return (float2)(a, d);
}

__kernel void colour_histogram(__global const Star *stars, uint n, __global uint *bins)
{
    __local uint part[64];
    uint i = get_global_id(0), l = get_local_id(0);
    if (l < 64) part[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) atomic_inc(&part[colour_bin(stars[i].mag_g, stars[i].mag_r)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64 && part[l]) atomic_add(&bins[l], part[l]);
}

__kernel void linear_flux(__global const Star *stars, uint n, __global float *flux)
{
    uint i = get_global_id(0);
    if (i < n) flux[i] = to_flux(stars[i].mag_g, stars[i].flags);
}

__kernel void at_epoch(__global const Star *stars, uint n, float years, __global float2 *place)
{
    uint i = get_global_id(0);
    if (i < n) {
        __global const Star *s = &stars[i];
        place[i] = moved(s->ra, s->dec, s->pm_ra, s->pm_dec, years);
    }
}

__kernel void colour_histogram_soa(__global const float *g, __global const float *r, uint n, __global uint *bins)
{
    __local uint part[64];
    uint i = get_global_id(0), l = get_local_id(0);
    if (l < 64) part[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) atomic_inc(&part[colour_bin(g[i], r[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64 && part[l]) atomic_add(&bins[l], part[l]);
}

__kernel void linear_flux_soa(__global const float *mag, __global const uint *flags, uint n, __global float *flux)
{
    uint i = get_global_id(0);
    if (i < n) flux[i] = to_flux(mag[i], flags[i]);
}

__kernel void at_epoch_soa(__global const float *ra, __global const float *dec, __global const float *pm_ra,
                           __global const float *pm_dec, uint n, float years, __global float2 *place)
{
    uint i = get_global_id(0);
    if (i < n) place[i] = moved(ra[i], dec[i], pm_ra[i], pm_dec[i], years);
}

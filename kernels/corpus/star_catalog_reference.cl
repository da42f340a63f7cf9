// Reads the separate arrays, computes in double, and finds bins by comparisons.
__kernel void colour_histogram(__global const float *g, __global const float *r, uint n, __global uint *bins)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float scaled = (g[i] - r[i]) * 24;
    int bin = 0;
    while (bin < 63 && scaled >= bin + 1 - 44)
        bin++;
    atomic_add(bins + bin, 1u);
}

__kernel void linear_flux(__global const float *mag, __global const uint *flags, uint n, __global float *flux)
{
    uint i = get_global_id(0);
    if (i < n)
        flux[i] = flags[i] % 2 || flags[i] / 4 % 2 ? 0 : (float)pow(10.0, (15 - (double)mag[i]) / 2.5);
}

__kernel void at_epoch(__global const float *ra, __global const float *dec, __global const float *pm_ra,
                       __global const float *pm_dec, uint n, float years, __global float2 *place)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    double t = years / 1000.0;
    place[i].x = (float)(ra[i] + t * pm_ra[i] / cos((double)dec[i]));
    place[i].y = (float)(dec[i] + t * pm_dec[i]);
}

/* |sum over t of x[t] exp(-2 pi i f t / 1024)|^2 */
__kernel void definition(__global const float2 *x, __global float *power)
{
    const size_t f = get_global_id(0) % 1024, first = get_global_id(0) / 1024 * 1024;
    double re = 0, im = 0, c = 1, s = 0;
    const double turn_c = cos(-M_PI / 512 * f), turn_s = sin(-M_PI / 512 * f);
    for (int t = 0; t < 1024; t++) {
        const double vr = x[first + t].x, vi = x[first + t].y;
        re += vr * c - vi * s;
        im += vr * s + vi * c;
        const double next = c * turn_c - s * turn_s;
        s = c * turn_s + s * turn_c;
        c = next;
    }
    power[get_global_id(0)] = (float)(re * re + im * im);
}

__kernel void stage_c(__global const float2 *src, __global float2 *dst, int p) {}

/* The interior is 1..width x 1..height. The boundary does not change. */
__kernel void relax(__global float *u, __global const float *f, int colour, float omega)
{
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    int pitch = get_global_size(0) + 2;
    int i = y * pitch + x;

    if (((x + y) & 1) == colour) {
        float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - f[i]);
        u[i] += omega * (mean - u[i]);
    }
}

__kernel void relax_packed(__global float *u, __global const float *f, int colour, float omega)
{
    int y = get_global_id(1) + 1;
    int x = 2 * (int)get_global_id(0) + 1 + ((y + 1 + colour) & 1);
    int pitch = 2 * (int)get_global_size(0) + 2;
    int i = mad24(y, pitch, x);
    float old = u[i];
    float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - f[i]);
    u[i] = old + omega * (mean - old);
}

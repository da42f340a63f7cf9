double at(__global const float *u, int x, int y, int nx, int ny)
{
    return x < 0 || y < 0 || x >= nx || y >= ny ? 0.0 : (double)u[(long)y * nx + x];
}

__kernel void wave_naive(__global const float *u, __global const float *uold, __global float *unew,
                         __global const float *vel, int nx, int ny, float dtdx)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= nx || y >= ny)
        return;
    double second_x = at(u, x - 1, y, nx, ny) - 2 * at(u, x, y, nx, ny) + at(u, x + 1, y, nx, ny);
    double second_y = at(u, x, y - 1, nx, ny) - 2 * at(u, x, y, nx, ny) + at(u, x, y + 1, nx, ny);
    double courant = (double)vel[y * nx + x] * dtdx;
    double depth = 0;
    const int to_border[4] = { x, y, nx - 1 - x, ny - 1 - y };
    for (int s = 0; s < 4; s++)
        depth = fmax(depth, 24.0 - to_border[s]);
    double damp = exp(-0.000225 * depth * depth);
    double next = 2 * at(u, x, y, nx, ny) + courant * courant * (second_x + second_y);
    unew[y * nx + x] = (float)(damp * (next - damp * at(uold, x, y, nx, ny)));
}

__kernel void add_source(__global float *unew, int where, float t, float f0)
{
    double a = M_PI * ((double)t * f0 - 1);
    unew[where] = (float)(unew[where] + exp(-a * a) * (1 - 2 * a * a));
}

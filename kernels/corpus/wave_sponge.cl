// 2D acoustic wave equation, 5 points, damping layer ("sponge") of PAD cells all around

#ifndef PAD
#define PAD 24
#endif

float sponge(int x, int y, int nx, int ny)
{
    int d = min(min(x, nx - 1 - x), min(y, ny - 1 - y));
    if (d >= PAD)
        return 1.0f;
    float a = 0.015f * (PAD - d);
    return exp(-a * a);
}

__kernel void wave_naive(__global const float *u, __global const float *uold,
                         __global float *unew, __global const float *vel,
                         const int nx, const int ny, const float dtdx)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= nx || y >= ny) return;
    int idx = y * nx + x;

    // outside of the grid the field is zero
    float l = x > 0      ? u[idx - 1]  : 0.0f;
    float r = x < nx - 1 ? u[idx + 1]  : 0.0f;
    float b = y > 0      ? u[idx - nx] : 0.0f;
    float t = y < ny - 1 ? u[idx + nx] : 0.0f;

    float k = vel[idx] * dtdx;
    float g = sponge(x, y, nx, ny);
    unew[idx] = g * (2.0f * u[idx] - g * uold[idx] + k * k * (l + r + b + t - 4.0f * u[idx]));
}

#define TX 16
#define TY 16

__kernel void wave_tiled(__global const float *u, __global const float *uold,
                         __global float *unew, __global const float *vel,
                         const int nx, const int ny, const float dtdx)
{
    __local float s[TY + 2][TX + 2];
    int x = get_global_id(0);
    int y = get_global_id(1);
    int lx = get_local_id(0) + 1;
    int ly = get_local_id(1) + 1;
    int idx = y * nx + x;
    int inside = x < nx && y < ny;

    s[ly][lx] = inside ? u[idx] : 0.0f;
    if (lx == 1)  s[ly][0]      = x > 0 && y < ny          ? u[idx - 1]  : 0.0f;
    if (lx == TX) s[ly][TX + 1] = x < nx - 1 && y < ny     ? u[idx + 1]  : 0.0f;
    if (ly == 1)  s[0][lx]      = y > 0 && x < nx          ? u[idx - nx] : 0.0f;
    if (ly == TY) s[TY + 1][lx] = y < ny - 1 && x < nx     ? u[idx + nx] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!inside) return;

    float c = s[ly][lx];
    float k = vel[idx] * dtdx;
    float g = sponge(x, y, nx, ny);
    float lap = s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx] - 4.0f * c;
    unew[idx] = g * (2.0f * c - g * uold[idx] + k * k * lap);
}

// Adds a Ricker wavelet to the field at one point.
__kernel void add_source(__global float *unew, int at, float t, float f0)
{
    float a = M_PI_F * f0 * (t - 1.0f / f0);
    a *= a;
    unew[at] += (1.0f - 2.0f * a) * exp(-a);
}

// Burning Ship fractal in fixed point (FRAC fractional bits): z <- (|Re z| + i |Im z|)^2 + c
#define FRAC 26
typedef long fix;

inline fix fmulx(fix a, fix b) { return (a * b) >> FRAC; }

kernel void ship(global ushort* restrict counts, int width, int height,
                 int left, int top, int pixel, int max_iter)
{
    int px = get_global_id(0);
    int py = get_global_id(1);
    if (px >= width || py >= height)
        return;

    fix cx = (fix)left + (fix)px * pixel;
    fix cy = (fix)top + (fix)py * pixel;
    fix x = 0, y = 0;
    int n = 0;
    while (n < max_iter) {
        fix xx = fmulx(x, x);
        fix yy = fmulx(y, y);
        if (xx + yy > ((fix)4 << FRAC))
            break;
        fix xy = fmulx(abs((int)x), abs((int)y));
        x = xx - yy + cx;
        y = 2 * xy + cy;
        ++n;
    }
    counts[py * width + px] = (ushort)n;
}

/* Polygons are relative to the target's corner, and its square is from 0 to 1. */

/* Clips a polygon: keeps its part with sign * (coordinate - limit) <= 0. `along` is this
 * coordinate, `across` the other one. */
int clip(int n, const float *along, const float *across, float sign, float limit, float *along_out, float *across_out)
{
    int m = 0;
    for (int a = 0; a < n; a++) {
        int b = a + 1 < n ? a + 1 : 0;
        float da = sign * (along[a] - limit), db = sign * (along[b] - limit);
        if (da <= 0) {
            along_out[m] = along[a];
            across_out[m++] = across[a];
        }
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            float w = da / (da - db);
            along_out[m] = limit;
            across_out[m++] = across[a] + w * (across[b] - across[a]);
        }
    }
    return m;
}

float area(int n, const float *x, const float *y)
{
    float twice = 0;
    for (int a = 2; a < n; a++)
        twice += (x[a - 1] - x[0]) * (y[a] - y[0]) - (x[a] - x[0]) * (y[a - 1] - y[0]);
    return 0.5f * twice;
}

__kernel void overlap(__global const float *sx, __global const float *sy, __global const float *value,
                      __global float *covered, __global float *total, int target, int source)
{
    int tx = get_global_id(0), ty = get_global_id(1);

    /* the middle in the source's numbering; a target reaches 0.875 from there, corners are displaced by up to 0.36 */
    float mx = tx + 0.5f - 0.5f * target, my = ty + 0.5f - 0.5f * target;
    float ci = (0.8f * mx + 0.6f * my) * 1.25f + 0.5f * source, cj = (0.8f * my - 0.6f * mx) * 1.25f + 0.5f * source;
    int i0 = max((int)floor(ci - 1.25f), 0), i1 = min((int)floor(ci + 1.1f), source - 1);
    int j0 = max((int)floor(cj - 1.25f), 0), j1 = min((int)floor(cj + 1.1f), source - 1);

    float sum = 0, weighted = 0;
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            int at = j * (source + 1) + i;
            float x[8], y[8], u[8], v[8];
            x[0] = sx[at] - tx;
            y[0] = sy[at] - ty;
            x[1] = sx[at + 1] - tx;
            y[1] = sy[at + 1] - ty;
            x[2] = sx[at + source + 2] - tx;
            y[2] = sy[at + source + 2] - ty;
            x[3] = sx[at + source + 1] - tx;
            y[3] = sy[at + source + 1] - ty;
#ifdef REJECT
            if (fmax(fmax(x[0], x[1]), fmax(x[2], x[3])) <= 0 || fmin(fmin(x[0], x[1]), fmin(x[2], x[3])) >= 1 ||
                fmax(fmax(y[0], y[1]), fmax(y[2], y[3])) <= 0 || fmin(fmin(y[0], y[1]), fmin(y[2], y[3])) >= 1)
                continue;
#endif
            int n = clip(4, x, y, -1, 0, u, v);
            n = clip(n, u, v, 1, 1, x, y);
            n = clip(n, y, x, -1, 0, v, u);
            n = clip(n, v, u, 1, 1, y, x);
            if (n < 3)
                continue;
            float a = area(n, x, y);
            sum += a;
            weighted += a * value[j * source + i];
        }
    covered[ty * target + tx] = sum;
    total[ty * target + tx] = weighted;
}

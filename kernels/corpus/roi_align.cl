#define SAMPLES 2 /* number of samples along each side of a bin */
#define CELLS (BINS * BINS)

#define ARGUMENTS __global const float *map, __global const float *left, __global const float *top, \
                  __global const float *wide, __global const float *high, __global float *pooled, int channels, \
                  int width, int height, int boxes

/* Two cells and their weights along one axis. A sample more than one cell outside of the map has
 * weight 0. */
typedef struct {
    int low, high;
    float wlow, whigh;
} Pair;

Pair along(float start, float extent, int bin, int sample, int size)
{
    float at = start + extent * (bin + (sample + 0.5f) / SAMPLES) / BINS;
    Pair p;
    float inside = at < -1.0f || at > size ? 0.0f : 1.0f;
    at = clamp(at, 0.0f, size - 1.0f);
    p.low = min((int)at, size - 1);
    p.high = min(p.low + 1, size - 1);
    p.whigh = (at - p.low) * inside;
    p.wlow = inside - p.whigh;
    return p;
}

__kernel void pool(ARGUMENTS)
{
    int id = get_global_id(0);
    if (id >= boxes * channels * CELLS)
        return;
    int bin = id % CELLS, channel = id / CELLS % channels, box = id / (CELLS * channels);
    __global const float *plane = map + channel * width * height;
    float sum = 0;
    for (int sy = 0; sy < SAMPLES; sy++) {
        Pair y = along(top[box], high[box], bin / BINS, sy, height);
        for (int sx = 0; sx < SAMPLES; sx++) {
            Pair x = along(left[box], wide[box], bin % BINS, sx, width);
            sum += y.wlow * (x.wlow * plane[y.low * width + x.low] + x.whigh * plane[y.low * width + x.high]) +
                   y.whigh * (x.wlow * plane[y.high * width + x.low] + x.whigh * plane[y.high * width + x.high]);
        }
    }
    pooled[id] = sum / (SAMPLES * SAMPLES);
}

/* Each work-group computes every second channel of a box. The samples along an axis are the same
 * for all bins across it, so they are computed once. */
__kernel void pool_table(ARGUMENTS)
{
    __local Pair xs[BINS * SAMPLES], ys[BINS * SAMPLES];
    int box = get_group_id(0), lid = get_local_id(0), size = get_local_size(0);
    if (lid < BINS * SAMPLES)
        xs[lid] = along(left[box], wide[box], lid / SAMPLES, lid % SAMPLES, width);
    else if (lid >= 64 && lid < 64 + BINS * SAMPLES)
        ys[lid - 64] = along(top[box], high[box], (lid - 64) / SAMPLES, lid % SAMPLES, height);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lid; k < (channels + 1) / 2 * CELLS; k += size) {
        int bin = k % CELLS, channel = 2 * (k / CELLS) + get_group_id(1);
        if (channel >= channels)
            break;
        __global const float *plane = map + channel * width * height;
        float sum = 0;
        for (int sy = 0; sy < SAMPLES; sy++) {
            Pair y = ys[bin / BINS * SAMPLES + sy];
            for (int sx = 0; sx < SAMPLES; sx++) {
                Pair x = xs[bin % BINS * SAMPLES + sx];
                sum += y.wlow * (x.wlow * plane[y.low * width + x.low] + x.whigh * plane[y.low * width + x.high]) +
                       y.whigh * (x.wlow * plane[y.high * width + x.low] + x.whigh * plane[y.high * width + x.high]);
            }
        }
        pooled[(box * channels + channel) * CELLS + bin] = sum / (SAMPLES * SAMPLES);
    }
}

__kernel void turn(__global const float *map, __global float *turned, int cells, int channels)
{
    __local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), cell = get_group_id(0) * 16, channel = get_group_id(1) * 16;
    tile[y][x] = map[(channel + y) * cells + cell + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    turned[(cell + y) * channels + channel + x] = tile[x][y];
}

/* The same for a map with its channels last: map[cell][channel]. */
__kernel void pool_last(ARGUMENTS)
{
    int channel = get_global_id(0), bin = get_global_id(1), box = get_global_id(2);
    __global const float *own = map + channel;
    float sum = 0;
    for (int sy = 0; sy < SAMPLES; sy++) {
        Pair y = along(top[box], high[box], bin / BINS, sy, height);
        for (int sx = 0; sx < SAMPLES; sx++) {
            Pair x = along(left[box], wide[box], bin % BINS, sx, width);
            int low = y.low * width, next = y.high * width;
            sum += y.wlow * (x.wlow * own[(low + x.low) * channels] + x.whigh * own[(low + x.high) * channels]) +
                   y.whigh * (x.wlow * own[(next + x.low) * channels] + x.whigh * own[(next + x.high) * channels]);
        }
    }
    pooled[(box * channels + channel) * CELLS + bin] = sum / (SAMPLES * SAMPLES);
}

/* Positions are in units of 1/256 of a pixel. A stream line ends at the border. */

__kernel void follow(__global const short *vx, __global const short *vy, __global const uchar *noise,
                     __global uchar *picture, int width, int height, int steps)
{
    int px = get_global_id(0), py = get_global_id(1);
    int sum = noise[py * width + px], count = 1;
    for (int way = -1; way <= 1; way += 2) {
        int x = px * 256 + 128, y = py * 256 + 128, at = py * width + px;
        for (int k = 0; k < steps; k++) {
            x += way * vx[at];
            y += way * vy[at];
            if (x < 0 || y < 0 || x >= width * 256 || y >= height * 256)
                break;
            at = (y >> 8) * width + (x >> 8);
            sum += noise[at];
            count++;
        }
    }
    picture[py * width + px] = (uchar)(sum / count);
}

/* Packs a pixel into a word: two components of the flow in 12 bits with an offset, and 8 bits of
 * noise. */
__kernel void pack(__global const short *vx, __global const short *vy, __global const uchar *noise, __global uint *both)
{
    int i = get_global_id(0);
    both[i] = (uint)(vx[i] + 2048) << 20 | (uint)(vy[i] + 2048) << 8 | noise[i];
}

__kernel void follow_packed(__global const uint *both, __global uchar *picture, int width, int height, int steps)
{
    int px = get_global_id(0), py = get_global_id(1);
    uint first = both[py * width + px];
    int sum = first & 255, count = 1;
    for (int way = -1; way <= 1; way += 2) {
        int x = px * 256 + 128, y = py * 256 + 128;
        uint word = first;
        for (int k = 0; k < steps; k++) {
            x += way * ((int)(word >> 20) - 2048);
            y += way * ((int)(word >> 8 & 4095) - 2048);
            if (x < 0 || y < 0 || x >= width * 256 || y >= height * 256)
                break;
            word = both[(y >> 8) * width + (x >> 8)];
            sum += word & 255;
            count++;
        }
    }
    picture[py * width + px] = (uchar)(sum / count);
}

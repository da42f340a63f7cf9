/* Weights of the 5x5 neighbours in sixteenths, one table for each kind of estimate. */
__constant int same[25] = {0,0,0,0,0, 0,0,0,0,0, 0,0,16,0,0, 0,0,0,0,0, 0,0,0,0,0};
__constant int green[25] = {0,0,-2,0,0, 0,0,4,0,0, -2,4,8,4,-2, 0,0,4,0,0, 0,0,-2,0,0};
__constant int inrow[25] = {0,0,1,0,0, 0,-2,0,-2,0, -2,8,10,8,-2, 0,-2,0,-2,0, 0,0,1,0,0};
__constant int incol[25] = {0,0,-2,0,0, 0,-2,8,-2,0, 1,0,10,0,1, 0,-2,8,-2,0, 0,0,-2,0,0};
__constant int corner[25] = {0,0,-3,0,0, 0,4,0,4,0, -3,0,12,0,-3, 0,4,0,4,0, 0,0,-3,0,0};

__kernel void demosaic(__global const ushort* raw, __global uchar4* rgba, int w, int h, int4 bal)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int sum[3], gain[3] = {bal.x, bal.y, bal.z}, res[3];
    for (int colour = 0; colour < 3; colour++) {
        __constant int *t;
        int site = x % 2 + y % 2; /* 0 red, 1 green, 2 blue */
        if (colour == site)
            t = same;
        else if (colour == 1)
            t = green;
        else if (site != 1)
            t = corner;
        else
            t = (y % 2 == 0) == (colour == 0) ? inrow : incol;
        int s = 0;
        for (int k = 0; k < 25; k++) {
            int xx = abs(x + k % 5 - 2), yy = abs(y + k / 5 - 2);
            if (xx > w - 1) xx = 2 * (w - 1) - xx;
            if (yy > h - 1) yy = 2 * (h - 1) - yy;
            if (t[k])
                s += t[k] * raw[yy * w + xx];
        }
        s = (int)floor((s + 8) / 16.0);
        s = s < bal.w ? 0 : s - bal.w;
        res[colour] = s * gain[colour] / 256 / 16;
        if (res[colour] > 255)
            res[colour] = 255;
    }
    rgba[y * w + x] = (uchar4)(res[0], res[1], res[2], 255);
}

inline int mirror(int a, int n) { return a < 0 ? -a : a >= n ? 2 * n - 2 - a : a; }

inline uchar develop(int v16, int gain, int black)
{
    int v = (v16 + 8) >> 4;
    v = max(v - black, 0) * gain >> 8;
    return (uchar)min(v >> 4, 255);
}

// bal: gains of red, green and blue in 1/256, and the black level
__kernel void demosaic(__global const ushort* raw, __global uchar4* rgba, int w, int h, int4 bal)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;

    int xl = mirror(x - 1, w), xr = mirror(x + 1, w), xll = mirror(x - 2, w), xrr = mirror(x + 2, w);
    int row = y * w;
    int up = mirror(y - 1, h) * w, down = mirror(y + 1, h) * w;
    int up2 = mirror(y - 2, h) * w, down2 = mirror(y + 2, h) * w;

    int c = raw[row + x];
    int ns = raw[up + x] + raw[down + x];
    int ew = raw[row + xl] + raw[row + xr];
    int diag = raw[up + xl] + raw[up + xr] + raw[down + xl] + raw[down + xr];
    int ns2 = raw[up2 + x] + raw[down2 + x];
    int ew2 = raw[row + xll] + raw[row + xrr];

    // All values below are in sixteenths.
    int r, g, b;
    if (((x ^ y) & 1) == 0) {
        int cross = 8 * c + 4 * (ns + ew) - 2 * (ns2 + ew2);
        int other = 12 * c + 4 * diag - 3 * (ns2 + ew2);
        g = cross;
        if (y & 1) {
            b = 16 * c;
            r = other;
        } else {
            r = 16 * c;
            b = other;
        }
    } else {
        int along = 10 * c + 8 * ew - 2 * diag - 2 * ew2 + ns2;
        int across = 10 * c + 8 * ns - 2 * diag - 2 * ns2 + ew2;
        g = 16 * c;
        if (y & 1) {
            b = along;
            r = across;
        } else {
            r = along;
            b = across;
        }
    }
    rgba[row + x] = (uchar4)(develop(r, bal.x, bal.w), develop(g, bal.y, bal.w), develop(b, bal.z, bal.w), 255);
}

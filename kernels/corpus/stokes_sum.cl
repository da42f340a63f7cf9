// Stokes parameters of two polarisations, integrated over LEN samples.
// Voltages: [block][channel][sample] of (re, im); results: [block][channel][4]
kernel void stokes(global const float *px, global const float *py, global const float *gain,
                   global float *iquv, int channels)
{
    int ch = get_global_id(0);
    int block = get_global_id(1);
    int first = (block * channels + ch) * LEN;

    float xx = 0, yy = 0, re = 0, im = 0;
    for (int t = first; t < first + LEN; t++) {
        float xr = px[2 * t], xi = px[2 * t + 1];
        float yr = py[2 * t], yi = py[2 * t + 1];
        xx += xr * xr + xi * xi;
        yy += yr * yr + yi * yi;
        re += xr * yr + xi * yi;
        im += xi * yr - xr * yi;
    }
    float g = gain[ch];
    global float *o = iquv + 4 * (block * channels + ch);
    o[0] = g * (xx + yy);
    o[1] = g * (xx - yy);
    o[2] = g * 2 * re;
    o[3] = g * 2 * im;
}

// The same kernel with two samples for each load.
kernel void stokes_wide(global const float4 *px, global const float4 *py, global const float *gain,
                        global float4 *iquv, int channels)
{
    int ch = get_global_id(0);
    int cell = get_global_id(1) * channels + ch;
    float4 xx = 0, yy = 0, re = 0, im = 0;
    #pragma unroll 4
    for (int t = 0; t < LEN / 2; t++) {
        float4 x = px[cell * (LEN / 2) + t];
        float4 y = py[cell * (LEN / 2) + t];
        xx += x * x;
        yy += y * y;
        re += x * y;
        im += x.yxwz * y;       // even: xi yr, odd: xr yi
    }
    float a = xx.x + xx.y + xx.z + xx.w, b = yy.x + yy.y + yy.z + yy.w;
    iquv[cell] = gain[ch] * (float4)(a + b, a - b, 2 * (re.x + re.y + re.z + re.w), 2 * (im.x - im.y + im.z - im.w));
}

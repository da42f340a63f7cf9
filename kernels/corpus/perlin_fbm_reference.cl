#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Computes a weighted sum over the eight corners in double.
__constant int order[256] = {
    114, 231,  17,  21,  23, 155,  68, 238, 215, 195, 100, 191, 112, 207, 151, 190,
    244, 218,  37, 119, 130, 230, 143, 154, 107, 228, 202, 180,  41, 110, 115,  44,
    156,  34,  99,  48, 120, 240,  27,  24,   8, 124,  29,  45, 183, 213, 192,  96,
    235,  22, 149, 101, 128, 175, 118,  50, 123, 169, 211, 167, 102, 105, 160,  61,
      2, 225, 126, 214,   0,  66,  39, 186,  92, 106, 132, 166,  20, 245, 146, 226,
    184, 182, 252,  94,  42, 127,  73,  75, 224, 133, 136,  89,  14, 144, 250, 145,
    233, 142, 229, 131, 222, 204, 152,  28, 165, 194,  51,  57, 200,  97,  72, 150,
    188,  90, 163,  36, 246, 189,  65, 122, 113, 174, 134, 162,  13, 117,  79, 217,
    239, 178, 161, 173,   6,  43,  55, 220, 164,  74,  86,  16, 255,  11, 201,  15,
     82, 247, 253, 237,  54, 187,  10,  64, 242, 181,   3, 103,  19, 171,  71, 116,
    243,  63, 158,  98, 219,  18, 104,  84, 148,  77, 153, 254,  80,  53, 141,  88,
    157, 172, 135,  49,  93,  67,  52,  83, 196, 147, 248, 193,  81,  59,  56, 197,
    234, 210,  60, 205, 139,  33, 251, 108, 203, 249,  30, 121,  38,  31,  62, 208,
      1, 168,  25,  32,  35, 199,   4, 209,  70,  58,  26, 159, 111,  47,  95, 129,
    212, 138,   9,  40, 232,  46,  78, 137, 179, 221, 185,  85, 227, 176, 241, 109,
      5,  76,  12, 198, 206, 170,  87, 236,  91, 216,   7, 140, 177, 125, 223,  69,
};

// Returns the dot product of gradient number h and (x, y, z).
double slope(int h, double x, double y, double z)
{
    double one = h < 8 || h == 12 || h == 13 ? x : y;
    double two = h < 4 || h == 12 || h == 13 ? y : z;
    return (h % 2 ? -one : one) + (h % 4 / 2 ? -two : two);
}

__kernel void clouds(__global float *out, int width, int height, int octaves, float time)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    double sum = 0;
    for (int o = 0; o < octaves; o++) {
        double at[3] = {px / 64.0 * (1 << o), py / 64.0 * (1 << o), time};
        for (int corner = 0; corner < 8; corner++) {
            double weight = 1, d[3];
            int h = 0;
            for (int k = 0; k < 3; k++) {
                int cell = (int)floor(at[k]) + (corner >> k & 1);
                d[k] = at[k] - cell;
                double t = 1 - fabs(d[k]);
                weight *= 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3);
                h = order[(h + cell) % 256];
            }
            sum += weight * slope(h % 16, d[0], d[1], d[2]) / (1 << o);
        }
    }
    out[py * width + px] = (float)sum;
}

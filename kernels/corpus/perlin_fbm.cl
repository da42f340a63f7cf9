// Classic gradient noise in three dimensions; z is time.

__constant uchar PERM[256] = {
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

__constant float4 GRAD[16] = {
    (float4)( 1, 1, 0, 0), (float4)(-1, 1, 0, 0), (float4)( 1,-1, 0, 0), (float4)(-1,-1, 0, 0),
    (float4)( 1, 0, 1, 0), (float4)(-1, 0, 1, 0), (float4)( 1, 0,-1, 0), (float4)(-1, 0,-1, 0),
    (float4)( 0, 1, 1, 0), (float4)( 0,-1, 1, 0), (float4)( 0, 1,-1, 0), (float4)( 0,-1,-1, 0),
    (float4)( 1, 1, 0, 0), (float4)(-1, 1, 0, 0), (float4)( 0, 1,-1, 0), (float4)( 0,-1,-1, 0),
};

#ifdef COPIED
#define P(i) perm[(i) & 255]
#define TABLE , __local const uchar *perm
#define PASS , perm
#else
#define P(i) PERM[(i) & 255]
#define TABLE
#define PASS
#endif

float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

float grad(int hash, float x, float y, float z)
{
    float4 g = GRAD[hash & 15];
    return g.x * x + g.y * y + g.z * z;
}

float noise(float x, float y, float z TABLE)
{
    int X = (int)floor(x), Y = (int)floor(y), Z = (int)floor(z);
    x -= X;
    y -= Y;
    z -= Z;
    float u = fade(x), v = fade(y), w = fade(z);
    int A = P(X) + Y, AA = P(A) + Z, AB = P(A + 1) + Z;
    int B = P(X + 1) + Y, BA = P(B) + Z, BB = P(B + 1) + Z;

    float low = mix(mix(grad(P(AA), x, y, z), grad(P(BA), x - 1, y, z), u),
                    mix(grad(P(AB), x, y - 1, z), grad(P(BB), x - 1, y - 1, z), u), v);
    float high = mix(mix(grad(P(AA + 1), x, y, z - 1), grad(P(BA + 1), x - 1, y, z - 1), u),
                     mix(grad(P(AB + 1), x, y - 1, z - 1), grad(P(BB + 1), x - 1, y - 1, z - 1), u), v);
    return mix(low, high, w);
}

__kernel void clouds(__global float *out, int width, int height, int octaves, float time)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
#ifdef COPIED
    __local uchar perm[256];
    int lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
    for (int k = lid; k < 256; k += get_local_size(0) * get_local_size(1))
        perm[k] = PERM[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (x >= width || y >= height)
        return;

    // powers of two: positions are exact
    float fx = x / 64.0f, fy = y / 64.0f, amp = 1, sum = 0;
    for (int o = 0; o < octaves; o++) {
        sum += amp * noise(fx, fy, time PASS);
        fx *= 2;
        fy *= 2;
        amp *= 0.5f;
    }
    out[y * width + x] = sum;
}

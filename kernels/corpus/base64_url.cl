/* URL-safe alphabet of RFC 4648, section 5. The host pads the end of the data. */
__constant char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

__kernel void encode(__global const uchar *in, __global uchar *out, const uint triplets)
{
    const uint t = get_global_id(0);
    if (t >= triplets) return;

    const uint bits = (uint)in[3 * t] << 16 | (uint)in[3 * t + 1] << 8 | in[3 * t + 2];

    out[4 * t + 0] = alphabet[bits >> 18];
    out[4 * t + 1] = alphabet[(bits >> 12) & 63];
    out[4 * t + 2] = alphabet[(bits >> 6) & 63];
    out[4 * t + 3] = alphabet[bits & 63];
}

static uint letter(uint v)
{
    uint c = v + 'A';
    c = v >= 26 ? v + ('a' - 26) : c;
    c = v >= 52 ? v + '0' - 52 : c;
    c = v == 62 ? '-' : c;
    return v == 63 ? '_' : c;
}

static uint four(uint b)     /* b: three bytes, the first is the highest */
{
    return letter(b >> 18) | letter(b >> 12 & 63) << 8 | letter(b >> 6 & 63) << 16 | letter(b & 63) << 24;
}

static uint swap(uint w)
{
    return w << 24 | (w & 0xff00) << 8 | (w >> 8 & 0xff00) | w >> 24;
}

/* Each work-item encodes four triplets of bytes: three words of input become four words of
 * output. */
__kernel void encode_words(__global const uint *in, __global uint *out, const uint quads)
{
    const uint q = get_global_id(0);
    if (q >= quads) return;
    const uint a = swap(in[3 * q]), b = swap(in[3 * q + 1]), c = swap(in[3 * q + 2]);
    uint4 r;
    r.x = four(a >> 8);
    r.y = four((a & 0xff) << 16 | b >> 16);
    r.z = four((b & 0xffff) << 8 | c >> 24);
    r.w = four(c & 0xffffff);
    vstore4(r, q, out);
}

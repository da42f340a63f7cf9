/* Each bin reads all pixels. Weighted sums are compared with the bin's bounds instead of being
 * shifted. */
kernel void hist_by_bin(global const uchar *bytes, global uint *hist, uint pixels)
{
    uint bin = get_global_id(0), n = 0;
    for (uint i = 0; i < pixels; i++) {
        uint w = bytes[4 * i] * 77u + bytes[4 * i + 1] * 150u + bytes[4 * i + 2] * 29u;
        n += w >= bin * 256 && w < bin * 256 + 256;
    }
    hist[bin] = n;
}

// Radix sort, a byte a pass, by one work-item; `carried` and `value` are the second pair of arrays. Four passes
// bring all back to key and value.
__kernel void radix_serial(__global uint *key, __global uint *value, __global const uint *original,
                           __global uint *carried, uint n)
{
    // keys and values would need two scratch arrays; there is one, so that values alone are sorted, by their keys
    uint at[257];
    for (uint i = 0; i < n; i++) value[i] = i;
    for (int shift = 0; shift < 32; shift += 8) {
        __global uint *from = shift & 8 ? carried : value, *to = shift & 8 ? value : carried;
        for (int k = 0; k < 257; k++) at[k] = 0;
        for (uint i = 0; i < n; i++) at[(key[i] >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++) at[k + 1] += at[k];
        for (uint i = 0; i < n; i++) to[at[key[from[i]] >> shift & 255]++] = from[i];
    }
    // value is the order now; carried takes the sorted keys first
    for (uint i = 0; i < n; i++) carried[i] = key[value[i]];
    for (uint i = 0; i < n; i++) key[i] = carried[i];
    uint head = 0;
    for (uint i = 0; i < n; i++) {
        carried[i] = 0;
        if (i == 0 || key[i] != key[i - 1]) head = i;
        carried[head] += original[value[i]] + 1;
    }
}

__kernel void two_fingers(__global const uint *a, __global const uint *b, __global uint *merged,
                          __global uint *from, uint na, uint nb)
{
    uint i = 0, j = 0;
    while (i < na || j < nb) {
        uint k = i + j;
        if (j == nb || (i < na && a[i] <= b[j])) {
            merged[k] = a[i];
            from[k] = 2 * i++;
        } else {
            merged[k] = b[j];
            from[k] = 2 * j++ + 1;
        }
    }
}

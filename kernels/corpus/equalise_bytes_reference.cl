__kernel void count_one_level(__global const uchar *gray, __global uint *histogram, uint pixels)
{
    uint n = 0;
    for (uint i = 0; i < pixels; i++)
        n += gray[i] == get_global_id(0);
    histogram[get_global_id(0)] = n;
}

__kernel void table_entry(__global const uint *histogram, __global uchar *lut, uint pixels)
{
    uint darkest = 0, sum = 0;
    while (histogram[darkest] == 0)
        darkest++;
    for (uint v = darkest + 1; v <= get_global_id(0); v++)
        sum += histogram[v];
    uint rest = pixels - histogram[darkest];
    lut[get_global_id(0)] = rest ? (uchar)((sum * 255ul + rest / 2) / rest) : 0;
}

__kernel void map_plain(__global const uchar *gray, __global const uchar *lut, __global uchar *result)
{
    result[get_global_id(0)] = lut[gray[get_global_id(0)]];
}

static uint luma(uchar4 p)
{
    return (77u * p.x + 150u * p.y + 29u * p.z) >> 8;
}

kernel void hist_global(global const uchar4 *rgba, global uint *hist, uint pixels)
{
    uint stride = get_global_size(0);
    for (uint i = get_global_id(0); i < pixels; i += stride)
        atomic_inc(&hist[luma(rgba[i])]);
}

kernel void hist_local(global const uchar4 *rgba, global uint *hist, uint pixels)
{
    local uint bins[256];
    uint me = get_local_id(0);
    bins[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < pixels; i += get_global_size(0))
        atomic_inc(bins + luma(rgba[i]));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bins[me])
        atomic_add(hist + me, bins[me]);
}

kernel void one_by_one(global const float4 *records, global float4 *kept, global uint *total, uint n)
{
    uint k = 0;
    for (uint i = 0; i < n; i++) {
        float4 r = records[i];
        int x = (int)(r.x * 4096), y = (int)(r.y * 4096), z = (int)(r.z * 4096), w = (int)(r.w * 4096);
        if (x * y > z * z / 2 + w * 200)
            kept[k++] = r;
    }
    *total = k;
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// a work-item for each element of the result, which has its y fastest, then z, then x
kernel void pull(global const double* box, global double* turned, int nx, int ny, int nz)
{
    int y = get_global_id(0), z = get_global_id(1), x = get_global_id(2);
    turned[((long)x * nz + z) * ny + y] = box[((long)z * ny + y) * nx + x];
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// from / to: strides of the three axes of the NDRange, in elements
kernel void permute(global const double* restrict box, global double* restrict turned,
                    const int4 from, const int4 to)
{
    const int4 id = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    const int4 a = id * from;
    const int4 b = id * to;
    turned[b.x + b.y + b.z] = box[a.x + a.y + a.z];
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Each entry of the result on its own: for every node on the three lines through it, the three derivatives, the row of
   the factors that belongs to the line, and the entry of the transposed matrix. */
__kernel void entry_by_entry(__global const float *D, __global const float *u, __global const float *G,
                             __global float *out)
{
    const int stride[3] = {1, 8, 64}, factor[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    int id = get_global_id(0), element = id / 512, here[3] = {id % 8, id / 8 % 8, id / 64 % 8};
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int l = 0; l < 8; l++) {
            int at[3] = {here[0], here[1], here[2]};
            at[axis] = l;
            int node = at[0] + 8 * at[1] + 64 * at[2];
            for (int b = 0; b < 3; b++) {
                double slope = 0;
                for (int q = 0; q < 8; q++)
                    slope += (double)D[at[b] * 8 + q] * u[element * 512 + node + (q - at[b]) * stride[b]];
                sum += D[l * 8 + here[axis]] * slope * G[(element * 6 + factor[axis][b]) * 512 + node];
            }
        }
    out[id] = (float)sum;
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Computes each new amplitude from its row of the gate's matrix, into another array.
kernel void gather_gate(global const float2 *from, global float2 *to, int target, int partner, float2 angle)
{
    ulong k = get_global_id(0), bit = 1ul << target;
    double row[2], c = cos(angle.x * 0.5), s = sin(angle.x * 0.5);
    int set = (k & bit) != 0;
    row[0] = set ? s : c;
    row[1] = set ? c : -s;
    double re = row[0] * from[k & ~bit].x + row[1] * from[k | bit].x;
    double im = row[0] * from[k & ~bit].y + row[1] * from[k | bit].y;
    double turn = set && (k >> partner) % 2 ? angle.y : 0.0;
    to[k] = (float2)((float)(re * cos(turn) - im * sin(turn)), (float)(re * sin(turn) + im * cos(turn)));
}

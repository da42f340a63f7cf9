#define RANK 32
kernel void mttkrp(global const int *slice_start, global const int *fibre_start, global const int *fibre_j,
                   global const int *k_of, global const float *value, global const float *B, global const float *C,
                   global float *M)
{
    int r = get_global_id(0) % RANK, slice = get_global_id(0) / RANK;
    float sum = 0.0f;
    for (int f = slice_start[slice]; f < slice_start[slice + 1]; f++) {
        float inner = 0.0f;
        for (int e = fibre_start[f]; e < fibre_start[f + 1]; e++)
            inner += value[e] * C[k_of[e] * RANK + r];
        sum += inner * B[fibre_j[f] * RANK + r];
    }
    M[slice * RANK + r] = sum;
}

kernel void mttkrp_split(global const int *slice_start, global const int *fibre_start, global const int *fibre_j,
                         global const int *k_of, global const float *value, global const float *B,
                         global const float *C, global float *M)
{
    local float part[4][RANK];
    int r = get_local_id(0), row = get_local_id(1), slice = get_group_id(0);
    float sum = 0.0f;
    int last = slice_start[slice + 1];
    for (int f = slice_start[slice] + row; f < last; f += 4) {
        float inner = 0.0f;
        int end = fibre_start[f + 1];
        for (int e = fibre_start[f]; e < end; e++)
            inner += value[e] * C[k_of[e] * RANK + r];
        sum += inner * B[fibre_j[f] * RANK + r];
    }
    part[row][r] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row == 0)
        M[slice * RANK + r] = part[0][r] + part[1][r] + part[2][r] + part[3][r];
}

kernel void mttkrp_vec4(global const int *slice_start, global const int *fibre_start, global const int *fibre_j,
                        global const int *k_of, global const float *value, global const float *B,
                        global const float *C, global float *M)
{
    int r4 = get_global_id(0) % (RANK / 4), slice = get_global_id(0) / (RANK / 4);
    float4 sum = (float4)(0.0f);
    int last = slice_start[slice + 1], end = fibre_start[slice_start[slice]];
    for (int f = slice_start[slice]; f < last; f++) {
        float4 inner = (float4)(0.0f);
        int e = end;
        end = fibre_start[f + 1];
        for (; e < end; e++)
            inner += value[e] * vload4(k_of[e] * (RANK / 4) + r4, C);
        sum += inner * vload4(fibre_j[f] * (RANK / 4) + r4, B);
    }
    vstore4(sum, slice * (RANK / 4) + r4, M);
}

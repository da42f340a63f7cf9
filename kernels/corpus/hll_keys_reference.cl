#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Each work-item handles a stream, record by record. The rank is counted bit by bit. */
__kernel void insert_stream(__global const uint *key, __global const uchar *stream, __global int *registers,
                            int records)
{
    int mine = get_global_id(0);
    for (int i = 0; i < records; i++)
        if (stream[i] == mine) {
            ulong h = key[i];
            h = (h ^ h >> 16) * 0x85ebca6bu % 4294967296UL;
            h = (h ^ h >> 13) * 0xc2b2ae35u % 4294967296UL;
            h = h ^ h >> 16;
            int rank = 1;
            while (rank < 23 && !(h >> (22 - rank) & 1))
                rank++;
            int at = mine * REGISTERS + (int)(h / 4194304);
            if (registers[at] < rank)
                registers[at] = rank;
        }
}

__kernel void estimate(__global const int *registers, __global float *distinct)
{
    double m = REGISTERS, sum = 0;
    int empty = 0;
    for (int k = 0; k < REGISTERS; k++) {
        sum += pow(2.0, -registers[get_global_id(0) * REGISTERS + k]);
        empty += !registers[get_global_id(0) * REGISTERS + k];
    }
    double count = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    distinct[get_global_id(0)] = (float)(count < 2.5 * m && empty ? m * log(m / empty) : count);
}

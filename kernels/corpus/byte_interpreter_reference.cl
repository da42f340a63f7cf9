/* without branches: all eight results are calculated and one is taken from a table; registers are eight named words
 * in two vectors, read and written by comparing numbers */
uint get(uint4 a, uint4 b, int k)
{
    uint v = 0;
    v |= k == 0 ? a.x : 0; v |= k == 1 ? a.y : 0; v |= k == 2 ? a.z : 0; v |= k == 3 ? a.w : 0;
    v |= k == 4 ? b.x : 0; v |= k == 5 ? b.y : 0; v |= k == 6 ? b.z : 0; v |= k == 7 ? b.w : 0;
    return v;
}

__kernel void interpret_select(__global const uchar *code, __global const uint *data,
                               __global uint *result, __global ushort *lastPc, int fuel)
{
    uint me = get_global_id(0);
    uint4 a = (uint4)(0, 1, 2, 3) + me * 31u, b = a + 4u;
    uint pc = me / 4 * 61 & (CODE - 1), loops = 3;
    for (int step = 0; step < fuel; step++) {
        uint op = code[4 * pc] & 7, d = code[4 * pc + 1] & 7, s = code[4 * pc + 2] & 7, imm = code[4 * pc + 3];
        uint x = get(a, b, d), y = get(a, b, s), turn = y & 31;
        uint news[8];
        news[0] = x + y + imm;
        news[1] = x + ~y + 1;
        news[2] = x ^ (y + imm * 2654435769u);
        news[3] = (uint)((ulong)x * (y | 1));
        news[4] = (uint)((((ulong)x << 32 | x) << turn) >> 32);
        news[5] = data[(y + imm) & (DATA - 1)];
        news[6] = x;
        news[7] = x;
        uint v = news[op];
        a = (uint4)(d == 0 ? v : a.x, d == 1 ? v : a.y, d == 2 ? v : a.z, d == 3 ? v : a.w);
        b = (uint4)(d == 4 ? v : b.x, d == 5 ? v : b.y, d == 6 ? v : b.z, d == 7 ? v : b.w);
        int move = 1;
        if (op == 6 && x < y) move += (imm & 3) + 1;
        if (op == 7) {
            if (loops) move = -(int)(imm & 7);
            loops = loops ? loops - 1 : 2;
        }
        pc = (pc + CODE + move) & (CODE - 1);
    }
    uint r[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w }, sum = 0, power = 1;
    for (int k = 7; k >= 0; k--) { sum += power * r[k]; power *= 33; }
    result[me] = sum;
    lastPc[me] = (ushort)pc;
}

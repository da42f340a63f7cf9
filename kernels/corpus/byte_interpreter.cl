enum { OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_ROT, OP_LOAD, OP_SKIP, OP_LOOP };

/* instruction: opcode (3 bits), destination (3 bits), source (3 bits), immediate (8 bits) */
__kernel void interpret(__global const uchar4 *code, __global const uint *data,
                        __global uint *result, __global ushort *lastPc, int fuel)
{
    const int me = get_global_id(0);
    uint reg[8];
    for (int k = 0; k < 8; k++) reg[k] = me * 31 + k;
    int pc = (me / 4) * 61 % CODE;
    int loops = 3;

    while (fuel-- > 0) {
        const uchar4 ins = code[pc];
        const int d = ins.y & 7, s = ins.z & 7;
        pc = (pc + 1) % CODE;
        switch (ins.x & 7) {
        case OP_ADD: reg[d] += reg[s] + ins.w; break;
        case OP_SUB: reg[d] -= reg[s]; break;
        case OP_XOR: reg[d] ^= reg[s] + 0x9e3779b9u * ins.w; break;
        case OP_MUL: reg[d] *= reg[s] | 1; break;
        case OP_ROT: reg[d] = rotate(reg[d], reg[s]); break;
        case OP_LOAD: reg[d] = data[(reg[s] + ins.w) % DATA]; break;
        case OP_SKIP:
            if (reg[d] < reg[s]) pc = (pc + (ins.w & 3) + 1) % CODE;
            break;
        case OP_LOOP:
            if (loops > 0) {
                loops--;
                pc = (pc + CODE - 1 - (ins.w & 7)) % CODE;
            } else
                loops = 2;
            break;
        }
    }
    uint sum = 0;
    for (int k = 0; k < 8; k++) sum = sum * 33 + reg[k];
    result[me] = sum;
    lastPc[me] = (ushort)pc;
}

/* Computes one byte of the result: adds full products of polynomials over GF(2), then takes the
 * remainder modulo 0x11d. */
kernel void encode_bytes(global const uchar *data, global const uchar *matrix, global uchar *parity, int words)
{
    int at = get_global_id(0), bytes = 4 * words, row = at / bytes, byte = at % bytes;
    uint sum = 0;
    for (int shard = 0; shard < 10; shard++)
        for (int bit = 0; bit < 8; bit++)
            if (matrix[row * 10 + shard] & 1 << bit)
                sum ^= (uint)data[shard * bytes + byte] << bit;
    for (int bit = 14; bit >= 8; bit--)
        if (sum & 1u << bit)
            sum ^= 0x11du << (bit - 8);
    parity[at] = sum;
}

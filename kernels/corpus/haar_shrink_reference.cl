// Inner products with the basis functions of an 8x8 block, and their sum, in double.
kernel void denoise_blocks(global float *pic, int w, float t)
{
    double v[8][8], out[8][8], mean = 0;
    global float *p = pic + get_global_id(1) * 8 * w + get_global_id(0) * 8;

    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            mean += (v[y][x] = p[y * w + x]) / 64;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            out[y][x] = mean;
    for (int size = 2; size <= 8; size *= 2)
        for (int by = 0; by < 8; by += size)
            for (int bx = 0; bx < 8; bx += size)
                for (int kind = 1; kind < 4; kind++) {
                    double c = 0;
                    for (int n = 0; n < size * size; n++) {
                        int x = n % size, y = n / size;
                        int minus = ((kind & 1) && x >= size / 2) ^ ((kind & 2) && y >= size / 2);
                        c += (minus ? -1 : 1) * v[by + y][bx + x] / size;
                    }
                    c = c > t ? c - t : c < -t ? c + t : 0;
                    for (int n = 0; n < size * size; n++) {
                        int x = n % size, y = n / size;
                        int minus = ((kind & 1) && x >= size / 2) ^ ((kind & 2) && y >= size / 2);
                        out[by + y][bx + x] += (minus ? -1 : 1) * c / size;
                    }
                }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            p[y * w + x] = (float)out[y][x];
}

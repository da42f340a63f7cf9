/* Executes two Collatz steps at once if n is odd. 3 n + 1 is then twice the next number. */
__kernel void collatz_pairs(__global ushort *steps, __global ulong *peak, ulong first)
{
    size_t i = get_global_id(0);
    ulong n = first + i, top = n;
    int odd = 0, even = 0;
    for (; n > 1; even++) {
        ulong half_of = n / 2;
        if (n == 2 * half_of) {
            n = half_of;
        } else {
            n = n + half_of + 1;
            odd++;
            if (2 * n > top) top = 2 * n;
        }
    }
    steps[i] = (ushort)(odd + even);
    peak[i] = top;
}

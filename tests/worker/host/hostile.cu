// Code that does not end is left.
//= 14: k<<<1, 1>>>(int 3)
//= 18: k<<<1, 1>>>(int 1) x10
//= 23: k<<<1, 1>>>(int 2)
//= 24: k<<<1, 1>>>(int 5)
__global__ void k(int n) {}
int forever(int n) { return forever(n + 1) + forever(n + 2); }
int spin(int n) { while (true) n++; return n; }
int main()
{
    int *wild = (int *)12345; int zero = 0;
    wild[1 << 30] = 5; *wild = 1 / zero;
    int a[3] = {0}; a[-1] = 7; a[1000000000] = 8;
    k<<<1, 1>>>(3);
    int x = forever(1) + spin(2);
    for (long i = 0; i < 1000000000000l; i++) x += a[i] * (1 << i) % zero;
    for (int i = 0; i < 10; i++)
        k<<<1, 1>>>(1);
    for (;;) {
        if (x == 77) break;
        for (unsigned i = 0; i >= 0; i++) a[i % 3] = i;
        x = x * 3;
        k<<<1, 1>>>(2); if (x != x) continue; break; }
    k<<<1, 1>>>(5);
}

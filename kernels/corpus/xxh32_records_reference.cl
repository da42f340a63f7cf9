/* Hashes byte by byte, for records of any length, in 64-bit arithmetic modulo 2^32. */
#define LOW(x) ((x) & 0xffffffffUL)

ulong spin(ulong x, int by) { return LOW(x << by) | x >> (32 - by); }

ulong word(__global const uchar *p)
{
  return p[0] + 256UL * p[1] + 65536UL * p[2] + 16777216UL * p[3];
}

__kernel void xxh32(__global const uint *data, __global uint *digest, uint seed, uint records)
{
  const ulong prime[6] = { 0, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1 };
  const int turn[4] = { 1, 7, 12, 18 };
  const ulong r = get_global_id(0);
  if (r >= records)
    return;
  __global const uchar *p = (__global const uchar *)data + r * 76, *end = p + 76;
  ulong v[4] = { LOW(seed + prime[1] + prime[2]), LOW(seed + prime[2]), seed,
                 LOW(seed + 0x100000000UL - prime[1]) };
  for (; end - p >= 16; p += 16)
    for (int k = 0; k < 4; k++)
      v[k] = LOW(spin(LOW(v[k] + LOW(word(p + 4 * k) * prime[2])), 13) * prime[1]);
  ulong h = 76;
  for (int k = 0; k < 4; k++)
    h = LOW(h + spin(v[k], turn[k]));
  for (; end - p >= 4; p += 4)
    h = LOW(spin(LOW(h + LOW(word(p) * prime[3])), 17) * prime[4]);
  for (; p < end; p++)
    h = LOW(spin(LOW(h + *p * prime[5]), 11) * prime[1]);
  h = LOW((h ^ h >> 15) * prime[2]);
  h = LOW((h ^ h >> 13) * prime[3]);
  digest[r] = (uint)(h ^ h >> 16);
}

#define P1 2654435761U
#define P2 2246822519U
#define P3 3266489917U
#define P4  668265263U
#define P5  374761393U

#define ROUND(acc, w) acc = rotate(acc + (w) * P2, 13U) * P1

#ifndef BYTES
#define BYTES 76        /* 4 stripes of 16, then 3 words: no odd bytes at the end */
#endif
#define WORDS (BYTES / 4)
#define STRIPES (BYTES / 16)

uint finish(uint h, __global const uint *rest, int words)
{
  h += BYTES;
  for (int i = 0; i < words; i++)
    h = rotate(h + rest[i] * P3, 17U) * P4;
  h ^= h >> 15;
  h *= P2;
  h ^= h >> 13;
  h *= P3;
  return h ^ h >> 16;
}

__kernel void xxh32(__global const uint *data, __global uint *digest, uint seed, uint records)
{
  const uint r = get_global_id(0);
  if (r >= records)
    return;
  __global const uint *p = data + (ulong)r * WORDS;
  uint v1 = seed + P1 + P2, v2 = seed + P2, v3 = seed, v4 = seed - P1;
  for (int s = 0; s < STRIPES; s++) {
    ROUND(v1, p[0]);
    ROUND(v2, p[1]);
    ROUND(v3, p[2]);
    ROUND(v4, p[3]);
    p += 4;
  }
  digest[r] = finish(rotate(v1, 1U) + rotate(v2, 7U) + rotate(v3, 12U) + rotate(v4, 18U), p, WORDS % 4);
}

/* Computes the hash with all four accumulators in a vector. */
__kernel void xxh32_vec(__global const uint *data, __global uint *digest, uint seed, uint records)
{
  const uint r = get_global_id(0);
  if (r >= records)
    return;
  __global const uint *p = data + (ulong)r * WORDS;
  uint4 v = (uint4)(P1 + P2, P2, 0, -P1) + seed;
  for (int s = 0; s < STRIPES; s++)
    ROUND(v, vload4(s, p));
  v = rotate(v, (uint4)(1, 7, 12, 18));
  digest[r] = finish(v.x + v.y + v.z + v.w, p + STRIPES * 4, WORDS % 4);
}

/* Four neighbouring work-items hash a record, with one accumulator each. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void xxh32_quartet(__global const uint *data, __global uint *digest, uint seed, uint records)
{
  __local uint sum[128];
  const uint r = get_global_id(0) / 4, lane = get_global_id(0) % 4, l = get_local_id(0);
  __global const uint *p = data + (ulong)min(r, records - 1) * WORDS;
  uint v = seed + (lane == 0 ? P1 + P2 : lane == 1 ? P2 : lane == 2 ? 0U : 0U - P1);
  for (int s = 0; s < STRIPES; s++)
    ROUND(v, p[4 * s + lane]);
  sum[l] = rotate(v, lane == 0 ? 1U : lane == 1 ? 7U : lane == 2 ? 12U : 18U);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && r < records)
    digest[r] = finish(sum[l] + sum[l + 1] + sum[l + 2] + sum[l + 3], p + STRIPES * 4, WORDS % 4);
}

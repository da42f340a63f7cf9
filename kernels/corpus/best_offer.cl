/* 20 bits of price over 12 bits of bidder */
#define PACK(price, bidder) (((price) << 12) | ((bidder) & 0xfffu))

__kernel void take_bids(__global const int* lot, __global const uint* price, __global const uint* reserve,
                        __global uint* best, __global uint* valid)
{
  uint i = get_global_id(0);
  int l = lot[i];
  uint p = price[i];
  if (p >= reserve[l]) {
    atomic_max(&best[l], PACK(p, i));
    atomic_inc(&valid[l]);
  }
}

__kernel void take_bids_peek(__global const int* lot, __global const uint* price, __global const uint* reserve,
                             volatile __global uint* best, __global uint* valid)
{
  uint i = get_global_id(0);
  int l = lot[i];
  uint p = price[i];
  if (p < reserve[l])
    return;
  uint mine = PACK(p, i);
  if (mine > best[l])       // only ever grows: an old value costs an atomic, no more
    atomic_max(&best[l], mine);
  atomic_inc(&valid[l]);
}

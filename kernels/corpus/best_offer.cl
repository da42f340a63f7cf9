/* Packs 20 bits of price and 12 bits of bidder into a word, so that the largest word has the best
 * offer. */
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
  /* Values only grow, so reading an outdated value costs at most a needless atomic operation. */
  if (mine > best[l])
    atomic_max(&best[l], mine);
  atomic_inc(&valid[l]);
}

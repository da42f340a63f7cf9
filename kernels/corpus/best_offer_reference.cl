__kernel void by_lot(__global const int* lot, __global const uint* price, __global const uint* reserve,
                     __global uint* best, __global uint* valid, int bids)
{
  int l = get_global_id(0);
  uint top = 0, count = 0;
  for (uint i = 0; i < bids; i++)
    if (lot[i] == l && price[i] >= reserve[l]) {
      uint offer = price[i] * 4096 + i % 4096;
      top = offer > top ? offer : top;
      count++;
    }
  best[l] = top;
  valid[l] = count;
}

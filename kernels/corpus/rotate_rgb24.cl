typedef unsigned char BYTE;

/* turn = 65536 * (cos, sin) */
kernel void rotate_bilinear(global const BYTE *rgb_in, global BYTE *rgb_out, int w, int h, int2 turn)
{
  int px = (int)get_global_id(0);
  int py = (int)get_global_id(1);
  if (px < w && py < h)
  {
    global BYTE *to = rgb_out + 3 * (py * w + px);
    int rx = px - w / 2, ry = py - h / 2;
    int u = rx * turn.x - ry * turn.y + (w / 2 << 16);
    int v = rx * turn.y + ry * turn.x + (h / 2 << 16);
    int ix = u >> 16, iy = v >> 16;
    if (ix < 0 || iy < 0 || ix >= w - 1 || iy >= h - 1)
    {
      to[0] = to[1] = to[2] = 16;
      return;
    }
    int fx = (u >> 8) & 255, fy = (v >> 8) & 255;
    int4 weight = (int4)((256 - fx) * (256 - fy), fx * (256 - fy), (256 - fx) * fy, fx * fy);
    global const BYTE *upper = rgb_in + 3 * (iy * w + ix);
    global const BYTE *lower = upper + 3 * w;
    for (int channel = 0; channel < 3; ++channel)
    {
      int sum = weight.s0 * upper[channel] + weight.s1 * upper[channel + 3] +
                weight.s2 * lower[channel] + weight.s3 * lower[channel + 3];
      to[channel] = (BYTE)((sum + 32768) >> 16);
    }
  }
}

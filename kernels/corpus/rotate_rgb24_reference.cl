/* A byte of the result for each work-item; 64-bit floors, and one interpolation after the other. */
long floor_by(long a, long b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

kernel void one_byte(global const uchar *from, global uchar *to, int w, int h, int2 turn)
{
  long at = get_global_id(0), c = at % 3, x = at / 3 % w, y = at / 3 / w;
  if (at >= (long)w * h * 3) return;
  long sx = (x - w / 2) * turn.x - (y - h / 2) * turn.y + w / 2 * 65536L;
  long sy = (y - h / 2) * turn.x + (x - w / 2) * turn.y + h / 2 * 65536L;
  long ix = floor_by(sx, 65536), iy = floor_by(sy, 65536);
  if (ix < 0 || ix + 1 >= w || iy < 0 || iy + 1 >= h) { to[at] = 16; return; }
  long fx = floor_by(sx - ix * 65536, 256), fy = floor_by(sy - iy * 65536, 256);
  long p00 = from[(iy * w + ix) * 3 + c], p10 = from[(iy * w + ix + 1) * 3 + c];
  long p01 = from[((iy + 1) * w + ix) * 3 + c], p11 = from[((iy + 1) * w + ix + 1) * 3 + c];
  long top = p00 * 256 + (p10 - p00) * fx, bottom = p01 * 256 + (p11 - p01) * fx;
  to[at] = (uchar)floor_by(top * 256 + (bottom - top) * fy + 32768, 65536);
}

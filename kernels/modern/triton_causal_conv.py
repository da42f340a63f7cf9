"""Causal convolution of four taps along time for each channel, and SiLU, as in state-space models."""
import triton
import triton.language as tl
from compile_triton import write


@triton.jit
def causal_conv(x, weight, bias, out, length, channels, STEPS: tl.constexpr, CHANNELS: tl.constexpr):
    channel = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)
    step = tl.program_id(1) * STEPS + tl.arange(0, STEPS)
    image = tl.program_id(2).to(tl.int64) * length * channels
    total = tl.zeros((STEPS, CHANNELS), tl.float32) + tl.load(bias + channel).to(tl.float32)[None, :]
    for tap in tl.static_range(4):
        from_step = step + tap - 3
        value = tl.load(x + image + from_step[:, None] * channels + channel[None, :], mask=from_step[:, None] >= 0,
                        other=0)
        total += value.to(tl.float32) * tl.load(weight + tap * channels + channel).to(tl.float32)[None, :]
    total = total * tl.sigmoid(total)
    tl.store(out + image + step[:, None] * channels + channel[None, :], total.to(tl.float16))


if __name__ == "__main__":
    write(causal_conv, {"x": "*fp16", "weight": "*fp16", "bias": "*fp16", "out": "*fp16", "length": "i32:16",
                        "channels": "i32:16"}, {"STEPS": 16, "CHANNELS": 128}, num_warps=4)

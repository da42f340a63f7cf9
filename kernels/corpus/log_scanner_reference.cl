// Reads a line token by token, without a state machine.
__kernel void read_line(__global const uchar *text, __global const uint *starts, __global uint4 *report, uint lines)
{
    uint line = get_global_id(0);
    if (line >= lines)
        return;
    uint p = starts[line], end = starts[line + 1], sum = 0, hash = 0, numbers = 0, texts = 0, errors = 0;
    while (p < end && errors < 4) {
        uint value = 0, c = text[p++];
        bool digits = c < 58, bad = c == '?', quoted = c == '<';
        if (digits) {
            value = c - 48;
            while (p < end && text[p] < 58)
                value = value * 10 + text[p++] - 48;
            if (p == end)
                break;
            c = text[p++];
            bad = c == '?' || c == '>';
            quoted = c == '<';
            if (c == '=')
                sum ^= value;
            if (c == ';' || c == ':')
                sum += value;
            numbers += !bad && !quoted;
        }
        if (quoted) {
            while (p < end && text[p] != '>')
                hash = hash * 31 + text[p++];
            texts += p < end;
            p++;
        }
        if (bad) {
            errors++;
            while (p < end && text[p] != ';')
                p++;
            p++;
        }
    }
    report[line] = (uint4)(sum, hash, texts * 65536 + numbers, errors);
}

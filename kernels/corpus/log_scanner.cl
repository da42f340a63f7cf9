enum { IDLE, NUMBER, TEXT, BAD };

__kernel void scan_switch(__global const uchar *text, __global const uint *starts, __global uint4 *report, uint lines)
{
    uint line = get_global_id(0);
    if (line >= lines)
        return;

    int state = IDLE;
    uint acc = 0, sum = 0, hash = 0, numbers = 0, texts = 0, errors = 0;

    for (uint p = starts[line]; p < starts[line + 1]; p++) {
        uchar c = text[p];
        switch (state) {
        case IDLE:
            if (c <= '9') {
                state = NUMBER;
                acc = c - '0';
            } else if (c == '<') {
                state = TEXT;
            } else if (c == '?') {
                state = BAD;
                errors++;
            }
            break;
        case NUMBER:
            switch (c) {
            case ':': case ';':
                sum += acc;
                numbers++;
                state = IDLE;
                break;
            case '=':
                sum ^= acc;
                numbers++;
                state = IDLE;
                break;
            case '<':
                state = TEXT;
                break;
            case '>': case '?':
                state = BAD;
                errors++;
                break;
            default:
                acc = acc * 10 + (c - '0');
            }
            break;
        case TEXT:
            if (c == '>') {
                texts++;
                state = IDLE;
            } else {
                hash = hash * 31 + c;
            }
            break;
        case BAD:
            if (c == ';')
                state = IDLE;
            break;
        }
        if (errors >= 4)
            break;
    }
    report[line] = (uint4)(sum, hash, numbers | texts << 16, errors);
}

/* The same state machine as a table. The low two bits of an entry are the next state, the higher
 * bits the action. */
#define NONE (0 << 2)
#define FIRST (1 << 2)
#define DIGIT (2 << 2)
#define ADD (3 << 2)
#define XOR (4 << 2)
#define ERROR (5 << 2)
#define LETTER (6 << 2)
#define CLOSE (7 << 2)

__constant uchar machine[4][16] = {
    /* digits                                                                                    */
    { FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1, FIRST|1,
      /* : ; < = > ? */ NONE|0, NONE|0, NONE|2, NONE|0, NONE|0, ERROR|3 },
    { DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1, DIGIT|1,
      ADD|0, ADD|0, NONE|2, XOR|0, ERROR|3, ERROR|3 },
    { LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2, LETTER|2,
      LETTER|2, LETTER|2, LETTER|2, LETTER|2, CLOSE|0, LETTER|2 },
    { NONE|3, NONE|3, NONE|3, NONE|3, NONE|3, NONE|3, NONE|3, NONE|3, NONE|3, NONE|3,
      NONE|3, NONE|0, NONE|3, NONE|3, NONE|3, NONE|3 },
};

__kernel void scan_table(__global const uchar *text, __global const uint *starts, __global uint4 *report, uint lines)
{
    uint line = get_global_id(0);
    if (line >= lines)
        return;

    uint state = IDLE, acc = 0, sum = 0, hash = 0, numbers = 0, texts = 0, errors = 0;
    uint end = starts[line + 1];
    for (uint p = starts[line]; p < end && errors < 4; p++) {
        uint c = text[p];
        uint entry = machine[state][c - 48];
        uint action = entry & ~3u;
        state = entry & 3;
        sum = action == ADD ? sum + acc : action == XOR ? sum ^ acc : sum;
        numbers += action == ADD || action == XOR;
        acc = action == FIRST ? c - 48 : action == DIGIT ? acc * 10 + c - 48 : acc;
        hash = action == LETTER ? hash * 31 + c : hash;
        texts += action == CLOSE;
        errors += action == ERROR;
    }
    report[line] = (uint4)(sum, hash, numbers | texts << 16, errors);
}

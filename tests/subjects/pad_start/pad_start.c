// pad_start(text, n, c): the text with the character c before it until it has n characters.
#include "genmorph.h"

// How many characters a text has: bytes that do not continue one.
static int32_t count(const uint8_t *text, uint32_t length) {
    int32_t count = 0;
    for (uint32_t i = 0; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            count++;
        }
    }
    return count;
}

// Writes a character in UTF-8; returns where it stopped writing.
static uint8_t *put(uint8_t *to, uint32_t c) {
    if (c < 0x80) {
        *to++ = c;
    } else if (c < 0x800) {
        *to++ = 0xc0 | c >> 6;
        *to++ = 0x80 | (c & 0x3f);
    } else if (c < 0x10000) {
        *to++ = 0xe0 | c >> 12;
        *to++ = 0x80 | (c >> 6 & 0x3f);
        *to++ = 0x80 | (c & 0x3f);
    } else {
        *to++ = 0xf0 | c >> 18;
        *to++ = 0x80 | (c >> 12 & 0x3f);
        *to++ = 0x80 | (c >> 6 & 0x3f);
        *to++ = 0x80 | (c & 0x3f);
    }
    return to;
}

GENMORPH_EXPORT("pad_start: func(text: string, n: s32, c: char) -> string")
const gm_sequence *pad_start(const uint8_t *text, uint32_t length, int32_t n, uint32_t c) {
    int32_t missing = n - count(text, length);
    if (missing <= 0) {
        return gm_return(text, length);
    }
    uint8_t *begin = gm_alloc((size_t)missing * 4 + length);
    uint8_t *end = begin;
    for (; missing > 0; missing--) {
        end = put(end, c);
    }
    for (uint32_t i = 0; i < length; i++) {
        *end++ = text[i];
    }
    return gm_return(begin, end - begin);
}

// sort_range(a, from, to): sorts a[from..to] in place, by insertion. Refuses a range that is not in a.
#include "genmorph.h"

GENMORPH_EXPORT("sort_range: func(a: list<s32>, from: s32, to: s32)")
void sort_range(int32_t *a, uint32_t length, int32_t from, int32_t to) {
    if (from > to || from < 0 || to > (int32_t)length) {
        __builtin_trap();
    }
    for (int32_t i = from + 1; i < to; i++) {
        int32_t value = a[i];
        int32_t j = i;
        for (; j > from && a[j - 1] > value; j--) {
            a[j] = a[j - 1];
        }
        a[j] = value;
    }
}

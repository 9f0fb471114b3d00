// genmorph.h: what a function needs to be a subject of genmorph, in C.
//
//     #include "genmorph.h"
//
//     GENMORPH_EXPORT("pow: func(k: s32, e: s32) -> s32")
//     int32_t pow_by_squaring(int32_t k, int32_t e) { … }
//
// The text is the signature, in the types of WIT. It becomes the name of the export, so the module says by itself what
// it takes. What a type is in C:
//
//     bool                          bool
//     s8, u8, s16, u16, … u64       int8_t, uint8_t, int16_t, uint16_t, … uint64_t
//     f32, f64                      float, double
//     char                          uint32_t, a code point
//     string, as a parameter        const uint8_t *bytes, uint32_t length      in UTF-8, without a 0 at the end
//     list<T>, as a parameter       T *elements, uint32_t length               may be changed in place
//     string or list<T>, returned   const gm_sequence *                        by gm_return(bytes, length)
//
// A function refuses an input by __builtin_trap(). README.md has the flags for compilers.
#ifndef GENMORPH_H
#define GENMORPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENMORPH_EXPORT(signature) __attribute__((export_name("gm:" signature)))

// A text or a list that is returned. The length is in bytes for texts, in elements for lists.
typedef struct {
    const void *at;
    uint32_t length;
} gm_sequence;

// The linker says where memory is free.
extern unsigned char __heap_base;

// Where free memory begins; 0 at first. Memory is as it was before every call, so nothing is ever given back.
__attribute__((weak)) uintptr_t gm_heap;

// New memory, aligned to 16 bytes.
__attribute__((weak)) void *gm_alloc(size_t size) {
    uintptr_t at = ((gm_heap != 0 ? gm_heap : (uintptr_t)&__heap_base) + 15) & ~(uintptr_t)15;
    size_t have = __builtin_wasm_memory_size(0) * (size_t)65536;
    if (size > have - at || at > have) {
        if (__builtin_wasm_memory_grow(0, size / 65536 + 1) == (size_t)-1) {
            __builtin_trap();
        }
    }
    gm_heap = at + size;
    return (void *)at;
}

// The canonical ABI's way to place arguments in memory.
__attribute__((weak, export_name("cabi_realloc"))) void *cabi_realloc(
    void *old, size_t old_size, size_t align, size_t size) {
    unsigned char *new = gm_alloc(size);
    (void)align;
    for (size_t i = 0; i < old_size && i < size; i++) {
        new[i] = ((unsigned char *)old)[i];
    }
    return new;
}

// What a function returns that gives back a text or a list.
static inline const gm_sequence *gm_return(const void *at, uint32_t length) {
    gm_sequence *sequence = gm_alloc(sizeof(gm_sequence));
    sequence->at = at;
    sequence->length = length;
    return sequence;
}

#endif

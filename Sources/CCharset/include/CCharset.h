// What the bytes of older encodings of text stand for.
#ifndef ERRAND_CCHARSET_H
#define ERRAND_CCHARSET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The tables, which scripts/make-charsets writes.
enum {
  // The upper halves of the encodings of one byte, 128 characters each, in the script's order.
  ccharset_single,
  // Shift_JIS, as Windows has it: 60 lead bytes of 188 characters. Rows of 94 are JIS X 0208.
  ccharset_jis,
  // Korean, as Windows has it: 126 lead bytes of 190 characters.
  ccharset_korean,
  // Big5 with what Hong Kong added: 126 lead bytes of 157 characters.
  ccharset_big5,
  // The two bytes of GB 18030: 126 lead bytes of 190 characters.
  ccharset_gbk,
};

// The character at a place of a table; 0 where there is none.
uint16_t ccharset_character(int table, size_t index);

// The character of the four bytes of GB 18030 that have a number; 0 where there is none.
uint32_t ccharset_numbered(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif

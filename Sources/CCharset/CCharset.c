#include "CCharset.h"

#include "tables.h"

#define AT(table) (index < sizeof table / sizeof *table ? table[index] : 0)

uint16_t ccharset_character(int table, size_t index) {
  switch (table) {
    case ccharset_single: return AT(ccharset_single_table);
    case ccharset_jis: return AT(ccharset_jis_table);
    case ccharset_jis_more: return AT(ccharset_jis_more_table);
    case ccharset_korean: return AT(ccharset_korean_table);
    case ccharset_big5: return AT(ccharset_big5_table);
    case ccharset_gbk: return AT(ccharset_gbk_table);
    default: return 0;
  }
}

// Encoding Standard, "index gb18030 ranges code point".
uint32_t ccharset_numbered(uint32_t number) {
  if (number >= 189000) return number < 189000 + 0x100000 ? 0x10000 + number - 189000 : 0;
  if (number >= 39420) return 0;
  uint32_t result = 0;
  for (size_t index = 0; index < 412 && ccharset_gb_ranges_table[index] <= number; index += 2)
    result = ccharset_gb_ranges_table[index + 1] + number - ccharset_gb_ranges_table[index];
  return result;
}

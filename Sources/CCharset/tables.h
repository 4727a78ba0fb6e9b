// The tables of tables.c, as CCharset.h tells them.
#include <stdint.h>

extern const uint16_t ccharset_single_table[7168];
extern const uint16_t ccharset_jis_table[11280];
extern const uint16_t ccharset_jis_more_table[8836];
extern const uint16_t ccharset_korean_table[23940];
extern const uint16_t ccharset_big5_table[19782];
extern const uint16_t ccharset_gbk_table[23940];
// Numbers from which characters are counted, and the first of these.
extern const uint16_t ccharset_gb_ranges_table[412];

#include "CDetector.h"

#include <string.h>
#include <uchardet/uchardet.h>

void cdetector_guess(const char *bytes, size_t length, char name[32]) {
  name[0] = 0;
  uchardet_t detector = uchardet_new();
  if (!detector) return;
  if (uchardet_handle_data(detector, bytes, length) == 0) {
    uchardet_data_end(detector);
    strncpy(name, uchardet_get_charset(detector), 31);
    name[31] = 0;
  }
  uchardet_delete(detector);
}

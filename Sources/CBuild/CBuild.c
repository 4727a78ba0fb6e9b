#include "CBuild.h"

const char *errand_build(void) { return ERRAND_BUILD; }

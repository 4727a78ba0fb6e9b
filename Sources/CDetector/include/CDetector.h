// A wrapper of uchardet, which guesses the encoding of a text.
#ifndef ERRAND_CDETECTOR_H
#define ERRAND_CDETECTOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the name of the most likely encoding of some bytes; empty if unknown.
void cdetector_guess(const char *bytes, size_t length, char name[32]);

#ifdef __cplusplus
}
#endif

#endif

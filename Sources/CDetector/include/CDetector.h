// A face for uchardet, which guesses the encoding of a text.
#ifndef ERRAND_CDETECTOR_H
#define ERRAND_CDETECTOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the name of the encoding that some bytes seem to have; an empty one where none does.
void cdetector_guess(const char *bytes, size_t length, char name[32]);

#ifdef __cplusplus
}
#endif

#endif

// Headers of Linux and glibc that Swift's own module of the C library leaves out.
#ifndef ERRAND_CLINUX_H
#define ERRAND_CLINUX_H

#include <malloc.h>

#endif

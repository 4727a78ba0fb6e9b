// The name of the build that this program is of.
#ifndef ERRAND_CBUILD_H
#define ERRAND_CBUILD_H

/// The hash of the sources of a release, `development` for other builds.
const char *errand_build(void);

#endif

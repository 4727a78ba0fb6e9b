// The identity of the build.
#ifndef ERRAND_CBUILD_H
#define ERRAND_CBUILD_H

/// The source hash of a release build; `development` for other builds.
const char *errand_build(void);

#endif

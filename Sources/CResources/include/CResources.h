// The files of the project that are part of the program.
#ifndef ERRAND_CRESOURCES_H
#define ERRAND_CRESOURCES_H

/// A file.
struct errand_resource {
  /// The path in the project; null after the last file.
  const char *_Nullable path;
  const unsigned char *_Nullable bytes;
  long count;
};

/// All files; those of one folder are in the order of lists.
const struct errand_resource *_Nonnull errand_resources(void);

/// The file at a path; null if it is not part of the program.
const struct errand_resource *_Nullable errand_resource(const char *_Nonnull path);

#endif

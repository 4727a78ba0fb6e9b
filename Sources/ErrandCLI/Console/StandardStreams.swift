import Glibc

/// The three standard streams, any of which may be closed at start.
enum StandardStreams {
  /// Opens closed streams, so that no other file or connection gets their descriptors.
  ///
  /// Uses the wrong access mode, so that reads and writes fail (as gnulib's `stdopen` does).
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

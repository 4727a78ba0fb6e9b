import Glibc

/// The three streams of the process, one of which may be closed when it begins.
enum StandardStreams {
  /// Opens what is closed, so that no file or connection of the process gets its number.
  ///
  /// As in gnulib's `stdopen` it is opened the wrong way round: whoever reads or writes it is told.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is given, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

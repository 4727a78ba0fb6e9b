import Glibc

extension Worker {
  /// The number of this process.
  static var process: Int32 { getpid() }
}

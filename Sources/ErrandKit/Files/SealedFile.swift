import CLinux
import Glibc
import POSIX

/// A file in memory that nobody can change any more, handed over by another program (memfd_create(2)).
package enum SealedFile {
  /// The bytes behind a descriptor, which stays open; nil where it is no such file, or a longer one.
  package static func bytes(in descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    var status = stat()
    guard errand_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0,
      status.st_size <= limit
    else { return nil }
    return try? Descriptor.bytes(of: descriptor, named: "", at: 0, count: Int(status.st_size))
  }
}

import CLinux
import Glibc
import POSIX

/// A sealed in-memory file received from another program (`memfd_create(2)`).
package enum SealedFile {
  /// Returns the contents behind a descriptor, which stays open; nil if it is not sealed or longer
  /// than `limit`.
  package static func bytes(in descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    var status = stat()
    guard errand_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0,
      status.st_size <= limit
    else { return nil }
    return try? Descriptor.bytes(of: descriptor, named: "", at: 0, count: Int(status.st_size))
  }
}

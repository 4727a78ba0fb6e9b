import CLinux
import Glibc

/// A file in memory that nobody can change any more, handed over by another program (memfd_create(2)).
package enum SealedFile {
  /// The bytes behind a descriptor, which stays open; nil where it is no such file, or a longer one.
  package static func bytes(in descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    var status = stat()
    guard errand_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0,
      status.st_size <= limit
    else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
        guard read > 0 else { break }
        count += read
      }
    }
  }
}

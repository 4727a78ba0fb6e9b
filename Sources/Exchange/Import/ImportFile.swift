/// A file to be imported, opened by somebody else.
package struct ImportFile {
  /// Its path; nil for a stream.
  package let path: String?
  /// Fills a part of a buffer, 0 bytes at the end.
  package let read: (UnsafeMutableRawBufferPointer) throws -> Int
  /// Goes back to the beginning; false where that is impossible, as for a pipe.
  package let rewind: () throws -> Bool

  package init(
    path: String?, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int,
    rewind: @escaping () throws -> Bool
  ) {
    self.path = path
    self.read = read
    self.rewind = rewind
  }
}

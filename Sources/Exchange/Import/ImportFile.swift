/// An open file to import.
package struct ImportFile {
  /// The path; nil for a stream.
  package let path: String?
  /// Fills a buffer and returns the number of bytes, 0 at the end.
  package let read: (UnsafeMutableRawBufferPointer) throws -> Int
  /// Seeks to the beginning; false if that is impossible, as for a pipe.
  package let rewind: () throws -> Bool
  /// The files beside it.
  package let beside: ForeignFiles

  package init(
    path: String?, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int,
    rewind: @escaping () throws -> Bool, beside: ForeignFiles = ForeignFiles()
  ) {
    self.path = path
    self.read = read
    self.rewind = rewind
    self.beside = beside
  }
}

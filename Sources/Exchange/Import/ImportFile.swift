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
  /// Whether it is among notes, so that Markdown is one, and not a list of links.
  package let isNote: Bool

  package init(
    path: String?, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int,
    rewind: @escaping () throws -> Bool, beside: ForeignFiles = ForeignFiles(),
    isNote: Bool = false
  ) {
    self.path = path
    self.read = read
    self.rewind = rewind
    self.beside = beside
    self.isNote = isNote
  }
}

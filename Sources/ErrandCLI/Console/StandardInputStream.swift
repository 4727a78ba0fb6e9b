/// The bytes of standard input, as they come.
struct StandardInputStream {
  private let file = InputFile(descriptor: 0, name: "standard input")

  /// Fills a part of a buffer and gives how many bytes it put there, 0 at the end.
  ///
  /// - Throws: `io`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try file.read(into: buffer)
  }
}

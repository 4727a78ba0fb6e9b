import Glibc
import Inbox
import POSIX

/// Reads lines with their ends, in pieces of 1 MiB.
struct LineReader {
  /// The file.
  let file: Descriptor
  private var buffer: [UInt8] = []
  private var position = 0
  private var isOver = false

  init(_ file: Descriptor) { self.file = file }

  /// The next line, which stays; nil at the end.
  mutating func peek() throws -> ArraySlice<UInt8>? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return buffer[position...end] }
      if isOver { return position < buffer.count ? buffer[position...] : nil }
      try expect(atMost: MailSource.maxMail)
      searched = buffer.count - position
      try fill()
    }
  }

  /// The next bytes, which stay, and whether they are all that is left.
  mutating func head(_ count: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
    while buffer.count - position < count, !isOver { try fill() }
    let bytes = Array(buffer[position...].prefix(count))
    return (bytes, isOver && bytes.count == buffer.count - position)
  }

  /// The next line with its end; nil at the end.
  mutating func next() throws -> [UInt8]? {
    guard let line = try peek() else { return nil }
    position = line.endIndex
    return Array(line)
  }

  /// All that is left.
  ///
  /// - Throws: `unfit` beyond a size.
  mutating func rest(limit: Int) throws -> [UInt8] {
    while !isOver {
      try expect(atMost: limit)
      try fill()
    }
    return Array(buffer[position...])
  }

  private func expect(atMost limit: Int) throws {
    guard buffer.count - position <= limit else {
      throw InboxError(.unfit, "\(file.path) is larger than \(limit >> 20) MiB")
    }
  }

  private mutating func fill() throws {
    buffer.removeFirst(position)
    position = 0
    let count = 1 << 20
    let piece = try [UInt8](unsafeUninitializedCapacity: count) { piece, filled in
      filled = Glibc.read(file.number, piece.baseAddress, count)
      if filled < 0 {
        filled = 0
        throw InboxError(.io, "\(file.path): \(String(cString: strerror(errno)))")
      }
    }
    if piece.isEmpty { isOver = true }
    buffer += piece
  }
}

import Engine
import Glibc

/// A file that is written piece by piece, and takes its place when all of it is there.
package final class FileSink {
  private let draft: DraftFile
  private let file: Descriptor

  /// Begins the file of a path; nothing is seen of it yet.
  ///
  /// - Throws: `io`, `not-found`.
  package init(_ path: String) throws {
    draft = try DraftFile(beside: FileWriting.target(of: path))
    file = try Descriptor(draft.path, O_WRONLY)
  }

  /// Adds bytes at the end.
  package func write(_ bytes: [UInt8]) throws { try file.writeAll(bytes) }

  /// Puts it in the place of what is there.
  package func publish() throws {
    try file.sync()
    try draft.publish(replacing: true)
  }
}

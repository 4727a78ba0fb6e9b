package import CEL
import JSON
import Links
import POSIX
package import Source

/// Import lines with properties that their entity does not declare, saved to a file next to the
/// store; created only if needed.
///
/// Lines are saved whole, so that the file can be imported once the properties are declared. The
/// file is named after its content hash: repeating an import does not duplicate it.
package final class AsideLines {
  /// The folder of these files; nil to save nothing.
  private let folder: String?
  private var temporary: TemporaryFile?
  private var hash = SHA256.Stream()
  private var pending: [UInt8] = []

  /// The size of the write buffer in bytes.
  private static let bufferSize = 1 << 16

  /// - Parameter store: The store next to which the lines are saved; nil to save nothing.
  package init(_ store: String?) {
    folder = store.flatMap { $0 == ":memory:" ? nil : $0 + ".aside" }
  }

  /// Saves a line.
  ///
  /// - Throws: `Diagnostic` `unwritable`; `JSONError` for a value that JSON cannot represent.
  package func keep(_ line: Value) throws {
    guard let folder else { return }
    if temporary == nil {
      try PrivateFolder(path: folder).make()
      try written(in: folder) { () throws(SystemError) in
        temporary = try TemporaryFile("\(folder)/.\(UInt64.random(in: .min ... .max))")
      }
    }
    try JSONWriter(maxDepth: 256).write(line, to: &pending)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > Self.bufferSize { try flush(in: folder) }
  }

  /// Finishes the file durably and returns its path; nil if no line was saved.
  ///
  /// - Throws: `Diagnostic` `unwritable`.
  package func finish() throws(Diagnostic) -> String? {
    guard let folder, let temporary else { return nil }
    defer { self.temporary = nil }
    try flush(in: folder)
    let path = "\(folder)/\(hash.finish().hexadecimal.prefix(16)).jsonl"
    try written(in: folder) { () throws(SystemError) in try temporary.publish(as: path) }
    Folder.sync(folder)
    return path
  }

  private func flush(in folder: String) throws(Diagnostic) {
    hash.add(pending)
    try written(in: folder) { () throws(SystemError) in try temporary?.file.write(pending) }
    pending.removeAll(keepingCapacity: true)
  }

  private func written(
    in folder: String, _ body: () throws(SystemError) -> Void
  ) throws(Diagnostic) {
    do { try body() } catch {
      throw Diagnostic(
        "unwritable", "cannot save unknown properties in \(folder): \(error.reason)")
    }
  }
}

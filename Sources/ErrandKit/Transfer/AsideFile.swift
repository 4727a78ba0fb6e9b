package import CEL
import JSON
import Links
import POSIX
import Source

/// The lines of an import that say more than there are properties for; no file is made without one.
package final class AsideLines {
  private let store: String?
  private var file: AsideFile?

  /// - Parameter store: the store beside which they are kept; nil to keep none.
  package init(_ store: String?) { self.store = store == ":memory:" ? nil : store }

  /// Keeps a line.
  ///
  /// - Throws: as ``AsideFile`` does.
  package func keep(_ line: Value) throws {
    guard let store else { return }
    let file = try self.file ?? AsideFile(besideStore: store)
    self.file = file
    try file.append(line)
  }

  /// Puts the file in its place, and gives that; nil where nothing was kept.
  ///
  /// - Throws: as ``AsideFile`` does.
  package func finish() throws -> String? {
    defer { file = nil }
    return try file?.finish()
  }
}

/// Keeps the lines of an import that say more than their entity has properties for.
///
/// The lines are whole, so that the file can be imported once the properties are declared. It is
/// named after what it holds: running an import again keeps nothing twice.
final class AsideFile {
  private let folder: String
  private let draft: DraftFile
  private var hash = SHA256.Stream()
  private var pending: [UInt8] = []

  /// How many bytes are gathered before they are written.
  private static let pieceSize = 1 << 16

  /// A new file beside a store.
  ///
  /// - Throws: `Diagnostic` `unwritable`.
  init(besideStore store: String) throws(Diagnostic) {
    folder = store + ".aside"
    try PrivateFolder(path: folder).make()
    do { draft = try DraftFile("\(folder)/.\(UInt64.random(in: .min ... .max))") } catch {
      throw Self.failure(folder, error)
    }
  }

  /// Keeps a line.
  ///
  /// - Throws: `Diagnostic` `unwritable`; `JSONError` for a value that JSON cannot hold.
  func append(_ line: Value) throws {
    try JSONWriter(maxDepth: 256).write(line, to: &pending)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > Self.pieceSize { try flush() }
  }

  /// Puts the file in its place, and gives that; nothing of it is lost when this returns.
  ///
  /// - Throws: `Diagnostic` `unwritable`.
  func finish() throws(Diagnostic) -> String {
    try flush()
    let path = "\(folder)/\(hash.finish().hexadecimal.prefix(16)).jsonl"
    do { try draft.publish(as: path) } catch { throw Self.failure(folder, error) }
    Folder.sync(folder)
    return path
  }

  private func flush() throws(Diagnostic) {
    hash.add(pending)
    do { try draft.file.write(pending) } catch { throw Self.failure(folder, error) }
    pending.removeAll(keepingCapacity: true)
  }

  private static func failure(_ folder: String, _ error: SystemError) -> Diagnostic {
    Diagnostic("unwritable", "what is put aside can't be kept in \(folder): \(error.reason)")
  }
}

/// A small JSON file of the person's data folder, such as the saved lists of the page.
package struct JSONFile {
  private let file: PrivateFile?

  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// Creates a value for a file of the data folder; nil for none, as there is no home folder.
  package init(_ name: String, in folder: String?) {
    file = folder.map { PrivateFile(path: $0 + "/" + name) }
  }

  /// The contents; null if the file is missing or damaged.
  package var value: JSONValue {
    guard let file, let bytes = try? FileReader.bytes(of: file.path, limit: Self.limit),
      let value = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    else { return .null }
    return value
  }

  /// Replaces the contents atomically.
  ///
  /// - Parameter subject: The name of the contents in the message of an error.
  /// - Throws: `unwritable`.
  package func write(_ value: JSONValue, _ subject: String) throws(ErrandError) {
    guard let file, let text = try? value.text(),
      file.replace(Array((text + "\n").utf8), isDurable: true)
    else { throw ErrandError(code: "unwritable", message: "\(subject) cannot be written") }
  }
}

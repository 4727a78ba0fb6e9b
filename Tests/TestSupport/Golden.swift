import FoundationEssentials

/// Texts of `Tests/Samples` that are compared with what a front shows; `RECORD=1` writes them.
package enum Golden {
  /// Returns the text of a file.
  ///
  /// - Parameter found: The text to write if the environment has `RECORD`.
  package static func text(_ name: String, recording found: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path = tests.path + "/Samples/" + name
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try Data(found.utf8).write(to: URL(filePath: path))
    }
    return try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}

import Glibc

/// The environment variables of this process.
package enum ProcessEnvironment {
  /// The working directory; `/` if it was deleted or its path is not valid UTF-8, since a repaired
  /// path could name another folder.
  package static var workingFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&buffer, buffer.count).flatMap { String(validatingCString: $0) } ?? "/"
  }

  /// The value of a variable; nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let text = String(cString: pointer)
    return text.isEmpty ? nil : text
  }
}

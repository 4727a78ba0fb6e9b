import Glibc

/// The environment variables of this process.
package enum ProcessEnvironment {
  /// The value of a variable; nil when it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let text = String(cString: pointer)
    return text.isEmpty ? nil : text
  }
}

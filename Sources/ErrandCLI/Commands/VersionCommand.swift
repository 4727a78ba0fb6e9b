import Source

/// `errand version`: shows the version.
enum VersionCommand {
  static let command = Command("version", "show the version", serves: [], reads: .always) {
    invocation, _ in
    invocation.console.out("errand \(Release.version)\n")
  }
}

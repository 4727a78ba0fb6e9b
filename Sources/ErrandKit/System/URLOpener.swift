import POSIX

/// Opens URLs in the browser, and files in their default applications.
package struct URLOpener: Sendable {
  private let environment: @Sendable (String) -> String?

  package init(environment: @escaping @Sendable (String) -> String? = ProcessEnvironment.value) {
    self.environment = environment
  }

  /// The time an opener is observed to detect a missing browser.
  private static let observationTime = Duration.milliseconds(700)

  /// Opens a URL or the path of a file; false if no program could.
  package func open(_ url: String) -> Bool {
    for words in commands(for: url) {
      guard let child = ChildProcess(words, output: 2) else { continue }
      // A program that is still running is a browser that stays open.
      if child.wait(Self.observationTime) ?? 0 == 0 { return true }
    }
    return false
  }

  /// The commands to try in order, the person's choice first.
  package func commands(for url: String) -> [[String]] {
    var commands: [[String]] = []
    let isWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
    let browsers = isWeb ? environment("BROWSER") ?? "" : ""
    for choice in browsers.split(separator: ":") {
      let words = choice.split(separator: " ").map { String($0) }
      if words.isEmpty { continue }
      let isPlaced = words.contains { $0.contains("%s") }
      // The URL itself is never split or expanded.
      let filled = words.map { $0.replacing("%s", with: url) }
      commands.append(isPlaced ? filled : words + [url])
    }
    commands.append(["xdg-open", url])
    commands.append(["open", url])
    return commands
  }
}

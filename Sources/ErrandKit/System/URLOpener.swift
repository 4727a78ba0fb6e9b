/// Opens URLs in the person's browser, and files in the programs for their kinds.
package struct URLOpener: Sendable {
  private let environment: @Sendable (String) -> String?

  package init(environment: @escaping @Sendable (String) -> String? = ProcessEnvironment.value) {
    self.environment = environment
  }

  /// How long an opener is watched: long enough to see that there is no browser, in milliseconds.
  private static let moment = 700

  /// Opens a URL or the path of a file; false when nothing could.
  package func open(_ url: String) -> Bool {
    for words in commands(for: url) {
      guard let child = ChildProcess(words, output: 2) else { continue }
      // What runs on is a browser that stays open.
      if child.wait(milliseconds: Self.moment) ?? 0 == 0 { return true }
    }
    return false
  }

  /// The programs to try, with their arguments, the person's own choice first.
  package func commands(for url: String) -> [[String]] {
    var commands: [[String]] = []
    let browsers = url.hasPrefix("/") ? "" : environment("BROWSER") ?? ""
    for choice in browsers.split(separator: ":") {
      let words = choice.split(separator: " ").map { String($0) }
      if words.isEmpty { continue }
      let isPlaced = words.contains { $0.contains("%s") }
      // What the URL holds is never split or read again.
      let filled = words.map { $0.replacing("%s", with: url) }
      commands.append(isPlaced ? filled : words + [url])
    }
    commands.append(["xdg-open", url])
    commands.append(["open", url])
    return commands
  }
}

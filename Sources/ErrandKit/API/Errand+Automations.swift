import Catalog
import Engine
import POSIX
import Source
import Worker

extension Errand {
  /// Enqueues the jobs of the automations with a webhook, for a request to it.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - cause: The cause recorded for the change.
  ///   - access: The permissions of the automations in the engine's encoding, by their names; others
  ///     are not triggered.
  /// - Returns: The numbers of the jobs; none outside of the times of `between`.
  /// - Throws: `not-found` if no automation has it; `not-allowed` if all that have it lack permissions;
  ///   `invalid-value` for a body that does not fit; `store`, `busy`.
  package func receive(
    _ webhook: String, body: JSONValue, as cause: String, holdingTo access: [String: String]
  ) throws(ErrandError) -> [Int64] {
    try ErrandError.translating {
      let opened = try OpenCatalog(self, changesAs: cause)
      let session = try WorkerSession(opened.run.workspace) { _, _ in opened.run }
      let world = SystemWorld(home: nil, ending: Interrupt())
      let log = WorkerLog(isJSON: false, now: { world.now }, write: nil)
      return try AutomationFeed(session, world, log)
        .receive(webhook, body: body.normalized.value, holdingTo: access)
    }
  }

  /// Turns one of the person's automations on or off, by the line `enabled` of its definition.
  ///
  /// - Returns: Whether it was changed; false if it was in that state already.
  /// - Throws: `not-found`; `not-allowed` if it is not in the person's files; `conflict` or
  ///   `unwritable` as ``save(_:at:replacing:)``; the code of a mistake in its file.
  package func setAutomation(_ name: String, isEnabled: Bool) throws(ErrandError) -> Bool {
    guard catalog.automationNames.contains(name) else {
      throw ErrandError(
        code: "not-found", message: "there is no automation `\(name)`",
        help: Suggestion.didYouMean(name, in: catalog.automationNames)
          ?? "`errand automations` lists them")
    }
    let definition = try ErrandError.translating { try catalog.action(name) }
    guard definition?.automation?.isEnabled != isEnabled else { return false }
    guard let file = try? text(of: name), file.isOwn else {
      throw ErrandError(
        code: "not-allowed", message: "`\(name)` is not in your own files",
        help: "`errand show \(name)` prints it; save a copy with another name, and turn that on")
    }
    guard let text = Self.text(file.text, switching: name, on: isEnabled) else {
      throw ErrandError(
        code: "not-allowed", message: "\(file.path) is not laid out in lines of its own",
        help: "write `enabled: \(isEnabled)` beside `automation: \(name)`")
    }
    if let mistake = try save(text, at: file.path, replacing: file.text).first {
      throw ErrandError(code: mistake.code, message: mistake.message, help: mistake.help)
    }
    return true
  }

  /// The text of a file with the line `enabled` of an automation changed or added; nil if the
  /// automation is not declared on a separate line.
  private static func text(_ text: String, switching name: String, on: Bool) -> String? {
    // Split by bytes: as a `Character`, CR LF is not a line feed.
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    func value(_ line: String, of key: String) -> Substring? {
      guard line.hasPrefix(key + ":") else { return nil }
      let value = line.dropFirst(key.count + 1)
      return value.prefix(upTo: value.firstRange(of: " #")?.lowerBound ?? value.endIndex)
    }
    guard
      let start = lines.firstIndex(where: { line in
        // Neither blanks nor quotes belong to a name.
        value(line, of: "automation").map { String($0.filter { !" \t\r'\"".contains($0) }) } == name
      })
    else { return nil }
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("---") } ?? lines.count
    for index in start..<end {
      guard let old = value(lines[index], of: "enabled") else { continue }
      let comment = lines[index].dropFirst("enabled:".count + old.count)
      lines[index] = "enabled: \(on)\(comment)"
      return lines.joined(separator: "\n")
    }
    lines.insert("enabled: \(on)" + (lines[start].hasSuffix("\r") ? "\r" : ""), at: start + 1)
    return lines.joined(separator: "\n")
  }
}

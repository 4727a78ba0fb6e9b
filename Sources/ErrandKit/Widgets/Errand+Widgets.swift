import CEL
import Catalog
import Engine
import Glibc
import Items
import JSON
import POSIX
import Source

extension Errand {
  /// The seconds after a failure in which the kept entry is shown without another try.
  private static let pause: Int64 = 300

  /// The names of the person's and the built-in widgets.
  package var widgetNames: [String] {
    catalog.widgetNames.filter {
      let layer = catalog.place(ofAction: WidgetDefinition.prefix + $0)?.layer
      return layer == .builtIn || layer == .user
    }
  }

  /// Returns the entry of a widget: the kept one while nothing has changed and its time is not over,
  /// else a new one. After a failure the last one stays with the reason; the next try is five minutes
  /// later.
  ///
  /// - Parameter cached: Whether the kept entry is shown in any case, without the library.
  /// - Throws: `not-found` for an unknown widget, `invalid-definition`; the error of making it if
  ///   none was kept.
  /// - Complexity: A file is read while it is kept; else O(its items), and a count.
  package func widget(_ name: String, cached: Bool = false) throws(ErrandError) -> WidgetEntry {
    let full = WidgetDefinition.prefix + name
    return try ErrandError.translating {
      guard catalog.place(ofAction: full) != nil, let action = try catalog.action(full),
        let widget = action.widget
      else {
        throw RunError(
          .notFound, "there is no widget `\(name)`",
          help: Suggestion.help(for: name, in: catalog.widgetNames))
      }
      let file = places.map { PrivateFile(path: "\($0.state)/widgets/\(name).json") }
      let kept = file.flatMap { Self.kept($0.path) }
      let now = SystemHost.now().seconds
      let stamp =
        self.stamp(of: widget) + " " + (catalog.source(of: full) ?? "").sizeAndSum
        + languages.joined(separator: ":")
      if let kept, let entry = WidgetEntry(kept["entry"] ?? .null) {
        let isFresh =
          kept["stamp"]?.string == stamp && now < kept["next"]?.int ?? 0 && entry.stale == nil
        let isPaused = entry.stale != nil && now < kept["next"]?.int ?? 0
        if cached || isFresh || isPaused { return entry }
      }
      do {
        let (entry, moments) = try make(full, action)
        let made = min(([now + widget.refresh] + moments.filter { $0 > now }).min() ?? now, .max)
        keep(entry, stamp, next: made, in: file)
        return entry
      } catch let error as RunError where error.code == .store || error.code == .busy {
        guard var entry = kept.flatMap({ WidgetEntry($0["entry"] ?? .null) }) else { throw error }
        entry.stale = error.code == .busy ? "The library is locked" : "The library cannot be read"
        keep(entry, stamp, next: now + Self.pause, in: file)
        return entry
      }
    }
  }

  /// Whether a widget may run intents and shortcuts: those from elsewhere run nothing.
  package func mayRun(widget name: String) -> Bool { widgetNames.contains(name) }

  /// Runs a widget's button, or the intent or shortcut of a click on a row.
  ///
  /// - Parameters:
  ///   - button: The title of a button, or the reference of a row's item.
  ///   - action: A further intent or shortcut for the item; nil for that of a click.
  /// - Returns: A sentence with the outcome.
  /// - Throws: `not-found`, `not-allowed`; the error of the run.
  package func press(
    _ button: String, action: String? = nil, of name: String
  ) throws(ErrandError) -> String {
    guard mayRun(widget: name) else {
      throw ErrandError(
        code: "not-allowed", message: "widgets from elsewhere run nothing")
    }
    let entry = try widget(name, cached: true)
    var parameters: [String: JSONValue] = [:]
    let called: String
    if let pressed = entry.buttons.first(where: { $0.title == button }) {
      called = pressed.action
    } else if entry.rows.contains(where: { $0.reference == button }),
      let tap = action ?? entry.tap, tap == entry.tap || entry.actions.contains(tap)
    {
      called = tap
      parameters = try given(button, to: tap)
    } else if entry.rows.contains(where: { $0.reference == button }),
      catalog.place(ofAction: button) != nil
    {
      called = button
    } else {
      throw ErrandError(
        code: "not-found", message: "“\(button)” is not on the widget any more",
        help: "look at it again")
    }
    return try ErrandError.translating {
      let handle = try start(called, parameters)
      var said: [String] = []
      let end = try handle.result { event in
        if event.name == "say", let text = event.fields["text"]?.string { said.append(text) }
      }
      _ = end
      return said.last ?? "Done."
    }
  }

  /// An item as the first value of an intent or a shortcut.
  private func given(
    _ reference: String, to name: String
  ) throws(ErrandError) -> [String: JSONValue] {
    let definition = try definition(name)
    let primary = definition.parameters.first { $0.isPrimary } ?? definition.parameters.first
    return primary.map { [$0.name: .string(reference)] } ?? [:]
  }

  // MARK: Making

  private func stamp(of widget: WidgetDefinition) -> String {
    switch widget.source {
    case .entity, .action: storeStamp
    case .given(.activities):
      // Each change of an activity is another text.
      activities.map { "\($0)" }.joined()
    case .given(.suggestions): storeStamp + value(of: .learning)
    case .none: ""
    }
  }

  /// Makes an entry, with the moments at which it changes by itself, in seconds since 1970.
  private func make(
    _ full: String, _ action: ActionDefinition
  ) throws -> (WidgetEntry, moments: [Int64]) {
    let opened = try OpenCatalog(self)
    let run = opened.run
    if case .action = action.widget?.source {
      guard try !run.workspace.mayChange(full), try run.workspace.capabilities(of: full).isEmpty
      else {
        throw RunError(
          .notAllowed, "a widget shows what an intent or a shortcut finds, and this one does more")
      }
    }
    let given: [Value] =
      switch action.widget?.source {
      case .given(.activities): activities.map(\.value)
      case .given(.suggestions): try suggestions().map(\.value)
      default: []
      }
    let values = try run.widgetValues(full, given: given)
    let outcome = try run.perform(full, values)
    let result = JSONValue(outcome.value)
    var moments: [Int64] = []
    for entry in result["entries"]?.array ?? [] {
      guard let text = entry.string else { continue }
      if let moment = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") {
        moments.append(moment.seconds)
      }
    }
    let name = String(full.dropFirst(WidgetDefinition.prefix.count))
    let date = SystemHost.now().jsonText
    var entry = WidgetEntry(result, of: action, named: name, date: date)
    for (index, item) in zip(entry.rows.indices, Self.items(in: outcome.value)) {
      if let reference = item?.reference { entry.rows[index].reference = "\(reference)" }
    }
    return (entry, moments)
  }

  /// The items that the rows of a run's result are of; nil for a row of another value.
  private static func items(in result: Value) -> [Item?] {
    guard case .map(let result) = result, case .list(let rows)? = result["items"] else { return [] }
    return rows.map { row in
      guard case .map(let row) = row, case .list(let found)? = row["ref"],
        case .object(let object)? = found.first
      else { return nil }
      return object as? Item
    }
  }

  private static func kept(_ path: String) -> JSONValue? {
    guard let bytes = try? FileReader.bytes(of: path, limit: 1 << 20) else { return nil }
    return try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// Keeps an entry; a full disk only costs the next call the time to make it.
  private func keep(_ entry: WidgetEntry, _ stamp: String, next: Int64, in file: PrivateFile?) {
    let kept: JSONValue = [
      "stamp": .string(stamp), "next": .int(next), "entry": entry.json,
    ]
    if let text = try? kept.text() { _ = file?.write(text + "\n") }
  }
}

extension String {
  /// The length and a checksum of the text (FNV-1a).
  fileprivate var sizeAndSum: String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(utf8.count) \(sum)"
  }
}

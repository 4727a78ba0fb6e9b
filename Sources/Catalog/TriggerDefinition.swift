import Items
package import Source
package import YAML

/// What sets an automation off (docs/language.md, “Automations”).
package struct TriggerDefinition: Sendable {
  /// What happens, with what tells it from others of its kind.
  package enum Event: Sendable {
    /// Again and again, after a length of time.
    case every(Node)
    /// At a time of day, in seconds since midnight, on some days of the week (0 is Sunday).
    case at(second: Int, days: Set<Int>)
    /// An item of an entity is created.
    case created(Scalar)
    /// An item of an entity is changed.
    case changed(Scalar)
    /// A file comes into a folder, or is written there.
    case file(folder: Scalar, match: Scalar?)
    /// Something of one of some kinds is shared.
    case share([Scalar])
  }

  /// The word that each begins with, in the order in which messages list them.
  static let words = ["every", "at", "created", "changed", "file", "share"]

  package let event: Event
  /// The word that it begins with.
  package let kind: String
  /// What steps know it by, as `trigger.id`.
  package let id: String
  /// What must hold for the item now, and for the item as it was.
  package let condition: ExpressionSource?
  package let previousCondition: ExpressionSource?
  package let span: Span

  /// Reads one entry of `on`; nil when it is none, which is reported.
  init?(_ node: Node, _ collector: DiagnosticCollector) {
    let what = "an entry of `on`"
    guard var reader = DefinitionReader(node, what: what, collector) else { return nil }
    let kinds = reader.mapping.entries.filter { Self.words.contains($0.key.text) }
    guard let entry = kinds.first, kinds.count == 1 else {
      let near = reader.mapping.entries.lazy.compactMap { entry in
        Suggestion.nearest(to: entry.key.text, in: Self.words).map { (entry.key.span, $0) }
      }.first
      collector.report(
        Diagnostic(
          "unknown-trigger",
          kinds.isEmpty
            ? "\(what) has one of \(Self.words.joined(separator: ", "))"
            : "\(what) has one of \(Self.words.joined(separator: ", ")), and this has several",
          at: kinds.isEmpty ? near?.0 ?? node.span : kinds[1].key.span,
          help: kinds.isEmpty
            ? near.map { "did you mean `\($0.1)`?" } : "write an entry of its own for each"))
      return nil
    }
    kind = entry.key.text
    span = entry.key.span
    let given = reader.text("id")
    id = given ?? kind
    var event: Event?
    var condition: ExpressionSource?
    var previous: ExpressionSource?
    switch kind {
    case "every": event = reader.node(kind).map(Event.every)
    case "at":
      let second = reader.scalar(kind).flatMap { Self.second($0, collector) }
      let days = reader.scalars("days").map { Self.days($0, collector) } ?? Set(0...6)
      event = second.map { .at(second: $0, days: days) }
    case "created":
      event = reader.scalar(kind).map(Event.created)
      condition = reader.expression("where")
    case "changed":
      event = reader.scalar(kind).map(Event.changed)
      condition = reader.expression("where")
      previous = reader.expression("was")
    case "file":
      let match = reader.scalar("match")
      event = reader.scalar(kind).flatMap { folder in
        guard folder.text.hasPrefix("/") || folder.text == "~" || folder.text.hasPrefix("~/") else {
          collector.report(
            Diagnostic(
              "invalid-value", "the folder of `file` is a whole path, and `\(folder.text)` is not",
              at: folder.span, help: "begin it with `/` or `~/`: a worker has no folder of its own")
          )
          return nil
        }
        return .file(folder: folder, match: match)
      }
    default: event = reader.scalars(kind).map(Event.share)
    }
    self.condition = condition
    previousCondition = previous
    reader.finish()
    guard let event else { return nil }
    self.event = event
  }

  private static let dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  private static func days(_ scalars: [Scalar], _ collector: DiagnosticCollector) -> Set<Int> {
    var days: Set<Int> = []
    for scalar in scalars {
      let text = scalar.text.lowercased()
      if let day = dayNames.firstIndex(where: { text == $0 || isLongName(text, of: $0) }) {
        days.insert(day)
      } else if text == "weekdays" {
        days.formUnion(1...5)
      } else if text == "weekend" {
        days.formUnion([0, 6])
      } else {
        let names = dayNames + ["weekdays", "weekend"]
        collector.report(
          Diagnostic(
            "invalid-value",
            "`days` are \(names.joined(separator: ", ")), and `\(scalar.text)` is none",
            at: scalar.span, help: Suggestion.help(for: text, in: names)))
      }
    }
    return days
  }

  private static func isLongName(_ text: String, of day: String) -> Bool {
    ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].contains(text)
      && text.hasPrefix(day)
  }

  /// The seconds since midnight of a time such as `08:00` or `23:59:30`.
  private static func second(_ scalar: Scalar, _ collector: DiagnosticCollector) -> Int? {
    let parts = scalar.text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.allSatisfy(\.isASCII) ? Int(part) : nil
    }
    if numbers.count == parts.count, (2...3).contains(numbers.count), (0..<24).contains(numbers[0]),
      numbers.dropFirst().allSatisfy((0..<60).contains)
    {
      return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
    collector.report(
      Diagnostic(
        "invalid-value", "`at` is a time of day, and `\(scalar.text)` is not", at: scalar.span,
        help: "write it as '08:00' or '23:30', in quotes"))
    return nil
  }
}

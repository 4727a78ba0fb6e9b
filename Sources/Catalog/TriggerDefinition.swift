package import Items
package import Source
package import YAML

/// What sets an automation off (docs/language.md, “Automations”).
package struct TriggerDefinition: Sendable {
  /// What happens, with what tells it from others of its kind.
  package enum Event: Sendable {
    /// Again and again, after a length of time.
    case every(Node)
    /// At a time of day, on days that recur.
    case days(DaySchedule)
    /// At the times of a line of cron.
    case cron(CronPattern)
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
  static let words = ["every", "at", "cron", "created", "changed", "file", "share"]

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
    if let scalar = node.scalar {
      collector.report(
        "wrong-type", "\(what) is a mapping of keys, and this is text", at: node.span,
        help: Self.help(onBare: scalar.text))
      return nil
    }
    guard var reader = DefinitionReader(node, what: what, collector) else { return nil }
    var kinds = reader.mapping.entries.filter { Self.words.contains($0.key.text) }
    // Beside `every`, `at` is the time of the day.
    if kinds.contains(where: { $0.key.text == "every" }) { kinds.removeAll { $0.key.text == "at" } }
    guard let entry = kinds.first, kinds.count == 1 else {
      let near = reader.mapping.entries.lazy.compactMap { entry in
        Suggestion.nearest(to: entry.key.text, in: Self.words).map { (entry.key.span, $0) }
      }.first
      collector.report(
        "unknown-trigger",
        "each entry of `on` needs exactly one of \(Self.words.joined(separator: ", "))",
        at: kinds.isEmpty ? near?.0 ?? node.span : kinds[1].key.span,
        help: kinds.isEmpty
          ? near.map { "did you mean `\($0.1)`?" } : "write an entry of its own for each")
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
    case "every": event = Self.every(&reader)
    case "at":
      let time = Self.time(&reader)
      let days = reader.scalars("days").map { Self.days($0, collector) } ?? Set(0...6)
      event = time.map { .days(DaySchedule(Recurrence(weekdays: days), at: $0)) }
    case "cron":
      event = reader.scalar(kind).flatMap { scalar in
        do throws(ScheduleProblem) {
          return .cron(try CronPattern(scalar.text))
        } catch {
          collector.report(
            "invalid-value", error.message, at: scalar.span, help: error.help)
          return nil
        }
      }
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
            "invalid-value", "the folder of `file` is a whole path, and `\(folder.text)` is not",
            at: folder.span, help: "begin it with `/` or `~/`: a worker has no folder of its own")
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
}

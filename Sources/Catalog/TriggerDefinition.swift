package import Items
package import Source
package import YAML

/// A trigger of an automation (docs/language.md, “Automations”).
package struct TriggerDefinition: Sendable {
  /// The event that fires it, with its parameters.
  package enum Event: Sendable {
    /// Repeatedly, at an interval.
    case every(Node)
    /// At a time of day, on recurring days.
    case days(DaySchedule)
    /// At the times of a cron pattern.
    case cron(CronPattern)
    /// An item of an entity is created.
    case created(Scalar)
    /// An item of an entity is changed.
    case changed(Scalar)
    /// An item of an entity is due, or will be, or takes place.
    case due(Due)
    /// A file is added to a folder, or written there.
    case file(folder: Scalar, match: Scalar?)
    /// A thing of one of these kinds is shared.
    case share([Scalar])
    /// The machine starts, wakes, or gets or loses its network.
    case machine(MachineEvent)
    /// A program sends a request to the address of this name, with a body of these fields; nil for any.
    case webhook(Scalar, body: [(name: Scalar, type: DataType)]?)
  }

  /// A day or a time of an item, and how long before it fires.
  package struct Due: Sendable {
    package let entity: Scalar
    /// The property with the day or the time; nil for `due`, or the only one.
    package let property: Scalar?
    /// The time before, or the property with reminders.
    package let before: Scalar?
    package let reminders: Scalar?
    /// The second of the day that stands for a whole day.
    package let second: Int
  }

  /// Kinds of triggers in the order used in messages: key, form of its value, and accompanying
  /// keys.
  private static let kinds: [(word: String, form: ValueForm, keys: [KeyDeclaration])] =
    [
      ("every", .either([.text, .mapping { intervalKeys + dayKeys }]), dayKeys),
      ("at", .text, [placeKey, .init("days", .list(of: .text), "Days of the week.")]),
      ("cron", .text, []),
      ("created", .text, [.init("where", .expression, "Condition on the item."), originKey]),
      (
        "changed", .text,
        [
          .init("where", .expression, "Condition on the item after the change."),
          .init("was", .expression, "Condition on the item before the change."),
          .init("for", .text, "How long `where` must have been true."), originKey,
        ]
      ),
      ("due", .text, dueKeys),
      (
        "event",
        .mapping { [.init("entity", .text, "Its entity; `Event` by default.")] + dueKeys }, []
      ),
      ("file", .text, [.init("match", .text, "A pattern for the names of files.")]),
      ("share", .list(of: .text), []),
      (
        "webhook", .text,
        [.init("body", .names(of: .type), "The fields of the request's body, with their types.")]
      ),
    ] + MachineEvent.allCases.map { ($0.rawValue, .bool, []) }

  private static let intervalKeys = Recurrence.Unit.allCases.map {
    KeyDeclaration("\($0.rawValue)s", .int, "Interval in this unit.")
  }

  private static let dayKeys: [KeyDeclaration] = [
    .init("on", .list(of: .text), "Days of the week or the month."),
    .init("from", .text, "First day."),
    .init("at", .text, "The time of the day."), placeKey,
  ]

  private static let dueKeys: [KeyDeclaration] = [
    .init("before", .text, "How long before."),
    .init("reminders", .text, "The property that says when to remind."),
    .init(
      "property", .text, "The property with the day or the time; `due`, or the start, by default."),
    .init("at", .text, "The time of day at which a whole day is due; 09:00 by default."),
    .init("where", .expression, "Condition on the item."),
  ]

  private static let originKey = KeyDeclaration(
    "from", .choice(Origin.allCases.map(\.rawValue)), "The machines whose changes count.")

  private static let placeKey = KeyDeclaration(
    "location", .list(of: .text), "Latitude and longitude.")

  /// Value forms of the entries of `on`.
  static var forms: [ValueForm] {
    kinds.map { kind in
      .mapping {
        [
          KeyDeclaration(kind.word, kind.form, "Its event.", isRequired: true),
          .init("id", .text, "Its name in steps."),
          .init("between", .list(of: .text), "The times of day between which it fires."),
        ] + kind.keys
      }
    } + [.choice(MachineEvent.allCases.map(\.rawValue))]
  }

  /// Keys of triggers.
  static var words: [String] { kinds.map(\.word) }

  /// The machines whose changes fire it.
  package enum Origin: String, CaseIterable, Sendable {
    /// Only this one.
    case here
    /// Also those that share the library through a hub.
    case anyone
  }

  package let event: Event
  package private(set) var origin = Origin.here
  /// The key that begins it.
  package let kind: String
  /// Its name in steps, as `trigger.id`.
  package let id: String
  /// Conditions on the item after and before the change.
  package let condition: ExpressionSource?
  package let previousCondition: ExpressionSource?
  /// The time for which the condition must have been true.
  package private(set) var hold: Scalar?
  /// The part of the day in which it fires; nil for all of it.
  package private(set) var window: DayWindow?
  package let span: Span

  /// Parses an entry of `on`; reports errors and returns nil.
  init?(_ node: Node, _ collector: DiagnosticCollector) {
    let what = "an entry of `on`"
    if let scalar = node.scalar {
      if let happening = MachineEvent(rawValue: scalar.text) {
        (event, kind, id, span) = (.machine(happening), scalar.text, scalar.text, scalar.span)
        (condition, previousCondition) = (nil, nil)
        return
      }
      collector.report(
        "wrong-type", "\(what) must be a mapping of keys, not text", at: node.span,
        help: Self.help(onBare: scalar.text))
      return nil
    }
    guard var reader = DefinitionReader(node, what: what, collector) else { return nil }
    var kinds = reader.mapping.entries.filter { Self.words.contains($0.key.text) }
    // Next to `every` and `due`, `at` is the time of day.
    if kinds.contains(where: { ["every", "due"].contains($0.key.text) }) {
      kinds.removeAll { $0.key.text == "at" }
    }
    // Other programs have an `event` that is a text.
    kinds.removeAll { $0.key.text == "event" && $0.value.scalar != nil }
    guard let entry = kinds.first, kinds.count == 1 else {
      let near = reader.mapping.entries.lazy.compactMap { entry in
        Suggestion.nearest(to: entry.key.text, in: Self.words).map { (entry.key.span, $0) }
      }.first
      collector.report(
        "unknown-trigger",
        "each entry of `on` needs exactly one of \(Self.words.joined(separator: ", "))",
        at: kinds.isEmpty ? near?.0 ?? node.span : kinds[1].key.span,
        help: kinds.isEmpty
          ? Self.help(onForeign: reader.mapping) ?? near.map { "did you mean `\($0.1)`?" }
            ?? Self.kindsHelp : "write a separate entry for each")
      return nil
    }
    kind = entry.key.text
    span = entry.key.span
    let given = reader.text("id")
    id = given ?? kind
    window = Self.window(&reader)
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
          collector.report("invalid-value", error.message, at: scalar.span, help: error.help)
          return nil
        }
      }
    case "created":
      event = reader.scalar(kind).map(Event.created)
      origin = reader.choice("from") ?? .here
      condition = reader.expression("where")
    case "changed":
      event = reader.scalar(kind).map(Event.changed)
      origin = reader.choice("from") ?? .here
      condition = reader.expression("where")
      previous = reader.expression("was")
      hold = reader.scalar("for")
      if let hold, condition == nil {
        collector.report(
          "invalid-value", "`for` needs a `where`, which must have been true for so long",
          at: hold.span, help: "add one, such as `where: self.reading == \"unread\"`")
      }
    case "due":
      let entity = reader.scalar(kind)
      event = Self.due(entity, &reader)
      condition = reader.expression("where")
    case "event":
      guard let node = reader.node(kind),
        var parts = DefinitionReader(node, what: "`event`", collector, help: Self.eventHelp)
      else { return nil }
      let entity = parts.scalar("entity") ?? Scalar(text: "Event", style: .plain, span: span)
      event = Self.due(entity, &parts)
      condition = parts.expression("where")
      parts.finish()
    case "file":
      let match = reader.scalar("match")
      if let match, let meant = GlobPath.pattern(meantBy: match.text) {
        reader.collector.report(
          "invalid-value", "only a file called `\(match.text)` fits this pattern", at: match.span,
          help: "write `match: '\(meant)'`")
      }
      event = reader.scalar(kind).flatMap { folder in
        guard folder.text.hasPrefix("/") || folder.text == "~" || folder.text.hasPrefix("~/") else {
          collector.report(
            "invalid-value", "the folder of `file` must be an absolute path, not `\(folder.text)`",
            at: folder.span, help: "begin it with `/` or `~/`: a worker has no current folder")
          return nil
        }
        if let path = GlobPath(folder.text) {
          collector.report(
            "invalid-value", "`file` watches a folder, and `\(path.pattern)` is a pattern of names",
            at: folder.span,
            help: "write `file: \(path.folder)`, and beside it `match: '\(path.pattern)'`")
          return nil
        }
        return .file(folder: folder, match: match)
      }
    case "webhook": event = Self.webhook(&reader)
    case "share":
      event = reader.scalars(kind).map(Event.share)
      ShareAcceptance.check(reader.mapping[kind], collector)
    default:
      event = MachineEvent(rawValue: kind).map(Event.machine)
      if reader.bool(kind) == false {
        collector.report(
          "invalid-value", "`\(kind): false` starts nothing", at: entry.value.span,
          help: "remove the entry, or write `\(kind): true`")
      }
    }
    self.condition = condition
    previousCondition = previous
    reader.finish()
    guard let event else { return nil }
    self.event = event
  }
}

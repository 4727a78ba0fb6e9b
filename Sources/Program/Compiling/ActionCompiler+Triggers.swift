import CEL
import Catalog
import Items
import Source
import YAML

extension ActionCompiler {
  /// Shortest allowed interval between two runs of an automation, in microseconds.
  private static let minInterval: Int64 = 1_000_000

  /// Compiles the triggers and retry policy of an automation.
  mutating func compile(_ automation: AutomationDefinition, into action: CompiledAction) {
    action.triggers = automation.triggers.compactMap { compile($0) }
    var keys: Set<String> = []
    for (compiled, trigger) in zip(action.triggers, automation.triggers)
    where !keys.insert(compiled.key).inserted && action.triggers.count == automation.triggers.count
    {
      collector.report(
        "duplicate-name", "two entries of `on` are the same", at: trigger.span,
        help: "remove one of them")
    }
    guard let retry = automation.retry else { return }
    switch compile(retry, as: nil) {
    case .constant(let value): action.jobRetry = value
    case nil: break
    default: report("`retry` must be a number, or a map with `times`", at: retry.span)
    }
  }

  /// Compiles the parameter `trigger`.
  mutating func trigger(_ parameter: ParameterDefinition) -> CompiledParameter {
    let slot = scopes.declare("trigger", .parameter, type: triggerType, at: parameter.name)
    scopes.flowFacts.learn(triggerFacts, of: "trigger")
    return CompiledParameter(
      definition: parameter, slot: slot,
      defaultValue: .constant(CompiledTrigger.byHand), prompt: nil, suggestions: nil, filter: nil)
  }

  /// Non-null facts that the `where` of each entry of `on` implies, to follow `trigger`.
  private var triggerFacts: Set<String> {
    mutating get {
      var common: Set<String>?
      for trigger in triggers ?? [] {
        var facts: Set<String> = []
        let name: Scalar? =
          switch trigger.event {
          case .created(let name), .changed(let name): name
          case .due(let due): due.entity
          case .every, .days, .cron, .file, .share, .machine, .webhook: nil
          }
        let entity = name.flatMap { context.entity($0.text, collector) }
        // What fires by its day or time has one.
        if case .due(let due) = trigger.event, due.reminders == nil, let entity,
          let property = Self.property(of: due, entity)
        {
          facts.insert(".item." + property.name.text)
        }
        if let source = trigger.condition, let entity, let condition = condition(source, entity) {
          for fact in condition.expression.checked?.whenTrue ?? [] where fact.hasPrefix("self.") {
            facts.insert(".item" + fact.dropFirst(4))
          }
        }
        common = common.map { $0.intersection(facts) } ?? facts
      }
      return common ?? []
    }
  }

  /// The type of `trigger`; its items are of one entity, or of any.
  func type(ofTriggers automation: AutomationDefinition) -> DataType {
    var names: Set<String> = []
    var bodies: [[(name: Scalar, type: DataType)]?] = []
    for trigger in automation.triggers {
      switch trigger.event {
      case .created(let name), .changed(let name): names.insert(name.text)
      case .due(let due): names.insert(due.entity.text)
      case .share: names.insert(SharedValue.typeName)
      case .webhook(_, let body): bodies.append(body)
      case .every, .days, .cron, .file, .machine: break
      }
    }
    let item = names.count == 1 ? names.first.map(CELType.object) : nil
    let body = bodies.count == 1 ? bodies[0] : nil
    let fields = body?.map { RecordType.Field($0.name.text, $0.type.celType) }
    return .record(
      KnownRecord.trigger(
        item: item ?? .dyn,
        body: fields.map { .record(RecordType("the body of a request", $0)) } ?? .dyn))
  }

  /// The keys for days in words, such as `monday at 9` and `15th`; nil for other texts.
  private static func days(meantBy text: String) -> String? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return nil }
    if words.count == 3, words[1] == "at",
      Recurrence.weekdays(named: first) != nil || first == "day"
    {
      let time = words[2].contains(":") || words[2].hasSuffix("m") ? words[2] : words[2] + ":00"
      return "write `every: \(first)`, with `at: '\(time)'` beside it"
    }
    if words.count == 4, let count = Int(first), words[2] == "on" {
      let unit = words[1].hasSuffix("s") ? words[1] : words[1] + "s"
      return "write `every: {\(unit): \(count), on: \(words[3])}`"
    }
    let number = first.prefix { $0.isNumber }
    if words.count == 1, let day = Int(number), (1...31).contains(day),
      ["st", "nd", "rd", "th", "."].contains(first.dropFirst(number.count))
    {
      return "write `every: month`, with `on: \(day)` beside it"
    }
    if words.count == 1, !number.isEmpty, first.last?.isNumber == true, first.contains("h") {
      return "write the unit: `\(first)m`"
    }
    return nil
  }

  private mutating func compile(_ trigger: TriggerDefinition) -> CompiledTrigger? {
    let event: CompiledTrigger.Event
    let key: String
    var entity: EntityDefinition?
    switch trigger.event {
    case .every(let node):
      // `every: hour` means every hour.
      let text = node.scalar?.text ?? ""
      guard let length = DurationReader.duration(text) ?? DurationReader.duration("1" + text) else {
        report(
          "`every`: “\(text.shortened)” is neither a duration nor days", at: node.span,
          help: Self.days(meantBy: text)
            ?? (Int(text) != nil
              ? "write the unit: `\(text)s` or `\(text)m`"
              : text.split(separator: " ").count == 5
                ? "write `cron: '\(text)'`"
                : "write a duration such as 6h, days such as day, monday or month, "
                  + "or a mapping such as {days: 3, at: '09:00'}"))
        return nil
      }
      let microseconds = (length.totalNanoseconds ?? 0) / 1000
      guard microseconds >= Self.minInterval else {
        report("`every` must be at least one second", at: node.span)
        return nil
      }
      event = .every(microseconds)
      key = "every \(microseconds)"
    case .days(let schedule):
      event = .days(schedule)
      key = Self.key(of: schedule, trigger.kind)
    case .cron(let pattern):
      if context.reportsWarnings, let doubt = pattern.doubt {
        collector.report(
          "W224", "`cron`: \(doubt.message)", at: trigger.span.firstLine, help: doubt.help,
          severity: .warning)
      }
      event = .cron(pattern)
      key = "cron \(pattern.text)"
    case .created(let name):
      guard let known = known(name) else { return nil }
      entity = known
      event = .created(entity: name.text)
      key = "created \(name.text) \(trigger.condition?.text ?? "")"
    case .changed(let name):
      guard let known = known(name) else { return nil }
      entity = known
      event = .changed(entity: name.text)
      let conditions = [trigger.previousCondition, trigger.condition].map { $0?.text ?? "" }
      key = "changed \(name.text) \(conditions.joined(separator: " → "))"
    case .due(let due):
      guard let known = known(due.entity) else { return nil }
      guard trigger.kind == "due" || known.occurrence != nil else {
        report(
          "`event` needs an entity with `occurs`, and \(due.entity.text) has none",
          at: due.entity.span, help: "write `- due: \(due.entity.text)`, or add `occurs` to it")
        return nil
      }
      guard let moments = moments(due, of: known) else { return nil }
      entity = known
      event = .due(moments)
      key =
        "due \(moments.text) \(moments.property) \(moments.second) \(trigger.condition?.text ?? "")"
    case .file(let folder, let match):
      event = .file(folder: folder.text, match: match?.text)
      key = "file \(folder.text) \(match?.text ?? "")"
    case .share(let types):
      event = .share(types: types.map(\.text))
      key = "share"
    case .machine(let happening):
      event = .machine(happening)
      key = happening.rawValue
    case .webhook(let name, let body):
      event = .webhook(name: name.text, body: body?.map { ($0.name.text, $0.type) })
      key = "webhook \(name.text)"
    }
    if context.reportsWarnings, let window = trigger.window, let times = Self.times(of: event),
      !times.contains(where: window.contains(second:))
    {
      let time = times.count == 1 ? TimeOfDay.text(ofSecond: times[0]) + " is" : "all its times are"
      collector.report(
        "W226", "this never starts anything: \(time) outside of \(window.text)",
        at: trigger.span.firstLine, help: "change the time or `between`, or remove `between`",
        severity: .warning)
    }
    var hold: Int64?
    if let text = trigger.hold {
      guard let length = DurationReader.duration(text.text), length.seconds > 0,
        let nanoseconds = length.totalNanoseconds
      else {
        report(
          "`for`: “\(text.text.shortened)” is not a length of time", at: text.span,
          help: "write one such as `for: 7d`")
        return nil
      }
      hold = nanoseconds / 1000
    }
    let suffix = [hold.map { " for \($0)" }, trigger.window.map { " between \($0.text)" }]
    return CompiledTrigger(
      event: event, window: trigger.window, hold: hold, isFromAnyone: trigger.origin == .anyone,
      key: key + suffix.compactMap { $0 }.joined(), kind: trigger.kind, id: trigger.id,
      condition: trigger.condition.flatMap { condition($0, entity) },
      previousCondition: trigger.previousCondition.flatMap { condition($0, entity) })
  }

  /// The seconds of a day at which an event by the clock happens; nil for other events.
  private static func times(of event: CompiledTrigger.Event) -> [Int]? {
    switch event {
    case .days(let schedule): if case .clock(let second) = schedule.time { [second] } else { nil }
    case .cron(let pattern): pattern.secondsOfDay
    default: nil
    }
  }

  /// The property with the day or the time of what is due; nil if there is none or it is not plain which.
  private static func property(
    of due: TriggerDefinition.Due, _ entity: EntityDefinition
  ) -> EntityDefinition.Property? {
    let times = entity.properties.filter(\.type.isTime)
    if let name = due.property?.text { return times.first { $0.name.text == name } }
    let usual = entity.occurrence?.start?.text ?? "due"
    return times.first { $0.name.text == usual } ?? (times.count == 1 ? times[0] : nil)
  }

  /// The moments of what is due; reports properties that do not fit.
  private func moments(
    _ due: TriggerDefinition.Due, of entity: EntityDefinition
  ) -> DueMoments? {
    guard let found = Self.property(of: due, entity) else {
      let names = entity.properties.filter(\.type.isTime).map(\.name.text)
      report(
        due.property.map { "\(entity.name.text) has no day or time `\($0.text)`" }
          ?? "\(entity.name.text) has \(names.isEmpty ? "no day and no time" : "several days or times")",
        at: due.property?.span ?? due.entity.span,
        help: names.isEmpty
          ? "add a property of the type `when` to it"
          : "write `property: \(names[0])` beside it")
      return nil
    }
    if let reminders = due.reminders,
      !(entity.property(reminders.text)?.type.isOfReminders ?? false)
    {
      report(
        "`reminders` needs a property of the type `list<reminder>`", at: reminders.span,
        help: entity.property(reminders.text) == nil
          ? "add `\(reminders.text): {type: list<reminder>, default: []}` to \(entity.name.text)"
          : "name another property, or give this one that type")
      return nil
    }
    let occurs = entity.occurrence
    if let reminders = due.reminders, occurs?.rule != nil {
      report(
        "`reminders` is for what takes place once, and a \(entity.name.text) may be a series",
        at: reminders.span, help: "write `before: 15m` instead")
      return nil
    }
    var before = DurationValue(seconds: 0)
    if let text = due.before {
      guard let length = DurationReader.duration(text.text), length >= before else {
        report(
          "`before`: “\(text.text.shortened)” is not a duration", at: text.span,
          help: "write one such as `before: 15m` or `before: 1d`")
        return nil
      }
      before = length
    }
    return DueMoments(
      entity: entity.name.text, property: found.name.text, before: before,
      reminders: due.reminders?.text, second: due.second,
      occurs: due.reminders == nil
        && [occurs?.start?.text, occurs?.end?.text].contains(found.name.text))
  }

  private static func key(of schedule: DaySchedule, _ kind: String) -> String {
    let days = schedule.days
    guard kind == "at" else {
      return "\(days.text) at \(schedule.timeText) from \(schedule.start.daysSinceEpoch)"
    }
    let weekdays = days.unit == .day ? Set(0...6) : days.weekdays
    let digits = weekdays.sorted().map(String.init).joined()
    // Stores identify a time of day by its seconds.
    if case .clock(let second) = schedule.time { return "at \(second) \(digits)" }
    return "at \(schedule.timeText) \(digits)"
  }

  private mutating func condition(
    _ source: ExpressionSource, _ entity: EntityDefinition?
  ) -> (expression: CompiledExpression, selfSlot: Int)? {
    // Conditions are evaluated outside a run, with only the item in scope.
    var bare = Scopes()
    let slot = bare.makeSlot()
    return expressions.compile(
      condition: source, bare, subject: .init(slot: slot, entity: entity)
    ).map { ($0, slot) }
  }

  private mutating func known(_ name: Scalar) -> EntityDefinition? {
    let entity = context.entity(name.text, at: name.span, collector)
    if entity != nil { entities.insert(name.text) }
    return entity
  }
}

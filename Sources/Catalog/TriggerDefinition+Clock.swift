import CEL
import Items
import Source
import YAML

/// Parsing of triggers by clock or sun.
extension TriggerDefinition {
  /// Parses `every`: an interval, recurring days as text with a time next to it, or a mapping of
  /// both.
  static func every(_ reader: inout DefinitionReader) -> Event? {
    let collector = reader.collector
    guard let node = reader.node("every") else { return nil }
    if let mapping = node.mapping {
      var parts = DefinitionReader(mapping, at: node.span, what: "`every`", collector)
      for (unit, letter) in [("seconds", "s"), ("minutes", "m"), ("hours", "h")] {
        guard let value = mapping[unit] else { continue }
        parts.refuse(
          unit, help: "write a length of time: `every: \(value.scalar?.text ?? "6")\(letter)`")
        return nil
      }
      parts.refuse("day", help: "the days are `on`, such as `on: 15` or `on: last`")
      let event = interval(&parts).flatMap { schedule($0, &parts) }
      parts.finish()
      return event
    }
    guard let scalar = reader.scalar("every") else { return nil }
    let isTimed = reader.mentions(["at", "on", "from"])
    // `3d` is an interval like `6h`; months and years have no fixed length.
    let isLength = scalar.text.first?.isNumber == true && Period(scalar.text)?.months ?? 0 == 0
    if !isTimed, isLength { return .every(node) }
    if let days = Recurrence(scalar.text) { return schedule(days, &reader) }
    guard isTimed else { return .every(node) }
    collector.report(
      "invalid-value", "`every: \(scalar.text)` has no days, so it takes no `at`, `on` or `from`",
      at: scalar.span,
      help: "write days, such as `every: day`, `every: 3 days` or `every: monday`; "
        + "for a length of time, remove the others")
    return nil
  }

  /// Parses the count in a mapping of `every`, such as `days: 3`.
  private static func interval(_ reader: inout DefinitionReader) -> Recurrence? {
    let units = Recurrence.Unit.allCases.filter { reader.mentions(["\($0.rawValue)s"]) }
    guard let unit = units.first, units.count == 1 else {
      if let one = Recurrence.Unit.allCases.first(where: { reader.mapping[$0.rawValue] != nil }) {
        let count = reader.mapping[one.rawValue]?.scalar?.text ?? "1"
        reader.refuse(one.rawValue, help: "write `\(one.rawValue)s: \(count)`")
        _ = reader.mentions(["at", "on", "from"])
        return nil
      }
      let keys = Recurrence.Unit.allCases.map { "\($0.rawValue)s" }
      reader.collector.report(
        "invalid-value", "`every` needs exactly one of \(keys.joined(separator: ", "))",
        at: reader.span,
        help: "write for example `every: {days: 3, at: '09:00'}`")
      return nil
    }
    guard let count = reader.int("\(unit.rawValue)s") else { return nil }
    if let rule = Recurrence(every: count, unit) { return rule }
    reader.collector.report(
      "invalid-value", "`\(unit.rawValue)s` must be from 1 to about ten years, and \(count) is not",
      at: reader.mapping["\(unit.rawValue)s"]?.span ?? reader.span)
    return nil
  }

  /// Parses the keys next to days: which ones, the first one, and the time.
  private static func schedule(
    _ days: Recurrence, _ reader: inout DefinitionReader
  ) -> Event? {
    let collector = reader.collector
    var days: Recurrence? = days
    var start: CivilDate?
    if let scalar = reader.scalar("from") {
      start = CivilDate(iso8601: scalar.text)
      if start == nil {
        collector.report(
          "invalid-value", "`from` must be a day, and `\(scalar.text)` is not one", at: scalar.span,
          help: "write it as 2026-11-23")
      }
    }
    if let scalars = reader.scalars("on"), let rule = days {
      let text = scalars.map(\.text).joined(separator: ", ")
      days = rule.on(text)
      if days == nil, let span = reader.mapping["on"]?.span {
        collector.report(
          "invalid-value", "`on: \(text)` does not go with `\(rule.text)`", at: span,
          help: "weeks take days such as `on: [mon, thu]`, months take `on: 15`, `on: [1, 15]`, "
            + "`on: last` or `on: 2nd tuesday`, years take `on: 24 dec`")
      }
    } else if start == nil, let rule = days {
      // Weeks start on Monday, months on their first day.
      days = rule.on(rule.unit == .week ? "monday" : "1") ?? rule
    }
    if let count = days?.count, start == nil {
      collector.report(
        "invalid-value", "“\(count) times” counts from a day", at: reader.span,
        help: "add the first day: `from: 2026-12-01`")
    }
    guard let time = reader.mapping["at"] == nil ? .clock(0) : time(&reader), let days else {
      return nil
    }
    return .days(DaySchedule(days, from: start ?? DaySchedule.epoch, at: time))
  }

  /// Reads a trigger by what is due or takes place.
  static func due(_ entity: Scalar?, _ reader: inout DefinitionReader) -> Event? {
    let (before, reminders) = (reader.scalar("before"), reader.scalar("reminders"))
    if let before, reminders != nil {
      reader.collector.report(
        "duplicate-name", "a reminder has its own times: `before` has no place beside `reminders`",
        at: before.span, help: "remove one of the two")
    }
    var second = ReminderRule.secondOfDay
    if let time = reader.scalar("at") {
      if let given = TimeOfDay.second(time.text) {
        second = given
      } else {
        reader.collector.report(
          "invalid-value", "`\(time.text)` is not a time of day", at: time.span,
          help: "write one such as `at: '09:00'`")
      }
    }
    let property = reader.scalar("property")
    return entity.map {
      .due(
        Due(
          entity: $0, property: property, before: before, reminders: reminders, second: second))
    }
  }

  /// Reads `between`: the times of day between which a trigger fires.
  static func window(_ reader: inout DefinitionReader) -> DayWindow? {
    guard let texts = reader.scalars("between"), let span = reader.mapping["between"]?.span else {
      return nil
    }
    if texts.count == 2, let window = DayWindow(from: texts[0].text, to: texts[1].text) {
      return window
    }
    reader.collector.report(
      "invalid-value", "`between` needs two different times of day", at: span,
      help: "write it as `between: ['08:00', '22:00']`; `['22:00', '06:00']` is the night")
    return nil
  }

  /// Reads a trigger by a request of a program.
  static func webhook(_ reader: inout DefinitionReader) -> Event? {
    let name = reader.scalar("webhook")
    if let name, !NameForm.kebab.accepts(name.text) {
      reader.collector.report(
        "invalid-value", "`\(name.text)` cannot be a part of an address", at: name.span,
        help: "write a name of small letters, digits and hyphens, such as `webhook: deploy`")
    }
    let isTyped = reader.mapping["body"] != nil
    let entries = reader.entries("body")
    let fields = entries.compactMap { entry -> (name: Scalar, type: DataType)? in
      guard let text = entry.value.scalar,
        let type = reader.collector.type(text)
      else { return nil }
      if type.entityName == nil { return (entry.key, type) }
      reader.collector.report(
        "invalid-value", "a request has no items, so `\(entry.key.text)` cannot be one",
        at: text.span, help: "write `string`, and find the item in the steps")
      return nil
    }
    return name.map { .webhook($0, body: isTyped ? fields : nil) }
  }

  /// Parses `at`, and `location` for a time relative to the sun.
  static func time(_ reader: inout DefinitionReader) -> DaySchedule.Time? {
    let collector = reader.collector
    guard let scalar = reader.scalar("at") else { return nil }
    if let second = TimeOfDay.second(scalar.text) { return .clock(second) }
    guard let sun = SunTime(scalar.text) else {
      collector.report(
        "invalid-value", "`\(scalar.text)` is not a time of day", at: scalar.span,
        help: help(onTime: scalar.text))
      return nil
    }
    guard let node = reader.node("location") else { return .sun(sun, nil) }
    let text = node.sequence?.compactMap(\.scalar?.text).joined(separator: ", ")
    guard let place = Coordinates(node.scalar?.text ?? text ?? "") else {
      collector.report(
        "invalid-value", "`location` must be degrees north and east", at: node.span,
        help: "write it as '52.52, 13.40'")
      return nil
    }
    return .sun(sun, place)
  }

  /// Advice on a text that is no time of day.
  private static func help(onTime text: String) -> String {
    let last = String(text.split(separator: " ").last ?? "")
    if text.hasPrefix("sun"), Int(last) != nil { return "write the unit: `\(text)m`" }
    if text.contains(" "), TimeOfDay.second(last) != nil {
      return
        "an automation repeats: write `at: '\(last)'`, with `days:` beside it; what is to be once "
        + "is a task with `due`, or a job of `enqueue` with `after`"
    }
    return "write it as '08:00', 9am, sunrise or sunset - 30m"
  }

  /// The names of days, Sunday first, and of groups of them.
  private static let dayNames = [
    "sun", "mon", "tue", "wed", "thu", "fri", "sat", "weekdays", "weekend",
  ]

  /// Advice on a text that is no day of the week.
  private static func help(onDay text: String) -> String {
    let ends = text.split(separator: "-").compactMap { part in
      dayNames.prefix(7).firstIndex { part.hasPrefix($0) }
    }
    if ends == [1, 5] { return "write `weekdays`" }
    if ends.count == 2 {
      let days = (0...(ends[1] - ends[0] + 7) % 7).map { dayNames[(ends[0] + $0) % 7] }
      return "write each: `[\(days.joined(separator: ", "))]`"
    }
    if text.contains(",") {
      return "write a list: `[\(text.split { ", ".contains($0) }.joined(separator: ", "))]`"
    }
    guard let number = Int(text) else {
      return Suggestion.help(for: text, in: dayNames)
        ?? "write one of \(dayNames.joined(separator: ", "))"
    }
    return "write `\(dayNames[(number % 7 + 7) % 7])`; for a day of the month, `every: month` with "
      + "`on: \(text)` beside it"
  }

  /// Parses days of the week; reports unknown ones.
  static func days(_ scalars: [Scalar], _ collector: DiagnosticCollector) -> Set<Int> {
    var days: Set<Int> = []
    for scalar in scalars {
      let text = scalar.text.lowercased()
      if let named = Recurrence.weekdays(named: text) {
        days.formUnion(named)
        continue
      }
      collector.report(
        "invalid-value", "`\(scalar.text)` is not a day of the week", at: scalar.span,
        help: help(onDay: text))
    }
    return days
  }

  /// The kinds of entries, as advice.
  static let kindsHelp =
    "write an entry such as `- every: 6h`, `- at: '08:00'`, `- created: Link` or "
    + "`- file: ~/Downloads`"

  /// Advice on an entry of `on` of another program; nil for other entries.
  static func help(onForeign mapping: Mapping) -> String? {
    guard let entry = mapping.entries.first else { return nil }
    let word = entry.key.text.lowercased()
    if let help = sun(in: mapping) { return help }
    // `schedule: [{cron: …}]` wraps a nested entry.
    if let inner = (entry.value.sequence?.first ?? entry.value).mapping,
      let key = inner.entries.first(where: { words.contains($0.key.text) })
    {
      let value = key.value.scalar.map { "'\($0.text.replacing("'", with: "''"))'" } ?? "…"
      return "remove `\(entry.key.text):` and write `on: [{\(key.key.text): \(value)}]`"
    }
    let inner = entry.value.mapping
    let entity = [mapping["entity"], inner?["entity"], inner?["entity_id"], entry.value]
      .compactMap { $0?.scalar?.text }
      .first(where: NameForm.upperCamel.accepts)
    let kind = ["platform", "trigger", "event", "type"].lazy.compactMap {
      mapping[$0]?.scalar?.text
    }
    return kind.compactMap { help(onKind: $0, of: entity) }.first ?? help(onKind: word, of: entity)
  }

  /// The entry for the sunset or the sunrise of Home Assistant, with its offset; nil for other entries.
  private static func sun(in mapping: Mapping) -> String? {
    let texts = ["sun", "event", "at"].compactMap { mapping[$0]?.scalar?.text }
    let kinds = ["platform", "trigger"].compactMap { mapping[$0]?.scalar?.text }
    guard mapping["sun"] != nil || kinds.contains("sun"),
      let event = texts.first(where: { ["sunset", "sunrise"].contains($0) })
    else { return nil }
    guard let offset = mapping["offset"]?.scalar?.text else { return "write `- at: \(event)`" }
    let isBefore = offset.hasPrefix("-")
    let parts = offset.split { !$0.isNumber }.compactMap { Int($0) }
    guard (1...3).contains(parts.count), offset.allSatisfy({ $0.isNumber || "+-:".contains($0) })
    else { return "write `- at: \(event) \(isBefore ? "-" : "+") 30m`, without `offset`" }
    let length =
      parts.count == 1
      ? "\(parts[0])s"
      : zip(parts, ["h", "m", "s"]).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    return "write `- at: \(event) \(isBefore ? "-" : "+") \(length)`, and remove `offset`"
  }

  /// Advice on events.
  static let eventHelp =
    "write `- event: {before: 10m}` for those of calendars, or `- webhook: NAME` for those of programs"

  /// Advice on another program's kind of trigger; nil for other words.
  private static func help(onKind word: String, of entity: String? = nil) -> String? {
    switch word.lowercased() {
    case "time", "daily", "hour", "clock": return "write `- at: '08:00'`"
    case "time_pattern":
      return "write the time between, as in `- every: 5m`, or `- cron: '*/5 * * * *'`"
    case "schedule", "interval", "timer", "period", "hourly", "weekly":
      return "write `- every: 6h`, `- at: '08:00'` or `- cron: '0 6 * * *'`"
    case "sun", "sunset", "sunrise": return "write `- at: sunset`"
    case "state", "update", "updated", "modified", "edited", "item", "change", "changed":
      return entity.map { "write `- changed: \($0)`" }
        ?? "write `- changed: Link`, with the name of an entity"
    case "create", "created", "add", "added", "new", "insert", "inserted":
      return entity.map { "write `- created: \($0)`" }
        ?? "write `- created: Link`, with the name of an entity"
    case "delete", "deleted", "remove", "removed":
      return "nothing starts when an item is deleted; \(kindsHelp)"
    case "folder", "path", "watch", "directory", "files", "filesystem":
      return "write `- file: ~/Downloads`"
    case "calendar", "event", "events", "meeting", "appointment": return eventHelp
    case "before", "deadline", "remind", "reminder":
      return "write `- due: Task`, with `before: 15m` beside it"
    case "push", "pull_request", "http", "workflow_dispatch", "url":
      return
        "write `- webhook: \(word.replacing("_", with: "-"))`: an address of `errand serve` to "
        + "which a program sends requests"
    case "boot", "startup", "reboot", "@reboot", "login", "homeassistant": return "write `- start`"
    case "wake", "wakeup", "unlock", "awake": return "write `- resume`"
    case "network", "internet", "connected", "wifi", "connection": return "write `- online`"
    case "disconnected": return "write `- offline`"
    default: return nil
    }
  }

  /// Advice on an entry of `on` that is a plain text.
  static func help(onBare text: String) -> String {
    if (try? CronPattern(text)) != nil { return "write `on: [{cron: '\(text)'}]`" }
    if TimeOfDay.second(text) != nil || SunTime(text) != nil {
      return "write `on: [{at: '\(text)'}]`"
    }
    if Recurrence(text) != nil || DurationValue(text: text) != nil {
      return "write `on: [{every: \(text.hasPrefix("every ") ? String(text.dropFirst(6)) : text)}]`"
    }
    return help(onKind: text) ?? kindsHelp
  }
}

import CEL
import Items
import Source
import YAML

/// Reads triggers that a clock or the sun sets off.
extension TriggerDefinition {
  /// Reads `every`: a length of time, days that recur as a text with their time beside it, or a mapping
  /// of both.
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
    // `3d` alone is a length of time like `6h`; months and years have none.
    let isLength = scalar.text.first?.isNumber == true && Period(scalar.text)?.months ?? 0 == 0
    if !isTimed, isLength { return .every(node) }
    if let days = Recurrence(scalar.text) { return schedule(days, &reader) }
    guard isTimed else { return .every(node) }
    collector.report(
      "invalid-value", "`every: \(scalar.text)` has no days, so it takes no `at`, `on` or `from`",
      at: scalar.span,
      help: "write days, such as `every: day`, `every: 3 days` or `every: monday`; "
        + "for a length of time take the others out")
    return nil
  }

  /// The number of units in a mapping of `every`, such as `days: 3`.
  private static func interval(_ reader: inout DefinitionReader) -> Recurrence? {
    let units = Recurrence.Unit.allCases.filter { reader.mentions(["\($0.rawValue)s"]) }
    guard let unit = units.first, units.count == 1 else {
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
      "invalid-value", "`\(unit.rawValue)s` must be from 1 to about ten years, and \(count) isn't",
      at: reader.mapping["\(unit.rawValue)s"]?.span ?? reader.span)
    return nil
  }

  /// Reads what stands beside days: which of them, from when they count, and the time.
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
          "invalid-value", "`from` must be a day, and `\(scalar.text)` isn't one", at: scalar.span,
          help: "write it as 2026-11-23")
      }
    }
    if let scalars = reader.scalars("on"), let rule = days {
      let text = scalars.map(\.text).joined(separator: ", ")
      days = rule.on(text)
      if days == nil, let span = reader.mapping["on"]?.span {
        collector.report(
          "invalid-value", "`on: \(text)` doesn't go with `\(rule.text)`", at: span,
          help: "weeks take days such as `on: [mon, thu]`, months take `on: 15`, `on: [1, 15]` or "
            + "`on: last`; a year begins to count `from` a day")
      }
    } else if start == nil, let rule = days {
      // A week begins on Monday and a month on its first day.
      days = rule.on(rule.unit == .week ? "monday" : "1") ?? rule
    }
    guard let time = reader.mapping["at"] == nil ? .clock(0) : time(&reader), let days else {
      return nil
    }
    return .days(DaySchedule(days, from: start ?? DaySchedule.epoch, at: time))
  }

  /// Reads `at`, and the `location` of a time that the sun tells.
  static func time(_ reader: inout DefinitionReader) -> DaySchedule.Time? {
    let collector = reader.collector
    guard let scalar = reader.scalar("at") else { return nil }
    if let second = TimeOfDay.second(scalar.text) { return .clock(second) }
    guard let sun = SunTime(scalar.text) else {
      collector.report(
        "invalid-value", "`\(scalar.text)` isn't a time of day", at: scalar.span,
        help: "write it as '08:00', 9am, sunrise or sunset - 30m")
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

  /// The days of the week that words name, which are reported where they name none.
  static func days(_ scalars: [Scalar], _ collector: DiagnosticCollector) -> Set<Int> {
    var days: Set<Int> = []
    for scalar in scalars {
      let text = scalar.text.lowercased()
      if let named = Recurrence.weekdays(named: text) {
        days.formUnion(named)
        continue
      }
      let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat", "weekdays", "weekend"]
      collector.report(
        "invalid-value", "`\(scalar.text)` isn't a day of the week", at: scalar.span,
        help: Int(text) == nil
          ? Suggestion.help(for: text, in: names) ?? "write one of \(names.joined(separator: ", "))"
          : "write `mon`; for a day of the month, `every: month` with `on: \(text)` beside it")
    }
    return days
  }

  /// A way to write what stands in the place of an entry of `on`.
  static func help(onBare text: String) -> String? {
    if (try? CronPattern(text)) != nil { return "write `on: [{cron: '\(text)'}]`" }
    if TimeOfDay.second(text) != nil || SunTime(text) != nil {
      return "write `on: [{at: '\(text)'}]`"
    }
    if Recurrence(text) != nil || Duration(text: text) != nil {
      return "write `on: [{every: \(text.hasPrefix("every ") ? String(text.dropFirst(6)) : text)}]`"
    }
    return nil
  }
}

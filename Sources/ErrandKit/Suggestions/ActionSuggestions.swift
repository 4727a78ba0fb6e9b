package import CEL
import Catalog
package import Engine
import Habits
import Items
import Program
import Source
import Store

/// Suggestions of actions for now, from the runs that the store keeps.
///
/// Nothing is learned in advance and nothing leaves the machine: each call reads the recorded runs.
package struct ActionSuggestions {
  /// An action that is suggested.
  package struct Entry: Sendable {
    package let name: String
    package let title: String
    /// Why, such as “you do this each Monday at about 9:00”.
    package let reason: String
    /// Its likelihood among all actions of the person at such a moment, from 0 to 1.
    package let likelihood: Double
    /// The automation that would do it; nil if it is not regular enough, or has to ask.
    package let automation: (name: String, text: String)?

    /// The entry for programs.
    package var value: Value {
      .record([
        "name": name, "title": title, "reason": reason, "likelihood": likelihood,
        "automation": automation?.name,
      ])
    }
  }

  private let run: Run
  private let dismissed: DismissedSuggestions?
  private let isOn: Bool

  /// The most changes that are read for the kinds of items.
  private static let changeLimit = 5_000

  /// - Parameter isOn: Whether the person lets Errand learn.
  package init(_ run: Run, places: Places?, isOn: Bool) {
    self.run = run
    self.isOn = isOn
    dismissed = places.map { DismissedSuggestions(in: $0.state) }
  }

  /// The suggestions of this moment, the most likely first; mostly none.
  ///
  /// - Complexity: O(names × recorded runs).
  package func entries(limit: Int = 3) throws -> [Entry] {
    guard isOn else { return [] }
    let now = run.host.now()
    let (deeds, item) = try deeds(until: now)
    let hidden = dismissed?.names() ?? []
    return try Habits(deeds).suggestions(at: minute(now), item: item, limit: deeds.count)
      .filter { !hidden.contains($0.name) }
      .compactMap(self.entry(of:)).prefix(limit).map { $0 }
  }

  /// The suggestion of an action at this moment.
  ///
  /// - Throws: `not-found`.
  package func entry(named name: String) throws -> Entry {
    guard let entry = try entries(limit: .max).first(where: { $0.name == name }) else {
      throw RunError(
        .notFound, "`\(name)` is not suggested now", help: "`errand suggest` shows what is")
    }
    return entry
  }

  /// Suggests an action never again.
  ///
  /// - Throws: `not-found` for an unknown action, `io`.
  package func dismiss(_ name: String) throws {
    guard run.workspace.catalog.place(ofAction: name) != nil else {
      throw RunError(
        .notFound, "there is no intent or shortcut `\(name)`",
        help: Suggestion.didYouMean(name, in: run.workspace.catalog.actionNames))
    }
    guard dismissed?.add(name) == true else {
      throw RunError(.io, "cannot save this: HOME is not set, or its state folder is read-only")
    }
  }

  // MARK: Reading

  /// The deeds of the person, and the kind of the item that changed last.
  private func deeds(until now: Timestamp) throws -> ([Deed], item: String?) {
    let store = try run.store()
    let runs = try store.runs.recorded(RunSelection(limit: Int(RunStore.kept))).reversed()
    let catalog = run.workspace.catalog
    let changes = try store.changes.entries(
      ChangeSelection(latestFirst: true, limit: Self.changeLimit)
    )
    .reversed().filter { !$0.entity.isEmpty }
    var next = changes.startIndex
    var last: (entity: String, time: Timestamp)?
    /// The kind of the item that was changed last before a moment, not by the run itself.
    func item(before moment: Timestamp, of id: String?) -> String? {
      while next < changes.endIndex, changes[next].time <= moment, changes[next].run != id {
        last = (changes[next].entity, changes[next].time)
        next += 1
      }
      guard let last, minute(moment).since(minute(last.time)) <= Habits.soon else { return nil }
      return last.entity
    }
    let deeds = runs.compactMap { recorded -> Deed? in
      let kind = item(before: recorded.started, of: recorded.id)
      // Jobs run queued definitions; automations are nobody's habit.
      guard recorded.state == .done, recorded.mode != "queued", recorded.started <= now,
        let place = catalog.place(ofAction: recorded.name),
        [.intent, .shortcut].contains(place.kind), [.builtIn, .user].contains(place.layer)
      else { return nil }
      return Deed(recorded.name, at: minute(recorded.started), item: kind)
    }
    return (deeds, item(before: now, of: nil))
  }

  private func minute(_ moment: Timestamp) -> LocalMinute {
    let time = run.host.clock.time(at: moment)
    return LocalMinute(day: time.date.daysSinceEpoch, minute: time.secondOfDay / 60)
  }

  private func entry(of suggestion: LikelyAction) throws -> Entry? {
    let catalog = run.workspace.catalog
    guard let action = try? catalog.action(suggestion.name),
      let access = try? run.workspace.capabilities(of: suggestion.name)
    else { return nil }
    // What reads the clipboard is of use only while something is there.
    if access.contains(where: { $0.kind == .clipboard }), (run.host.readClipboard() ?? "").isEmpty {
      return nil
    }
    let words = HabitWords(suggestion.reason) { name in
      ((try? catalog.action(name)) ?? nil)?.displayTitle ?? name
    }
    let asks = action.allParameters.contains { $0.isRequired }
    let name = suggestion.name + "-" + words.suffix
    let hasOne = catalog.automationNames.contains(name)
    if hasOne { return nil }
    return Entry(
      name: suggestion.name, title: action.displayTitle, reason: words.reason,
      likelihood: suggestion.likelihood,
      automation: suggestion.isRegular && !asks
        ? words.trigger.map { trigger in
          (
            name,
            """
            # Made from a habit: \(words.reason).
            automation: \(name)
            description: \(words.description).
            on:
              - \(trigger)
            steps:
              - run: \(suggestion.name)

            """
          )
        } : nil)
  }
}

/// A habit in words, and as the trigger of an automation.
private struct HabitWords {
  let reason: String
  /// The end of the automation's name.
  let suffix: String
  let description: String
  /// Nil for what follows another thing.
  let trigger: String?

  init(_ reason: LikelyAction.Reason, title: (String) -> String) {
    switch reason {
    case .after(let name):
      self.reason = "you often do this after “\(title(name))”"
      (suffix, description, trigger) = ("after-\(name)", "After “\(title(name))”", nil)
    case .time(let days, let minute):
      // People mean round times.
      let minute = min((minute + 2) / 5 * 5, 1435)
      let hour = "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
      let (words, name, rule): (String, String, String?) =
        switch days {
        case .everyDay: ("every day", "every-day", nil)
        case .workdays: ("from Monday to Friday", "on-weekdays", "weekdays")
        case .weekend: ("at the weekend", "at-the-weekend", "weekend")
        case .weekday(let day):
          Self.each(CalendarNames.days[(day + 1) % 7])
        }
      self.reason = "you do this \(words) at about \(hour)"
      suffix = name
      description = "\(words.prefix(1).uppercased())\(words.dropFirst()) at \(hour)"
      let days = rule.map { ", days: [\($0)]" } ?? ""
      trigger = "{at: '\(hour.count < 5 ? "0" : "")\(hour)'\(days)}"
    }
  }

  private static func each(_ day: String) -> (words: String, name: String, rule: String?) {
    ("each \(day)", "on-\(day.lowercased())", day.prefix(3).lowercased())
  }
}

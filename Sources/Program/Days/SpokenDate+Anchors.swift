import CEL
import Items

/// Days that hang on another one.
extension SpokenDate {
  /// Reads `tuesday next week`, `end of next month`, `the 1st of next month`, `a week from monday`,
  /// `tuesday in two weeks` or `friday the 4th of december`; nil for other words.
  func anchored(_ parts: [String]) -> CivilDate? {
    let parts = parts.flatMap(split)
    guard parts.count > 1, mayBeAnchored(parts) else { return nil }
    for cut in parts.indices.dropFirst() {
      let head = parts[..<cut].joined(separator: gap)
      let tail = parts[cut...].joined(separator: gap)
      let found =
        inWeek(head, tail) ?? inWeek(tail, head) ?? (isDense ? edge(tail, head) : edge(head, tail))
        ?? place(head, tail) ?? place(tail, head) ?? later(head, tail) ?? from(head, tail)
        ?? agreeing(head, tail) ?? agreeing(tail, head)
      if let found { return found }
    }
    return nil
  }

  /// Whether words have a unit, an end with a month, or a day of the week with a date; most have not.
  private func mayBeAnchored(_ parts: [String]) -> Bool {
    if isDense { return parts.contains { "週月年日末後".contains($0) } }
    let (words, dayWords) = (words, dayWords)
    if !parts.contains(where: { words.units[$0] != nil }) {
      let mark = parts.contains { dayWords.edges[$0] != nil || dayOfWeek($0) != nil }
      guard mark,
        parts.contains(where: { month($0) != nil || dayOfMonth($0, isPlaced: true) != nil })
          || parts.contains(where: { $0.contains("/") || $0.contains(".") || $0.contains("-") })
      else { return false }
    }
    return parts.allSatisfy(isOfTime)
  }

  /// `mid-december` in two words.
  private func split(_ word: String) -> [String] {
    guard let mark = dayWords.edges.keys.first(where: { $0.hasSuffix("-") && word.hasPrefix($0) })
    else { return [word] }
    return [mark, String(word.dropFirst(mark.count))]
  }

  /// The texts without the words that may stand around them.
  private func forms(_ text: String) -> [String] {
    var forms = [text]
    while let last = forms.last, let shorter = unplaced(last) { forms.append(shorter) }
    return forms
  }

  /// A week, month or year: its unit and distance from the present one; without a distance, the next one
  /// whose day is not over.
  private func stretch(named text: String) -> (unit: String, offset: Int?)? {
    for form in forms(text) {
      if let code = words.stretches[form]?.split(separator: " "), code.count == 2,
        ["w", "mo", "y"].contains(code[0])
      {
        return (String(code[0]), Int(code[1]))
      }
      if let unit = words.units[form], ["w", "mo", "y"].contains(unit) { return (unit, nil) }
    }
    return nil
  }

  /// The day that a stretch has; if it names no distance, the first that is not over.
  private func day(
    of stretch: (unit: String, offset: Int?), _ pick: (Reading) -> CivilDate?
  ) -> CivilDate? {
    func day(_ offset: Int) -> CivilDate? {
      self.stretch("\(stretch.unit) \(offset)").flatMap(pick)
    }
    return stretch.offset.map(day) ?? [0, 1].compactMap(day).first { $0 >= today }
  }

  private func dayOfWeek(named text: String) -> Int? {
    forms(text).lazy.compactMap { isDense ? dayOfWeek(dense: $0[...]) : dayOfWeek($0) }.first
  }

  private func inWeek(_ week: String, _ text: String) -> CivilDate? {
    guard let day = dayOfWeek(named: text), let week = stretch(named: week), week.unit == "w",
      week.offset != nil
    else { return nil }
    return self.day(of: week) { $0.first?.adding(days: (day + 6) % 7) }
  }

  private func edge(_ mark: String, _ text: String) -> CivilDate? {
    guard let code = forms(mark).lazy.compactMap({ dayWords.edges[$0] }).first else { return nil }
    func pick(_ days: Reading, isWeek: Bool = false) -> CivilDate? {
      switch code {
      case ".": days.last
      case "<": days.first
      default: days.first?.adding(days: isWeek ? 2 : 14)
      }
    }
    if let found = stretch(named: text) {
      guard code != "~" || found.unit != "y" else { return nil }
      return day(of: found) { pick($0, isWeek: found.unit == "w") }
    }
    guard let month = forms(text).lazy.compactMap({ month($0) }).first else { return nil }
    return (0...12).lazy.compactMap { self.stretch("mo \($0)") }
      .filter { $0.first?.month == month }.compactMap { pick($0) }.first { $0 >= today }
  }

  private func place(_ text: String, _ month: String) -> CivilDate? {
    guard let month = stretch(named: month), month.unit == "mo", let rule = rule(ofMonth: text)
    else {
      return nil
    }
    return day(of: month) { days in
      guard let first = days.first, let last = days.last else { return nil }
      return rule.next(after: first.adding(days: -1), from: first).flatMap { $0 > last ? nil : $0 }
    }
  }

  private func later(_ day: String, _ length: String) -> CivilDate? {
    guard let length = lengthFromNow(length), length.isOfDays else { return nil }
    return date(day).flatMap { self.day(length, after: $0) }
  }

  private func from(_ text: String, _ day: String) -> CivilDate? {
    guard !isDense, let length = length(text) ?? lengthFromNow(text), length.isOfDays else {
      return nil
    }
    if let days = words.days[day] { return self.day(length, after: today.adding(days: days)) }
    let mark = dayWords.from.keys.filter { day.hasPrefix($0 + " ") }.max { $0.count < $1.count }
    return mark.flatMap { date(String(day.dropFirst($0.count + 1))) }
      .flatMap { self.day(length, after: $0) }
  }

  private func agreeing(_ weekday: String, _ text: String) -> CivilDate? {
    guard let weekday = dayOfWeek(named: weekday) else { return nil }
    return forms(text).lazy.compactMap { form in
      isDense ? numbered(dense: form) : numbered(Self.tokens(form))
    }.first.flatMap { $0.dayOfWeek == weekday ? $0 : nil }
  }
}

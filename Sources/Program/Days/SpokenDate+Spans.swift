import CEL

/// Days and times from one to another.
extension SpokenDate {
  /// Reads two days or times and what lies between them, such as `from monday to friday`, `vom 3. bis 5.
  /// Dezember`, `friday from 3 to 5pm` or `12月3日から5日まで`; nil for other words.
  func span(_ parts: [String], looksBack: Bool) -> Reading? {
    let parts = parts.flatMap(splitAtDash)
    let (from, to) = (words.spanStarts.map(units), words.spanEnds.map(units))
    for place in parts.indices.dropFirst() {
      guard let mark = to.first(where: { parts[place...].starts(with: $0) }) else { continue }
      let after = parts[(place + mark.count)...]
      if after.isEmpty { continue }
      var before = parts[..<place]
      if let from = from.first(where: { before.starts(with: $0) }) {
        before = before.dropFirst(from.count)
      }
      // `ce soir à 20h` is one time, `de lundi à vendredi` two days.
      let isOneTime =
        !isDense && before.count == place && clock.isTime(parts[place...], isBesideDay: true)
      if !isOneTime, let found = span(from: before, to: after, looksBack) { return found }
      // `friday from 3 to 5pm`, `freitag 15–17 Uhr`
      for start in parts[..<place].indices {
        let own = from.first { parts[start..<place].starts(with: $0) }
        guard own != nil || mark == ["–"] && start == place - 1 else { continue }
        let hour = parts[(start + (own?.count ?? 0))..<place]
        if let found = hours(hour, after, besideDay: parts[..<start], isPlaced: own != nil) {
          return found
        }
      }
    }
    return nil
  }

  /// Reads `the next 3 days`, which begin today, or `die letzten zwei Wochen`, which end today; nil for
  /// other words.
  func stretch(ofLength text: String) -> Reading? {
    var isAhead: Bool?
    var counted = text
    if isDense {
      for (marks, ahead) in [(words.ahead, true), (words.past, false)] {
        guard let mark = marks.first(where: text.hasPrefix) else { continue }
        (isAhead, counted) = (ahead, String(text.dropFirst(mark.count)))
        if counted.hasPrefix("の") { counted.removeFirst() }
      }
    } else {
      let tokens = Self.tokens(text).filter { token in
        if words.next.contains(token) || words.ahead.contains(token) { isAhead = true }
        if words.past.contains(token) { isAhead = false }
        return !words.next.contains(token) && !words.ahead.contains(token)
          && !words.past.contains(token) && !dayWords.articles.contains(token)
          && !words.inWords.contains(token)
      }
      guard tokens.count > 1 else { return nil }
      counted = joined(tokens)
    }
    guard let isAhead, let length = length(counted), length.isOfDays,
      length.days >= 0, length.months >= 0, length.days + length.months > 0
    else { return nil }
    let (days, months) = (length.days, length.months)
    let first = isAhead ? today : today.adding(days: 1 - days, months: -months)
    let last = isAhead ? today.adding(days: days - 1, months: months) : today
    return Reading(day: last, first: first, last: last)
  }

  private func joined(_ parts: some Sequence<String>) -> String { parts.joined(separator: gap) }

  /// The parts of a word of spans, as texts are split.
  private func units(_ word: String) -> [String] {
    isDense ? word.map(String.init) : word.split(separator: " ").map(String.init)
  }

  /// `3.–5. Dezember` and `15:00-17:00` as three words; a date such as `2026-12-01` stays one.
  private func splitAtDash(_ word: String) -> [String] {
    if isDense { return words.spanEnds.contains(word) ? ["–"] : [word] }
    let sides = word.split(omittingEmptySubsequences: false) { "-–—".contains($0) }.map(String.init)
    guard sides.count == 2, sides.allSatisfy({ $0.isEmpty || $0.first?.isNumber ?? false }) else {
      return [word]
    }
    return [sides[0], "–", sides[1]].filter { !$0.isEmpty }
  }

  /// Two ends of which each names a day, or the second one only a time.
  private func span(
    from before: ArraySlice<String>, to after: ArraySlice<String>, _ looksBack: Bool
  ) -> Reading? {
    var last = end(after, looksBack)
    guard
      let first = last?.day.flatMap({ dayOfMonth(before, before: $0, named: after) })
        .map({ Reading(day: $0) }) ?? end(before, looksBack),
      let day = first.day
    else { return nil }
    if last == nil { last = dayOfMonth(after, after: day, named: before).map { Reading(day: $0) } }
    guard let last, let lastDay = last.day else { return nil }
    if last.isTimeOnly {
      guard let start = first.time, var end = last.time else { return nil }
      end.date = start.date
      return span(of: first, from: start, to: end)
    }
    if first.isTimeOnly {
      // `3pm to 5pm on friday`
      guard var start = first.time, let end = last.time else { return nil }
      start.date = lastDay
      return span(of: last, from: start, to: end)
    }
    guard lastDay < day else { return span(first, last) }
    return end(after, looksBack, seenFrom: day).flatMap { span(first, $0) }
  }

  private func span(_ first: Reading, _ last: Reading) -> Reading? {
    guard let start = first.day, let end = last.day, start <= end else { return nil }
    var span = Reading(first: start, last: end)
    span.isSpan = true
    span.timeOfDay = joined([first.timeOfDay, last.timeOfDay].filter { !$0.isEmpty })
    guard first.time != nil || last.time != nil else { return start < end ? span : nil }
    span.time = first.time ?? CivilTime(date: start)
    span.endTime = last.time ?? CivilTime(date: end.adding(days: 1))
    span.day = start
    return span
  }

  /// The hours of a day; an end that is not after the start is one of the night after it.
  private func span(of day: Reading, from start: CivilTime, to end: CivilTime) -> Reading {
    var (span, end) = (day, end)
    if end <= start { end.date = start.date.adding(days: 1) }
    if span.recurrence == nil {
      (span.day, span.first, span.last) = (start.date, start.date, start.date)
    }
    (span.time, span.endTime, span.isSpan) = (start, end, true)
    return span
  }

  /// The reading of the words of one end.
  private func end(
    _ parts: ArraySlice<String>, _ looksBack: Bool, seenFrom day: CivilDate? = nil
  ) -> Reading? {
    let now = day.map(zone.start) ?? instant
    guard let reader = SpokenDate(language.code, now: now, clock: zone, isWhole: true),
      let found = reader.single(Array(parts), looksBack: looksBack && day == nil),
      found.day != nil, found.first == found.last || found.first == nil, found.recurrence == nil,
      found.time != nil || found.timeOfDay.isEmpty
    else { return nil }
    return found
  }

  /// The number of a day without its month.
  private func dayOfMonth(_ parts: ArraySlice<String>) -> Int? {
    if isDense {
      let text = joined(parts)
      let number = (unplaced(text) ?? text)
      return number.hasSuffix("日") ? self.number(String(number.dropLast())) : nil
    }
    guard parts.dropLast().allSatisfy(words.before.contains) else { return nil }
    return parts.last.flatMap { dayOfMonth($0, isPlaced: true) }
  }

  /// Whether words name a month, or are the number of a day such as `3.`.
  private func hasMonth(_ parts: ArraySlice<String>) -> Bool {
    isDense
      ? parts.contains("月")
      : parts.contains {
        month($0) != nil || dayOfMonth($0, isPlaced: false) != nil
          || $0.split { "./-".contains($0) }.count > 1
      }
  }

  /// The first day of `3. bis 5. Dezember`.
  private func dayOfMonth(
    _ parts: ArraySlice<String>, before last: CivilDate, named: ArraySlice<String>
  ) -> CivilDate? {
    guard hasMonth(named), let number = dayOfMonth(parts) else { return nil }
    return (0...1).lazy.compactMap { self.day(number, monthOf: last, -$0) }.first { $0 <= last }
  }

  /// The last day of `12月3日から5日まで`.
  private func dayOfMonth(
    _ parts: ArraySlice<String>, after first: CivilDate, named: ArraySlice<String>
  ) -> CivilDate? {
    guard hasMonth(named), let number = dayOfMonth(parts) else { return nil }
    return (0...1).lazy.compactMap { self.day(number, monthOf: first, $0) }.first { $0 >= first }
  }

  private func day(_ number: Int, monthOf day: CivilDate, _ months: Int) -> CivilDate? {
    let start = CivilDate(year: day.year, month: day.month, day: 1)?.adding(months: months)
    return start.flatMap { CivilDate(year: $0.year, month: $0.month, day: number) }
  }

  /// The hours before and after a word for spans, beside the words of a day.
  private func hours(
    _ first: ArraySlice<String>, _ after: ArraySlice<String>, besideDay before: ArraySlice<String>,
    isPlaced: Bool
  ) -> Reading? {
    for cut in after.indices.reversed() {
      let last = after[...cut]
      let beside = before + after[(cut + 1)...]
      var day = Reading()
      if !beside.isEmpty {
        guard let found = single(Array(beside), looksBack: false), found.timeOfDay.isEmpty,
          found.first == found.last
        else { continue }
        day = found
      }
      let isMarked = clock.isTime(first, isBesideDay: true) || clock.isTime(last, isBesideDay: true)
      guard isMarked || isPlaced && !beside.isEmpty,
        let end = time(last, on: day.day ?? today.adding(days: 1))
      else { continue }
      // `8 to 10pm` begins in the evening, too.
      let mark = last.dropFirst().map { $0 } + [String((last.first ?? "").drop { !$0.isLetter })]
      let starts = [first + mark.filter { !$0.isEmpty }, first]
        .compactMap { time($0, on: end.date) }
      guard var start = starts.first(where: { $0 < end }) ?? starts.last else { continue }
      if day.day == nil, day.recurrence == nil {
        // Hours that are over are those of tomorrow.
        var begin = start
        begin.date = today
        start.date = begin < now ? today.adding(days: 1) : today
        day.isTimeOnly = true
      }
      if day.timeOfDay.isEmpty { day.timeOfDay = joined(first + [words.spanEnds[0]] + last) }
      var until = end
      until.date = start.date
      return span(of: day, from: start, to: until)
    }
    return nil
  }

  private func time(_ parts: ArraySlice<String>, on day: CivilDate) -> CivilTime? {
    clock.time(joined(parts), isDense: isDense, on: day, now: now)
  }
}

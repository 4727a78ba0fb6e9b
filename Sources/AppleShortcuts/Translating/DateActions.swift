import CEL

/// Dates and times.
enum DateActions {
  static let rows: [ActionRow] = [
    ActionRow("date") { t, a in
      guard a.choice("WFDateActionMode", "Current Date") == "Specified Date" else {
        t.give(.cel("now()", .date), a, name: "date")
        return
      }
      t.give(t.text(a, "WFDateActionDate").asDate, a, name: "date")
    },
    ActionRow("detect.date", "one date of each text") { t, a in
      let input = t.contents(t.given(a, "WFInput"))
      t.give(input.asDate, a, name: "date")
    },
    ActionRow("format.date") { t, a in
      let input = t.contents(t.given(a, "WFDate", "WFInput"))
      if case .map(let styles) = value(of: a.parameters),
        a.choice("WFDateFormatStyle", "Short") == "Custom",
        let pattern = t.value(styles["WFDateFormat"])?.asText,
        t.table.simplified(pattern).literal == nil
      {
        t.give(.cel("\(input.asDate).format(\(pattern))", .text), a, name: "text")
        return
      }
      t.give(formatted(input, style: a.parameters) ?? input.asText, a, name: "text")
    },
    ActionRow(deciding: "adjustdate", "units that are not known") { t, a in
      let date = t.contents(t.given(a, "WFDate", "WFInput")).asDate
      guard let adjusted = adjusted(date, a, &t) else {
        return .notHere("this way to adjust a date")
      }
      t.give(adjusted, a, name: "date")
      return .translated
    },
    ActionRow(deciding: "gettimebetweendates", "units that are not known") { t, a in
      let end = t.contents(t.given(a, "WFInput")).asDate
      var start: Code = .cel("now()", .date)
      for key in ["WFTimeUntilFromDate", "WFTimeUntilCustomDate"] where a.parameters[key] != nil {
        start = (t.value(a.parameters[key]) ?? start).asDate
        break
      }
      let span: Code = .cel("(\(end) - \(start))", .any)
      let unit = a.choice("WFTimeUntilUnit", "Minutes")
      let result: Code
      switch unit {
      case "Seconds": result = .cel("\(span).getSeconds()", .integer)
      case "Minutes": result = .cel("\(span).getMinutes()", .integer)
      case "Hours": result = .cel("\(span).getHours()", .integer)
      case "Days": result = .cel("\(span).getHours() / 24", .integer)
      case "Weeks": result = .cel("\(span).getHours() / 168", .integer)
      case "Months": result = .cel("monthsBetween(\(start), \(end))", .integer)
      case "Years": result = .cel("monthsBetween(\(start), \(end)) / 12", .integer)
      case "Total Time": result = .cel("\(span).format()", .text)
      case let other: return .notHere("the time in \(other)")
      }
      t.give(result, a, name: "time")
      return .translated
    },
  ]

  private static func value(of parameters: MapValue) -> Value { .map(parameters) }

  /// A date as text, in the styles of Apple's app.
  static func formatted(_ input: Code, style: MapValue) -> Code? {
    func word(_ key: String, _ standard: String) -> String {
      if case .string(let text)? = style[key], !text.isEmpty { text } else { standard }
    }
    let date = input.asDate
    let standard =
      style["WFDateFormat"] != nil && style["WFDateFormatStyle"] == nil ? "Custom" : "Short"
    let day = word("WFDateFormatStyle", standard)
    let time = word("WFTimeFormatStyle", "Short")
    switch day {
    case "Custom":
      var pattern = word("WFDateFormat", "")
      if case .map(let map)? = style["WFDateFormat"], case .map(let inner)? = map["Value"],
        case .string(let text)? = inner["string"]
      {
        pattern = text
      }
      pattern = String(String.UnicodeScalarView(pattern.unicodeScalars.filter { $0 != "\u{200B}" }))
      if pattern.count(where: { $0 == "'" }) % 2 == 1 { pattern += "'" }
      if pattern.isEmpty { return input.asText }
      return weekYears(pattern).map { part in
        // A year of weeks, which begin on Sunday, is that of the Saturday.
        part.isYear
          ? .cel("\(date).addDays(6 - \(date).getDayOfWeek()).format(\(.text(part.text)))", .text)
          : .cel("\(date).format(\(.text(part.text)))", .text)
      }.joinedText
    case "ISO 8601":
      let hasTime = if case .bool(true)? = style["WFISO8601IncludeTime"] { true } else { false }
      return .cel(
        "\(date).format(\(.text(hasTime ? "yyyy-MM-dd'T'HH:mm:ssXXX" : "yyyy-MM-dd")))", .text)
    case "RFC 2822": return .cel("\(date).format(\"EEE, dd MMM yyyy HH:mm:ss Z\")", .text)
    case "Relative", "How Long Ago/Until": return .cel("\(date).relative()", .text)
    default: break
    }
    let days = [
      "Short": "M/d/yy", "Medium": "MMM d, yyyy", "Long": "MMMM d, yyyy",
      "Full": "EEEE, MMMM d, yyyy",
    ]
    let times = [
      "Short": "h:mm a", "Medium": "h:mm:ss a", "Long": "h:mm:ss a z", "Full": "h:mm:ss a zzzz",
    ]
    let between = day == "Short" ? ", " : " 'at' "
    let pattern: String
    switch (days[day], times[time]) {
    case (let day?, let time?): pattern = day + between + time
    case (let day?, nil): pattern = day
    case (nil, let time?): pattern = time
    case (nil, nil): return .text("")
    }
    return .cel("\(date).format(\(.text(pattern)))", .text)
  }

  /// The parts of a pattern with years of weeks, and without.
  private static func weekYears(_ pattern: String) -> [(text: String, isYear: Bool)] {
    var parts: [(text: String, isYear: Bool)] = []
    var isQuoted = false
    for letter in pattern {
      if letter == "'" { isQuoted.toggle() }
      let isYear = letter == "Y" && !isQuoted
      let written = isYear ? "y" : String(letter)
      if let last = parts.last, last.isYear == isYear {
        parts[parts.count - 1].text += written
      } else {
        parts.append((written, isYear))
      }
    }
    return parts
  }

  /// The date after the adjustment of the action.
  private static func adjusted(_ date: Code, _ a: ActionTree.Action, _ t: inout Translation)
    -> Code?
  {
    var operation = a.choice("WFAdjustOperation", "Add")
    for word in ["Minute", "Hour", "Day", "Week", "Month", "Year"]
    where operation == "Get Start of \(word)" {
      return .cel("\(date).startOf(\(.text(word.lowercased())))", .date)
    }
    var quantity = a.parameters["WFDuration"] ?? a.parameters["WFAdjustOffsetPicker"]
    if case .map(let map)? = quantity, let inner = map["Value"], map["Unit"] == nil {
      quantity = inner
    }
    guard case .map(let map)? = quantity else { return nil }
    if case .string(let given)? = map["Operation"], a.parameters["WFDuration"] == nil {
      operation = given
    }
    guard let (unit, count) = unit(map, &t) else { return nil }
    var amount = t.table.simplified(count.asWhole)
    if operation.hasPrefix("Subtract") {
      if case .int(let number) = amount {
        amount = .int(-number)
      } else {
        amount = .cel("-\(amount)", .integer)
      }
    } else if operation != "Add" {
      return nil
    }
    switch unit {
    case "days": return .cel("\(date).addDays(\(amount))", .date)
    case "weeks": return .cel("\(date).addWeeks(\(amount))", .date)
    case "months": return .cel("\(date).addMonths(\(amount))", .date)
    case "years": return .cel("\(date).addYears(\(amount))", .date)
    default: return .cel("\(date) + \(raw: unit)(\(amount))", .date)
    }
  }

  private static func unit(_ map: MapValue, _ t: inout Translation) -> (String, Code)? {
    guard case .string(let word)? = map["Unit"],
      let count = t.value(map["Magnitude"] ?? map["Value"])
    else { return nil }
    switch word.lowercased() {
    case "sec", "s", "seconds", "second": return ("seconds", count)
    case "min", "minutes", "minute": return ("minutes", count)
    case "hr", "h", "hours", "hour": return ("hours", count)
    case "days", "day": return ("days", count)
    case "weeks", "week": return ("weeks", count)
    case "months", "month": return ("months", count)
    case "yr", "years", "year": return ("years", count)
    default: return nil
    }
  }

  /// A duration.
  static func duration(_ value: Value?, _ t: inout Translation) -> Code? {
    var value = value
    if case .map(let map)? = value, let inner = map["Value"], map["Unit"] == nil { value = inner }
    guard case .map(let map)? = value, let (unit, count) = unit(map, &t) else { return nil }
    switch unit {
    case "months": return .cel("days(30 * \(count.asWhole))", .any)
    case "years": return .cel("days(365 * \(count.asWhole))", .any)
    default: return .cel("\(raw: unit)(\(count.asWhole))", .any)
    }
  }
}

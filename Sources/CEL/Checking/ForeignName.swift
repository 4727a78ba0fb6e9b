/// Suggestions for names that other languages use.
enum ForeignName {
  /// Suggests the CEL form of another language's method; nil if unknown.
  static func method(
    _ name: String, on receiver: Expression, type: CELType, arguments: [Expression]
  ) -> String? {
    let whole = receiver.description
    let text = Checker.operandText(receiver)
    let first = arguments.first.map(\.description) ?? "…"
    let rest = arguments.map(\.description).joined(separator: ", ")
    if let here = ForeignSpelling.method(name) { return "write `\(text).\(here)(\(rest))`" }
    if let here = ForeignSpelling.letterCase(name) {
      return "write `\(text).changeCase(\"\(here)\")`"
    }
    switch name.lowercased() {
    case "find" where type == .string, "index" where type == .string,
      "search" where type == .string:
      return "write `\(text).indexOf(\(first))`"
    case "take", "limit": return "write `\(text).slice(0, \(first))`"
    case "drop", "skip":
      return "write `\(text).slice(\(first), size(\(whole)))`"
    case "left" where type == .string: return "write `\(text).substring(0, \(first))`"
    case "right" where type == .string:
      return "write `\(text).substring(size(\(whole)) - \(first))`"
    case "endof" where arguments.count == 1:
      let unit = first.filter(\.isLetter)
      let add = unit == "year" ? "addMonths(12)" : unit == "week" ? "addDays(7)" : "addMonths(1)"
      return "write `\(text).startOf(\(first)).\(add).addDays(-1)`"
    case "isweekend": return "write `\(text).getDayOfWeek() in [0, 6]`"
    case "subtract", "minus": return "write `\(text) - \(first)`"
    case "plus": return "write `\(text) + \(first)`"
    case "diff", "diffindays", "daysbetween", "difference":
      return "write `\(text).daysUntil(\(first))`"
    case "pluck", "mapby":
      return "write `\(text).map(x, x.\(first.filter { $0 != "\"" }))`"
    case "partition": return "write `\(text).split(\(first), 2)`"
    case "before", "isbefore": return "write `\(text) < \(first)`"
    case "after", "isafter": return "write `\(text) > \(first)`"
    case "timestamp" where arguments.isEmpty && type != .string:
      return "write `int(\(whole))`, in seconds since 1970"
    case "select" where arguments.count == 2: return "write `\(text).filter(\(rest))`"
    case "count" where arguments.count == 1 && !first.contains("x"):
      return "write `size(\(text).filter(x, x == \(first)))`"
    case "count" where !arguments.isEmpty:
      return "write `size(\(text).filter(\(predicate(arguments))))`"
    case "length", "len", "count": return "write `size(\(whole))`"
    case "isempty", "empty": return "write `size(\(whole)) == 0`"
    case "isnull", "isnil", "isnone": return "write `\(text) == null`"
    case "includes", "contains", "has":
      if case .list = type { return "write `\(first) in \(text)`" }
      if case .map = type { return "write `\(first) in \(text)`" }
      return "write `\(text).contains(\(first))`"
    case "tostring", "string", "str": return "write `string(\(whole))`"
    case "toint", "int": return "write `int(\(whole))`"
    case "items", "entries", "iteritems":
      return "write `\(text).map(k, …)` for its keys, and `\(text)[k]` for their values"
    case "title", "titlecase", "totitlecase": return "write `\(text).changeCase(\"title\")`"
    case "capitalize", "capitalized", "ucfirst": return "write `\(text).changeCase(\"sentence\")`"
    case "strftime", "tolocaledatestring", "todatestring", "toformat", "strptime":
      return "write `\(text).format(\"\(pattern(arguments.first))\")`"
    case "isoformat", "toisostring", "toiso": return "write `string(\(whole))`"
    case "join":
      if case .list(let element) = type, element != .string {
        return "write `\(text).map(x, string(x)).join(\(rest))`"
      }
      return nil
    case "lstrip", "rstrip", "trimstart", "trimend", "trimleft", "trimright", "chomp":
      return "write `\(text).trim()`"
    case "slice" where arguments.count == 1, "substr" where arguments.count == 1:
      let isText = type == .string
      let start = fromEnd(first, of: whole)
      return isText
        ? "write `\(text).substring(\(start))`"
        : "write `\(text).slice(\(start), size(\(whole)))`"
    case "slice", "substr", "substring":
      if case .list = type { return "write `\(text).slice(\(rest))`" }
      return "write `\(text).substring(\(rest))`"
    case "at", "get", "nth", "elementat", "dig", "fetch":
      return arguments.count > 1
        ? "write `\(text)[?\(first)].orValue(\(arguments[1]))`"
        : "write `\(text)[\(fromEnd(first, of: whole))]`"
    case "getweek", "week", "weeknumber", "isoweek": return "write `\(text).format(\"w\")`"
    case "tolocalestring" where type == .timestamp: return "write `string(\(whole))`"
    case "tolocalestring": return "write `formatNumber(\(whole), 2)`"
    case "tofixed":
      let number = type == .string ? "double(\(whole))" : text
      return "write `formatNumber(\(number), \(arguments.isEmpty ? "0" : first))`"
    case "round", "abs", "floor", "ceil": return "write `math.\(name.lowercased())(\(whole))`"
    case "padstart", "rjust", "zfill":
      let isZero = name.lowercased() == "zfill" || rest.hasSuffix("\"0\"")
      let width = "\(isZero ? "%0" : "%")\(Int(first) == nil ? "5" : first)"
      let number = type == .string ? "int(\(whole))" : text
      return "write `\"\(width)\(isZero ? "d" : "s")\".format([\(isZero ? number : text)])`"
    case "isdigit", "isnumeric", "isdecimal": return "write `\(text).matches(\"^[0-9]+$\")`"
    case "isalpha": return "write `\(text).matches(\"^[a-zA-Z]+$\")`"
    case "repeat": return "write `lists.range(\(first)).map(i, \(text)).join(\"\")`"
    case "tojson", "stringify": return "write `toJson(\(whole))`"
    case "json": return "write `parseJson(\(whole))`"
    case "year", "getfullyear", "getyear": return "write `\(text).getFullYear()`"
    case "month": return "write `\(text).getMonth() + 1`"
    case "day", "getdate": return "write `\(text).getDate()`"
    case "getdays", "days", "indays", "totaldays":
      // Whole days of the calendar, also across a change of the clocks.
      if type == .duration, case .binary(.subtract, let last, let first) = receiver.kind {
        return "write `\(Checker.operandText(first)).daysUntil(\(last))`"
      }
      return type == .duration ? "write `\(text).getHours() / 24`" : nil
    case "gettime", "valueof", "epoch", "unix", "totimestamp":
      return "write `int(\(whole))`, in seconds since 1970"
    case "weekday", "getday", "dayofweek", "isoweekday":
      return "write `\(text).getDayOfWeek()`, which is 0 on Sunday"
    case "hour": return "write `\(text).getHours()`"
    case "minute": return "write `\(text).getMinutes()`"
    case "date": return "write `date(\(whole))`"
    case "total": return "write `\(text).sum()`"
    case "average", "mean": return "write `\(text).avg()`"
    case "pop", "shift": return "write `\(text).\(name.lowercased() == "pop" ? "last" : "first")()`"
    case "indexby", "countby": return "write `\(text).groupBy(x, …)`"
    case "inject", "fold": return "write `\(text).reduce(a, x, a + x)`"
    case "tofloat", "todouble", "double": return "write `double(\(whole))`"
    case "push", "append", "add": return "write `\(text) + [\(first)]`"
    case "concat": return "write `\(text) + \(first)`"
    case "keys": return "write `\(text).map(k, k)`"
    case "values": return "write `\(text).transformList(k, v, v)`"
    case "foreach", "select", "collect", "each":
      return "write `\(text).map(x, …)`, which returns a list of the results"
    case "any", "some": return "write `\(text).exists(\(predicate(arguments)))`"
    case "every": return "write `\(text).all(\(predicate(arguments)))`"
    case "find", "detect": return "write `\(text).filter(\(predicate(arguments)))[0]`"
    case "where": return "write `\(text).filter(\(predicate(arguments)))`"
    case "sorted" where arguments.isEmpty, "order" where arguments.isEmpty,
      "orderby" where arguments.isEmpty:
      return "write `\(text).sort()`"
    case "orderby", "sorted", "sortedby", "sort":
      return "write `\(text).sortBy(\(predicate(arguments)))`"
    default: return nil
    }
  }

  /// The position in a list or a text, also for one that counts from its end, such as `-1`.
  static func fromEnd(_ position: String, of whole: String) -> String {
    position.hasPrefix("-") ? "size(\(whole)) - \(position.dropFirst())" : position
  }

  /// Suggests the form of a macro for arguments in the form of another language; nil if the name is
  /// none of a macro.
  static func macro(_ name: String, on list: String, _ arguments: [Expression]) -> String? {
    guard
      ["map", "filter", "all", "exists", "exists_one", "sortBy", "groupBy", "reduce"].contains(name)
    else { return nil }
    if name == "reduce" {
      // A fourth argument is the start in other languages.
      let isWhole = arguments.count == 4 && arguments.prefix(2).allSatisfy(\.isPath)
      let inner =
        isWhole ? arguments.prefix(3).map(\.description).joined(separator: ", ") : "a, x, a + x"
      return "write `\(list).reduce(\(inner))`, which begins with the first element"
    }
    let inner: String
    switch (arguments.count, arguments.first?.kind) {
    case (1, .literal(.string(let field))): inner = "x, x.\(field)"
    case (1, .identifier(let field, isRooted: false)): inner = "x, \(applied(field))"
    case (1, .select(let operand, _, _)):
      guard case .identifier(let name, _) = operand.kind else { fallthrough }
      inner = "\(name), \(arguments[0])"
    default: inner = "x, …"
    }
    return "write `\(list).\(name)(\(inner))`"
  }

  /// A function named alone, as in `map(trim)`, applied to `x`; a field of it for another name.
  private static func applied(_ name: String) -> String {
    switch name {
    case "trim", "strip": "x.trim()"
    case "size", "len", "length": "size(x)"
    case "str", "string", "String": "string(x)"
    case "int", "parseInt": "int(x)"
    case "float", "double", "Number", "parseFloat": "double(x)"
    default: ForeignSpelling.letterCase(name).map { "x.changeCase(\"\($0)\")" } ?? "x.\(name)"
    }
  }

  /// Suggests a form that a function has here, for a number of arguments that it does not take; nil if
  /// unknown.
  static func usage(_ name: String, _ arguments: [Expression]) -> String? {
    let texts = arguments.map(\.description)
    if ["sum", "avg", "max", "min", "first", "last"].contains(name), arguments.count == 2,
      texts[0] != "math", case .literal(.string(let field)) = arguments[1].kind
    {
      return "write `\(texts[0]).map(x, x.\(field)).\(name)()`"
    }
    switch (name, arguments.count) {
    case ("split", 1): return "write `\(texts[0]).split(\" \")`, or `\(texts[0]).words()`"
    case ("sum", 3), ("avg", 3), ("max", 3), ("min", 3):
      return "write `\(texts[0]).map(\(texts[1]), \(texts[2])).\(name)()`"
    case ("random", 1...2):
      let bounds = arguments.count == 1 ? ["0"] + texts : texts
      guard let first = Int(bounds[0]), let last = Int(bounds[1]) else {
        let numbers = "lists.range(\(bounds[1]) - \(bounds[0]) + 1)"
        return "write `random(\(numbers).map(i, i + \(bounds[0])))`"
      }
      let (count, overflow) = last.subtractingReportingOverflow(first)
      guard !overflow, (0..<1_000_000).contains(count) else { return nil }
      let range = "random(lists.range(\(arguments.count == 1 ? count : count + 1)))"
      return "write `\(range)\(first == 0 ? "" : " + \(first)")`"
    case ("math.round", 2), ("math.floor", 2), ("math.ceil", 2):
      let text = "write `formatNumber(\(texts[0]), \(texts[1]))` for a text with so many digits"
      guard let places = Int(texts[1]), (1...9).contains(places) else { return text }
      let factor = "1" + String(repeating: "0", count: places) + ".0"
      return "write `\(name)(\(texts[0]) * \(factor)) / \(factor)`, or as a text "
        + "`formatNumber(\(texts[0]), \(texts[1]))`"
    case ("min", 2) where texts[0] == "math", ("max", 2) where texts[0] == "math",
      ("sum", 2) where texts[0] == "math", ("mean", 2) where texts[0] == "math":
      return "write `\(texts[1]).\(name == "mean" ? "avg" : name)()`"
    case ("min", 3...) where texts[0] == "math", ("max", 3...) where texts[0] == "math":
      let rest = texts.dropFirst().joined(separator: ", ")
      return "write `math.\(name == "min" ? "least" : "greatest")(\(rest))`"
    case ("hours", 1), ("days", 1), ("minutes", 1):
      guard case .literal(.double(let length)) = arguments[0].kind else { return nil }
      let (unit, factor) =
        name == "days"
        ? ("hours", 24.0)
        : name == "hours"
          ? ("minutes", 60.0)
          : ("seconds", 60.0)
      return Int(exactly: length * factor).map { "write `\(unit)(\($0))`" }
    case ("add", 2):
      guard case .literal(.int(let days)) = arguments[1].kind else { return nil }
      return "write `\(texts[0]).addDays(\(days))`"
    case ("sort", 3): return "write `\(texts[0]).sortBy(\(texts[1]), \(texts[2]))`"
    case ("date", 3):
      let day = zip(texts, [4, 2, 2]).map { text, width in
        String(repeating: "0", count: max(0, width - text.count)) + text
      }
      return CivilDate(iso8601: day.joined(separator: "-")) == nil
        ? nil : "write `date(\"\(day.joined(separator: "-"))\")`"
    default: return nil
    }
  }

  /// Suggests the form here of a function in a module of another language; nil if unknown.
  static func function(_ name: String, of module: String, _ arguments: [Expression]) -> String? {
    let list = arguments.map(\.description).joined(separator: ", ")
    switch module {
    case "Math":
      let names = ["max": "math.greatest", "min": "math.least", "pow": "pow", "random": "random"]
      return "write `\(names[name] ?? "math." + name)(\(list))`"
    case "JSON", "json":
      return
        "write `\(["parse", "loads", "load"].contains(name) ? "parseJson" : "toJson")(\(list))`"
    case "datetime", "Date", "time", "moment", "dayjs":
      return "write `now()`, or `today()` for the day"
    case "re" where arguments.count == 3 && name == "sub":
      return "write `regex.replace(\(arguments[2]), \(arguments[0]), \(arguments[1]))`"
    case "re" where arguments.count == 2 && ["match", "search", "fullmatch"].contains(name):
      return "write `\(arguments[1]).matches(\(arguments[0]))`"
    case "Array" where name == "from" && arguments.count == 1:
      if case .map(let entries) = arguments[0].kind, entries.count == 1 {
        return "write `lists.range(\(entries[0].value))`"
      }
      return "write `\(list)`"
    case "Object", "Array", "String", "Number", "re", "os": return function(name, arguments)
    default: return nil
    }
  }

  /// Suggests the CEL form of another language's value; nil if unknown.
  static func value(_ name: String) -> String? {
    switch name {
    case "None", "nil", "undefined", "NULL", "Null", "none": "write `null`"
    case "True", "TRUE", "yes", "Yes", "on", "On": "write `true`"
    case "False", "FALSE", "no", "No", "off", "Off": "write `false`"
    case "Math": "write `math.` before the name, as in `math.round(x)`"
    case "JSON": "write `parseJson(text)` or `toJson(value)`"
    case "datetime", "Date", "time", "moment", "dayjs":
      "write `now()` for the time, `today()` for the day"
    case "os", "process": "write `env(\"NAME\")`"
    case "Object": "write `map.keys()` or `map.values()`"
    case "re": "write `text.matches(\"…\")`"
    case "clipboard", "Clipboard", "pasteboard":
      "a step reads it: write `- paste: {}` with `as: copied` before it, and use `copied`"
    default: nil
    }
  }

  /// The name of a function of texts.
  static func hash(_ name: String) -> String {
    switch name {
    case "slugify": "slug"
    case "urlencode", "quote", "encodeuricomponent": "urlEncode"
    default: name
    }
  }

  /// The date pattern here for one of `strftime`.
  static func pattern(_ argument: Expression?) -> String {
    guard case .literal(.string(let text))? = argument?.kind, text.contains("%") else {
      return "yyyy-MM-dd"
    }
    let letters: [(String, String)] = [
      ("%Y", "yyyy"), ("%m", "MM"), ("%d", "dd"), ("%H", "HH"), ("%M", "mm"), ("%S", "ss"),
      ("%y", "yy"), ("%B", "MMMM"), ("%b", "MMM"), ("%A", "EEEE"), ("%a", "EEE"), ("%I", "hh"),
      ("%p", "a"), ("%j", "DDD"), ("%F", "yyyy-MM-dd"), ("%T", "HH:mm:ss"), ("%-d", "d"),
    ]
    return letters.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// Returns the arguments in a macro's form: a variable and a predicate.
  static func predicate(_ arguments: [Expression]) -> String {
    arguments.count == 2 ? "\(arguments[0]), \(arguments[1])" : "x, …"
  }
}

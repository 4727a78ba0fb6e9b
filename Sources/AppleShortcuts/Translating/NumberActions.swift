import CEL

/// Numbers, measurements and chance.
enum NumberActions {
  static let rows: [ActionRow] = [
    ActionRow("number") { t, a in
      let code = t.value(a.parameters["WFNumberActionNumber"]) ?? .int(0)
      if case .int = t.table.simplified(code.asWhole), code.literal?.contains(".") != true {
        t.give(t.table.simplified(code.asWhole), a, name: "number")
      } else {
        t.give(t.contents(code).asNumber, a, name: "number")
      }
    },
    ActionRow("detect.number") { t, a in
      t.give(t.contents(t.given(a, "WFInput")).asNumber, a, name: "number")
    },
    ActionRow(deciding: "math", "operations that are not known") { t, a in
      let input = t.contents(t.given(a, "WFInput")).asNumber
      guard let result = calculated(input, a, &t) else {
        return .notHere(
          "the operation \(a.choice("WFScientificMathOperation", a.choice("WFMathOperation", "")))")
      }
      t.give(result, a, name: "result")
      return .translated
    },
    ActionRow("calculateexpression") { t, a in
      t.give(.cel("calculate(\(t.givenText(a, "Input", "WFInput")))", .number), a, name: "result")
    },
    ActionRow("round") { t, a in
      let input = t.contents(t.given(a, "WFInput")).asNumber
      let call =
        ["Always Round Up": "ceil", "Always Round Down": "floor"][a.choice("WFRoundMode", "")]
        ?? "round"
      var places =
        [
          "Tenths": 1, "Hundredths": 2, "Thousandths": 3, "Ten Thousandths": 4,
          "Hundred Thousandths": 5, "Millionths": 6, "Tens Place": -1, "Hundreds Place": -2,
          "Thousands": -3, "Ten Thousands": -4, "Hundred Thousands": -5, "Millions": -6,
        ][a.choice("WFRoundTo", a.choice("WFRoundType", "Ones Place"))] ?? 0
      if a.choice("WFRoundType", "") == "Right of Decimal"
        || a.choice("WFRoundTo", "") == "Right of Decimal"
      {
        places =
          a.word("WFRoundDecimalPlaces").flatMap(Double.init)
          .flatMap { Int(exactly: $0.rounded()) } ?? 0
      }
      if places == 0 {
        t.give(.cel("math.\(raw: call)(\(input))", .number), a, name: "rounded")
        return
      }
      let power = Double("1e\(min(max(places.magnitude, 1), 15))") ?? 1
      t.give(
        places > 0
          ? .cel("math.\(raw: call)(\(input) * \(.number(power))) / \(.number(power))", .number)
          : .cel("math.\(raw: call)(\(input) / \(.number(power))) * \(.number(power))", .number), a,
        name: "rounded")
    },
    ActionRow("number.random") { t, a in
      let low = t.number(a, "WFRandomNumberMinimum", 0)
      let high = t.number(a, "WFRandomNumberMaximum", 100)
      t.give(
        .cel("math.floor(\(low) + random() * (\(high) - \(low) + 1.0))", .number), a, name: "number"
      )
    },
    ActionRow("format.number") { t, a in
      let places = t.whole(a, "WFNumberFormatDecimalPlaces", 2)
      let number = t.contents(t.given(a, "WFNumber", "WFInput"))
      t.give(.cel("formatNumber(\(number.asNumber), \(places))", .text), a, name: "text")
    },
    ActionRow("format.filesize") { t, a in
      let size = t.given(a, "WFFileSize", "WFInput")
      t.give(.cel("formatSize(\(size.asNumber))", .text), a, name: "size")
    },
    ActionRow(deciding: "statistics", "statistics that are not known") { t, a in
      let input = t.given(a, "Input", "WFInput")
      let numbers: Code = .cel("\(input.asList).map(n, toNumber(n))", .list)
      switch a.choice("WFStatisticsOperation", "Average") {
      case "Average": t.give(.cel("\(numbers).avg()", .any), a, name: "average")
      case "Minimum": t.give(.cel("\(numbers).min()", .any), a, name: "minimum")
      case "Maximum": t.give(.cel("\(numbers).max()", .any), a, name: "maximum")
      case "Sum": t.give(.cel("\(numbers).sum()", .any), a, name: "sum")
      case "Median": t.give(.cel("\(numbers).median()", .any), a, name: "median")
      case "Mode": t.give(.cel("\(numbers).mode()", .any), a, name: "mode")
      case "Range": t.give(.cel("\(numbers).spread()", .any), a, name: "range")
      case "Standard Deviation": t.give(.cel("\(numbers).deviation()", .any), a, name: "deviation")
      case let other: return .notHere("the statistic \(other)")
      }
      return .translated
    },
    ActionRow("measurement.create") { t, a in
      t.give(t.value(a.parameters["WFMeasurementUnit"]) ?? .text(""), a, name: "measurement")
    },
    ActionRow(deciding: "measurement.convert", "units that are not known") { t, a in
      let input = t.givenText(a, "WFInput")
      guard case .map(let unit)? = a.parameters["WFMeasurementUnit"],
        case .string(let symbol)? = unit["WFNSUnitSymbol"] ?? unit["Unit"]
      else { return .notHere("a unit that is not named") }
      t.give(.cel("convertUnit(\(input), \(.text(symbol)))", .text), a, name: "measurement")
      return .translated
    },
  ]

  private static func calculated(
    _ input: Code, _ a: ActionTree.Action, _ t: inout Translation
  ) -> Code? {
    let operand = t.number(a, "WFMathOperand", 0)
    switch a.choice("WFMathOperation", "+") {
    case "+": return .cel("\(input) + \(operand)", .number)
    case "-", "−": return .cel("\(input) - \(operand)", .number)
    case "×", "*", "x": return .cel("\(input) * \(operand)", .number)
    case "÷", "/":
      if case .number(let number) = t.table.simplified(operand), number != 0 {
        return .cel("\(input) / \(operand)", .number)
      }
      return .cel("divide(\(input), \(operand))", .number)
    default: break
    }
    let second =
      a.parameters["WFScientificMathOperand"] == nil
      ? operand : t.number(a, "WFScientificMathOperand", 0)
    switch a.choice("WFScientificMathOperation", a.choice("WFMathOperation", "")) {
    case "Modulus": return .cel("modulo(\(input), \(second))", .number)
    case "x^2": return .cel("pow(\(input), 2.0)", .number)
    case "x^3": return .cel("pow(\(input), 3.0)", .number)
    case "x^y": return .cel("pow(\(input), \(second))", .number)
    case "e^x": return .cel("exp(\(input))", .number)
    case "10^x": return .cel("pow(10.0, \(input))", .number)
    case "ln(x)", "ln": return .cel("ln(\(input))", .number)
    case "log(x)", "log": return .cel("log10(\(input))", .number)
    case "√x": return .cel("math.sqrt(\(input))", .number)
    case "∛x": return .cel("cbrt(\(input))", .number)
    case "x!": return .cel("factorial(\(input))", .number)
    case "sin(x)": return .cel("sin(\(input))", .number)
    case "cos(x)": return .cel("cos(\(input))", .number)
    case "tan(x)": return .cel("tan(\(input))", .number)
    case "abs(x)": return .cel("math.abs(\(input))", .number)
    default: return nil
    }
  }
}

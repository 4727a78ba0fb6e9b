import CEL

/// Units of measurement by their symbols, each with its size in the basic unit of its kind.
enum Units {
  /// A unit: its size in the basic unit, and the zero point of its scale.
  private struct Unit {
    let kind: String
    let size: Double
    var start = 0.0
  }

  private static let units: [String: Unit] = {
    let tables: [(kind: String, units: [(String, Double)])] = [
      (
        "length",
        [
          ("m", 1), ("km", 1_000), ("cm", 0.01), ("mm", 0.001), ("µm", 1e-6), ("nm", 1e-9),
          ("dm", 0.1),
          ("in", 0.0254), ("ft", 0.3048), ("yd", 0.9144), ("mi", 1_609.344), ("NM", 1_852),
          ("ly", 9.4607304725808e15),
          ("ua", 149_597_870_700), ("pc", 3.0856775814913673e16), ("ftm", 1.8288), ("fur", 201.168),
        ]
      ),
      (
        "mass",
        [
          ("kg", 1), ("g", 0.001), ("mg", 1e-6), ("µg", 1e-9), ("oz", 0.028349523125),
          ("lb", 0.45359237), ("st", 6.35029318),
          ("t", 1_000), ("ton", 907.18474), ("ct", 0.0002), ("oz t", 0.0311034768),
        ]
      ),
      (
        "duration",
        [
          ("s", 1), ("sec", 1), ("min", 60), ("hr", 3_600), ("h", 3_600), ("ms", 0.001),
          ("µs", 1e-6), ("ns", 1e-9), ("days", 86_400), ("weeks", 604_800),
        ]
      ),
      (
        "area",
        [
          ("m²", 1), ("km²", 1e6), ("cm²", 1e-4), ("mm²", 1e-6), ("in²", 0.00064516),
          ("ft²", 0.09290304), ("yd²", 0.83612736),
          ("mi²", 2_589_988.110336), ("ac", 4_046.8564224), ("a", 100), ("ha", 10_000),
        ]
      ),
      (
        "volume",
        [
          ("L", 1), ("mL", 0.001), ("cL", 0.01), ("dL", 0.1), ("kL", 1_000), ("m³", 1_000),
          ("cm³", 0.001), ("dm³", 1),
          ("in³", 0.016387064), ("ft³", 28.316846592), ("tsp", 0.00492892159375),
          ("tbsp", 0.01478676478125),
          ("fl oz", 0.0295735295625), ("cup", 0.24), ("pt", 0.473176473), ("qt", 0.946352946),
          ("gal", 3.785411784),
        ]
      ),
      ("speed", [("m/s", 1), ("km/h", 1 / 3.6), ("mph", 0.44704), ("kn", 1_852.0 / 3_600)]),
      (
        "energy",
        [("J", 1), ("kJ", 1_000), ("cal", 4.184), ("kCal", 4_184), ("kcal", 4_184), ("kWh", 3.6e6)]
      ),
      ("power", [("W", 1), ("kW", 1_000), ("MW", 1e6), ("hp", 745.69987158227)]),
      (
        "pressure",
        [
          ("N/m²", 1), ("Pa", 1), ("hPa", 100), ("kPa", 1_000), ("bar", 1e5), ("mbar", 100),
          ("mmHg", 133.322387415), ("psi", 6_894.757293168), ("inHg", 3_386.388640341),
        ]
      ),
      (
        "angle",
        [
          ("°", 1), ("rad", 180 / Double.pi), ("rev", 360), ("grad", 0.9), ("ʹ", 1.0 / 60),
          ("ʺ", 1.0 / 3_600),
        ]
      ),
      (
        "data",
        [
          ("B", 1), ("bit", 0.125), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9),
          ("TB", 1e12), ("KiB", 1_024),
          ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("TiB", 1_099_511_627_776),
        ]
      ),
    ]
    var units: [String: Unit] = [
      "K": Unit(kind: "temperature", size: 1),
      "°C": Unit(kind: "temperature", size: 1, start: 273.15),
      "°F": Unit(kind: "temperature", size: 5.0 / 9, start: 459.67 * 5 / 9),
    ]
    for table in tables {
      for (symbol, size) in table.units { units[symbol] = Unit(kind: table.kind, size: size) }
    }
    return units
  }()

  /// Converts a quantity such as `5 km`.
  static func converted(_ quantity: String, to target: String) throws(EvaluationError) -> String {
    let text = quantity.trimmed
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.eE,".contains($0)) }
    let symbol = String(text[digits.endIndex...]).trimmed
    guard let number = Double(digits.filter { $0 != "," }) else {
      throw EvaluationError(
        "\(Value.string(String(text.prefix(100)))) is not a quantity such as 5 km")
    }
    guard let from = units[symbol] else { throw unknown(symbol) }
    guard let to = units[target] else { throw unknown(target) }
    guard from.kind == to.kind else {
      throw EvaluationError("\(symbol) is a unit of \(from.kind) and \(target) one of \(to.kind)")
    }
    let value = (number * from.size + from.start - to.start) / to.size
    // Twelve digits hide what binary fractions add.
    return "\(ShortcutFunctions.text(of: .double(rounded(value)))) \(target)"
  }

  private static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite, value.magnitude < 1e12, value.magnitude > 1e-6 else {
      return value
    }
    var scale = 1.0
    while value.magnitude * scale < 1e11 { scale *= 10 }
    return (value * scale).rounded() / scale
  }

  private static func unknown(_ symbol: String) -> EvaluationError {
    EvaluationError("unknown unit `\(symbol)`; write its symbol, such as km, lb or °C")
  }
}

import CEL
import Items

/// Conditions on columns that have days and moments.
extension FilterTranslator {
  /// The half hours that clocks may skip.
  private static let mostSkips = 4

  /// `term == moment`, which may be the beginning of a day.
  func equality(ofWhen term: FilterTerm, _ moment: Timestamp) -> FilterTerm? {
    guard moment.nanoseconds == 0 else { return unequal(term) }
    var columns: [SQLValue] = []
    let day = context.world.dateText(moment)
    if context.world.midnight(day) == moment { columns.append(.text(day)) }
    columns.append(.text(moment.text))
    for step in 1...Self.mostSkips {
      let skipped = Timestamp(seconds: moment.seconds, skipped: step * 1_800)
      columns.append(.text(WhenText.text(of: skipped, dateText: context.world.dateText)))
    }
    return isOneOf(columns, orNull: false, term)
  }

  /// `term symbol moment`, in which a day is its beginning.
  func order(_ symbol: BinaryOperator, whenOf term: FilterTerm, _ moment: Timestamp) -> FilterTerm?
  {
    let day = context.world.dateText(moment)
    guard day.utf8.count == WhenText.dayLength, let midnight = context.world.midnight(day) else {
      return nil
    }
    return order(
      term, day: (symbol.beyond(isExact: midnight == moment), day),
      moment: (symbol.beyond(isExact: moment.nanoseconds == 0), moment.seconds))
  }

  /// `term.isPast()`: a day that is over, or a moment before now.
  func isPast(_ term: FilterTerm) -> FilterTerm? {
    let now = context.world.now()
    let today = context.world.dateText(now)
    switch term.kind {
    case .timestamp: return compare(.less, term, .timestamp(now))
    case .date:
      return context.world.midnight(today).flatMap { compare(.less, term, .timestamp($0)) }
    case .when:
      return order(
        term, day: (.less, today),
        moment: (BinaryOperator.less.beyond(isExact: now.nanoseconds == 0), now.seconds))
    default: return nil
    }
  }

  /// A comparison with one bound for days and another for moments.
  private func order(
    _ term: FilterTerm, day: (symbol: BinaryOperator, text: String),
    moment: (symbol: BinaryOperator, seconds: Int64)
  ) -> FilterTerm {
    let text = Timestamp(seconds: moment.seconds).text
    let isUpper = day.symbol == .less || day.symbol == .lessOrEqual
    // An index finds the rows within the wider of the two bounds; what follows a moment in its text
    // makes that greater.
    let wide = isUpper ? max(day.text, text + "~") : min(day.text, text)
    var result = FilterTerm(
      """
      (\(term.sql) \(raw: isUpper ? "<=" : ">=") \(.text(wide)) \
      AND CASE length(\(term.sql)) WHEN \(.int(WhenText.dayLength)) \
      THEN \(term.sql) \(raw: day.symbol.rawValue) \(.text(day.text)) \
      ELSE substr(\(term.sql), 1, \(.int(WhenText.momentLength))) \
      \(raw: moment.symbol.rawValue) \(.text(text)) END)
      """, .bool, nulls: FilterTerm.failing(term))
    result.indexUse = indexUse(ofRange: term)
    result.indexed = term.column
    return result
  }
}

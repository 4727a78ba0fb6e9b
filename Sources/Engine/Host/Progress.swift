/// How far a long piece of work has come.
package struct Progress: Sendable {
  /// What is being done, when it has a name.
  package let label: String?
  /// What is done, in lines, items or whatever it counts.
  package let done: Double
  /// How much there is to do; nil when that is not known.
  package let total: Double?
  /// What is counted, such as `seconds`; nil for items.
  package let unit: Unit
  /// Whether the work is over, and nothing more will be told of it.
  package let isOver: Bool

  /// What is counted.
  package enum Unit: String, Sendable {
    case items, seconds
  }

  /// So much of a total.
  package init(
    _ label: String? = nil, done: Double, total: Double? = nil, unit: Unit = .items,
    isOver: Bool = false
  ) {
    self.label = label
    self.done = done
    self.total = total
    self.unit = unit
    self.isOver = isOver
  }

  /// So many of a number of items.
  package init(done: Int, total: Int? = nil, isOver: Bool = false) {
    self.init(done: Double(done), total: total.map(Double.init), isOver: isOver)
  }
}

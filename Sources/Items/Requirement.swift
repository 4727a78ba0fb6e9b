/// Something of the machine that a job needs, and waits for.
package enum Requirement: String, CaseIterable, Sendable {
  /// A way to other machines.
  case network
  /// Mains, or a machine without a battery.
  case power
  /// Nobody at the machine, and little other work.
  case idle

  /// Its bit where several are one number.
  private var bit: Int64 {
    switch self {
    case .network: 1
    case .power: 2
    case .idle: 4
    }
  }

  /// Several as one number.
  package static func mask(of requirements: some Sequence<Requirement>) -> Int64 {
    requirements.reduce(0) { $0 | $1.bit }
  }

  /// Those of a number.
  package static func all(in mask: Int64) -> [Requirement] {
    allCases.filter { mask & $0.bit != 0 }
  }
}

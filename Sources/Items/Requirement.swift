/// A condition of the machine that a job can wait for.
package enum Requirement: String, CaseIterable, Sendable {
  /// A network connection.
  case network
  /// Mains power, or no battery.
  case power
  /// No user activity and little load.
  case idle
  /// The vault of secrets, unlocked; met without a vault, too.
  case vault

  /// The bit in a mask.
  private var bit: Int64 {
    switch self {
    case .network: 1
    case .power: 2
    case .idle: 4
    case .vault: 8
    }
  }

  /// Encodes requirements as a bit mask.
  package static func mask(of requirements: some Sequence<Requirement>) -> Int64 {
    requirements.reduce(0) { $0 | $1.bit }
  }

  /// Decodes a bit mask.
  package static func all(in mask: Int64) -> [Requirement] {
    allCases.filter { mask & $0.bit != 0 }
  }
}

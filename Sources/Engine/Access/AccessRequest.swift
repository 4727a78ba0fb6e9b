package import Program

/// What definitions that came from elsewhere want to touch, for a person to decide about.
package struct AccessRequest: Sendable {
  /// A definition that takes part.
  package struct Part: Sendable {
    /// The kind and the name, such as `shortcut fetch`.
    package let name: String
    /// The document as it is written.
    package let text: String
    /// The file that it stands in.
    package let file: String
  }

  /// What came from elsewhere and what that calls, without what came with the program.
  package let parts: [Part]
  /// The files of what came from elsewhere, each once; first that of what asks.
  package let files: [String]
  /// What all of them may touch, in the order in which it is shown.
  package let touches: [Touch]
}

extension Touch {
  /// Puts the gravest first, and what is of one kind together.
  package static func isBefore(_ left: Touch, _ right: Touch) -> Bool {
    let order = Kind.allCases
    let places = [left, right].map { order.firstIndex(of: $0.kind) ?? 0 }
    if places[0] != places[1] { return places[0] < places[1] }
    return (left.target ?? "", left.reason ?? "") < (right.target ?? "", right.reason ?? "")
  }

  /// It as `--allow` takes it, such as `exec:git`.
  package var grant: String {
    switch kind {
    case .clipboard, .open: kind.rawValue
    default: "\(kind.rawValue):\(target ?? "*")"
    }
  }
}

import CEL
import Program

/// Tries arguments of verbs before a run, by the same words as in one.
enum ArgumentTrials {
  /// Tries a value that is known by a body that throws what is wrong with it.
  static func value(_ body: @escaping @Sendable (Value) throws -> Void) -> ArgumentTrial {
    { compiled in
      guard let value = compiled.known, !value.isNull else { return nil }
      return problem { try body(value) }
    }
  }

  /// Tries the keys of a map, whether or not its values are known.
  static func keys(_ body: @escaping @Sendable (String) throws -> Void) -> ArgumentTrial {
    { compiled in
      guard let keys = compiled.knownKeys else { return nil }
      return problem { for key in keys { try body(key) } }
    }
  }

  private static func problem(_ body: () throws -> Void) -> LiteralProblem? {
    do {
      try body()
      return nil
    } catch let error as RunError {
      guard case .advice(let help)? = error.remedy else { return LiteralProblem(error.message) }
      return LiteralProblem(error.message, help: help)
    } catch {
      return nil
    }
  }
}

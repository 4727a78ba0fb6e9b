import Program

/// An invalid command line.
struct UsageError: Error {
  let message: String
  let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// Creates the error for two values where one is allowed.
  init(givenTwice what: String, _ first: String, _ second: String) {
    self.init(
      "\(what) is given twice: “\(first.shortened)” and “\(second.shortened)”",
      help: "keep one of them")
  }

  /// Throws a usage error unless `condition` holds.
  static func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, help: @autoclosure () -> String? = nil
  ) throws(UsageError) {
    if !condition { throw UsageError(message(), help: help()) }
  }
}

extension Optional {
  /// Returns the value.
  ///
  /// - Throws: `UsageError` with this message for nil.
  func expected(
    _ message: @autoclosure () -> String, help: @autoclosure () -> String? = nil
  ) throws(UsageError) -> Wrapped {
    guard let self else { throw UsageError(message(), help: help()) }
    return self
  }
}

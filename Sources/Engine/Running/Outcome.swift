package import CEL

/// A value that a parameter is given.
package enum GivenValue {
  /// A value of a run.
  case value(Value)
  /// Text that a person typed, once or several times.
  case texts([String])
}

/// What a call of an intent or a shortcut came to.
package struct Outcome {
  /// The value; null when there is none.
  package let value: Value
  /// Whether it ended by `stop`, without a value.
  package let isStopped: Bool
  /// What was said when it was done; nil when nothing was.
  package let dialog: String?
}

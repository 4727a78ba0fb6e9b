/// A part of the library: functions by name.
protocol FunctionLibrary: SendableMetatype {
  /// The names of its functions, for "did you mean".
  static var names: [String] { get }
  /// The overloads of a name; nil when it has no such function.
  static func overloads(of name: String) -> [Function]?
}

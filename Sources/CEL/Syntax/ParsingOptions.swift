/// What a text may cost to parse, and how its strings may be written.
public struct ParsingOptions: Sendable {
  /// The most bytes an expression may have.
  public var maximumLength = 100_000
  /// How deep brackets, calls and operators may nest.
  public var maximumDepth = 250
  /// Whether a string in single quotes may go on over a line's end, which then stands for `\n`.
  public var allowsLineEndsInStrings = false

  /// The standard limits.
  public init() {}
}

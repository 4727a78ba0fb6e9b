/// What a text may cost to parse, and how its strings may be written.
package struct ParsingOptions: Sendable {
  /// The most bytes an expression may have.
  package var maximumLength = 100_000
  /// How deep brackets, calls and operators may nest.
  package var maximumDepth = 250
  /// Whether a string in single quotes may go on over a line's end, which then stands for `\n`.
  package var allowsLineEndsInStrings = false

  /// The standard limits.
  package init() {}
}

extension Expression {
  /// How many levels an expression may have that was not parsed but built, or rewritten.
  private static let greatestHeight: Int32 = 600

  /// The problem of a tree too high to walk on any thread's stack.
  var excessiveHeight: Problem? {
    height <= Self.greatestHeight
      ? nil
      : Problem(
        .tooLarge, "the expression nests deeper than \(Self.greatestHeight) levels", at: range)
  }
}

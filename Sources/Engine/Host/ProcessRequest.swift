/// A program to be run.
package struct ProcessRequest: Sendable {
  /// The program and its arguments; the program is looked up in `PATH`.
  package var command: [String]
  /// What it reads.
  package var input: [UInt8]
  /// Variables added to the inherited environment.
  package var environment: [(name: String, value: String)]
  /// The folder it runs in; nil for the working folder.
  package var folder: String?
  /// Whether it gets the terminal.
  package var hasTerminal: Bool
  /// The file that gets its output; nil keeps it.
  package var outputPath: String?
  /// How many bytes of its output are kept at most; more is an error.
  package var outputLimit: Int

  /// A command with the usual settings.
  package init(_ command: [String], outputLimit: Int = 16 << 20) {
    self.command = command
    self.outputLimit = outputLimit
    input = []
    environment = []
    folder = nil
    hasTerminal = false
    outputPath = nil
  }
}

/// How a program ended.
package struct ProcessEnd: Sendable {
  /// Why it ended.
  package enum Reason: Sendable, Equatable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal that others sent.
    case signalled(Int32)
    /// It was ended, with all below it, since its bounds were reached.
    case interrupted
    /// It was ended since it wrote more than is kept.
    case tooMuchOutput
  }

  package let reason: Reason
  package let output: [UInt8]
  /// The last of what it wrote to standard error.
  package let errors: [UInt8]

  package init(reason: Reason, output: [UInt8], errors: [UInt8]) {
    self.reason = reason
    self.output = output
    self.errors = errors
  }
}

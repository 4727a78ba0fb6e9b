/// A request to run a program.
package struct ProcessRequest: Sendable {
  /// The program, looked up in `PATH`, and its arguments.
  package var command: [String]
  /// The files that the program gets for bytes, by the position of the word.
  package var attachments: [(word: Int, file: Attachment)] = []
  /// Standard input.
  package var input: [UInt8] = []
  /// Variables added to the inherited environment.
  package var environment: [(name: String, value: String)] = []
  /// The working directory; nil for the current one.
  package var folder: String?
  /// Whether it inherits the terminal.
  package var hasTerminal = false
  /// The file that receives its output; nil to return it.
  package var outputPath: String?
  /// Maximum output, in bytes; more is an error.
  package var outputLimit: Int

  /// A command with default settings.
  package init(_ command: [String], outputLimit: Int = 16 << 20) {
    self.command = command
    self.outputLimit = outputLimit
  }

  /// Bytes as a file that exists while the program runs.
  package struct Attachment: Sendable {
    package let bytes: [UInt8]
    /// Its name, with the extension of its content.
    package let name: String

    init(_ bytes: [UInt8], name: String) {
      self.bytes = bytes
      self.name = name
    }
  }
}

/// The outcome of a program.
package struct ProcessEnd: Sendable {
  /// The reason for the end.
  package enum Reason: Sendable, Equatable {
    /// It exited with a status.
    case exited(Int32)
    /// It was killed by a signal from elsewhere.
    case signalled(Int32)
    /// It was killed with its descendants because its bounds were reached.
    case interrupted
    /// It was killed because its output exceeded the limit.
    case tooMuchOutput
  }

  package let reason: Reason
  package let output: [UInt8]
  /// The end of its standard error.
  package let errors: [UInt8]

  package init(reason: Reason, output: [UInt8] = [], errors: [UInt8] = []) {
    self.reason = reason
    self.output = output
    self.errors = errors
  }
}

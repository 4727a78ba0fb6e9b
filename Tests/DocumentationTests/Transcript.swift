/// A `console` block: commands after `$ `, each with its terminal output.
struct Transcript {
  /// A command with its expected output.
  struct Entry {
    /// The command, with continuation lines after `> `.
    var command: String
    var output: [String] = []
  }

  let entries: [Entry]

  init(_ lines: [String]) {
    var entries: [Entry] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        entries.append(Entry(command: String(line.dropFirst(2))))
      } else if line.hasPrefix("> "), let last = entries.last, last.output.isEmpty {
        entries[entries.count - 1].command += "\n" + line.dropFirst(2)
      } else if !entries.isEmpty {
        entries[entries.count - 1].output.append(line)
      }
    }
    // An empty line before the next command is only layout.
    for index in entries.indices where entries[index].output.last == "" {
      entries[index].output.removeLast()
    }
    self.entries = entries
  }

  /// Marker in the output before each command's own.
  static let mark: Character = "\u{1}"

  /// A bash script that runs the commands and writes a marker before the output of each.
  var script: String {
    entries.map { entry in
      // The next command may check the exit status of the last.
      "__status=$?; printf '\\001'; (exit $__status)\n\(entry.command)\n"
    }.joined()
  }

  /// Marker before an answer in the first line of output that ends with it.
  func prompt(before answer: String) -> String? {
    entries.lazy.flatMap(\.output).first { $0.hasSuffix(" " + answer) }
      .map { String($0.dropLast(answer.count)) }
  }

  /// Lines written by each command.
  func outputs(of text: String) -> [[String]] {
    text.split(separator: Self.mark, omittingEmptySubsequences: false).dropFirst().map { part in
      var lines = part.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        String(line.reversed().drop { $0 == " " }.reversed())
      }
      while lines.last == "" { lines.removeLast() }
      return lines
    }
  }
}

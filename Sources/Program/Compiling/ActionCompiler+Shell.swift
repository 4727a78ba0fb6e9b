import Catalog
import Source
import YAML

/// Lints for command lines, and for lines of a shell.
extension ActionCompiler {
  /// Warns of words of a command line that only a shell would understand.
  func doubtShell(in command: Node) {
    guard context.reportsWarnings, let words = command.sequence?.compactMap(\.scalar),
      let program = words.first, !["expr", "test", "["].contains(program.text)
    else { return }
    let parts = Self.joined(program.text.split(separator: " ").map(String.init))
    if words.count == 1, parts.count > 1, parts[0].allSatisfy({ $0.isLetter || $0 == "-" }) {
      collector.report(
        "W215", "this is the name of one program, with spaces", at: program.span,
        help:
          "write the words of a list: [\(parts.map(Self.quoted).joined(separator: ", "))]",
        severity: .warning)
    }
    if program.text == "cd" || program.text == "export" {
      collector.report(
        "W215", "`\(program.text)` has no effect on other steps", at: program.span,
        help: program.text == "cd"
          ? "name the folder where it is needed: `- exec: {command: […], dir: \(words.count > 1 ? words[1].text : "…")}`"
          : "name the variable where it is needed: `- exec: {command: […], env: {NAME: …}}`",
        severity: .warning)
    }
    for word in words.dropFirst() {
      if word.text.hasPrefix("-"), word.text.hasPart(" -"), !word.text.hasPart("{{") {
        let apart = word.text.split(separator: " ").map { Self.quoted(String($0)) }
        collector.report(
          "W215", "`\(word.text.shortened)` is one word with a space", at: word.span,
          help: "write its words apart: \(apart.joined(separator: ", "))", severity: .warning)
        return
      }
      if ["|", ">", ">>", "<", "&&", "||", "&"].contains(word.text) || word.text.hasPrefix("2>") {
        let line = words.map(\.text).joined(separator: " ")
        let isPlain = !line.contains("{{") && words.allSatisfy { !$0.text.contains(" ") }
        collector.report(
          "W215", "`\(word.text)` is plain text here: no shell reads it", at: word.span,
          help: "write `- exec: {shell: \(isPlain ? Self.quoted(line) : "…")}`"
            + (isPlain ? "" : ", with `args` for values"),
          severity: .warning)
        return
      }
      if word.text.contains("*"),
        Self.fileListers.contains(program.text)
          || word.text.contains("/") && !Self.patternReaders.contains(program.text)
            && word.style == .plain
      {
        let place = GlobPath(word.text)
        collector.report(
          "W215", "`\(word.text)` is plain text here: no shell finds files by it", at: word.span,
          help: "write `- find-files: {in: \(place?.folder ?? "."), "
            + "match: '\(place?.pattern ?? word.text)'}` before it, or "
            + "`- exec: {shell: '\(words.map(\.text).joined(separator: " "))'}`",
          severity: .warning)
        return
      }
      guard !word.text.contains(" "), let template = try? Template(scalar: word),
        let first = template.placeholders.first, first.range.lowerBound == 0
      else { continue }
      doubtShell(first, in: template)
    }
  }

  /// Programs that take files by name, not by a pattern.
  private static let fileListers: Set<String> = [
    "ls", "cat", "rm", "cp", "mv", "wc", "du", "head", "tail", "sort", "chmod", "chown", "gzip",
    "md5sum", "sha256sum", "stat", "file", "open", "xdg-open", "convert", "pandoc",
  ]

  /// Programs that read patterns of paths themselves.
  private static let patternReaders: Set<String> = [
    "find", "fd", "rg", "grep", "git", "rsync", "rclone", "restic", "borg", "tree", "curl", "sed",
    "awk",
    "jq", "sqlite3", "psql",
  ]

  /// Warns of `$name` in a line for a shell, where a name of the definition is not known.
  func doubtNames(inShell node: Node, env: Node?) {
    guard let scalar = node.scalar, let template = try? Template(scalar: scalar) else { return }
    let known = Set(env?.mapping?.entries.map(\.key.text) ?? [])
    for placeholder in template.placeholders where placeholder.form == .name {
      let span = scalar.span(of: placeholder.range)
      guard let name = placeholder.names.first, span.text.hasPrefix("$"), !known.contains(name),
        isMeant(name, .name),
        // What the line itself gives a value.
        !["\(name)=", "for \(name) ", "read \(name)", "read -r \(name)"].contains(where: {
          scalar.text.firstRange(of: $0) != nil
        })
      else { continue }
      collector.report(
        "W215", "`$\(name)` is a variable of the shell, which is empty here", at: span,
        help: "write `\"$1\"` for it, and beside `shell` `args: ['{{ \(name) }}']`",
        severity: .warning)
      return
    }
  }

  /// Warns of `[sh, -c, '… {{ x }} …']`, where a value would be run as code.
  func doubtTemplate(inShell command: Node) {
    guard context.reportsWarnings, let words = command.sequence?.compactMap(\.scalar),
      words.count > 2,
      ["sh", "bash", "dash", "zsh", "ksh", "fish"].contains(
        words[0].text.split(separator: "/").last.map(String.init) ?? ""),
      words[1].text.hasPrefix("-"), words[1].text.hasSuffix("c"), words[2].text.hasPart("{{")
    else { return }
    collector.report(
      "W215", "`\(words[0].text) \(words[1].text)` runs the value in `{{ }}` as code",
      at: words[2].span,
      help: "write `shell: …` instead, with values in `args`, and \"$1\", \"$2\" for them",
      severity: .warning)
  }
}

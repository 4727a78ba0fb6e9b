import CEL
import Catalog
import Items
import Source
import YAML

/// Lints for texts and their templates.
extension ActionCompiler {
  /// Warns of another language's placeholder around a name in scope, or a variable of a shell.
  func doubtPlaceholders(in template: Template) {
    guard context.reportsWarnings, !isPlainText, !isForeignText else { return }
    doubtBrace(in: template)
    doubtLineBreak(in: template)
    doubtMarks(in: template)
    var hasBlock = false
    for placeholder in template.placeholders {
      // One mistake: `{% endif %}` belongs to the `{% if … %}` before it.
      if placeholder.form == .block {
        if hasBlock { continue }
        hasBlock = true
      }
      guard let name = placeholder.names.first(where: { isMeant($0, placeholder.form) }) else {
        doubtShell(placeholder, in: template)
        continue
      }
      let span = template.scalar.span(of: placeholder.range)
      let text = span.text.shortened
      let message: String
      switch placeholder.form {
      case .name, .block, .shell: message = "`\(text)` is plain text here"
      case .dollar: message = "the `$` before `{{ \(name) }}` is plain text"
      }
      collector.report(
        "W215", message, at: span,
        help: placeholder.form == .block
          ? "write a value as `{{ \(name) }}`, and a condition as a step with `if`"
          : "write `{{ \(placeholder.path ?? name) }}`", severity: .warning)
    }
  }

  /// Warns of marks of other programs around a text: `={{ x }}` of n8n, `f"…"` of Python and `{# … #}` of
  /// Jinja.
  func doubtMarks(in template: Template) {
    let scalar = template.scalar
    let text = scalar.text
    let mark: String
    let help: String
    if text.hasPrefix("={{") {
      (mark, help) = ("=", "write it without the `=`")
    } else if scalar.style == .plain, text.hasPrefix("f\""), text.hasSuffix("\""),
      text.contains("{")
    {
      (mark, help) = ("f\"", "write the text alone, with `{{ name }}` for values")
    } else if text.contains("{#"), text.contains("#}") {
      (mark, help) = ("{#", "remove it; a comment of the file begins with `# `")
    } else {
      return
    }
    collector.report(
      "W215", "`\(mark)` is plain text here", at: scalar.span, help: help, severity: .warning)
  }

  /// Warns of `\n` outside of double quotes, where it is two letters.
  func doubtLineBreak(in template: Template) {
    let scalar = template.scalar
    guard [.plain, .singleQuoted].contains(scalar.style), scalar.text.hasPart("\\n"),
      // Paths of Windows and patterns have other letters after a backslash.
      !["\\d", "\\s", "\\w", "\\b", "\\.", ":\\", "\\\\"].contains(where: scalar.text.contains),
      case let texts = template.segments.compactMap({ segment -> String? in
        if case .text(let text) = segment { text } else { nil }
      }), texts.contains(where: { $0.contains("\\n") }), template.segments.count == texts.count
    else { return }
    let quoted = "\"\(scalar.text.replacing("\"", with: "\\\""))\""
    collector.report(
      "W215", "`\\n` is plain text here", at: scalar.span,
      help: "put the text in double quotes: \(scalar.span.line(with: quoted) ?? quoted)",
      severity: .warning)
  }

  /// Warns of `{{ x }}}`, unless another brace is open.
  func doubtBrace(in template: Template) {
    var depth = 0
    var end = 0
    for segment in template.segments {
      guard case .text(let text) = segment else {
        if case .expression(let source) = segment { end = source.span.range.upperBound }
        continue
      }
      let braces = text.utf8.prefix { $0 == UInt8(ascii: "}") }.count
      if end > 0, braces > depth {
        let rest = template.scalar.span.file.bytes[end...].drop { $0 == 0x20 }
        let last = rest.prefix { $0 == UInt8(ascii: "}") }.endIndex
        collector.report(
          "W215", "this `}` is plain text: the expression ends before it",
          at: Span(template.scalar.span.file, max(end, last - 1)..<last), help: "remove it",
          severity: .warning)
        return
      }
      for byte in text.utf8 {
        depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
      }
    }
  }

  /// Warns of `$HOME`, and of the blocks of template languages.
  func doubtShell(_ placeholder: Template.Placeholder, in template: Template) {
    let name = placeholder.names.first ?? ""
    let span = template.scalar.span(of: placeholder.range)
    let text = span.text.shortened
    let help: String
    switch placeholder.form {
    case .name where text.hasPrefix("$") && Self.shellVariables.contains(name),
      .shell where Self.shellVariables.contains(name):
      let whole = template.scalar.text
      help =
        name == "HOME" && whole.hasPrefix(text + "/")
        ? "write `~\(String(whole.dropFirst(text.count)).shortened)`"
        : "write `{{ env(\"\(name)\") }}`"
    case .shell:
      help =
        placeholder.names.first.map {
          "a secret is `{{ secret(\"\($0)\") }}`, a variable for expressions "
            + "`{{ env(\"ERRAND_VAR_\($0)\") }}`"
        }
        ?? "no shell reads it: write a step `- exec: [date]` with `as: result`, and `{{ result }}`"
    case .block where template.plainText != nil && Template.Placeholder.blockWords.contains(name):
      help = Template.blockHelp
    default: return
    }
    collector.report(
      "W215", "`\(text)` is plain text here", at: span, help: help, severity: .warning)
  }

  /// Variables of a shell that are hardly ever meant as text.
  static let shellVariables: Set<String> = [
    "HOME", "USER", "PATH", "PWD", "HOSTNAME", "EDITOR", "SHELL", "LANG", "TMPDIR", "LOGNAME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_DOWNLOAD_DIR", "DISPLAY",
  ]

  /// Whether a name in a text probably refers to a name in scope.
  func isMeant(_ name: String, _ form: Template.Placeholder.Form) -> Bool {
    if form == .dollar, name == "secret" { return true }
    guard name != "run", let binding = scopes.binding(name) else { return false }
    guard form == .dollar else { return true }
    // `$` before a number is money, and values of unknown type may be numbers.
    switch binding.type?.unwrapped {
    case nil, .int, .double, .any: return false
    default: return true
    }
  }
}

/// The words that the language keeps for itself: no intent and no shortcut may have one as a name.
package enum ReservedWord {
  /// Words that begin a block, in the order in which messages list them.
  static let heads = ["if", "for", "repeat", "while", "menu", "try", "parallel", "atomic"]
  /// Words that stand beside what a step calls.
  package static let modifiers = ["as", "name", "when", "speak", "timeout", "retry", "onResume"]

  /// Whether a name begins a block, belongs to one, or stands beside a step.
  static func isBlockWord(_ name: String) -> Bool {
    switch name {
    case "if", "then", "elif", "else", "for", "in", "do", "index", "repeat", "while", "menu",
      "options", "try", "catch", "finally", "parallel", "limit", "pace", "by", "settle", "atomic",
      "as", "name", "when", "timeout", "retry", "speak", "onResume":
      true
    default: false
    }
  }

  /// Whether a name is that of a verb, today or in a later release.
  package static func isVerb(_ name: String) -> Bool {
    switch name {
    case "say", "show", "ask", "choose", "confirm", "value", "set", "find", "get", "create",
      "update", "delete", "record-use", "wrap", "unwrap", "open-url", "copy", "paste", "log", "run",
      "stop", "return", "fail", "break", "continue", "exec", "read-file", "write-file",
      "find-files", "move-file", "copy-file", "trash-file", "wait", "notify", "progress",
      "http", "enqueue", "activity":
      true
    default: isLaterVerb(name)
    }
  }

  /// Whether a name is that of a verb which a later release brings.
  package static func isLaterVerb(_ name: String) -> Bool {
    name == "write"
  }

  /// Whether nothing else may be called so.
  package static func contains(_ name: String) -> Bool { isBlockWord(name) || isVerb(name) }
}

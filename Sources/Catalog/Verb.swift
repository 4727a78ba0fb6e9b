/// The verbs of the language (language §6).
package enum Verb: String, CaseIterable, Sendable {
  case say, show, ask, choose, confirm, value, set, find, get, create, update, delete
  case recordUse = "record-use"
  case wrap, unwrap
  case openURL = "open-url"
  case copy, paste, log, run, stop
  case returnValue = "return"
  case fail
  case breakLoop = "break"
  case continueLoop = "continue"

  /// The verb of a name.
  ///
  /// `init(rawValue:)` would make a table of all names first, for the one that a start looks up.
  package static func named(_ name: String) -> Verb? { allCases.first { $0.rawValue == name } }

  /// Names of verbs that a later release brings.
  package static let later: Set<String> = ["notify", "wait", "exec", "http", "read", "write"]

  /// What an argument of a verb is.
  package enum ArgumentKind: Sendable {
    /// A value of a type, given as a literal or a template.
    case value(DataType)
    /// An expression that is evaluated for each item, `self` being the item.
    case filter
    /// A template that is rendered for each item, `self` being the item.
    case itemTemplate
    /// The name of an entity.
    case entityName
    /// The name of a type.
    case typeName
    /// The name of an intent or a shortcut.
    case actionName
    /// One of a few words.
    case choice([String])
    /// A mapping from names to values.
    case fields
    /// Property names, each with `-` before it for descending order.
    case sortKeys
  }

  /// An argument of a verb.
  package struct Argument: Sendable {
    package let name: String
    package let kind: ArgumentKind
    package let isRequired: Bool

    fileprivate init(_ name: String, _ kind: ArgumentKind, required: Bool = false) {
      self.name = name
      self.kind = kind
      isRequired = required
    }
  }

  /// The arguments, the primary one first.
  package var arguments: [Argument] {
    switch self {
    case .say: [Argument("text", .value(.any), required: true)]
    case .show:
      [
        Argument("value", .value(.any), required: true),
        Argument("as", .choice(["card", "table", "text"])),
      ]
    case .ask:
      [
        Argument("prompt", .value(.string), required: true), Argument("type", .typeName),
        Argument("values", .value(.list(.string))), Argument("default", .value(.any)),
        Argument("suggestions", .value(.list(.any))), Argument("where", .filter),
      ]
    case .choose:
      [
        Argument("from", .value(.list(.any)), required: true),
        Argument("prompt", .value(.string)), Argument("many", .value(.bool)),
        Argument("display", .itemTemplate),
      ]
    case .confirm:
      [
        Argument("prompt", .value(.string), required: true), Argument("danger", .value(.bool)),
        Argument("optional", .value(.bool)),
      ]
    case .value: [Argument("value", .value(.any), required: true)]
    case .set: []
    case .find:
      [
        Argument("entity", .entityName, required: true),
        Argument("match", .value(.optional(.string))), Argument("where", .filter),
        Argument("sort", .sortKeys), Argument("limit", .value(.optional(.int))),
        Argument("first", .value(.bool)),
      ]
    case .get:
      [Argument("ref", .value(.any), required: true), Argument("entity", .entityName)]
    case .create:
      [
        Argument("entity", .entityName, required: true), Argument("set", .fields),
        Argument("onConflict", .choice(["fail", "keep", "merge", "replace"])),
      ]
    case .update:
      [
        Argument("item", .value(.any), required: true), Argument("set", .fields),
        Argument("add", .fields), Argument("remove", .fields),
      ]
    case .delete:
      [Argument("item", .value(.any), required: true), Argument("confirm", .value(.bool))]
    case .recordUse:
      [
        Argument("item", .value(.any), required: true),
        Argument("how", .choice(["open", "share", "save"])),
      ]
    case .wrap: [Argument("link", .value(.any), required: true)]
    case .unwrap: [Argument("text", .value(.string), required: true)]
    case .openURL: [Argument("url", .value(.url), required: true)]
    case .copy: [Argument("value", .value(.any), required: true)]
    case .log: [Argument("text", .value(.any), required: true)]
    case .run:
      [
        Argument("name", .actionName, required: true), Argument("input", .value(.any)),
        Argument("with", .fields),
      ]
    case .returnValue: [Argument("value", .value(.any))]
    case .fail:
      [Argument("message", .value(.string), required: true), Argument("code", .value(.string))]
    case .paste, .stop, .breakLoop, .continueLoop: []
    }
  }

  /// Whether the verb sets `it` (language §6, "Values").
  package var setsIt: Bool {
    switch self {
    case .say, .show, .log, .set, .copy, .stop, .returnValue, .fail, .breakLoop, .continueLoop,
      .recordUse, .delete, .openURL:
      false
    default: true
    }
  }
}

import Resources

/// A definition that is part of the program, as a file named after it.
struct BuiltIn: Sendable {
  let kind: Definition.Kind
  let name: String

  private init(_ kind: Definition.Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// Its text as users see it.
  var bytes: [UInt8] { Array(Resource.bytes(of: path)[...].withoutSchemaLine) }

  /// Path in the project, for messages.
  var path: String { "\(Self.folder(of: kind))\(fileName)" }

  private var fileName: String {
    kind == .widget
      ? name.dropFirst(WidgetDefinition.prefix.count) + ".widget.yaml" : name + ".yaml"
  }

  private static func folder(of kind: Definition.Kind) -> StaticString {
    switch kind {
    case .entity: "schemas/entities/"
    case .intent: "schemas/intents/"
    case .shortcut: "shortcuts/"
    case .automation: "automations/"
    case .translation, .vocabulary: "translations/"
    case .widget: "widgets/"
    }
  }

  /// The kinds of definitions, without those that translate others.
  private static let kinds: [Definition.Kind] = [.entity, .intent, .shortcut, .automation, .widget]

  /// All built-in definitions; their text is loaded on demand.
  static let all: [BuiltIn] = Resource.all.compactMap { resource in
    for kind in kinds {
      guard let file = resource.path(in: folder(of: kind)) else { continue }
      let name = file.utf8.prefix { $0 != UInt8(ascii: ".") }
      let prefix = kind == .widget ? WidgetDefinition.prefix : ""
      return BuiltIn(kind, prefix + String(Substring(name)))
    }
    return nil
  }

  /// Names of all built-in documents.
  static var names: [String] { all.map(\.name) }

  /// Whether a name is an entity's; only these begin with a capital.
  static func isEntity(_ name: String) -> Bool { name.utf8.first.map { $0 < 0x61 } ?? false }

  /// A built-in name that is easily confused with `name`, or `name` itself; nil if there is none.
  static func name(thatLooksLike name: String) -> String? {
    all.first { NameForm.lookAlike($0.name, name) }?.name
  }

  /// The built-in document with a name.
  static func named(_ name: String) -> BuiltIn? {
    kinds.lazy.map { BuiltIn($0, name) }
      .first { document in
        // The name of a widget has a prefix that its file lacks.
        name.hasPrefix(WidgetDefinition.prefix) == (document.kind == .widget)
          && Resource.named(document.path) != nil
      }
  }
}

extension ArraySlice<UInt8> {
  /// The text without a first line that names its JSON Schema to editors, by a path from one folder.
  var withoutSchemaLine: ArraySlice<UInt8> {
    starts(with: "# yaml-language-server:".utf8) ? drop { $0 != 0x0A }.dropFirst() : self
  }
}

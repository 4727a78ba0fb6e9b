import Source
import YAML

/// The documents of files, before a catalog decides between those of one name.
extension DefinitionCatalog {
  /// The location of a definition, and the definition once parsed.
  final class Entry {
    let kind: Definition.Kind
    let layer: Layer
    let slice: DocumentSlice
    /// Whether its tests are parsed, too.
    let isWhole: Bool
    /// The compact form of its nodes, if it has one.
    private let outline: NodeOutline?
    var result: Result<Definition, Diagnostics>?
    /// The readable part of a definition with mistakes, once asked for; nil within if there is none.
    private var part: Definition??

    init(
      kind: Definition.Kind, layer: Layer, slice: DocumentSlice, isWhole: Bool = true,
      outline: NodeOutline? = nil
    ) {
      self.kind = kind
      self.layer = layer
      self.slice = slice
      self.isWhole = isWhole
      self.outline = outline
    }

    func definition(_ verbs: VerbWords) throws(Diagnostics) -> Definition {
      if let result { return try result.get() }
      let result = Result { () throws(Diagnostics) in
        let slice = isWhole ? slice : slice.upTo(line: "tests:")
        return try Definition.parse(slice, root: outline?.root(of: slice), verbs: verbs)
      }
      self.result = result
      return try result.get()
    }

    func partial(_ verbs: VerbWords) -> Definition? {
      if case .success(let definition)? = result, isWhole { return definition }
      if let part { return part }
      let read = Definition.partial(slice, verbs: verbs)
      part = .some(read)
      return read
    }

    /// The place of its name.
    var nameSpan: Span { slice.margin?.name ?? Span(slice.file, slice.range) }

    /// The reason why it may not override another definition; nil if it may.
    func refusal(over other: Entry) -> String? {
      if layer == other.layer { return "is defined twice" }
      if layer == .user { return nil }
      // An exact copy of a built-in definition is harmless.
      if other.layer == .builtIn, text == other.text { return nil }
      // A shortcut named by its file or folder may be an edited copy of another.
      if kind == .shortcut, other.kind == .shortcut, layer >= .catalog { return nil }
      return
        "is defined already (\(other.layer.displayName)), and only your own layer may replace it"
    }

    /// Source text of its document.
    var text: String {
      String(decoding: slice.file.bytes[slice.range].withoutSchemaLine, as: UTF8.self)
    }
  }

  /// The documents of a file, before duplicate names are rejected.
  struct FileContent {
    let file: SourceFile
    let layer: Layer
    /// The documents, or the errors in them.
    private(set) var documents: [Result<(name: String, span: Span, entry: Entry), Diagnostics>] = []

    init(of file: SourceFile, _ layer: Layer, _ verbs: VerbWords) {
      self.file = file
      self.layer = layer
      for slice in DocumentSlice.split(file) {
        if let (kind, span) = slice.margin, kind != .translation {
          let entry = Entry(kind: kind, layer: layer, slice: slice)
          documents.append(.success((kind.prefix + span.text, span, entry)))
          continue
        }
        do throws(Diagnostics) {
          let definition = try Definition.parse(slice, verbs: verbs)
          let entry = Entry(kind: definition.kind, layer: layer, slice: slice)
          entry.result = .success(definition)
          var name = definition.name.text
          if case .translation(let translation) = definition {
            name = DefinitionCatalog.prefix(ofTranslation: translation.language) + name
          } else if case .vocabulary = definition {
            name = definition.kind.prefix + name
          }
          documents.append(.success((name, definition.name.span, entry)))
        } catch {
          documents.append(.failure(error))
        }
      }
    }
  }
}

extension DocumentSlice {
  /// The kind and name of a document, found by scanning for a line such as `intent: save`.
  fileprivate var margin: (kind: Definition.Kind, name: Span)? {
    let bytes = file.bytes
    var found: (kind: Definition.Kind, name: Span)?
    var line = range.lowerBound
    while line < range.upperBound {
      let end = bytes[line..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
      for kind in Definition.Kind.allCases where bytes[line..<end].starts(with: kind.key) {
        guard found == nil else { return nil }
        let rest = bytes[(line + kind.key.count)..<end]
        let start = rest.firstIndex { $0 != 0x20 } ?? rest.endIndex
        let stop = rest[start...].firstIndex { $0 == 0x20 || $0 == 0x0D } ?? rest.endIndex
        let name = String(decoding: rest[start..<stop], as: UTF8.self)
        let isClean = rest[stop...].first { $0 != 0x20 && $0 != 0x0D }.map { $0 == 0x23 } ?? true
        guard isClean, kind.nameForm.accepts(name) else { return nil }
        found = (kind, Span(file, start..<stop))
      }
      line = end + 1
    }
    return found
  }
}

extension Definition.Kind {
  /// The key with its colon, as at the start of a line.
  fileprivate var key: [UInt8] { Array((rawValue + ":").utf8) }

  /// The prefix of its names in the catalog.
  var prefix: String {
    switch self {
    case .widget: WidgetDefinition.prefix
    case .vocabulary: "vocabulary:"
    default: ""
    }
  }
}

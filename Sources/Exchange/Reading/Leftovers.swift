/// The parts of a file that become no property of an item, by kind, each with its first line and a count.
///
/// A reader turns every part of its file into a property, passes it over on purpose (`PassedOver`), or notes it here.
struct Leftovers {
  /// A kind of parts.
  enum Kind: Hashable {
    case column(String)
    case member(String)
    case attribute(String, of: String)
    case element(String)
    /// The note of a folder.
    case folderNote(String)
    /// A property of a heading or of a file's front matter.
    case property(String)
    /// A second value of a property that holds one.
    case second(String)
    /// A value that a field cannot have, such as an unknown state.
    case value(String, of: String)
    /// Text outside of items, and an object that is no item.
    case text, object
    /// Values of a property of which another is stored.
    case kept(String)
    /// A part of one item, in the reader's words.
    case loss(String)
    /// All kinds beyond `Leftovers.limit`.
    case more

    /// The description of the kind, for a report.
    var text: String {
      func name(_ text: String) -> String { "`\(Bookmark.shortened(text.oneLine))`" }
      return switch self {
      case .column(let column): "left out: the column \(name(column))"
      case .member(let member): "left out: the member \(name(member))"
      case .attribute(let attribute, let element):
        "left out: the attribute \(name(attribute)) of `<\(Bookmark.shortened(element))>`"
      case .element(let element): "left out: `<\(Bookmark.shortened(element))>`"
      case .folderNote(let folder):
        "left out: the note of the folder “\(Bookmark.shortened(folder.oneLine))”"
      case .property(let property): "left out: the property \(name(property))"
      case .second(let property): "left out: \(name(property)), since another value was taken"
      case .value(let value, let field):
        "left out: \(name(field)) with the unknown value “\(Bookmark.shortened(value.oneLine))”"
      case .text: "left out: text that belongs to no item"
      case .kept(let property):
        "left out: another \(name(property)) is here and stays; --prefer theirs takes the file's"
      case .object: "left out: an object without an address"
      case .loss(let text): text
      case .more: "left out: further kinds of parts"
      }
    }
  }

  /// A kind with its first line and its count.
  struct Entry {
    let kind: Kind
    let line: Int
    var count: Int
  }

  /// The kinds in the order in which they were found.
  private(set) var entries: [Entry] = []
  private var places: [Kind: Int] = [:]

  /// Maximum number of kinds that are told apart.
  private static let limit = 200

  var isEmpty: Bool { entries.isEmpty }

  /// Counts a part.
  mutating func note(_ kind: Kind, line: Int, count: Int = 1) {
    if let place = places[kind] {
      entries[place].count += count
      return
    }
    if entries.count >= Self.limit, kind != .more { return note(.more, line: line, count: count) }
    places[kind] = entries.count
    entries.append(Entry(kind: kind, line: line, count: count))
  }

  /// Adds those of a part of the file.
  mutating func add(_ others: Leftovers) {
    for entry in others.entries { note(entry.kind, line: entry.line, count: entry.count) }
  }

  /// Passes each attribute of a tag that has a value to `take`, and notes those that it does not use.
  ///
  /// - Parameter names: The names of attributes passed over on purpose.
  mutating func account(
    for attributes: [(name: String, value: String)], of element: String,
    passingOver names: Set<String>, line: Int, take: (_ name: String, _ value: String) -> Bool
  ) {
    for (name, value) in attributes where !value.isEmpty {
      if !take(name, value), !names.contains(name) {
        note(.attribute(name, of: element), line: line)
      }
    }
  }
}

/// Appends to the records of a file what its reader left over.
///
/// A file that has parts, but no item and no problem, was not understood.
struct AccountedRecords: RecordReader {
  private var base: any RecordReader
  private var hasRecords = false
  private var isAtEnd = false

  init(_ base: any RecordReader) { self.base = base }

  var leftovers: Leftovers { base.leftovers }

  mutating func next() throws -> ImportRecord? {
    if isAtEnd { return nil }
    if let record = try base.next() {
      hasRecords = true
      return record
    }
    isAtEnd = true
    let rest = base.leftovers
    guard let first = rest.entries.first else { return nil }
    return ImportRecord(
      number: first.line,
      content: .leftovers(rest, isAll: !hasRecords))
  }
}

/// The colours that a person gave tags.
///
/// A colour stays with a name, also of a tag that is renamed or deleted, so that undo brings it back.
package struct TagColours {
  /// The names of the colours, in the order in which they are offered.
  package static let names = ["teal", "amber", "violet", "red", "green", "blue"]

  private let file: JSONFile
  private var colours: [String: String] = [:]

  /// Reads the colours from a data folder.
  package init(in folder: String?) {
    file = JSONFile("tags.json", in: folder)
    guard case .object(let members) = file.value else { return }
    colours = members.compactMapValues(\.string).filter { Self.names.contains($0.value) }
  }

  /// The colour of a tag, or of the nearest tag above it that has one.
  package subscript(tag: String) -> String? {
    var tag = tag[...]
    while true {
      if let colour = colours[String(tag)] { return colour }
      guard let end = tag.lastIndex(of: "/") else { return nil }
      tag = tag[..<end]
    }
  }

  /// Sets the colour of a tag; nil removes it.
  ///
  /// - Throws: `unwritable`.
  package mutating func set(_ colour: String?, of tag: String) throws(ErrandError) {
    colours[tag] = colour
    try write()
  }

  /// Gives a tag, and those below it, the colours of others that were renamed to it or merged into it.
  ///
  /// - Throws: `unwritable`.
  package mutating func carry(from tags: [String], to new: String) throws(ErrandError) {
    let before = colours
    for old in tags {
      for (tag, colour) in before where tag == old || tag.hasPrefix(old + "/") {
        let name = new + tag.dropFirst(old.count)
        colours[name] = colours[name] ?? colour
      }
    }
    if colours != before { try write() }
  }

  private func write() throws(ErrandError) {
    try file.write(.object(colours.mapValues(JSONValue.string)), "the colours of tags")
  }
}

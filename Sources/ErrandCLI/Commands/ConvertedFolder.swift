import AppleShortcuts
import CEL
import ErrandKit
import Glibc
import Links
import POSIX
import Source

/// The folder of converted shortcuts, each with its original beside it.
struct ConvertedFolder {
  let path: String
  /// The absolute path, for the files that a result reads.
  let absolutePath: String
  /// Whether what was converted before is replaced, and keeps its name.
  private let replaces: Bool
  /// The names by the label of the source, from the conversion before.
  private let known: [String: String]

  init(_ path: String, replaces: Bool) throws {
    self.replaces = replaces
    self.path = Places.expanded(path)
    absolutePath =
      self.path.hasPrefix("/") ? self.path : "\(Folder.resolved(".") ?? ".")/\(self.path)"
    var known: [String: String] = [:]
    if replaces {
      for entry in Folder.names(in: self.path) ?? [] where entry.hasSuffix(".files") {
        guard let label = Self.text(at: "\(self.path)/\(entry)/source") else { continue }
        known[label] = String(entry.dropLast(6))
      }
    }
    self.known = known
  }

  /// The name that a source has from the conversion before; nil for a new one.
  func name(of source: ForeignShortcut) -> String? { known[source.title] }

  /// Writes a result, its files and its original.
  func write(
    _ translation: ShortcutTranslator, of source: ForeignShortcut, _ invocation: Invocation
  ) throws {
    let target = "\(path)/\(translation.name).yaml"
    let files = "\(path)/\(translation.name).files"
    let isOwn = replaces && known[source.title] == translation.name
    if isOwn, let text = Self.text(at: target), !Self.isUnchanged(text, files) {
      return invocation.say("\(target) was changed, and stays as it is.")
    }
    try Self.write(Array(translation.text.utf8), to: target, replaces: isOwn)
    for attachment in translation.attachments {
      try Self.write(attachment.bytes, to: attachment.path, replaces: true)
    }
    try Self.write(source.bytes, to: files + "/original.shortcut", replaces: true)
    try Self.write(Array(source.title.utf8), to: files + "/source", replaces: true)
    try Self.write(
      Array(Self.mark(translation.text).utf8), to: files + "/converted", replaces: true)
    invocation.say("Wrote \(target).")
    func count(_ outcome: ShortcutTranslator.Outcome) -> Int {
      translation.report.count { $0.outcome == outcome }
    }
    let (approximated, missing) = (count(.approximated), count(.notHere))
    if approximated + missing > 0 {
      let counts =
        "\(translation.report.count.counted("action")): \(approximated) approximated, "
        + "\(missing) not here; see --report"
      invocation.console.err("\(counts)\n")
    }
  }

  /// Removes what was converted before from shortcuts that are no longer there.
  func removeOthers(than names: Set<String>, _ invocation: Invocation) throws {
    for name in known.values.sorted() where !names.contains(name) {
      let target = "\(path)/\(name).yaml"
      let files = "\(path)/\(name).files"
      if let text = Self.text(at: target), !Self.isUnchanged(text, files) {
        invocation.say("\(target) was changed, and stays as it is.")
        continue
      }
      unlink(target)
      Folder.remove(files)
      invocation.say("Removed \(target).")
    }
  }

  /// The property list that a file was converted from, in XML or binary form; nil if it has been
  /// changed since.
  static func original(of yaml: String, _ text: String, isBinary: Bool) -> [UInt8]? {
    let files = (yaml.hasSuffix(".yml") ? yaml.dropLast(4) : yaml.dropLast(5)) + ".files"
    guard isUnchanged(text, String(files)),
      let bytes = try? FileReader.bytes(
        of: files + "/original.shortcut", limit: ShortcutFile.maxSize),
      let file = try? ShortcutFile(bytes)
    else { return nil }
    if isBinary { return PropertyListBytes.bytes(of: .map(file.root)) }
    // An unsigned file is returned as it was.
    return file.signature == nil
      ? bytes : Array(PropertyListText.xml(of: .map(file.root)).utf8)
  }

  private static func isUnchanged(_ text: String, _ files: String) -> Bool {
    self.text(at: files + "/converted") == mark(text)
  }

  /// The mark of a text, by which a change is noticed.
  private static func mark(_ text: String) -> String {
    SHA256.hash(Array(text.utf8)).hexadecimal
  }

  private static func text(at path: String) -> String? {
    guard let bytes = try? FileReader.bytes(of: path, limit: ShortcutFile.maxSize) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a file, and makes its folder if it is missing.
  static func write(
    _ bytes: [UInt8], to target: String, replaces: Bool
  ) throws(UsageError) {
    guard replaces || access(target, F_OK) != 0 else {
      throw UsageError("\(target) exists already", help: "move it, or choose another folder")
    }
    do {
      try Folder.make(Folder.parent(of: target), mode: 0o755)
      let draft = try TemporaryFile(for: target)
      try draft.file.write(bytes)
      try draft.publish(as: target, replacing: replaces)
      chmod(target, 0o644)
    } catch {
      throw UsageError("\(target) cannot be written: \(error)")
    }
  }
}

import Catalog
import Engine
import POSIX
import Source

extension Errand {
  /// The text of the file that holds a definition.
  package struct DefinitionText {
    /// The path of the file; a name in angle brackets if it is built in.
    package let path: String
    package let text: String
    /// Whether the person can change it here.
    package let isOwn: Bool
    /// Whether it is built in, so that a copy may take its place.
    package let isBuiltIn: Bool
  }

  /// Returns the file of a definition.
  ///
  /// - Throws: `not-found`.
  package func text(of name: String) throws(ErrandError) -> DefinitionText {
    // Built-in files are read when a name of theirs is asked for, and are not among the files.
    if catalog.isBuiltIn(name), let text = catalog.source(of: name) {
      return DefinitionText(path: "<built-in>", text: text, isOwn: false, isBuiltIn: true)
    }
    for file in catalog.files {
      guard catalog.definitions(in: file).contains(where: { $0.name == name }) else { continue }
      let isOwn = places.map { file.name.hasPrefix($0.config + "/") } ?? false
      return DefinitionText(
        path: file.name, text: String(decoding: file.bytes, as: UTF8.self), isOwn: isOwn,
        isBuiltIn: false)
    }
    throw ErrandError(code: "not-found", message: "there is no definition `\(name)`")
  }

  /// Replaces the text of one of the person's files if it has no mistakes.
  ///
  /// - Parameter old: The text that was edited; the file must still have it. Nil for a new file.
  /// - Returns: The mistakes that kept it from being saved; empty if it was saved.
  /// - Throws: `conflict` if the file has changed, `unwritable`, `not-allowed` for a file
  ///   elsewhere.
  package func save(
    _ text: String, at path: String, replacing old: String?
  ) throws(ErrandError) -> [Finding] {
    guard let places, path.hasPrefix(places.config + "/"), !path.contains("/../"),
      path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    else { throw ErrandError(code: "not-allowed", message: "\(path) is not one of your files") }
    let found = try check(text, at: path).filter { $0.severity == .error && $0.place?.file == path }
    guard found.isEmpty else { return found }
    let current = (try? FileReader.bytes(of: path, limit: 8 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard current == old else {
      throw ErrandError(
        code: "conflict",
        message: old == nil ? "there is a file \(path) already" : "\(path) was changed meanwhile",
        help: old == nil ? "choose another name" : "copy your text, and load the page again")
    }
    // A link into another folder, of dotfiles for example, stays one.
    guard
      PrivateFile(path: Folder.resolved(path) ?? path).replace(Array(text.utf8), isDurable: true)
    else {
      throw ErrandError(code: "unwritable", message: "\(path) cannot be written")
    }
    try reload()
    return []
  }

  /// Reads unsaved definitions, with their kinds, capabilities and mistakes.
  ///
  /// - Parameter path: The path that the text would have.
  package func preview(
    _ text: String, at path: String
  ) throws(ErrandError) -> (definitions: [Definition], findings: [Finding]) {
    let findings = try check(text, at: path).filter { $0.place?.file == path }
    if findings.contains(where: { $0.severity == .error }) { return ([], findings) }
    let file = SourceFile(name: path, bytes: Array(text.utf8))
    let former = catalog
    defer {
      catalog = former
      compiled = nil
    }
    catalog = catalog.replacing(nil, with: file)
    compiled = nil
    let names = catalog.definitions(in: file).map(\.name)
    return (names.compactMap { try? definition($0) }, findings)
  }

  /// Fetches the text at a web address, of at most 1 MiB; a page of GitHub or GitLab that shows a file
  /// gives the file. Addresses of this machine and of private networks are refused.
  ///
  /// - Throws: The error of the request.
  package func text(at address: String) throws -> String {
    let steps = """
      shortcut: text-at
      input: url
      steps:
        - http: {url: '{{ input }}', parse: text, maxSize: 1 MiB, local: []}
          timeout: 15s
        - value: {text: '{{ it }}'}
      """
    let file = address.replacing("/-/blob/", with: "/-/raw/")
      .replacing(#/^https://github\.com/([^/]+/[^/]+)/blob//#) { match in
        "https://raw.githubusercontent.com/\(match.1)/"
      }
    let result = try result(
      of: ["run", "-", file, "--json", "--allow", "http"], input: steps, within: .seconds(20))
    if let text = result["text"]?.string { return text }
    throw ErrandError(
      code: result["error"]?["code"]?.string ?? "network",
      message: result["error"]?["message"]?.string ?? "\(address) gave no text")
  }

  /// The icon that a definition names; nil if it names none.
  package func icon(of name: String) -> String? {
    ((try? catalog.action(name)) ?? nil)?.icon
  }

  /// The path of a new file of the person's own.
  package func newPath(named name: String) throws(ErrandError) -> String {
    guard let places, !name.isEmpty, name.utf8.count <= 100,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    else {
      throw ErrandError(
        code: "invalid-value", message: "“\(name)” is not a name for a file",
        help: "use letters, digits and `-`")
    }
    return places.config + "/" + name + ".yaml"
  }
}

import Catalog
import Items
import Program
import YAML

/// Command lines in the order of other programs, such as `task add`, `list tags` or `task 1 done`.
enum NounAndVerb {
  private enum Verb { case add, list, find, update, delete, done, open }

  private static let verbs: [(verb: Verb, words: String)] = [
    (.add, "add new create insert make save"), (.list, "list ls show view get"),
    (.find, "find search grep query"), (.update, "update edit modify change set rename"),
    (.delete, "delete remove del rm"), (.done, "done complete finish check close tick"),
    (.open, "open launch browse"),
  ]

  private static func verb(_ word: String?) -> Verb? {
    verbs.first { $0.words.split(separator: " ").contains { $0 == word ?? "" } }?.verb
  }

  /// Whether a word asks a command for its list, which it shows without words.
  static func isListing(_ word: String) -> Bool { verb(word) == .list }

  /// Returns the command line that words mean; nil if they are not a noun and a verb.
  ///
  /// - Parameters:
  ///   - flags: The words from the first flag on, kept as they are.
  ///   - isCommand: Whether a name is that of a command, besides intents and shortcuts.
  static func command(
    meantBy words: [String], flags: some Collection<String> = [], in catalog: DefinitionCatalog,
    isCommand: (String) -> Bool = { _ in false }
  ) throws -> String? {
    guard words.count > 1 else { return nil }
    for position in [0, 1] {
      var others = words
      let noun = others.remove(at: position)
      // The verb may come after the numbers of the items.
      if position == 0, verb(others[0]) == nil, let last = others.popLast() {
        guard others.allSatisfy({ Int64($0) != nil }) else { continue }
        others.insert(last, at: 0)
      }
      guard let verb = verb(others.removeFirst()),
        let call = try call(
          of: verb, noun, others, in: catalog,
          isCallable: { isCommand($0) || catalog.actionNames.contains($0) })
      else { continue }
      return (["errand"] + call + flags.map(\.quotedForShell)).joined(separator: " ")
    }
    return nil
  }

  /// The words for one such as `due:tomorrow`, `project:home` or `+home` of other programs.
  private static func option(_ word: String, hasProject: Bool) -> [String] {
    let project = hasProject ? "project" : "tags"
    if word.hasPrefix("+"), word.count > 1 { return ["--tags", String(word.dropFirst())] }
    for (name, flag) in [("due", "due"), ("project", project), ("tag", "tags"), ("tags", "tags")]
    where word.hasPrefix(name + ":") && !word.contains(" ") && word.count > name.count + 1 {
      return ["--\(flag)", String(word.dropFirst(name.count + 1)).quotedForShell]
    }
    return [word.quotedForShell]
  }

  private static func hasProject(_ action: String, in catalog: DefinitionCatalog) -> Bool {
    guard case .action(let action)? = try? catalog.untranslated(action) else { return false }
    return action.parameters.contains { $0.name.text == "project" }
  }

  private static func call(
    of verb: Verb, _ noun: String, _ words: [String], in catalog: DefinitionCatalog,
    isCallable: (String) -> Bool
  ) throws -> [String]? {
    let quoted = words.map(\.quotedForShell)
    guard let entity = try ItemWords.entityIfNamed(noun, in: catalog) else {
      guard verb == .list, words.isEmpty else { return nil }
      return [noun, noun + "s"].first(where: isCallable).map { [$0] }
    }
    let kind = EntitySchema.kind(of: entity)
    // The references among the words, such as `1 2` of `task 1 2`, and the words after them.
    var references = words.prefix { WordForm.isName($0) && Int64($0) == nil }.map(\.self)
    var rest = quoted.dropFirst(references.count)
    if references.isEmpty {
      for count in words.indices.map({ $0 + 1 }) {
        guard
          let found = try ItemWords.references(meantBy: [kind] + words.prefix(count), in: catalog)
        else { break }
        (references, rest) = (found, quoted.dropFirst(count))
      }
    }
    switch verb {
    case .add where quoted.isEmpty: return nil
    case .add where entity == "Link": return ["save"] + quoted
    case .add:
      return isCallable("add-\(kind)")
        ? ["add-\(kind)"]
          + words.flatMap { option($0, hasProject: hasProject("add-\(kind)", in: catalog)) } : nil
    case .update: return references.isEmpty ? nil : ["update"] + references + rest
    case .done where isCallable("toggle-\(kind)") && !quoted.isEmpty:
      return ["toggle-\(kind)"] + (references.isEmpty ? quoted : references) + ["--done"]
    case .open where entity == "Link" && !references.isEmpty: return ["open"] + references
    case .open where isCallable("open-\(kind)"): return ["open-\(kind)"] + references
    case .delete where !quoted.isEmpty:
      return ["delete"] + (references.isEmpty ? [kind] + quoted : references)
    case .list where !references.isEmpty: return ["get"] + references
    case .list where quoted.isEmpty && isCallable(kind + "s"): return [kind + "s"]
    case .list, .find: return ["find", noun] + quoted
    case .done, .open, .delete: return nil
    }
  }
}

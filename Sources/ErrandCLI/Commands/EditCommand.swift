import Catalog
import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import YAML

/// `errand edit`: opens a definition in the person's editor, and checks it afterwards.
enum EditCommand {
  static let command = Command(
    "edit", "open a definition in your editor, and check it", usage: "NAME|FILE",
    discussion: """
      The editor is the one in VISUAL or EDITOR, else vi. Afterwards the file is checked; in a \
      terminal it can be opened again at the first mistake.
      """,
    serves: [], reads: .always
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("`edit` takes the name of a definition", help: "errand edit NAME")
    }
    var (path, line) = try place(of: word, invocation)
    while true {
      try open(path, at: line)
      var check = DefinitionCheck(invocation.checkingWorkspace(try invocation.loader.load()))
      check.add(path: path)
      let findings = check.findings
      try FindingsWriter(invocation.console).write(findings, as: .text)
      invocation.console.flush()
      guard let mistake = findings.first(where: { $0.severity == .error }) else { return }
      invocation.status = ExitStatus.usage
      let front = TerminalFront(console: invocation.console)
      guard front.canAnswer else { return }
      let answer = try front.readLine("Open it again at the first mistake?", defaultText: "Y/n")
      guard ["", "y", "yes"].contains(answer.lowercased()) else { return }
      invocation.status = ExitStatus.done
      line = mistake.span?.position.line ?? 1
    }
  }

  /// The file of a definition, and the line of its name.
  private static func place(
    of word: String, _ invocation: Invocation
  ) throws -> (path: String, line: Int) {
    let catalog = try invocation.catalog()
    for file in catalog.files where !file.isBuiltIn {
      guard let found = catalog.definitions(in: file).first(where: { $0.name == word }) else {
        continue
      }
      let name =
        found.kind == .entity
        ? (try? catalog.entity(word))??.name : (try? catalog.action(word))??.name
      return (file.name, name?.span.position.line ?? 1)
    }
    if stat.at(word)?.isFolder == false { return (word, 1) }
    guard catalog.source(of: word) != nil else {
      let names = catalog.actionNames + catalog.entityNames
      throw UsageError(
        "there is no definition and no file “\(word)”",
        help: WordForm.isName(word) && word != "-"
          ? "to change an item: errand update \(word) NAME=VALUE"
          : Suggestion.help(for: word, in: names))
    }
    let kind = catalog.place(ofAction: word)?.kind.rawValue ?? "entity"
    throw UsageError(
      "`\(word)` is built in",
      help: "errand new \(kind) \(word) --from \(word) makes a copy of your own in its place")
  }

  /// Editors that take `+LINE` before a file.
  private static let linewise: Set = [
    "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "mg",
  ]

  /// Runs the editor in the terminal, and waits for it.
  private static func open(_ path: String, at line: Int) throws {
    let editor =
      ["VISUAL", "EDITOR"].compactMap { ProcessEnvironment.value($0) }.first { !$0.isEmpty } ?? "vi"
    let program = editor.split(separator: " ").first?.split(separator: "/").last ?? ""
    var words = ["sh", "-c", "\(editor) \"$@\"", "sh"]
    if line > 1, linewise.contains(String(program)) { words.append("+\(line)") }
    // A file name with a leading dash must not be taken for an option.
    words.append(path.hasPrefix("-") ? "./" + path : path)
    // Ctrl-C is the editor's.
    let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, handler) in former { signal(number, handler) } }
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for (number, _) in former { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    var status: Int32 = 0
    guard posix_spawnp(&child, "sh", nil, &attributes, &pointers, environ) == 0 else {
      throw RunError(.exec, "cannot start \(editor)")
    }
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw RunError(
        .exec, "the editor failed: \(editor)", help: "set EDITOR to the editor you want")
    }
  }
}

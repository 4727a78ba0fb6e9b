import Catalog
import Engine
import ErrandKit
import Glibc
import Items
import Links
import POSIX
import Source
import YAML

/// `errand follow`: performs the action of an `errand:` address after confirmation.
enum FollowCommand {
  static let command = Command(
    "follow", "do what an errand: address says, after asking", usage: "ADDRESS",
    discussion: """
      The desktop calls it for the addresses of other programs and pages: errand://open/link:42, \
      errand://search?q=swift, errand://show/tasks, errand://run/save?url=…, each with x-success, \
      x-error and x-cancel. Nothing happens before you have seen the action with each of its values.
      """,
    serves: [.answers]
  ) { invocation, arguments in
    guard let word = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`follow` takes an address", help: "errand follow errand://search?q=swift")
    }
    let address: ErrandAddress
    do { address = try ErrandAddress(word) } catch {
      throw UsageError("\(error)", help: "docs/sharing.md has the addresses")
    }
    try FollowedAddress(address, invocation, arguments).follow()
  }
}

/// An address that is being followed.
private struct FollowedAddress {
  private let address: ErrandAddress
  private let invocation: Invocation
  private let store: [String]
  private let names: Set<String>

  /// The layers whose definitions an address may run.
  private static let origins: Set = ["built in", "your own"]
  /// The maximum size of a result that is given back, in bytes.
  private static let resultLimit = 16 << 10

  init(_ address: ErrandAddress, _ invocation: Invocation, _ arguments: Arguments) throws {
    self.address = address
    self.invocation = invocation
    store = ["store", "catalog"].flatMap { name in
      arguments.last(name).map { ["--\(name)", $0] } ?? []
    }
    let catalog = try invocation.catalog()
    names = Set(
      (catalog.summaries(of: .intent) + catalog.summaries(of: .shortcut))
        .filter { Self.origins.contains($0.origin) }.map(\.name))
  }

  /// The words of the command that does it, and the sentence that asks before.
  private func plan() throws -> (words: [String], question: String?) {
    switch address.action {
    case .open(let item):
      return (["call", "open", "--", item], "Open \(item)?")
    case .search(let words): return (["call", "search", "--", words], nil)
    case .show(let name):
      let isList = ["tasks", "recent", "unread", "favourite", "archive", "read"].contains(name)
      return (isList ? ["call", name] : ["get", "--", name], nil)
    case .run(let name, let values):
      guard names.contains(name) else {
        throw UsageError("an address cannot run `\(name)`: it is not built in and not your own")
      }
      let known = try Errand.open(options).definition(name).parameters.map(\.name)
      for value in values where !known.contains(value.name) {
        throw UsageError(
          "`\(name)` has no parameter “\(value.name)”",
          help: Suggestion.help(for: value.name, in: known))
      }
      let lines = values.map { "\n  \($0.name): \($0.text)" }.joined()
      return (
        ["call", name] + values.map { "--\($0.name)=\(literal($0, of: name))" },
        "Run \(name)?\(lines)"
      )
    }
  }

  /// The text of a value as a word of a command line; in an address it never names a file.
  private func literal(_ value: ErrandAddress.Value, of name: String) -> String {
    let parameter = try? invocation.catalog().action(name)?.allParameters
      .first { $0.name.text == value.name }
    return ShellValue.literal(value.text, parameter?.type ?? .any)
  }

  private var options: Errand.Options {
    var options = Errand.Options()
    options.store = store.firstIndex(of: "--store").map { store[$0 + 1] }
    options.catalog = store.firstIndex(of: "--catalog").map { store[$0 + 1] }
    return options
  }

  func follow() throws {
    let plan = try plan()
    let receivers = [address.success, address.error, address.cancel].compactMap { $0?.host }.map {
      // Letters of other scripts look like Latin ones.
      let host = Punycode.host($0)
      return host == $0 ? host : "\(host) (\($0))"
    }
    var question = plan.question
    if !receivers.isEmpty {
      let hosts = Array(Set(receivers)).sorted().joined(separator: ", ")
      question = (question ?? "Do what the address says?") + "\nThe result goes to \(hosts)."
    }
    if let question {
      guard try invocation.openRun().confirm(question, key: "follow") else {
        address.cancel.map { _ = URLOpener().open($0.text) }
        throw RunError(.declined, "the address was not followed")
      }
    }
    let program = try Folder.resolved("/proc/self/exe").expected("cannot locate the program")
    let isSilent = address.success == nil && address.error == nil
    // Flags come first, since words of an address may follow `--`.
    let flags = store + (isSilent ? [] : ["--json"])
    let words = [program] + plan.words.prefix(1) + flags + plan.words.dropFirst()
    try isSilent ? replace(words) : giveBack(words)
  }

  /// Becomes the command, so that its questions, output and status are the person's.
  private func replace(_ words: [String]) throws {
    invocation.console.flush()
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    execv(words[0], &pointers)
    throw RunError(.exec, "cannot start \(words[0]): \(String(cString: strerror(errno)))")
  }

  /// Runs the command, and opens the address that gets its result.
  private func giveBack(_ words: [String]) throws {
    var request = ProcessRequest(words)
    // The run may ask on the terminal, but its result goes to a file.
    let folder = try invocation.places.expected("HOME is not set").state
    try PrivateFolder(path: folder).make()
    let file = "\(folder)/followed-\(getpid())"
    defer { unlink(file) }
    request.hasTerminal = true
    request.outputPath = file
    let end = try invocation.openRun().host.machine.exec(
      request, WaitBounds(deadline: nil, descriptors: []))
    let bytes = (try? FileReader.bytes(of: file, limit: 64 << 20)) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    invocation.console.result(text)
    guard case .exited(0) = end.reason else {
      invocation.status = ExitStatus.failed
      if case .exited(let status) = end.reason { invocation.status = status }
      // The reason could reveal too much to the page.
      address.error.map { _ = URLOpener().open(ErrandAddress.adding([("code", "failed")], to: $0)) }
      return
    }
    guard let success = address.success else { return }
    guard bytes.count <= Self.resultLimit else {
      throw RunError(.invalidValue, "the result is too large to give back in an address")
    }
    let value = (try? JSONValue(parsing: text)) ?? .null
    let result = value.string ?? value["url"]?.string ?? value["title"]?.string ?? ""
    _ = URLOpener().open(
      ErrandAddress.adding(
        [("result", result), ("json", text.trimmingEnd)], to: success))
  }
}

extension String {
  /// The text without line breaks at its end.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}

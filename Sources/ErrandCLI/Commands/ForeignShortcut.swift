import AppleShortcuts
import CEL
import Engine
import ErrandKit
import Exchange
import Glibc
import POSIX

/// A shortcut of Apple's app to convert: from a file, a library or an address.
struct ForeignShortcut {
  /// The place that messages name.
  let label: String
  let title: String
  let bytes: [UInt8]

  /// The shortcuts that a word of the command line names.
  static func all(in word: String, _ invocation: Invocation) throws -> [ForeignShortcut] {
    if let shared = ICloudShortcut(address: word) { return [try fetch(shared, word, invocation)] }
    guard stat.at(word) != nil else {
      throw UsageError(
        "\(word) cannot be read: no such file or directory",
        help: "name a file: errand convert FILE.shortcut")
    }
    if word.hasSuffix(".sqlite") { return try library(at: word) }
    let bytes = try FileReader.bytes(of: word, limit: ShortcutFile.maxSize)
    return [
      ForeignShortcut(label: word, title: ShortcutTranslator.title(ofPath: word), bytes: bytes)
    ]
  }

  /// Translates it; an earlier name is kept.
  func translation(
    _ options: ShortcutTranslator.Options, name: String?, isReserved: (String) -> Bool
  ) throws -> ShortcutTranslator {
    do throws(ShortcutFile.Problem) {
      return try ShortcutTranslator(
        ShortcutFile(bytes), named: name ?? ShortcutTranslator.name(for: title, isReserved),
        title: title, options)
    } catch {
      throw UsageError("\(label) cannot be converted: \(error.reason)")
    }
  }

  /// The shortcuts in the library of a Mac.
  private static func library(at path: String) throws -> [ForeignShortcut] {
    let folder = ProcessEnvironment.value("TMPDIR") ?? "/tmp"
    do {
      return try ShortcutsLibrary.entries(at: path, temporaryFolder: folder).map { entry in
        var root = MapValue()
        root["WFWorkflowActions"] = entry.actions
        return ForeignShortcut(
          label: "\(path): \(entry.name)", title: entry.name,
          bytes: PropertyListBytes.bytes(of: .map(root)))
      }
    } catch let error as ExchangeError {
      throw UsageError("\(path) cannot be read: \(error)")
    }
  }

  /// Fetches a shared shortcut, after its access was allowed.
  private static func fetch(
    _ shared: ICloudShortcut, _ address: String, _ invocation: Invocation
  ) throws -> ForeignShortcut {
    let run = try invocation.openRun()
    guard run.host.machine.http != nil else {
      if invocation.console.link.canHandOver {
        invocation.console.flush()
        try invocation.console.link.handOver(document: nil, asking: nil)
      }
      throw RunError(
        .network, "\(address) needs the network, and this build of errand has none",
        remedy: .installNetwork)
    }
    let prompt = "Fetch \(address) from www.icloud.com, and its file from Apple's servers?"
    if !invocation.arguments.isOn("yes") {
      guard invocation.front.canAnswer else {
        throw RunError(
          .notAllowed, "nobody can allow that \(address) is fetched", help: "add --yes")
      }
      let question = Question(.confirmation(danger: false), key: "access", prompt: prompt)
      guard case .confirmed(true) = try invocation.front.ask(question) else {
        throw RunError(.declined, "\(address) was not fetched")
      }
    }
    let get = { (url: String) throws -> [UInt8] in
      let request = HTTPRequest("GET", url)
      let deadline = run.host.machine.monotonic() + 60_000_000_000
      guard let http = run.host.machine.http,
        case .reply(let reply) = try http(request, WaitBounds(deadline: deadline, descriptors: []))
      else { throw RunError(.timeout, "\(url) did not answer") }
      guard reply.status == 200 else {
        throw UsageError("\(address) cannot be fetched: its server answers \(reply.status)")
      }
      return reply.body
    }
    do {
      let (title, file) = try ICloudShortcut.contents(ofRecord: get(shared.recordAddress))
      return ForeignShortcut(label: address, title: title, bytes: try get(file))
    } catch let problem as ShortcutFile.Problem {
      throw UsageError("\(address) cannot be converted: \(problem.reason)")
    }
  }
}

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Traces system calls to check that a program touches nothing outside its capability list.
@Suite struct TracedAccessTests {
  /// Whether tracing is permitted; some containers forbid it.
  static let canTrace: Bool = {
    guard let sandbox = try? Sandbox() else { return false }
    return (try? sandbox.shell("strace -f -o trace true && grep -q execve trace").status) == 0
  }()

  @Test(.enabled(if: canTrace, "strace is needed, and ptrace(2)"), arguments: 0..<12)
  func nothingElseIsTouched(_ seed: Int) throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(
        request.target.hasPrefix("/away") ? 302 : 200, ["Location: /home"], body: request.target)
    }
    var wild = WildShortcut(seed: UInt64(seed), port: server.port)
    let text = wild.text()
    let sandbox = try Sandbox(["wild.yaml": text, "in/a.txt": "a\n", "in/b.txt": "b\n"])
    let list = try sandbox.run("show", "wild.yaml#wild", "--access", "--json")
    #expect(list.status == 0, "\(list)\n\(text)")
    let grants = try Grant.all(inJSON: list.out)
    let run = try sandbox.shell(
      "strace -f -qq -s 4096 -e trace=execve,connect,open,openat,creat,unlink,unlinkat,rename,"
        + "renameat,renameat2,clone,clone3,vfork -o trace errand run 'wild.yaml#wild'")
    let trace = try #require(sandbox.read("trace"), "\(run)")
    let touched = Trace(trace, in: sandbox.path).touched
    #expect(!touched.isEmpty, "\(run)\n\(text)")
    for capability in touched
    where !grants.contains(where: { $0.allows(capability, in: sandbox.path) }) {
      Issue.record(
        "\(capability.kind) \(capability.target) is not in the list:\n\(list.out)\n\(text)")
    }
  }
}

/// A line of the capability list.
private struct Grant {
  let kind: String
  let target: String?

  /// Parses a list, whose only quotes are those of its format.
  static func all(inJSON text: String) throws -> [Grant] {
    text.matches(of: #/"kind":"([a-z]+)","target":(?:"([^"]*)"|null)/#).map {
      Grant(kind: String($0.1), target: $0.2.map(String.init))
    }
  }

  func allows(_ capability: Trace.Capability, in folder: String) -> Bool {
    guard kind == capability.kind else { return false }
    guard let target else { return true }
    switch kind {
    case "exec": return capability.target == target || capability.target.hasSuffix("/" + target)
    case "http": return target == "localhost" || capability.target == target
    default:
      let path = target.hasPrefix("/") ? target : folder + "/" + target
      let clean = path.hasSuffix("/") ? String(path.dropLast()) : path
      return capability.target == clean || capability.target.hasPrefix(clean + "/")
        // Rewritten files lie beside their target until complete.
        || kind == "write" && Trace.folder(of: capability.target) == Trace.folder(of: clean)
          && capability.target.hasSuffix(".draft")
    }
  }
}

/// The program's own trace, without its child processes.
private struct Trace {
  /// A traced access to something outside.
  struct Capability: Hashable {
    let kind: String
    let target: String
  }

  private(set) var touched: Set<Capability> = []
  private let folder: String

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  init(_ text: String, in folder: String) {
    self.folder = folder
    var foreign: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { continue }
      // Process numbers are padded with blanks.
      let (process, call) = (parts[0], parts[1].drop { $0 == " " })
      if foreign.contains(process) { continue }
      if let match = call.firstMatch(of: #/^execve\("([^"]*)"/#) {
        let path = String(match.1)
        if path.hasSuffix("/errand") || path.hasSuffix("/errand-net") { continue }
        guard call.hasSuffix(" = 0") else { continue }
        foreign.insert(process)
        touched.insert(Capability(kind: "exec", target: path))
      } else if let match = call.firstMatch(
        of: #/^connect\(.*sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]*)"\)/#)
      {
        // A connect without a port only asks for a route.
        if match.1 != "0", match.1 != "53" {
          touched.insert(Capability(kind: "http", target: String(match.2)))
        }
      } else if !call.contains(" = -1 ") {
        note(call)
      }
    }
  }

  /// Records files of the sandbox, except the program's own.
  private mutating func note(_ call: Substring) {
    let writes =
      call.hasPrefix("unlink") || call.hasPrefix("rename") || call.hasPrefix("creat")
      || call.contains("O_WRONLY") || call.contains("O_RDWR")
    guard call.hasPrefix("open") || writes else { return }
    for match in call.matches(of: #/"([^"]*)"/#) {
      let name = String(match.1)
      let path = name.hasPrefix("/") ? name : folder + "/" + name
      guard path.hasPrefix(folder + "/") else { continue }
      let rest = path.dropFirst(folder.count + 1)
      let isOwn = [".local", ".config", ".errand", ".streams", "wild.yaml", "bin", "trace"]
      if isOwn.contains(where: { rest.hasPrefix($0) }) { continue }
      // A folder is opened to sync its entries.
      if call.contains("O_DIRECTORY"), !call.contains("openat(AT_FDCWD, \"\(name)\"") { continue }
      if call.contains("O_DIRECTORY") { continue }
      touched.insert(Capability(kind: writes ? "write" : "read", target: path))
    }
  }
}

/// A random shortcut with steps that reach outside in every way.
private struct WildShortcut {
  private var state: UInt64
  private let port: Int

  init(seed: UInt64, port: Int) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    self.port = port
  }

  private mutating func pick<T>(_ items: [T]) -> T {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return items[Int(state >> 33) % items.count]
  }

  mutating func text() -> String {
    "shortcut: wild\nvariables: {name: {type: string, value: a}}\nsteps:\n"
      + block(depth: 0, count: 5) + inner
  }

  private let inner = """
    ---
    shortcut: inner-one
    input: {type: string}
    steps:
      - write-file: {path: 'made/{{ input }}.txt', text: x}

    """

  private mutating func block(depth: Int, count: Int) -> String {
    (0..<count).map { _ in step(depth) }.joined()
  }

  private mutating func step(_ depth: Int) -> String {
    let margin = String(repeating: " ", count: 2 + depth * 4)
    let line = leaf()
    guard depth < 2, pick([true, false, false]) else {
      // Later steps run even if one fails.
      return "\(margin)- try: [{\(line)}]\n\(margin)  catch: [{do: [{log: no}]}]\n"
    }
    let inner = block(depth: depth + 1, count: 2)
    return switch pick(Array(0..<5)) {
    case 0: "\(margin)- if: size(name) == 1\n\(margin)  then:\n\(inner)"
    case 1: "\(margin)- repeat: 1\n\(margin)  do:\n\(inner)"
    case 2:
      "\(margin)- parallel:\n\(margin)    one:\n\(inner)".replacing("\n      ", with: "\n        ")
    case 3: "\(margin)- for: n\n\(margin)  in: [a]\n\(margin)  do:\n\(inner)"
    default: "\(margin)- try:\n\(inner)\(margin)  finally: [{\(line)}]\n"
    }
  }

  private mutating func leaf() -> String {
    pick([
      "exec: [date]", "exec: [/bin/echo, '{{ name }}']", "exec: {shell: 'echo \"$1\"', args: [x]}",
      "exec: ['{{ \"un\" + \"ame\" }}']", "exec: [env, true]",
      "exec: {command: [true], save: out/t}",
      "http: 'http://127.0.0.1:\(port)/{{ name }}'", "http: 'http://localhost:\(port)/x'",
      "http: {url: 'http://127.0.0.1:\(port)/away', save: got/page}",
      "http: {url: '{{ \"http://127.0.0.1:\(port)/\" + name }}', file: in/a.txt}",
      "http: {url: 'http://127.0.0.1:\(port)/', multipart: {f: {file: in/b.txt}}}",
      "read-file: in/a.txt", "read-file: 'in/{{ name }}.txt'", "read-file: '{{ \"in/b.txt\" }}'",
      "find-files: {in: in, deep: true}", "write-file: {path: w/one.txt, text: x}",
      "write-file: {path: 'w/{{ name }}/two.txt', text: x}",
      "write-file: {path: './w/../w/three.txt', text: x, mode: append}",
      "copy-file: {from: in/a.txt, to: c/}", "move-file: {from: in/b.txt, to: 'm/{{ name }}.txt'}",
      "trash-file: in/a.txt", "inner-one: {input: '{{ name }}'}",
      "run: {name: 'inner-{{ \"one\" }}', input: z}",
    ])
  }
}

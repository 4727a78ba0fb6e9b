import Glibc
import TestSupport
import Testing

/// Reported results are on the disk: the files and the folders that contain them.
@Suite(.enabled(if: Tracing.isPossible, "strace cannot be used here"))
struct DurabilityTests {
  private let hello = "shortcut: hello\nsteps: [{say: Hello}]\n"

  @Test func aTrustedFolderIsOnTheDisk() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    let trace = try Tracing.run("trust p", in: sandbox)
    let state = sandbox.path + "/.local/state/errand"
    // Each new folder is an entry of the one above it.
    for folder in [sandbox.path + "/.local", sandbox.path + "/.local/state", state] {
      let made = try #require(trace.position(of: "mkdir(\"\(folder)\""))
      #expect(trace.syncsFolder(above: folder, after: made), "\(trace)")
    }
    let moved = try #require(trace.position { $0.contains("rename(") && $0.contains("trusted") })
    #expect(trace.calls[..<moved].last?.contains("fsync(") == true, "\(trace)")
    #expect(trace.syncsFolder(above: state + "/trusted", after: moved), "\(trace)")
  }

  @Test func aNewStoreIsOnTheDisk() throws {
    let sandbox = try Sandbox()
    let trace = try Tracing.run("save https://swift.org --quiet", in: sandbox)
    let store = sandbox.path + "/.local/share/errand/library.db"
    for folder in [".local", ".local/share", ".local/share/errand"] {
      let path = sandbox.path + "/" + folder
      let made = try #require(trace.position(of: "mkdir(\"\(path)\""))
      #expect(trace.syncsFolder(above: path, after: made), "\(trace)")
    }
    let linked = try #require(
      trace.position { $0.contains("link(") && $0.contains("\"\(store)\"") })
    #expect(trace.syncsFolder(above: store, after: linked), "\(trace)")
  }

  @Test func aBackupIsOnTheDisk() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    let trace = try Tracing.run("backup \(sandbox.path)/copy.db", in: sandbox)
    let linked = try #require(trace.position { $0.contains("link(") && $0.contains("copy.db\"") })
    #expect(trace.calls[..<linked].last?.contains("fsync(") == true, "\(trace)")
    #expect(trace.syncsFolder(above: sandbox.path + "/copy.db", after: linked), "\(trace)")
  }
}

/// The file-changing system calls of a run of `errand`, in order.
private struct Tracing: CustomStringConvertible {
  /// The calls in the notation of strace, without process numbers.
  let calls: [Substring]

  /// Whether strace is installed and permitted to trace.
  static let isPossible: Bool = {
    guard let sandbox = try? Sandbox() else { return false }
    return (try? sandbox.shell("strace -o /dev/null true").status) == 0
  }()

  static func run(_ command: String, in sandbox: Sandbox) throws -> Tracing {
    let calls = "trace=mkdir,openat,fsync,fdatasync,rename,link"
    let run = try sandbox.shell("strace -f -qq -e \(calls) -o .trace errand \(command)")
    #expect(run.status == 0, "\(run)")
    let lines = (sandbox.read(".trace") ?? "").split(separator: "\n")
    return Tracing(calls: lines.map { $0.drop { $0.isNumber || $0 == " " } })
  }

  /// Returns the first call that contains a text.
  func position(of text: String) -> Int? { position { $0.contains(text) } }

  func position(where fits: (Substring) -> Bool) -> Int? { calls.firstIndex(where: fits) }

  /// Whether the folder of a path is opened and synced after a call.
  func syncsFolder(above path: String, after position: Int) -> Bool {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
    let rest = calls[(position + 1)...]
    guard
      let opened = rest.firstIndex(where: {
        $0.contains("openat(") && $0.contains("\"\(folder)\"")
      }), let descriptor = calls[opened].split(separator: " ").last
    else { return false }
    return calls[(opened + 1)...].first.map {
      $0.hasPrefix("fsync(\(descriptor))") || $0.hasPrefix("fdatasync(\(descriptor))")
    } ?? false
  }

  var description: String { calls.joined(separator: "\n") }
}

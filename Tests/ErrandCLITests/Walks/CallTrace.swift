import FoundationEssentials
import Glibc
import TestSupport

/// The functions entered by calls of `errand`, each with the calls that first led to it.
struct CallTrace {
  /// A function that was entered.
  struct Entry {
    /// The name in Swift form, such as `Run.perform(_:each:done:)`.
    let name: String
    /// Files of the callers and its own, below `Sources`, outermost first.
    let files: [String]
  }

  let entries: [Entry]
  /// The files of all functions that were entered.
  let entered: Set<String>
  let run: ProgramRun

  /// Reason why tracing is impossible here; nil if possible.
  static let nestedViolation: String? = {
    for tool in ["llvm-symbolizer", "swift-demangle"] where path(of: tool) == nil {
      return "\(tool) of the Swift toolchain is not in PATH"
    }
    guard let sandbox = try? Sandbox(),
      (try? sandbox.shell("call-tracer trace \(Sandbox.products)/errand version"))?.status == 0
    else { return "programs cannot be traced here (ptrace(2))" }
    return nil
  }()

  private static func path(of tool: String) -> String? {
    let folders = String(cString: getenv("PATH")).split(separator: ":")
    return folders.map { "\($0)/\(tool)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs and traces `errand`, including `errand-net`.
  init(_ words: [String], in sandbox: Sandbox) throws {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    run = try sandbox.shell("call-tracer trace \(Sandbox.products)/errand \(quoted)")
    let lines = (sandbox.read("trace") ?? "").split(separator: "\n").map {
      $0.split(separator: " ")
    }
    var places: [Substring: [Substring: Place]] = [:]
    for (program, lines) in Dictionary(grouping: lines, by: { $0[0] }) {
      let addresses = Set(lines.joined().filter { $0 != program }).sorted()
      places[program] = try Self.places(of: addresses, in: program, sandbox)
    }
    entered = Set(lines.compactMap { places[$0[0]]?[$0[1]]?.file })
    entries = lines.compactMap { line in
      guard let known = places[line[0]], let entered = known[line[1]] else { return nil }
      return Entry(
        name: entered.name, files: line.dropFirst().reversed().compactMap { known[$0]?.file })
    }
  }

  /// Returns a function and its file; nil if no source contains it.
  private struct Place {
    let name: String
    let file: String?
  }

  private static func places(
    of addresses: [Substring], in program: Substring, _ sandbox: Sandbox
  ) throws -> [Substring: Place] {
    guard let symbolizer = path(of: "llvm-symbolizer"), let demangle = path(of: "swift-demangle")
    else { return [:] }
    // One line for the function, one for the file, and an empty one.
    let found = try sandbox.shell(
      "\(symbolizer) --obj=\(program) --no-inlines --functions=linkage",
      input: addresses.joined(separator: "\n") + "\n"
    ).out.split(separator: "\n\n").map { $0.split(separator: "\n") }
    let names = try sandbox.shell(
      "\(demangle) --simplified", input: found.map { $0[0] + "\n" }.joined()
    ).out.split(separator: "\n")
    var places: [Substring: Place] = [:]
    for ((address, lines), name) in zip(zip(addresses, found), names) {
      let path = lines.count > 1 ? lines[1].prefix { $0 != ":" } : ""
      let file = path.firstRange(of: "/Sources/").map { String(path[$0.upperBound...]) }
      places[address] = Place(
        name: String(name.hasPrefix("static ") ? name.dropFirst(7) : name), file: file)
    }
    return places
  }

  /// Returns the files on the way to a function, given the start of its name.
  func files(to station: String) -> [String]? {
    entries.first { $0.name.hasPrefix(station) }?.files
  }
}

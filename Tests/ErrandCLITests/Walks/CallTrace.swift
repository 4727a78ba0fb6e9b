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
    entered = Set(lines.flatMap { places[$0[0]]?[$0[1]]?.files.prefix(1) ?? [] })
    entries = lines.compactMap { line in
      guard let known = places[line[0]], let entered = known[line[1]] else { return nil }
      let callers = line.dropFirst(2).reversed().flatMap { known[$0]?.files ?? [] }
      return Entry(name: entered.name, files: callers + entered.files.prefix(1))
    }
  }

  /// A place in a program: the name of its function, the file of that function, and the files of the
  /// functions that are inlined there, outermost first.
  private struct Place {
    let name: String
    let files: [String]
  }

  private static func places(
    of addresses: [Substring], in program: Substring, _ sandbox: Sandbox
  ) throws -> [Substring: Place] {
    guard let symbolizer = path(of: "llvm-symbolizer"), let demangle = path(of: "swift-demangle")
    else { return [:] }
    // Two lines for each function, innermost first, with its name and its place; then an empty one.
    let found = try sandbox.shell(
      "\(symbolizer) --obj=\(program) --inlines --functions=linkage",
      input: addresses.joined(separator: "\n") + "\n"
    ).out.split(separator: "\n\n").map { $0.split(separator: "\n") }
    let names = try sandbox.shell(
      "\(demangle) --simplified", input: found.map { $0[$0.count - 2] + "\n" }.joined()
    ).out.split(separator: "\n")
    var places: [Substring: Place] = [:]
    for ((address, lines), name) in zip(zip(addresses, found), names) {
      let paths = stride(from: lines.count - 1, to: 0, by: -2).map { index in
        lines[index].prefix { $0 != ":" }
      }
      let plain = ["specialized ", "static "].reduce(name) { name, mark in
        name.hasPrefix(mark) ? name.dropFirst(mark.count) : name
      }
      places[address] = Place(
        name: String(plain),
        files: paths.compactMap { path in
          path.firstRange(of: "/Sources/").map { String(path[$0.upperBound...]) }
        })
    }
    return places
  }

  /// Returns the files on the way to a function, given the start of its name.
  func files(to station: String) -> [String]? {
    entries.first { $0.name.hasPrefix(station) }?.files
  }
}

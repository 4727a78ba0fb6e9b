import FoundationEssentials
import Glibc

/// The functions that calls of `errand` enter, each with the calls that led to it first.
struct CallTrace {
  /// A function that was entered.
  struct Entry {
    /// The name as Swift writes it, such as `Run.perform(_:each:done:)`.
    let name: String
    /// The files of the calls that led there and its own, below `Sources`, the outermost first.
    let files: [String]
  }

  let entries: [Entry]
  let run: Run

  /// The reason why nothing can be traced here; nil where it can be.
  static let obstacle: String? = {
    for tool in ["llvm-symbolizer", "swift-demangle"] where path(of: tool) == nil {
      return "\(tool) of the Swift toolchain is not in PATH"
    }
    guard let sandbox = try? Sandbox(),
      (try? sandbox.shell("call-tracer trace \(Sandbox.products)/errand version"))?.status == 0
    else { return "programs can't be traced here (ptrace(2))" }
    return nil
  }()

  private static func path(of tool: String) -> String? {
    let folders = String(cString: getenv("PATH")).split(separator: ":")
    return folders.map { "\($0)/\(tool)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs `errand` with words and follows it, also into `errand-net`.
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
    entries = lines.compactMap { line in
      guard let known = places[line[0]], let entered = known[line[1]] else { return nil }
      return Entry(
        name: entered.name, files: line.dropFirst().reversed().compactMap { known[$0]?.file })
    }
  }

  /// A function, and the file in which it stands; nil for one that no source has.
  private struct Place {
    let name: String
    let file: String?
  }

  private static func places(
    of addresses: [Substring], in program: Substring, _ sandbox: Sandbox
  ) throws -> [Substring: Place] {
    guard let symbolizer = path(of: "llvm-symbolizer"), let demangle = path(of: "swift-demangle")
    else { return [:] }
    // One line for the function, one for the place, and an empty one.
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

  /// The files on the way to a station: a function, by the beginning of its name.
  func files(to station: String) -> [String]? {
    entries.first { $0.name.hasPrefix(station) }?.files
  }
}

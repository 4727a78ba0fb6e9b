import CEL
import Catalog
import Engine
import Glibc
import Program
import Source
import Store

/// One person's Errand: the definitions in reach, their library, and the runs one starts.
///
/// ```swift
/// let errand = try Errand.open()
/// for link in try errand.reader().find("Link", where: "'swift' in self.tags", limit: 10) {
///   print(link.title)
/// }
/// let run = try errand.start("save", ["url": "https://swift.org"])
/// print(try run.result { event in print(event.name) })
/// ```
///
/// It reads and starts; a run is a process of its own, so a run that fails, waits or is ended harms
/// no other. Used from one thread; open one a thread, which costs a few system calls.
public final class Errand {
  /// Where a person's things are, and which program runs for them.
  public struct Options: Sendable {
    /// The path of the library; nil for `ERRAND_STORE`, else the person's own.
    public var store: String?
    /// A folder of further definitions, as `--catalog` names one; nil for none.
    public var catalog: String?
    /// The folder in which runs are made, and above which a project's definitions are looked for;
    /// nil for the working folder.
    public var folder: String?
    /// Variables that count before those of the process, here and in runs.
    public var environment: [String: String] = [:]
    /// The path of `errand`; nil for the one beside this program, else the one in `PATH`.
    public var program: String?

    /// The options of a person at a terminal.
    public init() {}
  }

  let options: Options
  let environment: @Sendable (String) -> String?
  let places: Places?
  let settings: Settings
  let library: Library
  /// What is wrong with files of definitions; the others count all the same.
  public let problems: [ErrandError]

  /// Opens a person's Errand: finds the definitions in reach, and neither makes nor opens the library.
  ///
  /// A project's definitions count once the person trusts them (`errand trust`).
  /// - Throws: `ErrandError` where the folder of `catalog` can't be read.
  public static func open(_ options: Options = Options()) throws(ErrandError) -> Errand {
    try ErrandError.translating { try Errand(options) }
  }

  private init(_ options: Options) throws {
    self.options = options
    environment = { [given = options.environment] name in
      guard let value = given[name] else { return ProcessEnvironment.value(name) }
      return value.isEmpty ? nil : value
    }
    places = Places(
      environment: environment, workingFolder: options.folder ?? Self.workingFolder)
    var notes: [ErrandError] = []
    settings = Settings(path: places?.settings, environment: environment, note: { _ in })
    library = try LibraryLoader(
      places: places, catalogFolder: options.catalog,
      note: { notes.append(ErrandError(code: "unreadable", message: $0.text)) }
    ).load()
    problems = notes + library.problems.map { ErrandError($0) }
  }

  private static var workingFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&buffer, buffer.count).flatMap { String(validatingCString: $0) } ?? "/"
  }

  // MARK: Definitions

  /// An intent, a shortcut, an automation or an entity in reach.
  public struct DefinitionSummary: Hashable, Sendable {
    /// The kind: `entity`, `intent`, `shortcut` or `automation`.
    public let kind: String
    /// The name, by which an intent or a shortcut is started.
    public let name: String
    /// The description, on one line; empty where there is none.
    public let description: String
    /// Where it comes from, such as `built-in` or `project`.
    public let origin: String
  }

  /// The definitions in reach, entities first, each kind by name.
  ///
  /// - Complexity: O(n) for n definitions, each of which is parsed.
  public var definitions: [DefinitionSummary] {
    let listing = DefinitionListing(library)
    return [Definition.Kind.entity, .intent, .shortcut, .automation].flatMap { kind in
      listing.rows(of: kind).map {
        DefinitionSummary(
          kind: $0.kind.rawValue, name: $0.name, description: $0.description,
          origin: $0.layer.displayName)
      }
    }
  }

  // MARK: The library

  /// A reader of the library, which sees what others save from one call to the next.
  ///
  /// - Throws: `ErrandError` where there is no place for a library.
  public func reader() throws(ErrandError) -> Reader {
    try ErrandError.translating { try Reader(self) }
  }

  /// The path of the library's file.
  ///
  /// - Throws: `io` where neither `HOME` nor a path is given.
  public func storePath() throws(ErrandError) -> String {
    guard let path = options.store ?? environment("ERRAND_STORE") ?? places?.defaultStore else {
      throw ErrandError(
        code: "io", message: "cannot find the library: HOME is not set",
        help: "set HOME, or give the path of the library")
    }
    return path
  }

  /// The host of what this process itself does for the person.
  func makeHost() -> Host {
    SystemHost.make(
      places: places, settings: settings, secrets: KnownSecrets(), interrupt: Interrupt(),
      environment: environment, http: nil,
      note: { _ in })
  }
}

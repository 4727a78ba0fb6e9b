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
/// It reads the definitions once; ``reload()`` reads them again. It belongs to one thread: open one
/// for each, which costs a few system calls and the reading of definitions. A run is a process of its
/// own, so that a run that fails, waits or is ended harms no other.
public final class Errand {
  /// The places of a person's things, and the program that runs for them.
  public struct Options: Sendable {
    /// The path of the library; nil for `ERRAND_STORE`, else the person's own.
    public var store: String?
    /// A folder of further definitions, as `--catalog` names one; nil for none.
    public var catalog: String?
    /// The folder of relative paths in runs, above which a project's definitions are looked for; nil
    /// for the working folder.
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
  private(set) var knownSettings: Settings
  private(set) var library: Library
  private var compiled: Workspace?
  /// What is wrong with files of definitions as a whole, such as a name that is given twice, or a
  /// project that is not trusted; the other definitions count all the same.
  ///
  /// ``check(_:)`` finds what is wrong within definitions.
  public private(set) var problems: [Finding]

  /// Opens a person's Errand: finds the definitions in reach, and neither makes nor opens the library.
  ///
  /// A project's definitions count once the person trusts them: see ``project``.
  ///
  /// - Throws: `unreadable` where the folder of `catalog` can't be read.
  /// - Complexity: O(bytes of the person's own definitions); each is parsed when it is first used.
  public static func open(_ options: Options = Options()) throws(ErrandError) -> Errand {
    let errand = Errand(options)
    try errand.reload()
    return errand
  }

  private init(_ options: Options) {
    self.options = options
    environment = { [given = options.environment] name in
      guard let value = given[name] else { return ProcessEnvironment.value(name) }
      return value.isEmpty ? nil : value
    }
    places = Places(
      environment: environment, workingFolder: options.folder ?? Self.workingFolder)
    knownSettings = Settings(path: places?.settings, environment: environment) { _ in }
    library = Library()
    problems = []
  }

  /// Reads definitions and settings again, as they are now.
  ///
  /// Readers and writers that were made before go on with the definitions that they have.
  ///
  /// - Throws: `unreadable` where the folder of `catalog` can't be read; nothing is changed then.
  public func reload() throws(ErrandError) {
    (library, problems) = try loaded()
    compiled = nil
    knownSettings = Settings(path: places?.settings, environment: environment) { _ in }
  }

  /// The definitions in reach as they are now, and what is wrong with their files.
  ///
  /// - Parameter texts: The texts of files that are edited, by their paths.
  func loaded(
    replacing texts: [String: [UInt8]] = [:]
  ) throws(ErrandError) -> (Library, [Finding]) {
    try ErrandError.translating {
      var notes: [Finding] = []
      let loader = LibraryLoader(
        places: places, catalogFolder: options.catalog, texts: texts,
        note: { notes.append(Finding(unreadable: $0.text)) })
      let library = try loader.load()
      return (library, notes + library.problems.map { Finding($0) })
    }
  }

  private static var workingFolder: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&buffer, buffer.count).flatMap { String(validatingCString: $0) } ?? "/"
  }

  // MARK: The library

  /// A reader of the library's items, which sees what others save from one call to the next.
  ///
  /// - Throws: `io` where there is no place for a library.
  public func reader() throws(ErrandError) -> Reader {
    try ErrandError.translating { try Reader(self) }
  }

  /// A writer of the library's items, whose changes are recorded and can be taken back.
  ///
  /// - Parameter cause: The name in the log of changes of whoever makes them, such as that of the
  ///   front.
  /// - Throws: `io` where there is no place for a library.
  public func writer(as cause: String) throws(ErrandError) -> Writer {
    try ErrandError.translating { try Writer(self, cause: cause) }
  }

  /// The path of the library's file, which need not be there.
  ///
  /// - Throws: `io` where neither `HOME` nor a path is given.
  public func storePath() throws(ErrandError) -> String {
    guard let path = storeOpening.path else {
      throw ErrandError(
        code: "io", message: "cannot find the library: HOME is not set",
        help: "set HOME, or give the path of the library")
    }
    return path
  }

  /// The way in which the library is opened.
  var storeOpening: StoreOpening {
    StoreOpening(
      named: options.store, places: places, settings: knownSettings, environment: environment)
  }

  /// The definitions in reach as they are compiled, without a store.
  var workspace: Workspace {
    if let compiled { return compiled }
    let workspace = Workspace(library: library, host: makeHost()) { context in
      try EntityStore(at: .memory, context: context)
    }
    compiled = workspace
    return workspace
  }

  /// The host of what this process itself does for the person.
  func makeHost() -> Host {
    var host = SystemHost.make(
      places: places, settings: knownSettings, secrets: KnownSecrets(), interrupt: Interrupt(),
      environment: environment, http: nil,
      note: { _ in })
    host.clock = LocalClock { [environment] in
      environment("TZ").flatMap(TimeZoneRules.named) ?? .system()
    }
    return host
  }
}

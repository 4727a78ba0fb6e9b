import CEL
import Catalog
import Engine
import Glibc
import Program
import Source
import Store

/// A person's Errand: the available definitions, the library, and the runs started through it.
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
/// Definitions are read once; ``reload()`` reads them again. Instances are not thread-safe: open
/// one for each thread, which costs a few system calls and the reading of definitions. Each run is
/// a separate process, so a failed, blocked or killed run does not affect others.
///
/// `ErrandKit` is Errand without a user interface: besides this API it owns settings, secrets,
/// trust, notifications and the loading of definitions, which all front ends share.
public final class Errand {
  /// The locations, environment and program to use.
  public struct Options: Sendable {
    /// The path of the library; nil for `ERRAND_STORE`, else the default library.
    public var store: String?
    /// A folder of additional definitions, like `--catalog`; nil for none.
    public var catalog: String?
    /// The base of relative paths in runs and the start of the search for a project; nil for the
    /// working directory.
    public var folder: String?
    /// Environment variables that override those of the process, here and in runs.
    public var environment: [String: String] = [:]
    /// The path of `errand`; nil for the one next to this program, else the one in `PATH`.
    public var program: String?

    /// Creates options with the same defaults as the command line.
    public init() {}
  }

  let options: Options
  let environment: @Sendable (String) -> String?
  /// The locations of the person's files; nil without a home directory.
  package let places: Places?
  private(set) var knownSettings: Settings
  var catalog: DefinitionCatalog
  var compiled: Workspace?
  /// Languages of texts, best first; empty for English.
  package var languages: [String] = [] {
    didSet {
      catalog.languages = languages
      compiled = nil
    }
  }
  /// Problems with whole definition files, such as a duplicate name or an untrusted project; all
  /// other definitions remain available.
  ///
  /// Mistakes inside definitions are found by ``check(_:)``.
  public private(set) var problems: [Finding]

  /// Opens a person's Errand: finds the available definitions, and neither creates nor opens the
  /// library.
  ///
  /// A project's definitions are loaded once the person trusts it: see ``project()``.
  ///
  /// - Throws: `unreadable` if the `catalog` folder cannot be read.
  /// - Complexity: O(bytes of the person's own definitions); each is parsed on first use.
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
      environment: environment, workingFolder: options.folder ?? ProcessEnvironment.workingFolder)
    knownSettings = Settings(path: places?.settings, environment: environment) { _ in }
    catalog = DefinitionCatalog()
    problems = []
  }

  /// Reads definitions and settings again.
  ///
  /// Existing readers and writers continue to use their definitions.
  ///
  /// - Throws: `unreadable` if the `catalog` folder cannot be read; then nothing changes.
  public func reload() throws(ErrandError) {
    (catalog, problems) = try loaded()
    compiled = nil
    knownSettings = Settings(path: places?.settings, environment: environment) { _ in }
  }

  /// A text that differs after a file of the person's own definitions has changed.
  package var definitionFingerprint: String {
    DefinitionFingerprint([places?.config].compactMap { $0 }).text
  }

  /// A copy of the catalog of the last ``reload()``, to add files to.
  var catalogCopy: DefinitionCatalog { catalog.replacing(nil, with: nil) }

  /// Returns the definitions as they are on disk now, and the problems with their files.
  ///
  /// - Parameter texts: Unsaved texts of files, by path.
  func loaded(
    replacing texts: [String: [UInt8]] = [:]
  ) throws(ErrandError) -> (DefinitionCatalog, [Finding]) {
    try ErrandError.translating {
      var notes: [Finding] = []
      let loader = CatalogLoader(
        places: places, catalogFolder: options.catalog, texts: texts,
        note: { notes.append(Finding(unreadable: $0.text)) })
      let catalog = try loader.load()
      catalog.languages = languages
      return (catalog, notes + catalog.problems.map { Finding($0) })
    }
  }

  // MARK: Library

  /// Makes a reader of the library's items; each of its calls sees the latest commits.
  ///
  /// - Throws: `io` if the library cannot be located.
  public func reader() throws(ErrandError) -> Reader {
    try ErrandError.translating { try Reader(self) }
  }

  /// Makes a reader for conditions written by someone else: they cannot use secrets, environment
  /// variables or the state of the network, and a call evaluates at most a million steps.
  ///
  /// - Throws: `io` if the library cannot be located.
  public func guestReader() throws(ErrandError) -> Reader {
    try ErrandError.translating { try Reader(self, isForGuests: true) }
  }

  /// Makes a writer of the library's items; its changes are logged and can be undone.
  ///
  /// - Parameter cause: The cause recorded in the change log, such as the front's name.
  /// - Throws: `io` if the library cannot be located.
  public func writer(as cause: String) throws(ErrandError) -> Writer {
    try ErrandError.translating { try Writer(self, cause: cause) }
  }

  /// Returns the path of the library file, which may not exist yet.
  ///
  /// - Throws: `io` if neither `HOME` nor a path is given.
  public func storePath() throws(ErrandError) -> String {
    guard let path = storeOpening.path else {
      throw ErrandError(
        code: "io", message: "cannot find the library: HOME is not set",
        help: "set HOME, or give the path of the library")
    }
    return path
  }

  /// The parameters for opening the store.
  var storeOpening: StoreOpening {
    StoreOpening(
      named: options.store, places: places, settings: knownSettings, environment: environment)
  }

  /// The compiled definitions, without a store.
  var workspace: Workspace {
    if let compiled { return compiled }
    let workspace = Workspace(catalog: catalog, host: makeHost()) { context in
      try Database(at: .memory, context: context)
    }
    compiled = workspace
    return workspace
  }

  /// The clock of the person's time zone, read once.
  private lazy var clock = makeHost().clock

  /// Today's date in the person's time zone, such as `2026-11-23`.
  package var today: String { clock.day(at: SystemHost.now()) }

  /// The time in the person's zone, such as `2026-11-23T18:35`.
  package var localNow: String { localTime(SystemHost.now().text) }

  /// A moment in RFC 3339 as time in the person's zone, such as `2026-11-23T18:35`; another text as
  /// it is.
  package func localTime(_ text: String) -> String {
    guard let moment = Timestamp(rfc3339: text) else { return text }
    return "\(clock.time(at: moment).timestamp(offset: 0).text.prefix(16))"
  }

  /// A moment in RFC 3339 in seconds since 1970; nil for another text.
  package static func seconds(_ text: String) -> Int64? {
    Timestamp(rfc3339: text).map { $0.microseconds / 1_000_000 }
  }

  /// The day some days after that of a local time, such as `2026-12-01`; nil for another text.
  package static func day(_ text: String, adding days: Int) -> String? {
    CivilDate(iso8601: String(text.prefix(10)))?.adding(days: days).iso8601
  }

  /// The UTC date of a moment in seconds since 1970, such as `2026-11-23`.
  package static func day(atSecond second: Int64) -> String {
    String(Timestamp(seconds: second).text.prefix(10))
  }

  /// Makes the host for work in this process.
  func makeHost() -> Host {
    var host = SystemHost.make(
      places: places, settings: knownSettings, secrets: KnownSecrets(), interrupt: Interrupt(),
      environment: environment, http: nil,
      note: { _ in })
    host.clock = LocalClock(isMonthFirst: host.clock.isMonthFirst) { [environment] in
      environment("TZ").flatMap(TimeZoneRules.named) ?? .system()
    }
    return host
  }
}

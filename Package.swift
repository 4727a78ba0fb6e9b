// swift-tools-version: 6.2
import PackageDescription

/// Whether this is a build for a release or a benchmark (`scripts/build-release`, `make bench`).
///
/// Only these use unsafe flags, which SwiftPM rejects in dependencies.
let isShipped = Context.environment["ERRAND_SHIPPED"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  + (isShipped
    ? [
      // Access runtime-built types by calls instead of mangled names: a start needs about a hundred
      // of them.
      .unsafeFlags(
        [
          "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
          "-Xfrontend", "-function-sections",
        ],
        .when(configuration: .release))
    ] : [])

/// Settings of libraries and programs: nothing in them is asynchronous, so that they need no executor.
let sourceSettings =
  settings
  + (isShipped
    ? [
      .unsafeFlags(
        ["-Xfrontend", "-disable-implicit-concurrency-module-import"],
        .when(configuration: .release))
    ] : [])

/// Settings of tests, which are compiled without optimisation: optimising them takes longer than they
/// gain.
let testSettings =
  settings + (isShipped ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : [])

/// Linker flags for release builds: equal functions are linked once, and without tables for unwinding, which
/// neither errors of Swift nor the libraries in C++ need.
func linking(_ flags: [String]) -> [LinkerSetting] {
  let smaller = [
    "-use-ld=lld", "-Xlinker", "--icf=all",
    "-Xlinker", "-T\(Context.packageDirectory)/scripts/without-unwinding.ld",
  ]
  return isShipped ? [.unsafeFlags(flags + smaller, .when(configuration: .release))] : []
}

/// Libraries that a statically linked Foundation needs. The compiler names them only with
/// `-static-stdlib` for all modules, with which it does not find the module `Testing`.
let foundationParts = ["-l_FoundationCShims", "-l_FoundationCollections"]

/// Build identifier: `scripts/release-flags` passes the hash of all sources.
let build = Context.environment["ERRAND_BUILD"] ?? "development"

/// The programs that tests start: dependencies, so that they are built before. A release is built as a
/// whole, and its programs are linked in a way that tests cannot be.
let programs: [Target.Dependency] = isShipped ? [] : ["errand", "errand-net"]

/// A library target with the common settings.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: sourceSettings)
}

/// The test target of a target, in the folder of the same name.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    swiftSettings: testSettings)
}

let package = Package(
  name: "errand",
  products: [
    .library(name: "ErrandKit", targets: ["ErrandKit"]),
    .executable(name: "errand", targets: ["errand"]),
    .executable(name: "errand-net", targets: ["errand-net"]),
  ],
  targets: [
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]),
    // Word stems; has no pkg-config file.
    .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"])]),
    // A C shim for RE2, which is C++ only. `stdc++` must come after `re2`.
    .target(
      name: "CRE2",
      linkerSettings: [
        .linkedLibrary("re2"), .linkedLibrary("stdc++"),
      ] + linking(["-use-ld=lld"])),
    // Line editing: a shim for libedit that adds pastes and interrupts; the others are its
    // dependencies.
    .target(
      name: "CEdit",
      linkerSettings: [
        .linkedLibrary("edit"), .linkedLibrary("tinfo"), .linkedLibrary("bsd"),
        .linkedLibrary("md"),
      ]),
    // A shim for variadic functions, which Swift cannot call. libcurl itself is loaded by the first
    // request.
    .target(name: "CCurl"),
    // An HTTP server: a shim for variadic functions. libmicrohttpd itself is loaded by `errand serve`.
    .target(name: "CMicroHTTPD"),
    // The client of PostgreSQL, libpq, which is loaded when a hub is used.
    .target(name: "CPostgreSQL"),
    // The cryptography of Web Push by OpenSSL, which is loaded when a push is sent.
    .target(name: "CCrypto"),
    // HTML5 trees: gumbo, with limits.
    .target(name: "CHTML", linkerSettings: [.linkedLibrary("gumbo")]),
    // Tables of legacy text encodings.
    .target(name: "CCharset"),
    .target(
      name: "CDetector",
      linkerSettings: [.linkedLibrary("uchardet"), .linkedLibrary("stdc++")]),
    .systemLibrary(name: "CZip", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    library("Compression", ["CZip"]),
    // Calls that Swift's Glibc module lacks.
    .target(name: "CLinux"),
    // The build identifier, shared by both binaries.
    .target(name: "CBuild", cSettings: [.define("ERRAND_BUILD", to: "\"\(build)\"")]),
    // The files that are part of the program.
    .target(name: "CResources"),
    library("Resources", ["CResources"]),
    // SQLite and FTS5 extension functions for search.
    .target(name: "CRanking", dependencies: ["CSQLite"]),
    library("Source"),
    library("YAML", ["Source", "CYAML"]),
    library("CEL", ["Source", "CRE2"]),
    library("JSON", ["CEL", "CJansson"]),
    // The CEL conformance suite, shared by its tool and its test.
    .target(
      name: "CELConformance", dependencies: ["CEL", "JSON"], path: "Tests/CELConformance",
      swiftSettings: settings),
    .executableTarget(
      name: "cel-conformance", dependencies: ["CELConformance"],
      path: "Tests/cel-conformance", swiftSettings: settings),
    // The language of phrases: templates of sentences, and their matching.
    library("Phrases"),
    // What a person does at a time, from what they did.
    library("Habits"),
    .target(
      name: "PhraseConformance", dependencies: ["CEL", "Compression", "JSON", "Phrases"],
      path: "Tests/PhraseConformance", swiftSettings: settings),
    .executableTarget(
      name: "phrase-conformance", dependencies: ["PhraseConformance"],
      path: "Tests/phrase-conformance", swiftSettings: settings),
    .target(
      name: "CELFuzz", dependencies: ["CEL", "TestSupport"], path: "Tests/CELFuzz",
      swiftSettings: settings),
    .executableTarget(
      name: "cel-fuzz", dependencies: ["CELFuzz", "TestSupport"], path: "Tests/cel-fuzz",
      swiftSettings: settings),
    .executableTarget(
      name: "cel-bench", dependencies: ["CEL", "JSON"], path: "Benchmarks/CEL",
      exclude: ["compare"], swiftSettings: settings),
    // Code shared by the benchmarks that run in their own process.
    .target(
      name: "BenchmarkSupport", dependencies: ["CEL", "Engine", "Platform", "Program"],
      path: "Benchmarks/Support",
      swiftSettings: settings),
    .executableTarget(
      name: "bench-engine",
      dependencies: ["BenchmarkSupport", "Catalog", "CEL", "Engine", "Items", "Source", "Store"],
      path: "Benchmarks/Engine", exclude: ["compare"], swiftSettings: settings),
    .executableTarget(
      name: "bench-store",
      dependencies: ["BenchmarkSupport", "Catalog", "CEL", "Engine", "Items", "Store"],
      path: "Benchmarks/Store", swiftSettings: settings,
      // The same SQLite and linker as `errand`: other linkers want another order of libraries.
      linkerSettings: linking(["-static-executable"] + foundationParts)),
    // Kernel calls shared by several targets.
    library("POSIX", ["CLinux"]),
    library(
      "Links", ["CEL", "JSON", "POSIX", "Resources", "CSodium"], exclude: ["tracking-names.txt"]),
    // Shares in a folder, waiting to be imported; independent of the store.
    library("Inbox", ["CEL", "ForeignText", "JSON", "Links", "POSIX", "CLinux", "CSodium"]),
    // Text of other programs: encodings, tags, dates, tables and mails.
    library("ForeignText", ["CEL", "CCharset", "CDetector"]),
    library(
      "Pages", ["CEL", "ForeignText", "JSON", "Links", "CHTML", "Compression"]),
    library("Items", ["CEL"]),
    // The merging of items that are changed on several machines.
    library("Replication", ["CEL", "JSON"]),
    library(
      "Store",
      [
        "CEL", "Compression", "Items", "JSON", "POSIX", "Replication", "CSQLite", "CRanking",
        "CStemmer",
      ]),
    library("StoreRepair", ["CEL", "Items", "JSON", "POSIX", "Store", "CSQLite"]),
    library("Catalog", ["Source", "YAML", "CEL", "Items", "Resources"]),
    library(
      "Program",
      [
        "Source", "YAML", "Catalog", "CEL", "ForeignText", "Items", "JSON", "Links", "Pages",
        "Phrases", "CSodium",
      ]),
    library(
      "Engine",
      [
        "Calendars", "Source", "YAML", "Catalog", "CEL", "ForeignText", "Inbox", "Items", "JSON",
        "Program",
        "Store", "Links", "Pages", "POSIX", "CLinux",
      ]),
    library(
      "Platform", ["CEL", "Inbox", "Items", "Engine", "Links", "POSIX", "Program", "CLinux"]),
    library(
      "Network",
      ["CEL", "Compression", "Program", "Engine", "POSIX", "Platform", "CCrypto", "CCurl"]),
    library(
      "Worker",
      [
        "Source", "YAML", "Catalog", "CEL", "Items", "JSON", "POSIX", "Program", "Engine", "Store",
        "CLinux",
      ]),
    library(
      "DefinitionTesting",
      [
        "Source", "YAML", "Catalog", "CEL", "Exchange", "Items", "JSON", "Links", "Program",
        "Engine", "Store",
      ]),
    library("Calendars", ["CEL", "ForeignText", "Items", "Links"]),
    library(
      "Exchange",
      [
        "Calendars", "Source", "YAML", "CEL", "ForeignText", "Items", "JSON", "Links", "Pages",
        "POSIX", "Store",
        "CSQLite",
      ]),
    // Errand without a front end: definitions, trust, settings, secrets, the machine.
    library(
      "ErrandKit",
      [
        "AppleShortcuts", "Source", "YAML", "CEL", "Compression", "ForeignText", "Items", "JSON",
        "Catalog", "Store", "Links", "Program", "Engine",
        "Calendars", "Exchange", "Habits", "Inbox", "Phrases", "Platform", "Worker",
        "DefinitionTesting", "CLinux", "POSIX",
      ]),
    // What is known of a document at a place: parts, names, types, help.
    library(
      "LanguageService",
      ["Source", "YAML", "CEL", "Items", "Catalog", "Program", "Resources"]),
    // What editors ask: the protocol, and one client's texts.
    library(
      "LanguageServer",
      [
        "ErrandKit", "LanguageService", "Source", "YAML", "CEL", "Items", "JSON", "Catalog",
        "Links", "Program", "Engine", "POSIX",
      ]),
    // Tools and resources for assistants, independent of the transport.
    library("MCP", ["CEL", "ErrandKit", "JSON", "Links", "POSIX"]),
    // The page: HTML from the library.
    library(
      "Web", ["ErrandKit", "LanguageService", "Links", "POSIX", "Resources"], exclude: ["assets"]),
    // Files of Apple's Shortcuts app.
    library(
      "AppleShortcuts",
      ["CEL", "Catalog", "ForeignText", "JSON", "Source", "YAML", "CSodium"]),
    // The HTTP API and the page, without sockets and processes of its own.
    library(
      "Server",
      ["ErrandKit", "Inbox", "Items", "Links", "MCP", "POSIX", "Source", "Web", "CLinux"]),
    // Items shared through PostgreSQL; in `errand-net` only.
    library("Hub", ["CEL", "Items", "POSIX", "Store", "CPostgreSQL"]),
    // The API on a socket, by libmicrohttpd; in `errand-net` only.
    library("HTTPDaemon", ["Server", "POSIX", "CMicroHTTPD"]),
    library(
      "ErrandCLI",
      [
        "AppleShortcuts", "ErrandKit", "LanguageServer", "LanguageService", "MCP",
        "Phrases", "Server",
        "Web",
        "Source", "YAML", "CEL",
        "Items", "JSON", "Catalog", "Store",
        "StoreRepair",
        "Links",
        "ForeignText", "Program", "Engine", "Exchange", "Inbox", "Platform", "Worker",
        "DefinitionTesting", "CEdit",
        "CBuild", "CLinux", "POSIX", "Resources",
      ],
      exclude: ["templates"]),
    .executableTarget(
      name: "errand", dependencies: ["ErrandCLI"], swiftSettings: sourceSettings,
      // Order of functions in the file, for fast starts: see scripts/order-functions.
      linkerSettings: linking(
        [
          "-static-executable", "-Xlinker", "--no-rosegment",
          "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker",
          "--symbol-ordering-file=\(Context.packageDirectory)/.build/hot-functions.txt",
        ] + foundationParts)),
    // The same program with the network; dynamically linked, as it loads libcurl.
    .executableTarget(
      name: "errand-net", dependencies: ["ErrandCLI", "HTTPDaemon", "Hub", "Network"],
      swiftSettings: sourceSettings,
      linkerSettings: linking(["-static-stdlib"] + foundationParts)),
    tests(of: "Source"),
    tests(
      of: "Store",
      [
        "CEL", "CSQLite", "Items", "JSON", "StoreFixtures", "StoreRepair", "TestSupport",
        "store-child",
      ]),
    // Code shared by the store's tests and their child processes.
    .target(
      name: "StoreFixtures", dependencies: ["CEL", "Items", "JSON", "Store", "TestSupport"],
      path: "Tests/StoreFixtures",
      swiftSettings: settings),
    .executableTarget(
      name: "store-child",
      dependencies: ["CEL", "Items", "JSON", "Store", "StoreFixtures", "TestSupport"],
      path: "Tests/store-child", swiftSettings: settings),
    // Logs the functions that a program enters, for the walks of docs/architecture.md.
    .executableTarget(name: "call-tracer", path: "Tests/call-tracer"),
    tests(of: "CEL", ["CELConformance", "CELFuzz", "TestSupport"]),
    tests(of: "Items", ["CEL"]),
    tests(of: "Replication", ["CEL", "TestSupport"]),
    tests(of: "JSON", ["CEL", "TestSupport"]),
    tests(of: "YAML", ["Source", "TestSupport"]),
    tests(of: "Links", ["JSON", "CEL", "TestSupport"]),
    tests(of: "POSIX"),
    tests(of: "Inbox", ["CEL", "POSIX"]),
    tests(of: "ForeignText", ["CEL", "TestSupport"]),
    tests(of: "Pages", ["CEL", "JSON", "TestSupport"]),
    tests(of: "Program", ["CEL"]),
    tests(of: "Platform", ["CEL", "Items", "Engine", "POSIX"]),
    tests(
      of: "Worker", ["CEL", "CLinux", "Catalog", "Engine", "Items", "Program", "Source", "Store"]),
    tests(
      of: "Network", ["CEL", "Engine", "ErrandKit", "Links", "POSIX", "Platform", "TestSupport"],
      exclude: ["push-service.py"]),
    // Generators, folders, processes, terminals and a server, shared by the tests.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    tests(
      of: "Engine",
      ["CEL", "Links", "Catalog", "Items", "Program", "Source", "Store", "TestSupport"]),
    // Runs the examples in the documents.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Catalog", "Engine", "Items", "Program", "TestSupport",
      ] + programs,
      swiftSettings: testSettings),
    tests(of: "Catalog", ["Items", "Resources", "Source", "YAML"]),
    tests(
      of: "ErrandKit",
      ["CEL", "Catalog", "Engine", "Phrases", "Program", "kit-child"] + programs),
    // A front end that uses only the public library.
    .executableTarget(
      name: "kit-child", dependencies: ["ErrandKit"], path: "Tests/kit-child",
      swiftSettings: settings),
    tests(
      of: "DefinitionTesting", ["Catalog", "CEL", "Engine", "Program", "Source", "Store", "YAML"]),
    tests(of: "Calendars", ["CEL", "ForeignText", "Items"]),
    tests(of: "Exchange", ["CEL", "CSQLite", "ForeignText", "Items", "JSON", "Source", "Store"]),
    tests(
      of: "LanguageService",
      [
        "CEL", "Catalog", "DefinitionTesting", "Engine", "JSON", "Program", "Source", "YAML",
      ]),
    tests(
      of: "LanguageServer",
      ["CEL", "Catalog", "ErrandKit", "JSON", "Source", "TestSupport"] + programs),
    tests(
      of: "AppleShortcuts",
      ["CEL", "Catalog", "DefinitionTesting", "Engine", "JSON", "Source", "Store"],
      exclude: ["rules.txt"]),
    tests(
      of: "Server",
      ["Engine", "ErrandKit", "Links", "POSIX", "Platform", "TestSupport", "Web"] + programs),
    tests(of: "Habits"),
    tests(of: "Phrases", ["PhraseConformance", "TestSupport"]),
    tests(of: "MCP", ["ErrandKit", "JSON", "TestSupport"] + programs),
    tests(
      of: "ErrandCLI",
      [
        "Catalog", "DefinitionTesting", "ErrandKit", "TestSupport", "CEL", "Engine", "Items",
        "JSON", "call-tracer", "POSIX", "Source", "Store", "Worker",
      ] + programs, exclude: ["en", "de", "fr", "es", "ja"].map { "Phrases/sentences-\($0).jsonl" }),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

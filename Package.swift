// swift-tools-version: 6.2
import PackageDescription

/// Whether this is a build of what is shipped or measured (`scripts/build-release`, `make bench`).
///
/// Only these have unsafe flags: SwiftPM refuses a dependency whose manifest has some.
let isShipped = Context.environment["ERRAND_SHIPPED"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  + (isShipped
    ? [
      // Types that are made at run time are found by calls and not by names that must be read first:
      // a start makes about a hundred of them.
      .unsafeFlags(
        [
          "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
          "-Xfrontend", "-function-sections",
        ],
        .when(configuration: .release))
    ] : [])

/// Flags of the linker for a program that is shipped or measured.
func linking(_ flags: [String]) -> [LinkerSetting] {
  isShipped ? [.unsafeFlags(flags, .when(configuration: .release))] : []
}

/// What tells builds apart: `scripts/build-release` gives the hash of all sources.
let build = Context.environment["ERRAND_BUILD"] ?? "development"

/// One library target of ours, with the house's settings.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: settings)
}

/// The tests of one target, in the folder of the same name.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    swiftSettings: settings)
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
    // Word stems; it has no file for pkg-config.
    .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"])]),
    // RE2 speaks C++ only: a small shim gives it a C face. `stdc++` must come after `re2`.
    .target(
      name: "CRE2",
      linkerSettings: [
        .linkedLibrary("re2"), .linkedLibrary("stdc++"),
      ]),
    // Line editing: libedit with what pastes and interrupts need; the others are what it stands on.
    .target(
      name: "CEdit",
      linkerSettings: [
        .linkedLibrary("edit"), .linkedLibrary("tinfo"), .linkedLibrary("bsd"),
        .linkedLibrary("md"),
      ]),
    // Swift can't call functions with any number of arguments: a shim stands for them. libcurl itself
    // is loaded by the first request.
    .target(name: "CCurl"),
    // HTML 5 as trees: gumbo, with bounds.
    .target(name: "CHTML", linkerSettings: [.linkedLibrary("gumbo")]),
    // Older encodings of text: their characters, and a guess which one it is.
    .target(name: "CCharset"),
    .target(
      name: "CDetector",
      linkerSettings: [.linkedLibrary("uchardet"), .linkedLibrary("stdc++")]),
    .systemLibrary(name: "CZip", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    library("Compression", ["CZip"]),
    // What Swift's own module of the C library leaves out.
    .target(name: "CLinux"),
    // The name of this build, which both links of the program have.
    .target(name: "CBuild", cSettings: [.define("ERRAND_BUILD", to: "\"\(build)\"")]),
    // What FTS5 and SQLite call for the matches of a search.
    .target(name: "CRanking", dependencies: ["CSQLite"]),
    library("Source"),
    library("YAML", ["Source", "CYAML"]),
    library("CEL", ["Source", "CRE2"]),
    library("JSON", ["CEL", "CJansson"]),
    // What the conformance suite of CEL says, for its tool and its test.
    .target(
      name: "CELConformance", dependencies: ["CEL", "JSON"], path: "Tests/CELConformance",
      swiftSettings: settings),
    .executableTarget(
      name: "cel-conformance", dependencies: ["CELConformance"],
      path: "Tests/cel-conformance", swiftSettings: settings),
    .target(
      name: "CELFuzz", dependencies: ["CEL"], path: "Tests/CELFuzz", swiftSettings: settings),
    .executableTarget(
      name: "cel-fuzz", dependencies: ["CELFuzz"], path: "Tests/cel-fuzz",
      swiftSettings: settings),
    .executableTarget(
      name: "cel-bench", dependencies: ["CEL", "JSON"], path: "Benchmarks/CEL",
      exclude: ["compare"], swiftSettings: settings),
    // What the benchmarks that run in a process of their own have in common.
    .target(
      name: "BenchmarkSupport", dependencies: ["CEL", "Engine", "Program", "System"],
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
      // The same SQLite as in `errand`, and the same linker: others want libraries in another order.
      linkerSettings: linking(["-static-executable", "-use-ld=lld"])),
    // What is asked of the kernel in several places.
    library("POSIX", ["CLinux"]),
    library(
      "Links", ["CEL", "JSON", "POSIX", "CSodium"],
      resources: [.embedInCode("tracking-names.txt")]),
    // Shares that wait to be taken in, in a folder, without the store.
    library("Inbox", ["CEL", "JSON", "Links", "POSIX"]),
    // Text of other programs: encodings, tags, dates, tables and mails.
    library("ForeignText", ["CEL", "CCharset", "CDetector"]),
    library(
      "Pages", ["CEL", "ForeignText", "JSON", "Links", "CHTML", "Compression"]),
    library("Items", ["CEL"]),
    library(
      "Store",
      ["CEL", "Compression", "Items", "JSON", "POSIX", "CSQLite", "CRanking", "CStemmer"]),
    library("StoreRepair", ["CEL", "Items", "JSON", "Store", "CSQLite"]),
    library(
      "Catalog", ["Source", "YAML", "CEL", "Items"],
      resources: [
        .embedInCode("schemas/entities"), .embedInCode("schemas/intents"),
        .embedInCode("shortcuts"), .embedInCode("automations"),
      ]),
    library(
      "Program",
      [
        "Source", "YAML", "Catalog", "CEL", "ForeignText", "Items", "JSON", "Links", "Pages",
        "CSodium",
      ]),
    library(
      "Engine",
      [
        "Source", "YAML", "Catalog", "CEL", "ForeignText", "Inbox", "Items", "JSON", "Program",
        "Store", "Links", "Pages", "POSIX", "CLinux",
      ]),
    library("System", ["CEL", "Inbox", "Items", "Engine", "POSIX", "Program", "CLinux"]),
    library(
      "Network", ["CEL", "Compression", "Program", "Engine", "POSIX", "System", "CCurl"]),
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
    library(
      "Exchange",
      ["Source", "CEL", "ForeignText", "Items", "JSON", "Links", "POSIX", "Store", "CSQLite"]),
    // One person's Errand without a front: definitions, trust, settings, secrets, the machine.
    library(
      "ErrandKit",
      [
        "Source", "YAML", "CEL", "Items", "JSON", "Catalog", "Store", "Links", "Program", "Engine",
        "Exchange", "Inbox", "System", "Worker", "DefinitionTesting", "CLinux", "POSIX",
      ]),
    library(
      "ErrandCLI",
      [
        "ErrandKit", "Source", "YAML", "CEL", "Items", "JSON", "Catalog", "Store", "StoreRepair",
        "Links",
        "ForeignText", "Program", "Engine", "Exchange", "Inbox", "System", "Worker",
        "DefinitionTesting", "CEdit",
        "CBuild", "CLinux", "POSIX",
      ]),
    .executableTarget(
      name: "errand", dependencies: ["ErrandCLI"], swiftSettings: settings,
      // What starts need stands side by side in the file: see scripts/order-functions.
      linkerSettings: linking([
        "-static-executable", "-use-ld=lld", "-Xlinker", "--no-rosegment",
        "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker",
        "--symbol-ordering-file=\(Context.packageDirectory)/.build/hot-functions.txt",
      ])),
    // The same program with the network: linked dynamically, as it loads libcurl.
    .executableTarget(
      name: "errand-net", dependencies: ["ErrandCLI", "Network"], swiftSettings: settings,
      linkerSettings: linking(["-use-ld=lld"])),
    tests(of: "Source"),
    tests(
      of: "Store",
      ["CEL", "CSQLite", "Items", "JSON", "StoreFixtures", "StoreRepair", "store-child"]),
    // What the store's tests and the processes that they start have in common.
    .target(
      name: "StoreFixtures", dependencies: ["CEL", "Items", "JSON", "Store"],
      path: "Tests/StoreFixtures",
      swiftSettings: settings),
    .executableTarget(
      name: "store-child", dependencies: ["CEL", "Items", "JSON", "Store", "StoreFixtures"],
      path: "Tests/store-child", swiftSettings: settings),
    // Notes which functions of a program are entered, for the walks of docs/architecture.md.
    .executableTarget(name: "call-tracer", path: "Tests/call-tracer"),
    tests(of: "CEL", ["CELConformance", "CELFuzz"]),
    tests(of: "Items", ["CEL"]),
    tests(of: "JSON", ["CEL"]),
    tests(of: "YAML", ["Source"]),
    tests(of: "Links", ["JSON", "CEL"]),
    tests(of: "POSIX"),
    tests(of: "Inbox", ["CEL"]),
    tests(of: "ForeignText", ["CEL"]),
    tests(of: "Pages", ["CEL", "JSON"]),
    tests(of: "Program", ["CEL"]),
    tests(of: "System", ["CEL", "Items", "Engine", "POSIX"]),
    tests(
      of: "Worker", ["CEL", "CLinux", "Catalog", "Engine", "Items", "Program", "Source", "Store"]),
    tests(of: "Network", ["CEL", "Engine", "Links", "ServerFixture"]),
    // A server of the tests' own, which does whatever a server may do wrong.
    .target(name: "ServerFixture", path: "Tests/ServerFixture", swiftSettings: settings),
    tests(of: "Engine", ["CEL", "Links", "Catalog", "Items", "Program", "Source", "Store"]),
    // The examples in the documents; the support of the CLI's tests is linked into its folder.
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["Catalog", "Engine", "Items", "Program", "errand", "errand-net"],
      swiftSettings: settings),
    tests(of: "Catalog", ["Items", "Source", "YAML"]),
    tests(of: "ErrandKit", ["errand", "errand-net", "kit-child"]),
    // A front that knows nothing but the public library.
    .executableTarget(
      name: "kit-child", dependencies: ["ErrandKit"], path: "Tests/kit-child",
      swiftSettings: settings),
    tests(
      of: "DefinitionTesting", ["Catalog", "CEL", "Engine", "Program", "Source", "Store", "YAML"]),
    tests(of: "Exchange", ["CEL", "CSQLite", "ForeignText", "Items", "JSON", "Source", "Store"]),
    tests(
      of: "ErrandCLI",
      [
        "errand", "errand-net", "ErrandKit", "ServerFixture", "CEL", "Engine", "Items", "JSON",
        "call-tracer",
        "POSIX",
        "Source", "Store",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

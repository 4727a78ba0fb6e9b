import AppleShortcuts
import CEL
import Catalog
import DefinitionTesting
import Engine
import FoundationEssentials
import Source
import Store
import Testing

/// Public shortcuts: each is converted, with every unknown action named, and has no mistake.
@Suite struct SampleTests {
  private static let folder =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/shared/data/apple/samples"

  static let paths: [String] = {
    var paths: [String] = []
    for folder in [folder, folder + "/xml"] {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where name.hasSuffix(".shortcut") || name.hasSuffix(".xml") {
        paths.append(folder + "/" + name)
      }
    }
    return paths.sorted()
  }()

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// The mistakes in a converted shortcut.
  private static func mistakes(_ translation: ShortcutTranslator) -> [String] {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "sample.yaml", text: translation.text), to: .file)
    if !catalog.problems.isEmpty { return catalog.problems.map(\.message) }
    guard let world = try? TestWorld(TestFakes()) else { return ["no world"] }
    let workspace = Workspace(catalog: catalog, host: world.host, reportsWarnings: true) {
      context in
      try Database(at: StoreLocation(path: ":memory:"), context: context)
    }
    return workspace.findings(inAction: translation.name).filter { $0.severity == .error }.map(
      \.message)
  }

  @Test(.enabled(if: !paths.isEmpty, "the samples are not here"))
  func everySampleIsConvertedWithoutMistake() throws {
    var signed = 0
    for path in Self.paths {
      for missing in ShortcutTranslator.Missing.allCases {
        let bytes = try Self.bytes(path)
        let translation = try ShortcutTranslator(
          bytes, at: path, missing: missing, isReserved: DefinitionCatalog().isReserved)
        #expect(Self.mistakes(translation) == [], "\(path)")
        for line in translation.report where line.outcome != .translated {
          #expect(line.note != "", "\(path): \(line.identifier)")
        }
        #expect(translation.report.count == (try ShortcutFile(bytes).actions.count))
        if missing == .needed, let signature = translation.signature {
          signed += 1
          #expect(signature.isValid, "\(path)")
          #expect(signature.signer?.contains("Apple Inc.") ?? true)
        }
      }
    }
    #expect(signed == 30)
  }

  @Test(.enabled(if: !paths.isEmpty, "the samples are not here"))
  func aChangedSignatureIsNotValid() throws {
    let path = try #require(Self.paths.first { $0.contains("signed-01") })
    var bytes = try Self.bytes(path)
    let length = Int(bytes[8]) | Int(bytes[9]) << 8 | Int(bytes[10]) << 16
    // A byte of the signature's first number: the authentication codes do not cover it.
    bytes[12 + length + 10] ^= 1
    #expect(try ShortcutFile(bytes).signature?.isValid == false)
  }

  /// Files with random changes are refused, or converted: `ERRAND_SHORTCUT_MUTATIONS` sets how many.
  @Test(.enabled(if: !paths.isEmpty, "the samples are not here"))
  func changedFilesAreRefusedOrConverted() throws {
    let count =
      ProcessInfo.processInfo.environment["ERRAND_SHORTCUT_MUTATIONS"].flatMap(Int.init) ?? 200
    var random = SystemRandomNumberGenerator()
    let files = try Self.paths.map(Self.bytes).filter { $0.count < 200_000 }
    var converted = 0
    for round in 0..<count {
      var bytes = files[round % files.count]
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          bytes.removeSubrange(
            place..<min(bytes.count, place + Int.random(in: 1..<40, using: &random)))
        case 2:
          let end = min(bytes.count, place + Int.random(in: 1..<400, using: &random))
          bytes.insert(
            contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      guard
        let translation = try? ShortcutTranslator(
          bytes, at: "x.shortcut", isReserved: DefinitionCatalog().isReserved)
      else { continue }
      converted += 1
      #expect(translation.text.utf8.count < 40 * bytes.count + 100_000)
      // Every translation must load; a few are also checked as a whole.
      if round % 4 == 0 {
        let catalog = DefinitionCatalog()
        catalog.add(SourceFile(name: "x.yaml", text: translation.text), to: .file)
        #expect(catalog.problems.map(\.message) == [], "\(translation.text)")
      }
    }
    #expect(count < 100 || converted > 0)
  }
}

import AppleShortcuts
import CEL
import FoundationEssentials
import Testing

/// Files of Apple's app: signed, binary and XML, whole, cut and changed.
@Suite struct ShortcutFileTests {
  private static let samples: [String: Int] = {
    let folder = sampleFolder
    guard
      let index = try? String(
        decoding: Data(contentsOf: URL(filePath: folder + "/index.jsonl")), as: UTF8.self)
    else { return [:] }
    var counts: [String: Int] = [:]
    for line in index.split(separator: "\n") {
      let parts = line.split(separator: "\"")
      guard parts.count > 5, let colon = line.firstRange(of: "\"actions\": ") else { continue }
      counts[String(parts[3])] = Int(line[colon.upperBound...].prefix { $0.isNumber })
    }
    return counts
  }()

  private static var sampleFolder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/shared/data/apple/samples"
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: sampleFolder + "/" + name)))
  }

  @Test(.enabled(if: !samples.isEmpty, "the samples are not here"))
  func everySampleIsRead() throws {
    var signed = 0
    for (name, count) in Self.samples {
      let file = try ShortcutFile(Self.bytes(name))
      #expect(file.actions.count == count, "\(name)")
      #expect((file.signature != nil) == name.hasPrefix("signed"))
      signed += (file.signature != nil) ? 1 : 0
    }
    #expect(signed == 30)
  }

  @Test(.enabled(if: !samples.isEmpty, "the samples are not here"))
  func changedBytesAreNoticed() throws {
    let name = try #require(Self.samples.keys.filter { $0.hasPrefix("signed") }.min())
    let whole = try Self.bytes(name)
    var random = SystemRandomNumberGenerator()
    // All but the signature itself and padding that no code covers.
    for _ in 0..<300 {
      var changed = whole
      changed[Int.random(in: changed.count - 1500..<changed.count, using: &random)] ^= 1
      #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(changed) }
    }
    for length in stride(from: 0, to: whole.count, by: 97) {
      #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(Array(whole[..<length])) }
    }
  }

  @Test(arguments: [
    "", "AEA1", "bplist00", "<plist><dict/></plist>", "words",
    "<plist><dict><key>WFWorkflowActions</key><array><dict/></array></dict></plist>",
    "<plist><dict><key>WFWorkflowActions</key><array>",
  ])
  func otherFilesAreRefused(text: String) {
    #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(Array(text.utf8)) }
  }

  @Test func anXMLFileIsRead() throws {
    let file = try ShortcutFile(
      Array(
        """
        <?xml version="1.0"?><plist version="1.0"><dict><key>WFWorkflowActions</key><array><dict>
        <key>WFWorkflowActionIdentifier</key><string>is.workflow.actions.gettext</string>
        <key>WFWorkflowActionParameters</key><dict><key>WFTextActionText</key><string>Hi</string></dict>
        </dict></array></dict></plist>
        """.utf8))
    #expect(file.actions.map(\.identifier) == ["is.workflow.actions.gettext"])
    #expect(file.actions[0].parameters["WFTextActionText"] == .string("Hi"))
  }
}

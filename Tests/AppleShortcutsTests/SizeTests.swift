import AppleShortcuts
import Testing

/// Files that are small and would become large.
@Suite struct SizeTests {
  /// A binary property list with objects by number; the first is the root.
  private struct BinaryList {
    private var objects: [[UInt8]] = []

    mutating func add(_ object: [UInt8]) -> Int {
      objects.append(object)
      return objects.count - 1
    }

    mutating func set(_ number: Int, _ object: [UInt8]) { objects[number] = object }

    static func text(_ text: String) -> [UInt8] { head(0x50, text.utf8.count) + Array(text.utf8) }

    static func list(_ numbers: [Int]) -> [UInt8] {
      head(0xA0, numbers.count) + numbers.flatMap(bytes)
    }

    static func map(_ entries: [(Int, Int)]) -> [UInt8] {
      head(0xD0, entries.count) + entries.flatMap { bytes($0.0) }
        + entries.flatMap { bytes($0.1) }
    }

    var file: [UInt8] {
      var file = Array("bplist00".utf8)
      var offsets: [Int] = []
      for object in objects {
        offsets.append(file.count)
        file += object
      }
      let table = file.count
      file += offsets.flatMap(Self.bytes) + [0, 0, 0, 0, 0, 0, 4, 4]
      for number in [objects.count, 0, table] { file += [0, 0, 0, 0] + Self.bytes(number) }
      return file
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
      [kind | 15, 0x12] + bytes(count)
    }

    private static func bytes(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }

  /// A shortcut with a number of actions that have one parameter in common.
  private static func shortcut(
    _ count: Int, _ action: String, _ key: String, _ value: (inout BinaryList) -> Int
  ) -> [UInt8] {
    var list = BinaryList()
    let root = list.add([])
    let value = value(&list)
    let identifier = list.add(BinaryList.text("WFWorkflowActionIdentifier"))
    let parameters = list.add(BinaryList.text("WFWorkflowActionParameters"))
    let name = list.add(BinaryList.text("is.workflow.actions.\(action)"))
    let word = list.add(BinaryList.text(key))
    let actions = (0..<count).map { _ in
      let map = list.add(BinaryList.map([(word, value)]))
      return list.add(BinaryList.map([(identifier, name), (parameters, map)]))
    }
    let all = list.add(BinaryList.list(actions))
    list.set(
      root, BinaryList.map([(list.add(BinaryList.text("WFWorkflowActions")), all)]))
    return list.file
  }

  private static func converted(_ bytes: [UInt8]) throws -> String {
    try ShortcutTranslator(bytes, at: "a.shortcut") { _ in false }.text
  }

  @Test func eachUseOfATextCounts() throws {
    let text = BinaryList.text(String(repeating: "x", count: 100_000))
    func uses(_ count: Int) -> [UInt8] {
      Self.shortcut(count, "showresult", "Text") { $0.add(text) }
    }
    #expect(try Self.converted(uses(3)).utf8.count > 300_000)
    for count in [100, 400, 10_000] {
      #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(uses(count)) }
    }
  }

  @Test func listsInListsCount() {
    let bytes = Self.shortcut(1, "list", "WFItems") { list in
      (0..<5).reduce(list.add(BinaryList.text("a"))) { inner, _ in
        list.add(BinaryList.list([Int](repeating: inner, count: 20)))
      }
    }
    #expect(bytes.count < 2_000)
    #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(bytes) }
  }

  @Test func aLargeFileIsRefusedUnread() {
    let bytes = [UInt8](repeating: 0x20, count: ShortcutFile.maxSize + 1)
    let problem = #expect(throws: ShortcutFile.Problem.self) { try ShortcutFile(bytes) }
    #expect(problem?.reason.contains("too large") == true)
  }

  /// A dictionary of many keys is read and written in the order of its size.
  @Test func manyKeysAreQuick() throws {
    let items = (0..<20_000).map {
      "{\"WFItemType\": 0, \"WFKey\": \"k\($0)\", \"WFValue\": \"v\"}"
    }
    .joined(separator: ",")
    let sample = try SampleShortcut(
      "[[\"dictionary\", {\"WFItems\": {\"Value\": {\"WFDictionaryFieldValueItems\": [\(items)]}}}]]"
    )
    #expect(try Self.converted(sample.bytes).contains("k19999"))
  }

  @Test(arguments: 1...5)
  func matchesThatOverlapRepeatWhatIsBefore(distance: Int) throws {
    let start = (0..<distance).map { UInt8(ascii: "a") + UInt8($0) }
    // Literals with a match of three bytes at a distance, then one of 271, and the end.
    let packed: [UInt8] =
      [0xE0 + UInt8(distance)] + start + [0x00, UInt8(distance)] + [0xF0, 0xFF]
      + [0x06, 0, 0, 0, 0, 0, 0, 0]
    let size = distance + 3 + 271
    let block = Array("bvxn".utf8) + Self.bytes(size) + Self.bytes(packed.count) + packed
    let bytes = block + Array("bvx$".utf8)
    let expected = (0..<size).map { start[$0 % distance] }
    #expect(try LZFSE.decoded(bytes, limit: size) == expected)
    #expect(throws: LZFSE.Invalid.self) { try LZFSE.decoded(bytes, limit: size - 1) }
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

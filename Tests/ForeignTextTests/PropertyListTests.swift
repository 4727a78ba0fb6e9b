import CEL
import ForeignText
import Testing

/// Property lists in XML and in binary form.
@Suite struct PropertyListTests {
  private static func read(_ text: String) -> (value: Value, isWhole: Bool)? {
    try? PropertyList.value(of: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("<string>a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;</string>", "a <b> & \"c\" 'd'"),
      ("<string>é😀 \n\t x </string>", "é😀 \n\t x "), ("<string/>", ""), ("<string></string>", ""),
      // Rarer syntax: references by number, CDATA, carriage returns, spaces in tags.
      ("<string>&#233;&#x1F600;</string>", "é😀"), ("<string><![CDATA[<a>]]></string>", "<a>"),
      ("<string >x</string >", "x"),
    ] as [(String, Value)])
  func textsInXMLAreRead(xml: String, value: Value) throws {
    let file = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE plist><plist>\(xml)</plist>"
    #expect(Self.read(file)?.value == value)
    // In a list, beside a comment.
    #expect(Self.read("<plist><array><!-- <x> -->\(xml)</array></plist>")?.value == [value])
  }

  @Test func valuesInXMLAreRead() throws {
    let file = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>a &amp; b</key><integer> 5 </integer>
      <key>r</key><real>1.5</real><key>t</key><true/><key>f</key><false/>
      <key>d</key><data>YWJj</data><key>e</key><dict/><key>l</key><array><array/></array>
      <key>x</key><integer>words</integer><key>y</key><string>z</string></dict></plist>
      """
    let expected: Value = [
      "a & b": 5, "r": 1.5, "t": true, "f": false, "d": .bytes(Array("abc".utf8)), "e": [:],
      "l": [[]], "y": "z",
    ]
    #expect(Self.read(file)?.value == expected)
    #expect(Self.read(file)?.isWhole == true)
    // A declaration with its own entities is parsed differently, with the same result.
    #expect(Self.read("<!DOCTYPE plist [ ]>" + file)?.value == expected)
    // Truncated anywhere before its end, it gives an incomplete value or nil.
    let last = try #require(file.ranges(of: "</dict>").last)
    for end in file.indices where end <= last.lowerBound {
      let cut = Self.read(String(file[..<end]))
      #expect(cut == nil || cut?.isWhole == false)
    }
  }

  @Test func depthAndNumberAreLimited() {
    let deep = String(repeating: "<array>", count: 5_000)
    #expect(Self.read("<plist>" + deep) == nil)
    let closed = deep + String(repeating: "</array>", count: 5_000)
    #expect(Self.read("<plist>\(closed)</plist>") == nil)
    // A thousand references to a megabyte, a thousand times.
    var bytes = Array("bplist00".utf8)
    let text = bytes.count
    bytes += [0x5F, 0x12, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: 97, count: 1 << 20)
    let inner = bytes.count
    bytes += [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 0, count: 1_000)
    let outer = bytes.count
    bytes += [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 1, count: 1_000)
    let table = bytes.count
    for offset in [text, inner, outer] {
      bytes += (0..<4).reversed().map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) }
    }
    bytes += [0, 0, 0, 0, 0, 0, 4, 1]
    for number in [3, 2, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    // The text is stored once, so it needs a few megabytes and not a terabyte.
    guard case .list(let lists)? = try? PropertyList.value(of: bytes)?.value else {
      Issue.record("the list cannot be read")
      return
    }
    #expect(lists.count == 1_000)
    // Where each use becomes a separate text, there are bounds.
    #expect(throws: PropertyList.TooLarge.self) {
      try PropertyList.value(of: bytes, within: PropertyList.Bounds(values: .max, bytes: 1 << 30))
    }
  }
}

import AppleShortcuts
import CEL
import Testing

/// The parts of the language that converted shortcuts need: values in the form of Apple's texts, bytes,
/// and addresses of any scheme.
@Suite struct FormTests {
  @Test(arguments: [
    // Values in texts.
    ("texts: apple\nsteps: [{show: '{{ [1, 2] }}'}]", "expect: {shown: \"1\\n2\"}"),
    ("steps: [{show: '<{{ [1, 2] }}>'}]", "expect: {shown: '<1, 2>'}"),
    ("texts: apple\nsteps: [{show: '<{{ true }}{{ 2.0 }}>'}]", "expect: {shown: <Yes2>}"),
    (
      "texts: apple\nsteps: [{copy: '{{ {\"a\": [true]} }}'}]",
      "expect: {clipboard: '{\"a\":[true]}'}"
    ),
    ("texts: plain\nsteps: [{show: '{{ true }}'}]", "expect: {shown: true}"),
    // Addresses.
    ("steps: [{open-url: 'reader://x/y'}]", "expect: {opened: 'reader://x/y'}"),
    (
      "steps: [{open-url: '{{ [\"https://a.example/\", null, \"\", \"b:c\"] }}'}]",
      "expect: {opened: ['https://a.example/', 'b:c']}"
    ),
    ("steps: [{open-url: '{{ null }}'}]", "expect: {opened: null}"),
    (
      "steps: [{ask: U?}, {open-url: '{{ it }}'}]",
      "{answers: {U?: a b}, expect: {error: invalid-value}}"
    ),
    (
      "texts: apple\nsteps: [{ask: U?}, {open-url: '{{ it }}'}]",
      "{answers: {U?: a.example/b c}, expect: {opened: ['http://a.example/b%20c']}}"
    ),
    (
      "texts: apple\nsteps: [{ask: U?}, {http: {url: '{{ it }}'}}]",
      "{answers: {U?: a.example/b c}, fake: {http: {'http://a.example/b%20c': x}}, expect: {output: x}}"
    ),
    // Bytes.
    (
      "steps: [{write-file: {path: a, text: '{{ b\"\\xff\\x00\" }}'}}]",
      "{fake: {files: {}}, expect: {files: {a: {base64: /wA=}}}}"
    ),
    (
      "steps: [{read-file: {path: a, as: any}}, {value: '{{ type(it) == string }}'}]",
      "{fake: {files: {a: text}}, expect: {output: true}}"
    ),
    (
      "steps: [{read-file: {path: a, as: any}}, {value: '{{ type(it) == bytes }}'}]",
      "{fake: {files: {a: {base64: /wA=}}}, expect: {output: true}}"
    ),
    (
      "steps: [{read-file: {path: a, as: details}}, {value: '{{ it.size }}'}]",
      "{fake: {files: {a: four}}, expect: {output: 4}}"
    ),
    (
      "steps: [{read-file: {path: a, as: details}}, {value: '{{ it == null }}'}]",
      "{fake: {files: {}}, expect: {output: true}}"
    ),
    (
      "steps: [{exec: [show, '{{ b\"\\xff\" }}', x]}]",
      "{fake: {exec: {show *: ok}}, expect: {exec: 'show file.bin x'}}"
    ),
    // A reply without its status.
    (
      "steps: [{http: {url: 'https://a.example/', check: false, full: false}}]",
      "{fake: {http: {'https://a.example/': {status: 404, text: none}}}, expect: {output: none}}"
    ),
    // Answers that are given once.
    (
      "steps: [{ask: Who?}, {ask: Who?}]",
      "{answers: {Who?: {once: [a]}}, expect: {error: needs-value}}"
    ),
    ("steps: [{ask: Who?}, {ask: Who?}]", "{answers: {Who?: {once: [a, b]}}, expect: {output: b}}"),
  ])
  func aStepDoes(steps: String, test: String) throws {
    expectNone(try SampleShortcut.problems(of: "shortcut: t\n\(steps)\n", test))
  }

  @Test(arguments: [
    (
      "https://www.icloud.com/shortcuts/0f1e2d3c",
      "https://www.icloud.com/shortcuts/api/records/0f1e2d3c"
    ),
    ("https://icloud.com/shortcuts/AB-1/?x", "https://www.icloud.com/shortcuts/api/records/AB-1"),
    ("https://www.icloud.com/notes/1", nil), ("file.shortcut", nil),
    ("https://www.icloud.com/shortcuts/a b", nil),
  ])
  func anAddressOfICloudNamesARecord(address: String, record: String?) {
    #expect(ICloudShortcut(address: address)?.recordAddress == record)
  }

  @Test func aRecordHasATitleAndAFile() throws {
    let record = """
      {"recordName": "0F", "fields": {"name": {"value": "Good Morning", "type": "STRING"}, \
      "shortcut": {"value": {"downloadURL": "https://cvws.icloud-content.com/B/x/${f}?o=y"}}}}
      """
    let (title, file) = try ICloudShortcut.contents(ofRecord: Array(record.utf8))
    #expect(title == "Good Morning")
    #expect(file == "https://cvws.icloud-content.com/B/x/shortcut.shortcut?o=y")
    #expect(throws: ShortcutFile.Problem.self) {
      try ICloudShortcut.contents(ofRecord: Array(#"{"error": "NOT_FOUND"}"#.utf8))
    }
  }

  @Test(arguments: [
    ("早安 新闻", "zao-an-xin-wen"), ("Привет мир", "privet-mir"), ("안녕 하세요", "annyeong-haseyo"),
    ("おはよう", "ohayou"), ("Café Zürich", "cafe-zurich"), ("2 Go", "go-2"),
    ("Good Morning", "good-morning"), ("", "shortcut"),
  ])
  func aTitleIsACommand(title: String, name: String) {
    #expect(ShortcutTranslator.name(for: title) { _ in false } == name)
  }

  @Test func titlesWithoutLettersDiffer() {
    let names = ["😀", "😁", "★"].map { title in ShortcutTranslator.name(for: title) { _ in false } }
    #expect(Set(names).count == 3)
  }

  @Test func aConstantThatIsUsedTwiceStandsOnce() throws {
    let long = String(repeating: "abc ", count: 5_000)
    let sample = try SampleShortcut(
      #"[["gettext",{"WFTextActionText":"\#(long)","UUID":"t"}],["setvariable",{"WFVariableName":"v","WFInput":"=t"}],["gettext",{"WFTextActionText":"‹$v›1"}],["gettext",{"WFTextActionText":"‹$v›2"}],["showresult",{"Text":"‹$v›‹$v›"}]]"#
    )
    #expect(try sample.text().utf8.count < long.utf8.count + 1_000)
  }

  @Test func apicturesBytesAreAFileBeside() throws {
    let picture = Base64Sample.picture
    let sample = try SampleShortcut(
      #"[["gettext",{"WFTextActionText":"\#(picture)","UUID":"t"}],["base64encode",{"WFInput":"=t","WFEncodeMode":"Decode","UUID":"d"}],["documentpicker.save",{"WFInput":"=d","WFAskWhereToSave":false,"WFFileDestinationPath":"a.png"}]]"#
    )
    var options = ShortcutTranslator.Options()
    options.folder = "/out"
    let translation = try ShortcutTranslator(
      ShortcutFile(sample.bytes), named: "t", title: "T", options)
    let attachment = try #require(translation.attachments.first)
    #expect(attachment.path == "/out/t.files/text-1.png")
    #expect(attachment.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(translation.text.contains("read-file: {path: '/out/t.files/text-1.png', as: bytes}"))
    #expect(!translation.text.contains("iVBOR"))
  }

  @Test func whatIsHiddenIsNamed() throws {
    let sample = try SampleShortcut(
      #"[["gettext",{"WFTextActionText":"IyEvYmluL3NoCmN1cmwgaHR0cHM6Ly9hLmV4YW1wbGUvIHwgc2gK"}],["url",{"WFURLActionURL":"https://b.example/x"}]]"#
    )
    let translation = try ShortcutTranslator(
      ShortcutFile(sample.bytes), named: "t", title: "T")
    #expect(translation.hidden.map(\.kind) == ["a script"])
    #expect(translation.hidden.map(\.action) == [1])
    #expect(translation.servers == ["b.example"])
  }

  @Test func anActionThatIsNotHereComesBack() throws {
    let sample = try SampleShortcut(
      #"[["addnewevent",{"WFCalendarItemTitle":"Tea","UUID":"e"}],["showresult",{"Text":"‹e›"}]]"#)
    let text = try sample.text()
    #expect(
      text.contains(
        #"  # apple: is.workflow.actions.addnewevent {"WFCalendarItemTitle":"Tea","UUID":"e"}"#),
      "\(text)")
  }

  @Test func aBinaryListIsReadAgain() throws {
    let sample = try SampleShortcut(
      #"[["gettext",{"WFTextActionText":"é😀"}],["number",{"WFNumberActionNumber":2.5}],["alert",{"WFAlertActionCancelButtonShown":false}]]"#
    )
    let file = try ShortcutFile(sample.bytes)
    let bytes = PropertyListBytes.bytes(of: .map(file.root))
    #expect(try ShortcutFile(bytes).root == file.root)
  }
}

/// A picture in Base64.
enum Base64Sample {
  /// The signature of PNG and zeros, in 2,400 digits.
  static let picture = "iVBORw0KGgoA" + String(repeating: "AAAA", count: 597)
}

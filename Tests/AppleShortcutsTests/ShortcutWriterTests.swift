import AppleShortcuts
import Catalog
import Engine
import Source
import Testing

/// Errand shortcuts written for Apple's app, and converted back: they do the same.
@Suite struct ShortcutWriterTests {
  /// The inexpressible parts, and the shortcut after a round trip.
  private static func roundTrip(_ text: String) throws -> (problems: [String], text: String) {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "t.yaml", text: text), to: .file)
    if let problem = catalog.problems.first { return ([problem.message], text) }
    guard let action = try catalog.action("t") else { return (["no shortcut"], text) }
    let writer = ShortcutWriter(action)
    let back = try ShortcutTranslator(
      PropertyListBytes.bytes(of: writer.propertyList), at: "t.shortcut"
    ) { _ in
      false
    }
    return (writer.problems.map { "\($0.line): \($0.message)" }, back.text)
  }

  @Test(arguments: [
    ("[{value: Hello}]", "expect: {output: Hello}"),
    ("[{value: 7}, {value: '{{ it + 1 }}'}]", "expect: {output: 8}"),
    ("[{value: [a, b]}, {value: '{{ size(it) }}'}]", "expect: {output: 2}"),
    ("[{value: {value: {k: v}}, as: d}, {value: '{{ d.k }}'}]", "expect: {output: v}"),
    (
      "[{ask: Name?, as: name}, {show: 'Hi {{ name }} 😀{{ name }}'}]",
      "{answers: {Name?: Ada}, expect: {shown: [Hi Ada 😀Ada]}}"
    ),
    (
      "[{ask: {prompt: How many?, type: int}}, {if: it > 2, then: [{value: many}], else: [{value: few}], as: r}, {value: '{{ r }}!'}]",
      "{answers: {How many?: '3'}, expect: {output: many!}}"
    ),
    (
      "[{value: b, as: x}, {if: 'x == \"a\"', then: [{value: A}], elif: [{if: 'x == \"b\"', then: [{value: B}]}], else: [{value: C}]}]",
      "expect: {output: B}"
    ),
    (
      "[{value: [a, b]}, {for: w, in: '{{ it }}', index: i, do: [{value: '{{ i + 1 }}{{ w }}'}], as: all}, {value: '{{ all }}'}]",
      "expect: {output: [1a, 2b]}"
    ),
    (
      "[{set: {n: 1}}, {repeat: 3, do: [{set: {n: '{{ n * 2 }}'}}]}, {value: '{{ n }}'}]",
      "expect: {output: 8}"
    ),
    (
      "[{menu: Which?, options: {One: [{value: '1'}], Two: [{value: '2'}]}}]",
      "{answers: {'Which?': Two}, expect: {output: '2'}}"
    ),
    (
      "[{value: [a, b]}, {choose: {from: '{{ it }}', prompt: Which?}}]",
      "{answers: {'Which?': b}, expect: {output: b}}"
    ),
    (
      "[{copy: 'x y'}, {notify: done}, {wait: 3s}]", "expect: {clipboard: x y, notifications: done}"
    ),
    ("[{paste: }, {value: '<{{ it }}>'}]", "{fake: {clipboard: c}, expect: {output: <c>}}"),
    ("[{open-url: 'https://a.example/'}]", "expect: {opened: ['https://a.example/']}"),
    ("[{value: a-b}, {value: '{{ it.split(\"-\") }}'}]", "expect: {output: [a, b]}"),
    ("[{value: a-b}, {value: '{{ it.replace(\"-\", \"+\") }}'}]", "expect: {output: a+b}"),
    ("[{return: early}, {value: late}]", "expect: {output: early}"),
    ("[{confirm: Go on?}, {value: x}]", "{answers: {Go on?: false}, expect: {error: declined}}"),
    (
      "[{http: {url: 'https://a.example/', method: POST, headers: {X-A: b}, json: {k: v}, check: false}}, {value: sent}]",
      "{fake: {http: {'POST https://a.example/': ok}}, expect: {http: [{headers: {x-a: b, content-type: application/json}}], output: sent}}"
    ),
  ])
  func thereAndBackItDoesTheSame(steps: String, test: String) throws {
    let text = "shortcut: t\nsteps: \(steps)\n"
    expectNone(try SampleShortcut.problems(of: text, test))
    let (problems, back) = try Self.roundTrip(text)
    #expect(problems == [])
    expectNone(try SampleShortcut.problems(of: back, test))
  }

  @Test(arguments: [
    ("[{value: 1}, {find: {entity: Link}}]", "2: `find`"),
    ("[{while: 'false', do: [stop]}]", "2: a loop with `while`"),
    ("[{value: '{{ uuid() }}'}]", "2: the expression `uuid()`"),
    ("[{if: 'now() > timestamp(0)', then: [stop]}]", "2: the condition `now() > timestamp(0)`"),
  ])
  func whatCannotBeSaidIsNamed(steps: String, problem: String) throws {
    #expect(try Self.roundTrip("shortcut: t\nsteps: \(steps)\n").problems == [problem])
  }
}

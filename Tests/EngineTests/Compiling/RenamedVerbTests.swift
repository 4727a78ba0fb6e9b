import CEL
import Catalog
import Source
import Store
import Testing
import YAML

@testable import Engine
@testable import Program

/// The compiler depends only on the signatures of verbs: it reports the same when all verbs are
/// renamed.
@Suite struct RenamedVerbTests {
  private static let prefix = "my-"

  /// The verbs of the language with other names.
  private static let renamed = VerbTable(
    names: { VerbTable.errand.names().map { prefix + $0 } },
    row: { name in
      name.hasPrefix(prefix) ? VerbTable.errand.row(String(name.dropFirst(prefix.count))) : nil
    },
    signature: { row in
      let old = VerbTable.errand.signature(row)
      return VerbSignature(
        prefix + old.name, old.arguments, form: old.form, effect: old.effect, exit: old.exit,
        traits: old.traits, repeats: old.repeats, capabilities: old.capabilities,
        confirms: old.confirms,
        unanswered: old.unanswered, onResume: old.onResume, alternatives: old.alternatives,
        conflict: old.conflict, advice: old.advice, resultType: old.resultType)
    })

  /// The diagnostics of a document, with the default names of verbs.
  private static func findings(_ text: String, _ verbs: VerbTable) throws -> [String] {
    let catalog = DefinitionCatalog()
    let file = SourceFile(name: "test.yaml", text: text)
    catalog.add(file, to: .file)
    let host = FakeWorld().host(keyPath: nil)
    let world = FunctionContext(
      now: host.now, clock: host.clock, randomBytes: host.randomBytes,
      environment: host.environment)
    let workspace = Workspace(catalog: catalog, world: world, verbs: verbs, reportsWarnings: true) {
      try Database(at: .memory, context: $0)
    }
    return workspace.findings(inAction: "t").map { finding in
      let help = finding.help.map { " · \($0)" } ?? ""
      return "\(finding.id) line \(finding.span?.position.line ?? 0): \(finding.message)\(help)"
        .replacing(prefix, with: "")
    }
  }

  /// Steps with `§` before the names of verbs, and the expected diagnostic, if any.
  @Test(arguments: [
    ("- §break", "not-in-loop"),
    ("- §continue", "not-in-loop"),
    ("- for: n\n  in: [1]\n  do: [§break, {§say: x}]", "W204"),
    ("- while: true\n  do: [{§log: x}]\n- §say: x", "W204"),
    ("- while: true\n  do: [§break]\n- §say: x", nil),
    ("- §stop\n- §say: x", "W204"),
    ("- §fail: x\n- §say: x", "W204"),
    ("- try: [{§say: x}]\n  finally: [§stop]", "not-in-finally"),
    ("- try: [{§say: x}]\n  finally: [{§fail: x}]", nil),
    ("- §return: null", "W204"),
    ("- §return: [1]", "invalid-value"),
    ("- §set: {n: 1}\n- §set: {n: text}\n- §say: '{{ n }}'", "invalid-value"),
    ("- §set: {n: 1}\n- while: n < 3\n  do: [{§set: {n: null}}]", "expression-maybe-null"),
    ("- if: size(input) > 1\n  then: [{§set: {late: 1}}]\n- §say: '{{ late }}'", "unknown-name"),
    ("- §set: 3", "wrong-type"),
    ("- §value: '{{ secret(\"x\") }}'\n  as: s\n- §say: '{{ s }}'", "W217"),
    ("- §say: '{{ secret(\"x\") }}'", "W217"),
    ("- §http: {url: 'https://a.org', method: POST, body: {a: 1}}", "W213"),
    ("- §exec: ls -l", "invalid-value"),
    ("- §exec: ['echo', '${input}']", nil),
    ("- §create: {entity: Link, set: {title: x}}", "missing-argument"),
    ("- §create: {entity: Link, url: 'https://a.org'}", "unknown-argument"),
    ("- §create: {entity: Link, set: {url: null}}", "invalid-value"),
    ("- §update: {item: link:1, title: x}", "unknown-argument"),
    ("- §update: {item: link:1, set: {tags: swift}}", nil),
    (
      "- §find: {entity: Link, first: true}\n  as: l\n- §update: {item: '{{ l }}', set: {ulr: x}}\n  when: l != null",
      "unknown-property"
    ),
    (
      "- §find: {entity: Link}\n- §choose: {from: '{{ it }}', display: '{{ self.ulr }}'}",
      "expression-unknown-field"
    ),
    ("- §wait: {minutes: 5}", "unknown-argument"),
    ("- §ask: {prompt: x, options: [a]}", "unknown-argument"),
    ("- §ask: {prompt: x, type: enum}", "enum-without-values"),
    ("- §choose: {options: [a]}", "unknown-argument"),
    ("- §value: {options: [a], vlaue: 1}", "unknown-argument"),
    ("- §run: nope", "unknown-action"),
    ("- §enqueue: nope", "unknown-action"),
    ("- §run: recent\n  as: r\n- §say: '{{ r.foo() }}'", "expression-unknown-function"),
    ("- §run: {name: save, with: {ulr: x}}", "unknown-parameter"),
    ("- atomic: [{§ask: x}]", "not-in-atomic"),
    ("- §find: {entity: Link, first: true}\n- atomic: [{§delete: '{{ it }}'}]", "not-in-atomic"),
    ("- §say: x\n- §return", nil),
    ("- §sya: x", "unknown-step"),
  ])
  func diagnosticsAreTheSameForRenamedVerbs(_ steps: String, _ id: String?) throws {
    func document(_ mark: String) -> String {
      let lines = steps.replacing("§", with: mark).split(separator: "\n").map { "  " + $0 + "\n" }
      return "shortcut: t\ninput: string\nreturns: string?\nsteps:\n" + lines.joined()
        + "  - \(mark)value: x\n"
    }
    let usual = try Self.findings(document(""), .errand)
    #expect(try Self.findings(document(Self.prefix), Self.renamed) == usual)
    if let id {
      #expect(usual.contains { $0.hasPrefix(id + " ") }, "\(usual)")
    }
  }
}

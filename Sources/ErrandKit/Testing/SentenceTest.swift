import CEL
import Catalog
import DefinitionTesting
import Program
import YAML

/// Runs tests that say a sentence and expect an intent with parameters.
final class SentenceTest {
  private let catalog: DefinitionCatalog
  private let runner: TestRunner
  private var phrases: [String: SpokenPhrases] = [:]

  init(_ catalog: DefinitionCatalog, _ runner: TestRunner) {
    self.catalog = catalog
    self.runner = runner
  }

  /// Understands the sentence of a test in a language.
  func run(_ test: TestDefinition, of action: String, in language: String) -> TestResult {
    let now =
      test.fakes.now.flatMap {
        DateReader(now: TestWorld.defaultStart, clock: .utc).timestamp($0.text)
      }
      ?? TestWorld.defaultStart
    let known = phrases[language]
    let phrases =
      known?.now == now
      ? known : SpokenPhrases(catalog, languages: [language], now: now, clock: .utc)
    self.phrases[language] = phrases
    let sentence = test.say?.text ?? ""
    var found = test.given.isEmpty ? phrases?.understand(sentence) ?? [] : []
    if !test.given.isEmpty, let phrases {
      // As for a person, those whose items exist are kept.
      do {
        found = try runner.withItems(of: test) { SentenceReader(phrases, $0).understand(sentence) }
      } catch {
        return TestResult(test, of: action, failures: [TestFailure(error, at: test.span)])
      }
    }
    guard let understood = found.first(where: { $0.action == action }) ?? found.first else {
      return TestResult(
        test, of: action,
        failures: [TestFailure("no phrase fits the sentence", at: test.say?.span)])
    }
    var failures: [TestFailure] = []
    if found.count > 1 {
      let names = found.map(\.action).joined(separator: " and ")
      failures.append(
        TestFailure("the sentence fits \(names) equally well", at: test.say?.span))
    }
    for expectation in test.expectations {
      switch expectation.subject.text {
      case "intent":
        let wanted = Self.text(of: expectation.matcher)
        if wanted != understood.action {
          failures.append(
            TestFailure(
              "intent", expected: wanted, actual: understood.action, at: expectation.subject.span))
        }
      default:
        let dates = DateReader(now: now, clock: .utc, language: .english)
        failures += differences(expectation, understood, dates)
      }
    }
    return TestResult(test, of: action, failures: failures)
  }

  private func differences(
    _ expectation: TestDefinition.Expectation, _ understood: Understanding, _ dates: DateReader
  ) -> [TestFailure] {
    var wanted: [String: String] = [:]
    if case .fields(let fields, _) = expectation.matcher {
      for (name, matcher) in fields { wanted[name.text] = Self.text(of: matcher) }
    }
    var failures: [TestFailure] = []
    let names = Set(wanted.keys).union(understood.arguments.map(\.name)).sorted()
    for name in names {
      let argument = understood.arguments.first { $0.name == name }
      var expected = wanted[name]
      if argument?.kind == PhraseTable.Kind.date.rawValue, let text = expected {
        expected = dates.date(text)?.iso8601 ?? text
      } else if argument?.kind == PhraseTable.Kind.when.rawValue, let text = expected {
        expected = dates.whenText(text) ?? text
      }
      guard expected != argument?.text else { continue }
      failures.append(
        TestFailure(
          "parameters.\(name)", expected: expected ?? "nothing",
          actual: argument?.text ?? "nothing", at: expectation.subject.span))
    }
    return failures
  }

  /// A plain value as on the command line.
  private static func text(of matcher: TestMatcher) -> String {
    switch matcher {
    case .literal(let node): node.scalar?.text ?? ""
    case .list(let matchers, _): matchers.map(text).joined(separator: ",")
    default: ""
    }
  }
}

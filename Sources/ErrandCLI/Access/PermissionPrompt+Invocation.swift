import Engine
import ErrandKit
import Program
import Source

extension PermissionPrompt {
  /// Creates the gate of a run; `--allow` grants capabilities and the front asks for the rest.
  ///
  /// `--allow` and `ERRAND_ALLOW` hold words such as `exec:git,http:api.example.com`; grants passed on
  /// by a front may contain commas.
  /// - Throws: `UsageError` for an invalid grant.
  init(_ invocation: Invocation, _ run: Run) throws {
    let lists =
      invocation.arguments.all(Flag.allow.name)
      + [ProcessEnvironment.value("ERRAND_ALLOW")].compactMap(\.self)
    let words =
      lists.flatMap { $0.split(separator: ",").map(String.init) }
      + (invocation.console.link.handed?.allow ?? [])
    self.init(
      invocation.places, invocation.front,
      allowed: try words.filter { $0 != "all" }.map(Self.capability),
      allowsAll: words.contains("all"),
      canonical: invocation.canonical(in: run.host.machine.files))
  }

  private static func capability(_ word: String) throws(UsageError) -> Capability {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Capability.Kind.allCases.map(\.rawValue)
    let kind = try Capability.Kind(rawValue: String(parts[0])).expected(
      "--allow: “\(word)” must begin with one of \(names.joined(separator: ", "))",
      help: word.firstIndex(of: "=").map {
        "write --allow \(word[..<$0]):\(word[$0...].dropFirst())"
      }
        ?? Suggestion.didYouMean(String(parts[0]), in: names + ["all"])
        ?? "for a program write exec:\(word); choose one of \(names.joined(separator: ", "))")
    guard parts.count > 1, parts[1] != "*" else { return Capability(any: kind) }
    try UsageError.expect(
      !parts[1].isEmpty, "--allow: “\(word)” has nothing after the colon",
      help: "write \(kind.rawValue):* for any")
    return Capability(kind, String(parts[1]))
  }
}

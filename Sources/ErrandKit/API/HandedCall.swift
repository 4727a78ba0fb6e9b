package import CEL
import CLinux
package import Catalog
package import Engine
import Glibc
import JSON
import Source
import YAML

/// A call passed to a new process on a descriptor, which keeps its values out of the process list.
package struct HandedCall: Sendable {
  /// The command-line arguments.
  package var words: [String]
  /// The cause recorded in the change log; nil for the run's own.
  package var cause: String?
  /// Capabilities granted in addition to the person's grants, one per element.
  package var allow: [String] = []
  /// The value of the primary parameter; null if none is given.
  package var input: Value = .null
  /// Parameter values by name, with their types.
  package var parameters: [(name: String, value: Value)] = []

  package init(words: [String]) { self.words = words }

  /// Returns a call with other arguments and the same cause and grants.
  package func asking(_ words: [String]) -> HandedCall {
    var call = HandedCall(words: words)
    (call.cause, call.allow) = (cause, allow)
    return call
  }

  /// The environment variable that announces a call.
  private static let variable = "ERRAND_WORDS"
  /// The descriptor of the sealed file that holds the call as a JSON object.
  private static let descriptor: Int32 = 3

  // MARK: Sending

  /// The environment variable to set for the receiving process.
  static let environment = (name: variable, value: "\(descriptor)")

  /// Writes the call to a sealed file; the caller closes the descriptor.
  ///
  /// - Throws: `io`.
  func sealed() throws -> Int32 {
    let value = Value.record([
      "words": words, "cause": cause, "allow": allow, "input": input,
      "parameters": Value.record(Record(parameters.map { ($0.name, $0.value) })),
    ])
    let bytes = Array(try JSONWriter().text(of: value).utf8)
    let sealed = bytes.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
    guard sealed >= 0 else {
      throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
    }
    return sealed
  }

  // MARK: Receiving

  /// Receives the call of a front, if there is one, and hides it from child processes.
  ///
  /// - Throws: `failed` if the descriptor does not hold a call.
  package static func take() throws(RunError) -> HandedCall? {
    guard ProcessEnvironment.value(variable) != nil else { return nil }
    unsetenv(variable)
    guard let bytes = SealedFile.bytes(in: descriptor),
      case .map(let map)? = try? JSONParser().parse(bytes), case .list(let words)? = map["words"]
    else {
      throw RunError(.failed, "\(variable) is set, but descriptor \(descriptor) is not a call")
    }
    var call = HandedCall(words: words.map(\.text))
    if case .string(let cause)? = map["cause"] { call.cause = cause }
    if case .list(let grants)? = map["allow"] { call.allow = grants.map(\.text) }
    call.input = map["input"] ?? .null
    if case .map(let parameters)? = map["parameters"] {
      call.parameters = parameters.entries.map { ($0.key.text, $0.value) }
    }
    return call
  }

  /// Passes the call to the program that replaces this one (`exec`).
  ///
  /// - Throws: `io`.
  package func handOn() throws {
    let sealed = try sealed()
    guard sealed == Self.descriptor || dup2(sealed, Self.descriptor) >= 0 else {
      throw RunError(.io, "cannot pass on the call: \(String(cString: strerror(errno)))")
    }
    setenv(Self.variable, "\(Self.descriptor)", 1)
  }

  /// Returns the values by parameter position.
  ///
  /// - Throws: `invalid-value` for an unknown parameter.
  package func values(for definition: ActionDefinition) throws(RunError) -> [Int: GivenValue] {
    let names = definition.allParameters.map(\.name.text)
    for (name, _) in parameters where !names.contains(name) {
      throw RunError(
        .invalidValue, "`\(definition.name.text)` has no parameter `\(name)`",
        help: Suggestion.help(for: name, in: names)
      ).asUsage
    }
    return definition.given(input.isNull ? nil : input, parameters)
  }

  /// Calls `body` on another thread once the reader of this process's standard output is gone.
  package static func whenReaderIsGone(_ body: @escaping @Sendable () -> Void) {
    final class Context {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    // The main thread handles signals: they interrupt its wait for an answer.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Context(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        var output = pollfd(fd: 1, events: 0, revents: 0)
        while poll(&output, 1, -1) < 0, errno == EINTR {}
        if let context { Unmanaged<Context>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, context)
    if status == 0 { pthread_detach(thread) }
  }
}

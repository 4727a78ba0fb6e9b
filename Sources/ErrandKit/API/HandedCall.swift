package import CEL
import CLinux
package import Catalog
package import Engine
import Glibc
import JSON
import Source
import YAML

/// A call that a front hands over on a descriptor, so that no value of it stands in a list of
/// processes.
package struct HandedCall: Sendable {
  /// The words of the command line.
  package var words: [String]
  /// The value of the parameter that a single word would stand for; null for none.
  package var input: Value = .null
  /// The values of parameters by name, with their types.
  package var parameters: [(name: String, value: Value)] = []

  package init(words: [String]) { self.words = words }

  /// The variable that says so.
  private static let variable = "ERRAND_WORDS"
  /// The descriptor of a sealed file with the call as a JSON object.
  private static let descriptor: Int32 = 3

  // MARK: Handing over

  /// The environment by which the other process looks for the call.
  static let environment = (name: variable, value: "\(descriptor)")

  /// A descriptor of the call, which the caller closes.
  ///
  /// - Throws: `io`.
  func sealed() throws -> Int32 {
    let value = Value.map(
      MapValue([
        ("words", .list(words.map(Value.string))), ("input", input),
        ("parameters", .map(MapValue(parameters))),
      ]))
    let bytes = Array(try JSONWriter().text(of: value).utf8)
    let sealed = bytes.withUnsafeBytes { errand_sealed_file($0.baseAddress, $0.count) }
    guard sealed >= 0 else {
      throw RunError(.io, "cannot start a run: \(String(cString: strerror(errno)))")
    }
    return sealed
  }

  // MARK: Taking

  /// The call that a front handed over, if any; programs that are started do not see it.
  ///
  /// - Throws: `failed` where the descriptor holds none.
  package static func take() throws(RunError) -> HandedCall? {
    guard ProcessEnvironment.value(variable) != nil else { return nil }
    unsetenv(variable)
    guard let bytes = SealedFile.bytes(in: descriptor),
      case .map(let map)? = try? JSONParser().parse(bytes), case .list(let words)? = map["words"]
    else {
      throw RunError(.failed, "\(variable) is set, and descriptor \(descriptor) holds no call")
    }
    var call = HandedCall(words: words.map(\.text))
    call.input = map["input"] ?? .null
    if case .map(let parameters)? = map["parameters"] {
      call.parameters = parameters.entries.map { ($0.key.text, $0.value) }
    }
    return call
  }

  /// Hands the call to the program that takes the place of this one.
  ///
  /// - Throws: `io`.
  package func handOn() throws {
    let sealed = try sealed()
    guard sealed == Self.descriptor || dup2(sealed, Self.descriptor) >= 0 else {
      throw RunError(.io, "cannot hand the call over: \(String(cString: strerror(errno)))")
    }
    setenv(Self.variable, "\(Self.descriptor)", 1)
  }

  /// The values by the positions of the parameters of what is called.
  ///
  /// - Throws: `invalid-value` for a name that is not a parameter's.
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

  /// Asks this process to end when nobody reads its standard output any more: the front is gone.
  package static func endWithReader() {
    // Signals are the main thread's: they end its wait for an answer.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { _ in
        var output = pollfd(fd: 1, events: 0, revents: 0)
        while poll(&output, 1, -1) < 0, errno == EINTR {}
        kill(getpid(), SIGTERM)
        return nil
      }, nil)
    if status == 0 { pthread_detach(thread) }
  }
}

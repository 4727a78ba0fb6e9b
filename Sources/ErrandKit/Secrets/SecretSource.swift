package import CEL
import CLinux
package import Engine
import POSIX
import Source

/// The source of secrets: the person's file, or a configured program.
package struct SecretSource: Sendable {
  private let file: SecretFile?
  private let settings: String?
  private let machine: Machine
  private let interrupt: Interrupt

  package init(_ places: Places?, _ machine: Machine, interrupt: Interrupt) {
    self.interrupt = interrupt
    file = places.map(SecretFile.init)
    settings = places.map { $0.config + "/settings.yaml" }
    self.machine = machine
  }

  /// Returns the secret with this name.
  ///
  /// - Throws: `noSecret` if there is none, `failed` if it cannot be read.
  package func text(_ name: String) throws(EvaluationError) -> String {
    // Secrets read from now on must not be in a core dump or visible to other processes.
    _ = errand_hide_memory()
    do {
      if let command = try SettingsFile.command(.secretCommand, in: settings) {
        return try text(name, by: command)
      }
      guard let file, let text = try file.read()[name] else {
        throw EvaluationError(
          "there is no secret “\(name)”", code: .noSecret, help: "errand secret set \(name)")
      }
      return text
    } catch let error as EvaluationError {
      throw error
    } catch {
      if let file, file.isLocked {
        throw EvaluationError(
          "the secret “\(name)” is sealed: the vault is locked", code: .noSecret,
          help: "errand vault unlock")
      }
      let known = (error as? Diagnostic)?.message ?? (error as? RunError)?.message
      throw EvaluationError(known ?? "\(error)", code: .failed)
    }
  }

  /// Reads a secret from the configured program's output, without a final newline.
  private func text(_ name: String, by command: [String]) throws -> String {
    let words = command.map { $0.replacing("{name}", with: name) }
    let end = try machine.exec(
      ProcessRequest(words),
      WaitBounds(
        deadline: machine.monotonic() + Self.timeout.nanoseconds,
        descriptors: [interrupt.pollDescriptor].filter { $0 >= 0 }))
    if end.reason == .interrupted {
      if interrupt.isSet { throw EvaluationError("cancelled", code: .interrupted) }
      throw EvaluationError("`\(words[0])` timed out on the secret “\(name)”", code: .failed)
    }
    guard end.reason == .exited(0) else {
      throw EvaluationError("`\(words[0])` did not print the secret “\(name)”", code: .failed)
    }
    var bytes = end.output
    if bytes.last == 0x0A { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
      throw EvaluationError("`\(words[0])` printed no text for “\(name)”", code: .failed)
    }
    return text
  }

  /// The timeout of the program; long enough for a person to unlock it.
  private static let timeout = Duration.seconds(60)
}

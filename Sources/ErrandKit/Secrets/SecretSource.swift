package import CEL
import CLinux
package import Engine
import Source

/// Where secrets come from: the person's file, or the program that the settings name.
package struct SecretSource: Sendable {
  private let file: String?
  private let settings: String?
  private let machine: Machine
  private let interrupt: Interrupt

  package init(_ places: Places?, _ machine: Machine, interrupt: Interrupt) {
    self.interrupt = interrupt
    file = places?.secrets
    settings = places.map { $0.config + "/settings.yaml" }
    self.machine = machine
  }

  /// The secret of a name.
  ///
  /// - Throws: `failed` when there is none, or it can't be read.
  package func text(_ name: String) throws(EvaluationError) -> String {
    // What is read from now on is in no core file, and no other program may look at it.
    _ = errand_hide_memory()
    do {
      if let command = try SettingsFile.command(.secretCommand, in: settings) {
        return try text(name, by: command)
      }
      guard let file, let text = try SecretFile(path: file).read()[name] else {
        throw EvaluationError(
          "there is no secret “\(name)”", code: .noSecret, help: "errand secret set \(name)")
      }
      return text
    } catch let error as EvaluationError {
      throw error
    } catch let error as Diagnostic {
      throw EvaluationError(error.message, code: .failed)
    } catch let error as RunError {
      throw EvaluationError(error.message, code: .failed)
    } catch {
      throw EvaluationError("\(error)", code: .failed)
    }
  }

  /// Asks a keeper for a secret: its whole output, without the line end after its last line.
  private func text(_ name: String, by command: [String]) throws -> String {
    let words = command.map { $0.replacing("{name}", with: name) }
    let end = try machine.exec(
      ProcessRequest(words),
      WaitBounds(
        deadline: machine.monotonic() + Self.patience,
        descriptors: [interrupt.pollDescriptor].filter { $0 >= 0 }))
    if end.reason == .interrupted {
      if interrupt.isSet { throw EvaluationError("ended", code: .interrupted) }
      throw EvaluationError("`\(words[0])` gave no secret “\(name)” within a minute", code: .failed)
    }
    guard end.reason == .exited(0) else {
      throw EvaluationError(
        "`\(words[0])` gave no secret “\(name)”", code: .failed)
    }
    var bytes = end.output
    if bytes.last == 0x0A { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
      throw EvaluationError("`\(words[0])` gave no text for “\(name)”", code: .failed)
    }
    return text
  }

  /// How long a keeper may take, as where a person must unlock it, in nanoseconds.
  private static let patience: Int64 = 60_000_000_000
}

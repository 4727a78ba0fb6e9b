import CEL
import Items
import Program

/// `progress`: tells how far a long piece of work has come.
enum ProgressVerb: PlainVerb {
  static let word = "progress"
  static let done = Argument<Value>(
    "done", at: 0, .value(.double), required: true, range: 0...Double.infinity)
  static let total = Argument<Value>(
    "total", at: 1, .value(.optional(.double)), range: 0...Double.infinity)
  static let label = Argument<String>("label", at: 2, .value(.string))

  static let signature = VerbSignature(
    word, [done.declaration, total.declaration, label.declaration], traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard case .double(let done)? = try arguments.value(done) else { return nil }
    try check(done, "done")
    var whole: Double?
    if case .double(let number)? = try arguments.value(total) {
      try check(number, "total")
      whole = number
    }
    arguments.runner.run.front.progress(
      Progress(
        try arguments.text(label), done: done, total: whole,
        isOver: whole.map { done >= $0 } ?? false))
    return nil
  }

  private static func check(_ number: Double, _ name: String) throws {
    guard number.isFinite, number >= 0 else {
      throw RunError(.invalidValue, "`\(name)` is a number from 0, and \(number) is not")
    }
  }
}

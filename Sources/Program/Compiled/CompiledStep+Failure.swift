import CEL
import Source

extension CompiledStep {
  /// How long a step may take, and how often it is tried.
  package final class Persistence {
    /// The time that each attempt may take; for a block, all of it.
    package let timeout: CompiledValue?
    package let retry: Retry?

    init(timeout: CompiledValue?, retry: Retry?) {
      self.timeout = timeout
      self.retry = retry
    }
  }

  /// How often, when and after which errors a step is tried again.
  package struct Retry {
    package let times: CompiledValue
    package let delay: CompiledValue?
    package let backoff: CompiledValue?
    package let max: CompiledValue?
    package let jitter: CompiledValue?
    /// The codes of the errors; nil for those that may pass by themselves.
    package let codes: [String]?
  }

  /// Steps whose failure is handled.
  package struct Attempt {
    package let body: [CompiledStep]
    package let handlers: [Handler]
    /// The steps that run whatever happens.
    package let finally: [CompiledStep]
    /// The slot of `error` in `finally`.
    package let errorSlot: Int
  }

  /// What is done about some errors.
  package struct Handler {
    /// The codes that it is for; nil for all but a few.
    package let codes: [String]?
    package let condition: CompiledExpression?
    /// The slot of the error.
    package let slot: Int
    package let body: [CompiledStep]
  }

  /// Steps that run at once, each list under a name.
  package struct Parallel {
    package let branches: [(name: String, body: [CompiledStep])]
    package let limit: CompiledValue?
    package let settles: Bool
  }

  /// How the passes of a `for` run at once.
  package struct ParallelPasses {
    package let limit: CompiledValue
    package let pace: CompiledValue?
    package let key: CompiledExpression?
    package let settles: Bool
  }
}

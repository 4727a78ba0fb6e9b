import Glibc

/// Work on a dedicated thread, with a result that can be awaited.
package final class BackgroundWork<Value> {
  /// The result of the work: exclusive to the thread until it ends.
  private final class Outcome {
    var result: Result<Value, any Error> = .failure(StoreError(.bug, "the work has not ended"))
  }

  private let outcome: Outcome
  private let thread: pthread_t
  private var isJoined = false

  /// Starts the work; nil when no thread can be created.
  ///
  /// State used by `body` belongs to the thread until `value` returns.
  package init?(_ body: @escaping () throws -> Value) {
    let outcome = Outcome()
    guard let thread = startThread({ outcome.result = Result { try body() } }) else { return nil }
    self.outcome = outcome
    self.thread = thread
  }

  deinit { if !isJoined { pthread_detach(thread) } }

  /// Waits for the work to end, and returns its result or throws its error.
  package func value() throws -> Value {
    if !isJoined { pthread_join(thread, nil) }
    isJoined = true
    return try outcome.result.get()
  }
}

/// The body of a thread.
private final class Closure {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Closure>.fromOpaque(context).takeRetainedValue().body()
  }
}

/// Starts a thread; nil when none can be created.
private func startThread(_ body: @escaping () -> Void) -> pthread_t? {
  let job = Unmanaged.passRetained(Closure(body)).toOpaque()
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    {
      if let context = $0 { Closure.run(context) }
      return nil
    }, job)
  if status == 0 { return thread }
  Unmanaged<Closure>.fromOpaque(job).release()
  return nil
}

import Glibc

/// Work on a thread of its own, until somebody wants what came of it.
package final class BackgroundWork<Value> {
  /// What came of the work: the thread's alone until that has ended.
  private final class Outcome {
    var result: Result<Value, any Error> = .failure(StoreError(.bug, "the work has not ended"))
  }

  private let outcome: Outcome
  private let thread: pthread_t
  private var isJoined = false

  /// Starts the work; nil when the system has no thread for it.
  ///
  /// What `body` uses is its own until `value` was called.
  package init?(_ body: @escaping () throws -> Value) {
    let outcome = Outcome()
    guard let thread = startThread({ outcome.result = Result { try body() } }) else { return nil }
    self.outcome = outcome
    self.thread = thread
  }

  deinit {
    if !isJoined { pthread_detach(thread) }
  }

  /// Waits for the end of the work, and gives what came of it or throws what it threw.
  package func value() throws -> Value {
    if !isJoined { pthread_join(thread, nil) }
    isJoined = true
    return try outcome.result.get()
  }
}

/// What a thread does.
private final class Closure {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Closure>.fromOpaque(context).takeRetainedValue().body()
  }
}

/// A new thread that does what it is given; nil when there is none to be had.
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

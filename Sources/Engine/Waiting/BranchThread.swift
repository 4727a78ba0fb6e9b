import Glibc

/// A thread that runs a branch, or watches over something.
package final class BranchThread {
  private let thread: pthread_t

  /// What the thread does, handed over to it whole.
  private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// The stack of a branch, in bytes: as much as the first thread's, for calls forty deep.
  private static let stackSize = 8 << 20

  /// Starts a thread; nil when the system has none.
  ///
  /// What `body` shares with other branches it touches only in its turn.
  package init?(_ body: @escaping () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let job = Unmanaged.passRetained(Job(body)).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, job)
    guard status == 0 else {
      Unmanaged<Job>.fromOpaque(job).release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for its end.
  package func join() { pthread_join(thread, nil) }
}

import CEL
package import Engine
import Glibc
import JSON

/// The words of a command line that a front hands over on a descriptor, so that no value of a call
/// stands in a list of processes.
package enum HandedWords {
  /// The variable that says so.
  package static let variable = "ERRAND_WORDS"
  /// The descriptor of a sealed file with the words as a JSON array.
  static let descriptor: Int32 = 3

  /// The words, when a front handed over some; programs that are started do not see that.
  ///
  /// - Throws: `failed` where the descriptor holds none.
  package static func take() throws(RunError) -> [String]? {
    guard ProcessEnvironment.value(variable) != nil else { return nil }
    unsetenv(variable)
    guard let bytes = SealedFile.bytes(in: descriptor),
      let parsed = try? JSONParser().parse(bytes), case .list(let values) = parsed
    else { throw failure }
    let words = values.compactMap { value -> String? in
      if case .string(let word) = value { word } else { nil }
    }
    guard words.count == values.count else { throw failure }
    return words
  }

  /// Lets the program that takes the place of this one see them, too.
  package static func handOn() { setenv(variable, "\(descriptor)", 1) }

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

  private static var failure: RunError {
    RunError(.failed, "\(variable) is set, and descriptor \(descriptor) holds no words")
  }
}

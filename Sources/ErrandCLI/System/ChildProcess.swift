import Glibc

/// A program that is started with its arguments as they are, never through a shell.
final class ChildProcess {
  /// What one of its standard streams is.
  enum Stream {
    case null
    /// A descriptor of ours.
    case descriptor(Int32)
  }

  private let id: pid_t
  private var status: Int32?

  /// Starts a program, looked up in `PATH`; nil when there is none of that name.
  ///
  /// It gets a session of its own, so that Ctrl-C at our terminal leaves it alone.
  init?(_ words: [String], input: Stream = .null, output: Stream = .null, errors: Stream = .null) {
    guard let program = words.first, !program.isEmpty,
      words.allSatisfy({ !$0.utf8.contains(0) })
    else { return nil }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // POSIX_SPAWN_SETSID of spawn.h, which Swift does not see.
    let newSession: Int32 = 0x80
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [(Int32(0), input), (1, output), (2, errors)] {
      switch stream {
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // We ignore the signal of a closed pipe, which a program would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | newSession))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    guard posix_spawnp(&id, program, &actions, &attributes, &arguments, environ) == 0 else {
      return nil
    }
    self.id = id
  }

  /// Waits for the end, for so many milliseconds at most; the exit status, or nil when it runs on.
  func wait(milliseconds: Int) -> Int32? {
    let deadline = MonotonicClock.milliseconds + milliseconds
    var pause: UInt32 = 200
    while true {
      if let status { return status }
      var code: Int32 = 0
      let result = waitpid(id, &code, WNOHANG)
      if result == id {
        let signal = code & 0x7F
        status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
      } else if result < 0, errno != EINTR {
        status = 127
      } else {
        guard MonotonicClock.milliseconds < deadline else { return nil }
        usleep(pause)
        pause = min(pause * 2, 10_000)
      }
    }
  }

  /// Ends it and all that it has started, when it has not ended yet.
  ///
  /// It leads a session and so a group of its own. One that has ended and was waited for gave its
  /// number back, and what it left behind, such as the server of a selection, is meant to stay.
  func end() {
    guard status == nil else { return }
    kill(-id, SIGKILL)
    _ = wait(milliseconds: 100)
  }
}

package import Glibc
package import Synchronization

/// A child process.
package final class TestProcess {
  /// The target of a descriptor.
  package enum Stream {
    /// A file, opened with flags.
    case file(String, Int32)
  }

  /// The process could not be started, or did not end in time.
  package struct Failure: Error {
    let reason: String

    package init(reason: String) { self.reason = reason }
  }

  /// Held while a process is started and while a program is written: a process that is being
  /// started holds descriptors, and a program open for writing cannot be executed.
  package static let starting = Mutex(())

  package let id: pid_t
  private var endStatus: Int32?

  /// The timeout of a process; far longer than any should take.
  package static let patience = 900.0

  /// Starts a program in a new session: the first terminal that it opens becomes its controlling
  /// one.
  package init(
    _ program: String, _ words: [String], environment: [String: String], folder: String,
    streams: [Int32: Stream]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, stream) in streams.sorted(by: { $0.key < $1.key }) {
      switch stream {
      case .file(let path, let flags):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // POSIX_SPAWN_SETSID is a GNU extension that is not visible in Swift.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | 0x80))

    // The function to change the folder is not visible in Swift, so a program does it.
    let env = "/usr/bin/env"
    var arguments = ([env, "-C", folder, program] + words).map { strdup($0) } + [nil]
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
    variables.append(nil)
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let code = Self.starting.withLock { _ in
      posix_spawn(&id, env, &actions, &attributes, &arguments, &variables)
    }
    guard code == 0 else {
      throw Failure(reason: "\(program) cannot be started: \(String(cString: strerror(code)))")
    }
    self.id = id
  }

  /// Waits for the exit and returns the exit status.
  package func wait() throws -> Int32 {
    let deadline = Clock.seconds + Self.patience
    while true {
      if let status = poll() { return status }
      guard Clock.seconds < deadline else {
        kill(id, SIGKILL)
        throw Failure(reason: "the process did not end")
      }
      usleep(500)
    }
  }

  /// The exit status, if the process has exited.
  package func poll() -> Int32? {
    if let endStatus { return endStatus }
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7F
    endStatus = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    return endStatus
  }

  deinit {
    if poll() == nil {
      kill(id, SIGKILL)
      var status: Int32 = 0
      waitpid(id, &status, 0)
    }
  }
}

/// The clock for timeouts of tests.
package enum Clock {
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

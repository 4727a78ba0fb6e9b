import Engine
import Glibc
import POSIX
import Platform

/// A child process, started without a shell.
package final class ChildProcess {
  private let id: pid_t
  private var status: Int32?

  /// Starts a program, searched for in `PATH`; nil if it cannot be started.
  ///
  /// It runs in a new session, so that Ctrl-C in the terminal does not reach it.
  package init?(_ words: [String], input: Int32 = -1, output: Int32 = -1, errors: Int32 = -1) {
    guard let program = words.first, !program.isEmpty,
      words.allSatisfy({ !$0.utf8.contains(0) }),
      let id = try? ChildLaunch(ProcessRequest(words)).start(
        input: input, output: output, errors: errors)
    else { return nil }
    self.id = id
  }

  /// Waits for the exit up to a timeout; the exit status, or nil if it is still running.
  package func wait(_ time: Duration) -> Int32? {
    let deadline = MonotonicClock.milliseconds + time.milliseconds
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

  /// Asks the process to end (SIGTERM), unless it has exited.
  package func terminate() {
    if wait(.zero) == nil { kill(id, SIGTERM) }
  }

  /// Kills the process and its descendants, unless it has exited.
  ///
  /// It leads its own session and process group. Once it was reaped, its id may be reused, and
  /// surviving processes, such as the server of an X selection, are meant to stay.
  package func end() {
    guard status == nil else { return }
    kill(-id, SIGKILL)
    _ = wait(.milliseconds(100))
  }
}

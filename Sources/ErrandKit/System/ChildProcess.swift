import Engine
import Glibc
import POSIX
import System

/// A program that is started with its arguments as they are, never through a shell.
package final class ChildProcess {
  private let id: pid_t
  private var status: Int32?

  /// Starts a program, looked up in `PATH`; nil when there is none of that name.
  ///
  /// It gets a session of its own, so that Ctrl-C at our terminal leaves it alone.
  package init?(_ words: [String], input: Int32 = -1, output: Int32 = -1) {
    guard let program = words.first, !program.isEmpty,
      words.allSatisfy({ !$0.utf8.contains(0) }),
      let id = try? ChildLaunch(ProcessRequest(words)).start(input: input, output: output)
    else { return nil }
    self.id = id
  }

  /// Waits for the end, for so many milliseconds at most; the exit status, or nil when it runs on.
  package func wait(milliseconds: Int) -> Int32? {
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
  package func end() {
    guard status == nil else { return }
    kill(-id, SIGKILL)
    _ = wait(milliseconds: 100)
  }
}

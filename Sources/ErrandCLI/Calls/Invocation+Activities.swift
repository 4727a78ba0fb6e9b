import Engine
import ErrandKit
import Glibc
import Program

extension Invocation {
  /// The folder in which programs tell each other what goes on; nil where there is no place for it.
  var activityFolder: ActivityFolder? {
    places.map { ActivityFolder($0.state + "/activities", now: SystemHost.now) }
  }

  /// Lets a host show what steps tell of, and what takes long.
  func showActivities(of host: inout Host) {
    guard let board = activityBoard else { return }
    host.noteActivity = { board.note($0) }
    host.machine.exec = { [exec = host.machine.exec] request, bounds in
      board.watch()
      // A program that looks sees what was told before it began.
      board.flush()
      return try exec(request, bounds)
    }
    if let http = host.machine.http {
      host.machine.http = { request, bounds in
        board.watch()
        return try http(request, bounds)
      }
    }
  }

  /// Shows a body of work as what this process does.
  ///
  /// - Throws: what the body throws.
  func asActivity<Result>(
    _ kind: Activity.Kind, _ title: String, _ body: () throws -> Result
  ) throws -> Result {
    guard let board = activityBoard else { return try body() }
    board.begin(Activity(kind, key: "\(kind.rawValue) \(getpid())", title: title))
    do {
      let result = try body()
      board.end(.done)
      return result
    } catch {
      if error is Cancellation {
        board.end(.cancelled)
      } else {
        board.end(.failed, console.secrets.masked(ErrorReport(error).message))
      }
      throw error
    }
  }
}

import Engine
import Glibc
import POSIX

@testable import System

extension FileAccess {
  /// The files of this machine, without an environment.
  static let machine = FileAccess.system { _ in nil }
}

/// A temporary folder of a test, which is gone when the test is.
final class TestFolder {
  let path: String

  /// The folder could not be made.
  struct Failure: Error {}

  init() throws {
    var template = Array("/tmp/errand-system-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  deinit { try? FileCopier.remove(path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a text to a file in it, and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try FileAccess.machine.write(file(name), Array(text.utf8), .replace)
    return file(name)
  }

  /// The text of a file in it; nil when there is none.
  func read(_ name: String) -> String? {
    (try? FileAccess.machine.read(file(name), 1 << 30)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names of all that lies in it.
  func names() throws -> [String] { try FolderListing.entries(path, false).map(\.name) }
}

/// Runs a program to its end, without bounds unless some are given.
func exec(
  _ command: String..., input: String = "", deadline: Int64? = nil, descriptors: [Int32] = [],
  change: (inout ProcessRequest) -> Void = { _ in }
) throws -> ProcessEnd {
  // As the program does: a reader that is gone is told by the call that writes.
  signal(SIGPIPE, SIG_IGN)
  var request = ProcessRequest(command)
  request.input = Array(input.utf8)
  change(&request)
  return try ProcessRun(request, WaitBounds(deadline: deadline, descriptors: descriptors)).run()
}

extension ProcessEnd {
  /// What it wrote.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// What it wrote to standard error.
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Waits until something holds that another process brings about; false when it never does.
func eventually(_ holds: () -> Bool) -> Bool {
  let deadline = MonotonicClock.nanoseconds + 60_000_000_000
  while !holds() {
    if MonotonicClock.nanoseconds > deadline { return false }
    MonotonicClock.pause(MonotonicClock.nanoseconds + 1_000_000, [])
  }
  return true
}

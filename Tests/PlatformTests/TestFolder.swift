import Engine
import Glibc
import POSIX

@testable import Platform

extension FileAccess {
  /// The real file system, with an empty environment.
  static let machine = FileAccess.system { _ in nil }
}

/// A temporary folder, removed at the end of the test.
final class TestFolder {
  let path: String

  /// The folder could not be created.
  struct Failure: Error {}

  init() throws {
    var template = Array("/tmp/errand-system-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  deinit { try? FileCopier.remove(path) }

  /// Returns the path of a file in it.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try FileAccess.machine.write(file(name), Array(text.utf8), .replace)
    return file(name)
  }

  /// Returns the text of a file; nil if it does not exist.
  func read(_ name: String) -> String? {
    (try? FileAccess.machine.read(file(name), 1 << 30)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the names of its entries.
  func names() throws -> [String] { try FolderListing.entries(path, false).map(\.name) }
}

/// Runs a program to its end, by default without a deadline.
func exec(
  _ command: String..., input: String = "", deadline: Int64? = nil, descriptors: [Int32] = [],
  change: (inout ProcessRequest) -> Void = { _ in }
) throws -> ProcessEnd {
  // As in the program, a broken pipe is an error of `write`, not a signal.
  signal(SIGPIPE, SIG_IGN)
  var request = ProcessRequest(command)
  request.input = Array(input.utf8)
  change(&request)
  return try ProcessRun(request, WaitBounds(deadline: deadline, descriptors: descriptors)).run()
}

extension ProcessEnd {
  /// The standard output.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// The standard error.
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Waits for a condition that another process brings about; false on timeout.
func eventually(_ holds: () -> Bool) -> Bool {
  let deadline = MonotonicClock.nanoseconds + 60_000_000_000
  while !holds() {
    if MonotonicClock.nanoseconds > deadline { return false }
    MonotonicClock.pause(MonotonicClock.nanoseconds + 1_000_000, [])
  }
  return true
}

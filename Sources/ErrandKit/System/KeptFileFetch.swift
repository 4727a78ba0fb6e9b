import Glibc
import POSIX

/// Fetches the bytes of kept files that other machines have added.
package enum KeptFileFetch {
  /// The longest wait for the bytes of a file.
  private static let patience = Duration.seconds(120)

  /// Fetches the bytes of a kept file by a process with the network; false if they are nowhere.
  package static func fetch(_ path: String) -> Bool {
    let folder = Folder.parent(of: path)
    guard folder.hasSuffix(".files"), let program = Folder.resolved("/proc/self/exe") else {
      return false
    }
    let words = [
      program, "hub", "fetch", "--quiet", String(path.dropFirst(folder.utf8.count + 1)), "--store",
      String(folder.dropLast(6)),
    ]
    guard let process = ChildProcess(words, errors: 2) else { return false }
    guard let status = process.wait(patience) else {
      process.end()
      return false
    }
    return status == 0
  }
}

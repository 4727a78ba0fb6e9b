import Engine
import Glibc
import POSIX

/// A folder of calendar files, one entry in each, as vdirsyncer keeps it, or a folder of such folders.
package enum CalendarFolder {
  /// The largest calendar file, in bytes.
  private static let maxFile = 64 << 20

  /// Returns the calendars of a folder as one file; nil for another path, or a folder without any.
  ///
  /// - Throws: `io`.
  package static func file(of path: String) throws -> InputFile? {
    guard stat.at(path)?.isFolder == true else { return nil }
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    let folders = [base] + Folder.visibleNames(in: base).sorted().map { "\(base)/\($0)" }
    let files = folders.filter { stat.at($0)?.isFolder == true }.flatMap { folder in
      Folder.visibleNames(in: folder).sorted().filter { $0.lowercased().hasSuffix(".ics") }
        .map { "\(folder)/\($0)" }
    }
    if files.isEmpty { return nil }
    var bytes: [UInt8] = []
    for file in files {
      do {
        guard let part = try Descriptor(input: file).bytes(limit: maxFile) else {
          throw RunError(.io, "\(file) exceeds \(maxFile >> 20) MiB")
        }
        bytes += part + [0x0A]
      } catch let error as SystemError {
        throw RunError(.io, "\(file) cannot be read: \(error.reason)")
      }
    }
    return InputFile(bytes: bytes, name: path)
  }
}

import Engine
import Glibc
import POSIX

/// A folder of calendar files, one entry in each, as vdirsyncer keeps it, or a folder of such folders.
package enum CalendarFolder {
  /// The largest calendar file, in bytes.
  private static let maxFile = 64 << 20

  /// Returns the calendars of a folder as one file; nil for another path, or a folder without any or with other
  /// files.
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
    let others = folders.flatMap { Folder.visibleNames(in: $0) }.contains {
      let name = $0.lowercased()
      return name.contains(".") && !name.hasSuffix(".ics")
    }
    if files.isEmpty || others { return nil }
    var bytes: [UInt8] = []
    for file in files { bytes += try self.bytes(of: file) + [0x0A] }
    return InputFile(bytes: bytes, name: path)
  }

  /// Returns the content of a calendar file.
  ///
  /// - Throws: `io`.
  static func bytes(of path: String) throws -> [UInt8] {
    do throws(SystemError) {
      if let bytes = try Descriptor(input: path).bytes(limit: maxFile) { return bytes }
    } catch {
      throw RunError(.io, "\(path) cannot be read: \(error.reason)")
    }
    throw RunError(.io, "\(path) exceeds \(maxFile >> 20) MiB")
  }
}

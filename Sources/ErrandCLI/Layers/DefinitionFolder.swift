import Glibc
import Links
import Source

/// A folder of YAML files with definitions.
struct DefinitionFolder {
  let path: String

  /// How many files a folder may hold, and how deep they may lie.
  private static let fileLimit = 5_000
  private static let depthLimit = 6

  /// The names of the YAML files in it, relative to it, in order; empty when there is no folder.
  ///
  /// Hidden files and folders are passed over.
  func fileNames() -> [String] {
    var names: [String] = []
    collect("", depth: 0, into: &names)
    return names.sorted()
  }

  private func collect(_ folder: String, depth: Int, into names: inout [String]) {
    guard depth < Self.depthLimit, let directory = opendir(path + "/" + folder) else { return }
    defer { closedir(directory) }
    while names.count < Self.fileLimit, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      let relative = folder.isEmpty ? name : folder + "/" + name
      var status = stat()
      guard stat(path + "/" + relative, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        collect(relative, depth: depth + 1, into: &names)
      } else if status.st_mode & S_IFMT == S_IFREG,
        name.hasSuffix(".yaml") || name.hasSuffix(".yml")
      {
        // A pipe or a device in a folder that came with a clone could hold up every command.
        names.append(relative)
      }
    }
  }

  /// The files with their text, named by their paths.
  ///
  /// - Throws: a `Diagnostic` for a file that can't be read.
  func files() throws(Diagnostic) -> [SourceFile] {
    var files: [SourceFile] = []
    for name in fileNames() {
      let place = path + "/" + name
      files.append(SourceFile(name: place, bytes: try FileReader.bytes(of: place)))
    }
    return files
  }

  /// A hash of the names and contents of files, by which a changed folder is known.
  static func contentHash(of files: [SourceFile]) -> String {
    var bytes: [UInt8] = []
    for file in files {
      // Lengths keep one file's end from being taken as another's beginning.
      bytes += Array("\(file.name.utf8.count) \(file.name) \(file.bytes.count)\n".utf8)
      bytes += file.bytes
    }
    return SHA256.hash(bytes).hexadecimal
  }
}

import Catalog
import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import YAML

/// `errand fmt`: writes definition files in one layout.
enum FmtCommand {
  static let command = Command(
    "fmt", "write definitions in one layout", usage: "[PATH…]",
    discussion: """
      A PATH is a file, a folder, or `-` for standard input, whose result goes to standard output; \
      without one, your own files and those of the project. Prints the files that it changed. \
      Comments, order and meaning are kept, and a file with mistakes in its YAML stays as it is.
      """,
    flags: [Flag("check", .toggle, "change nothing; list the files that would change, status 1")],
    serves: [], reads: .always
  ) { invocation, arguments in
    let isCheck = arguments.isOn("check")
    var problems: [Diagnostic] = []
    var changed = 0
    for file in try files(arguments.words, invocation, &problems) {
      do throws(Diagnostics) {
        let text = try CanonicalLayout.text(of: file)
        if file.name == "<stdin>", !isCheck {
          invocation.console.result(text)
          continue
        }
        guard Array(text.utf8) != file.bytes else { continue }
        if !isCheck { try replace(file, with: text) }
        changed += 1
        invocation.console.out("\(file.name)\n")
      } catch {
        problems += error.all
      }
    }
    try FindingsWriter(invocation.console).write(problems, as: .text)
    invocation.noteUnreadInput(arguments.words, "fmt")
    if !problems.isEmpty {
      invocation.status = ExitStatus.usage
    } else if isCheck, changed > 0 {
      invocation.status = ExitStatus.failed
    }
  }

  /// The files at some paths, or those of the person and the project.
  private static func files(
    _ paths: [String], _ invocation: Invocation, _ problems: inout [Diagnostic]
  ) throws -> [SourceFile] {
    guard !paths.isEmpty else {
      return try invocation.loader.load().files.filter { !$0.isBuiltIn }
    }
    if let path = paths.first(where: { $0.lowercased().hasSuffix(".json") }) {
      throw UsageError(
        "\(path) is JSON, and `fmt` writes YAML",
        help: "name a definition \(path.dropLast(5)).yaml; for other JSON: "
          + "jq . \(path.quotedForShell)")
    }
    var files: [SourceFile] = []
    for path in paths {
      do throws(Diagnostic) {
        if path == "-" {
          files.append(SourceFile(name: "<stdin>", bytes: try FileReader.bytes(of: path)))
        } else if stat.at(path)?.isFolder == true {
          let folder = DefinitionFolder(path: path, followsLinks: true)
          files += try folder.readableFiles { problems.append($0) }
        } else {
          files.append(SourceFile(name: path, bytes: try FileReader.bytes(of: path)))
        }
      } catch {
        problems.append(error)
      }
    }
    return files
  }

  /// Replaces a file atomically; the target of a symbolic link, and with the same permissions.
  private static func replace(_ file: SourceFile, with text: String) throws(Diagnostics) {
    do throws(SystemError) {
      let path = Folder.resolved(file.name) ?? file.name
      let temporary = try TemporaryFile(for: path)
      if let status = stat.at(path) { chmod(temporary.path, status.st_mode & 0o7777) }
      try temporary.file.write(Array(text.utf8))
      try temporary.publish(as: path)
    } catch {
      throw Diagnostics([Diagnostic("unwritable", "\(file.name) cannot be written: \(error)")])
    }
  }
}

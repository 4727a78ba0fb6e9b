import Engine
import Glibc
import POSIX

/// The imports that a front started for a person: the state and the report of each in a file.
package struct ImportFolder {
  private let path: String

  /// The number of reports to keep.
  private static let limit = 20
  /// The change log's name for imports.
  private static let cause = "import"

  /// - Parameter state: The person's state folder.
  package init(state: String) { path = state + "/imports" }

  /// The folder, whose time changes with each report.
  package static func path(state: String) -> String { state + "/imports" }

  /// Imports a file in a new process, and returns at once.
  ///
  /// - Parameters:
  ///   - file: The path of the file, which is moved, and deleted after the import.
  ///   - options: The library.
  /// - Returns: The name of the report.
  /// - Throws: `exec`, `io`.
  package func start(_ file: String, _ errand: Errand) throws -> String {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    try PrivateFolder(path: path).make()
    let title = file.split(separator: "/").last.map(String.init) ?? "file"
    let folder = "\(path)/\(name).file"
    try PrivateFolder(path: folder).make()
    let moved = "\(folder)/\(title)"
    guard rename(file, moved) == 0 else {
      rmdir(folder)
      throw ErrandError(code: "io", message: "“\(title)” cannot be kept for the import")
    }
    func remove() {
      unlink(moved)
      rmdir(folder)
    }
    let began = JSONValue.now
    let before = Self.lastImport(errand)
    let handle: RunHandle
    do { handle = try errand.importing(moved) } catch {
      remove()
      throw error
    }
    write(
      name,
      [
        "file": .string(title), "began": began, "state": "running",
        "process": .int(Int64(getpid())),
      ])
    let options = errand.options
    // The thread ends with the process of the import, which ends with this one.
    let thread = BranchThread { [self] in
      var report: [String: JSONValue] = ["file": .string(title), "began": began]
      do {
        let counts = try handle.result { event in
          guard event.name == "progress" else { return }
          report["state"] = "running"
          report["process"] = .int(Int64(getpid()))
          report["done"] = event["done"]
          report["total"] = event["total"]
          write(name, report)
        }
        report["state"] = "done"
        report["counts"] = counts
      } catch {
        let known = error as? ErrandError
        report["state"] = "failed"
        report["message"] = .string(known?.message ?? "\(error)")
        report["help"] = known?.help.map(JSONValue.string)
      }
      let after = (try? Errand.open(options)).flatMap(Self.lastImport)
      if after != before { report["change"] = after.map(JSONValue.int) }
      remove()
      write(name, report)
      clean()
    }
    if thread == nil { handle.cancel() }
    return name
  }

  /// Returns the report of an import; nil if there is none.
  package func report(_ name: String) -> JSONValue? {
    guard !name.contains("/"), !name.hasPrefix("."),
      let bytes = try? FileReader.bytes(of: "\(path)/\(name).json", limit: 1 << 20),
      let value = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
      case .object(var members) = value
    else { return nil }
    // A server that was killed could not write the end.
    if members["state"] == "running", let process = members["process"]?.int,
      kill(Int32(truncatingIfNeeded: process), 0) != 0
    {
      members["state"] = "failed"
      members["message"] = "the server ended before the import; running it again is safe"
    }
    return .object(members)
  }

  /// The names and reports of the latest imports, latest first.
  package var reports: [(name: String, report: JSONValue)] {
    names.compactMap { name in report(name).map { (name, $0) } }
      .sorted { ($0.report["began"]?.string ?? "") > ($1.report["began"]?.string ?? "") }
  }

  private var names: [String] {
    (Folder.names(in: path) ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  private func write(_ name: String, _ report: [String: JSONValue]) {
    guard let text = try? JSONValue.object(report).text() else { return }
    _ = PrivateFile(path: "\(path)/\(name).json").write(text)
  }

  private func clean() {
    for (name, _) in reports.dropFirst(Self.limit) { unlink("\(path)/\(name).json") }
  }

  /// The number of the last import in the change log.
  private static func lastImport(_ errand: Errand) -> Int64? {
    (try? errand.reader().changes(by: cause, limit: 1))?.first?["number"]?.int
  }
}

extension Errand {
  /// Starts the import of a file in a new process, and returns at once.
  ///
  /// The handle's `progress` events have the number of records. The result has the counts of `errand
  /// import --json`, and `problems`, each with its `line` and `message`.
  ///
  /// - Throws: `exec` if `errand` cannot be started, `io` if the process cannot be created.
  package func importing(_ file: String) throws(ErrandError) -> RunHandle {
    try launch(["import", file], [:], nil, run: RunOptions())
  }
}

import Catalog
import Engine
import Glibc
import Items
import POSIX
import Source
import Store

/// The compiled definitions and the open store of a reader or writer; for one thread.
final class OpenCatalog {
  let run: Run
  private let path: String
  /// The identity of the file when it was opened; nil if it did not exist.
  private let file: FileIdentity?

  /// Opens the library; the store is opened on first use, and not created for reading.
  ///
  /// - Parameters:
  ///   - cause: The cause recorded for changes; nil for read-only access.
  ///   - filterSteps: The maximum number of steps of a condition; nil for the default.
  init(_ errand: Errand, changesAs cause: String? = nil, filterSteps: Int? = nil) throws {
    path = try errand.storePath()
    file = FileIdentity(path)
    let host = errand.makeHost()
    let opening = errand.storeOpening
    let workspace = Workspace(catalog: errand.catalog, host: host) { context in
      var context = context
      context.readsOnly = cause == nil
      context.filterSteps = filterSteps ?? context.filterSteps
      return try opening.open(context) { cause == nil ? .trying : .changing }
    }
    run = Run(
      workspace, host: host, front: SilentFront(),
      answers: PresetAnswers(acceptsConfirmations: true),
      cause: cause ?? "")
  }

  deinit { run.workspace.closeStore() }

  /// Whether the path still leads to the opened file.
  var isCurrent: Bool { file == FileIdentity(path) }

  /// The device and inode of a file.
  private struct FileIdentity: Equatable {
    private let device: UInt
    private let number: UInt

    init?(_ path: String) {
      guard let status = stat.at(path) else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }
}

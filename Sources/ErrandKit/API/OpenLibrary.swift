import Catalog
import Engine
import Glibc
import Items
import Source
import Store

/// The definitions compiled and the store opened for one thread, by which it reads or changes items.
final class OpenLibrary {
  let run: Run
  private let path: String
  /// The file that was there at the opening; nil for none.
  private let file: FileIdentity?

  /// A library whose store is opened when it is first wanted; reading makes none.
  ///
  /// - Parameter cause: The name of whoever makes changes; nil for reading only.
  init(_ errand: Errand, changesAs cause: String? = nil) throws {
    path = try errand.storePath()
    file = FileIdentity(path)
    let host = errand.makeHost()
    let opening = errand.storeOpening
    let workspace = Workspace(library: errand.library, host: host) { context in
      var context = context
      context.readsOnly = cause == nil
      return try opening.open(context) { cause == nil ? .trying : .changing }
    }
    run = Run(
      workspace, host: host, front: SilentFront(), answers: Answers(acceptsConfirmations: true),
      cause: cause ?? "")
  }

  deinit { run.workspace.closeStore() }

  /// Whether the file at the path is the one that was opened.
  var isCurrent: Bool { file == FileIdentity(path) }

  private struct FileIdentity: Equatable {
    private let device: UInt
    private let number: UInt

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }
}

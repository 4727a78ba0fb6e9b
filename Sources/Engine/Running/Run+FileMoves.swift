import Program

/// Moves of files, which `undo` can take back.
extension Run {
  /// Moves or copies a file; the new path, nil when nothing was done.
  func transfer(_ transfer: FileTransfer) throws -> String? {
    let files = host.machine.files
    return try outside { try files.transfer(transfer) }
  }

  /// Moves a file to the trash.
  func trash(_ path: String) throws -> String {
    let files = host.machine.files
    return try outside { try files.trash(path) }
  }
}

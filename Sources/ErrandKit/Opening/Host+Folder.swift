package import Engine

extension Host {
  /// A host with relative paths resolved in another folder than the process's working directory.
  ///
  /// Paths of found files stay relative if they were requested relative.
  ///
  /// - Parameter folder: The absolute path of the folder.
  package func working(in folder: String) -> Host {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    let full: @Sendable (String) -> String = { $0.hasPrefix("/") ? $0 : base + $0 }
    let short: @Sendable (String, String) -> String = { found, asked in
      asked.hasPrefix("/") || !found.hasPrefix(base) ? found : String(found.dropFirst(base.count))
    }
    let entry: @Sendable (FileEntry, String) -> FileEntry = { entry, asked in
      FileEntry(
        path: short(entry.path, asked), name: entry.name, size: entry.size,
        modified: entry.modified, isFolder: entry.isFolder)
    }
    var host = self
    let files = machine.files
    host.machine.files = FileAccess(
      read: { try files.read(full($0), $1) }, write: { try files.write(full($0), $1, $2) },
      list: { asked, isDeep in try files.list(full(asked), isDeep).map { entry($0, asked) } },
      transfer: { asked in
        let done = try files.transfer(
          FileTransfer(
            from: full(asked.from), to: full(asked.to), isCopy: asked.isCopy,
            onConflict: asked.onConflict))
        return done.map { (short($0.path, asked.to), $0.move) }
      },
      makeFolder: { try files.makeFolder(full($0)) },
      trash: { try files.trash(full($0)) }, takeBack: files.takeBack,
      status: { asked in try files.status(full(asked)).map { entry($0, asked) } },
      canonical: { files.canonical(full($0)) }, keep: { try files.keep($0, full($1), $2) })
    host.machine.exec = { [exec = machine.exec] request, bounds in
      var request = request
      request.folder = request.folder.map(full) ?? folder
      request.outputPath = request.outputPath.map(full)
      return try exec(request, bounds)
    }
    if let http = machine.http {
      host.machine.http = { request, bounds in
        var request = request
        request.outputPath = request.outputPath.map(full)
        request.body = request.body.naming(full)
        return try http(request, bounds)
      }
    }
    return host
  }
}

extension HTTPRequest.Body {
  /// Returns the body with transformed file paths.
  fileprivate func naming(_ full: (String) -> String) -> HTTPRequest.Body {
    switch self {
    case .none, .bytes: self
    case .file(let path): .file(full(path))
    case .parts(let parts):
      .parts(
        parts.map { part in
          guard case .file(let path) = part.content else { return part }
          var named = HTTPRequest.Part(part.name, .file(full(path)))
          named.fileName = part.fileName
          named.mediaType = part.mediaType
          return named
        })
    }
  }
}

import CEL
import Items
import Program

/// `find-files`: lists the files in a folder.
enum FindFilesVerb: PlainVerb {
  static let word = "find-files"
  static let folder = Argument<String>("in", at: 0, .value(.file), required: true)
  static let match = Argument<String>("match", at: 1, .value(.string))
  static let deep = Argument<Bool>("deep", at: 2, .value(.bool))

  /// What is known of a file without reading it.
  private static let file = RecordType(
    "what `find-files` tells of a file",
    [
      .init("path", .string), .init("name", .string), .init("size", .int),
      .init("modified", .timestamp), .init("mediaType", .string), .init("isFolder", .bool),
    ])

  static let signature = VerbSignature(
    word, [folder.declaration, match.declaration, deep.declaration], effect: .read,
    traits: .setsIt, touches: touches, resultType: .fixed(.list(.record(file))))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let folder = try run.path(arguments.text(folder) ?? "")
    try arguments.runner.permit(.read, folder)
    let deep = try arguments.flag(deep)
    let pattern = try arguments.text(match).map(GlobPattern.init)
    let entries = try run.outside { try run.host.machine.files.list(folder, deep) }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return .list(
      entries.compactMap { entry in
        let relative =
          entry.path.hasPrefix(base) ? String(entry.path.dropFirst(base.count)) : entry.name
        if let pattern, !pattern.matches(name: entry.name, path: relative) { return nil }
        return .map(
          MapValue([
            ("path", .string(entry.path)), ("name", .string(entry.name)),
            ("size", .int(entry.size)), ("modified", .timestamp(entry.modified)),
            ("mediaType", .string(MediaType.name(of: entry))), ("isFolder", .bool(entry.isFolder)),
          ]))
      })
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.read, path: folder)
  }
}

import ErrandKit

/// A request to start a run.
struct RunCall: Sendable {
  /// The name of the intent or shortcut; nil if the body is a sentence, which names it.
  let action: String?
  let token: Token
  let head: RequestHead
  let body: Body
  /// The folder of uploads.
  let folder: String
  /// Files sent with the parameters, which have their paths.
  var uploads: MultipartForm?

  /// Starts the run.
  ///
  /// - Throws: A problem; mistakes in the parameters are reported by the run.
  func start(_ context: WorkerContext) throws -> StartedRun {
    guard let action else { return try startSentence(context) }
    let definition = try callable(action, context)
    var uploads = uploads
    var parameters: [String: JSONValue] = [:]
    switch head.mediaType {
    case "multipart/form-data":
      let form = try MultipartForm(
        body, contentType: head.header("content-type") ?? "", in: folder)
      for (name, text) in form.fields { parameters[name] = .string(text) }
      for (name, path) in form.files { try Self.add(path, to: name, of: definition, &parameters) }
      uploads = form
    case nil where body.count == 0, "application/json": parameters = try body.object()
    default:
      throw Problem(
        415, "invalid-value", "the body must be application/json or multipart/form-data")
    }
    return try start(definition, parameters, uploads: uploads, context)
  }

  /// Starts the call requested by a sentence.
  private func startSentence(_ context: WorkerContext) throws -> StartedRun {
    let understood = try Sentence(head, body).understood(context)
    let definition = try callable(understood.action, context)
    if understood.hasGuess, !definition.capabilities.isEmpty {
      throw Problem(
        409, "conflict",
        "the sentence was understood as `\(understood.action)`, which reaches outside, with a guess",
        help: "see what was understood without `run`, then POST /actions/\(understood.action)")
    }
    if let words = understood.leftOut.first {
      throw Problem(
        409, "conflict", "`\(understood.action)` has no place for “\(words)”",
        help: "say it without these words")
    }
    return try start(definition, understood.parameters, uploads: nil, context)
  }

  /// The definition of an intent or a shortcut that the token may call.
  private func callable(_ action: String, _ context: WorkerContext) throws -> Errand.Definition {
    let definition = try context.action(action)
    guard token.mayCall(action, onlyReads: definition.onlyReads) else {
      throw Problem(
        403, "not-allowed", "this token cannot call `\(action)`",
        help: "create one with `--scope run --only \(action)`")
    }
    return definition
  }

  private func start(
    _ definition: Errand.Definition, _ parameters: [String: JSONValue], uploads: MultipartForm?,
    _ context: WorkerContext
  ) throws -> StartedRun {
    try Self.expectNoPaths(parameters, of: definition, besides: uploads)
    let name = definition.summary.name
    let handle = try context.errand().start(
      name, parameters, options: WorkerContext.options(of: token))
    return StartedRun(
      handle: handle, action: name, isDurable: definition.isDurable,
      parameters: .object(parameters), uploads: uploads)
  }

  private static func add(
    _ path: String, to name: String, of definition: Errand.Definition,
    _ parameters: inout [String: JSONValue]
  ) throws {
    guard let parameter = definition.parameters.first(where: { $0.name == name }),
      parameter.takesPaths
    else { throw Problem(422, "invalid-value", "`\(name)` is not a parameter for a file") }
    guard parameter.type.hasPrefix("list") else {
      parameters[name] = .string(path)
      return
    }
    parameters[name] = .array((parameters[name]?.array ?? []) + [.string(path)])
  }

  /// A path from outside could read any of the person's files.
  private static func expectNoPaths(
    _ parameters: [String: JSONValue], of definition: Errand.Definition,
    besides uploads: MultipartForm?
  ) throws {
    let uploaded = Set(uploads?.files.map(\.name) ?? [])
    for parameter in definition.parameters where parameter.takesPaths {
      guard let value = parameters[parameter.name], value != .null,
        !uploaded.contains(parameter.name)
      else { continue }
      throw Problem(
        422, "invalid-value", "`\(parameter.name)` is a file",
        help: "send it in a body of the type multipart/form-data")
    }
  }
}

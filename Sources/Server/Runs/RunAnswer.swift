import ErrandKit

/// An answer to a question of a run, as a client sent it.
struct RunAnswer: Sendable {
  /// The number of the question.
  let number: Int64
  /// The members of the body: `answer`, or `cancel`.
  let members: JSONValue
  /// Files sent with the answer, which has their paths.
  let uploads: MultipartForm?

  /// Reads a body: JSON, or a form with files.
  ///
  /// - Parameters:
  ///   - uploads: The files of a form that was read before.
  ///   - folder: The folder of uploads.
  /// - Throws: A problem if it is neither, or lacks a member.
  init(
    _ head: RequestHead, _ body: Body, uploads: MultipartForm? = nil, in folder: String
  ) throws {
    var members: [String: JSONValue] = [:]
    switch head.mediaType {
    case "application/json":
      members = try body.object()
      self.uploads = uploads
    case "multipart/form-data":
      let form = try MultipartForm(
        body, contentType: head.header("content-type") ?? "", in: folder)
      for (name, text) in form.fields {
        members[name] = Int64(text).map(JSONValue.int) ?? .string(text)
      }
      let paths = form.files.filter { $0.name == "answer" }.map { JSONValue.string($0.path) }
      if !paths.isEmpty { members["answer"] = paths.count == 1 ? paths[0] : .array(paths) }
      self.uploads = paths.isEmpty ? nil : form
    default:
      throw Problem(
        415, "invalid-value", "the body must be application/json or multipart/form-data")
    }
    guard let number = members["number"]?.int,
      members["cancel"] == true || members["answer"] != nil
    else {
      throw Problem(
        422, "invalid-value", "an answer needs `number`, and `answer` or `cancel: true`")
    }
    self.number = number
    self.members = .object(members)
  }

  /// The problem with a path for an answer, which could read any of the person's files; nil if
  /// there is none.
  func problem(with question: JSONValue) -> Problem? {
    guard uploads == nil, let answer = members["answer"], answer != .null, answer != .string(""),
      Errand.Parameter.takesPaths(question["type"]?.string ?? "")
    else { return nil }
    return Problem(
      422, "invalid-value", "the answer to question \(number) is a file",
      help: "send it in a body of the type multipart/form-data")
  }
}

import ErrandKit
import Items
import Links
import Web

/// An admitted request with its body, and the answers that a worker makes.
struct Resources: Sendable {
  let request: AdmittedRequest
  let token: Token
  let body: Body
  let cursors: CursorSigner
  let shareKeys: ShareKeys
  /// The folder of uploads.
  let folder: String

  var head: RequestHead { request.head }

  /// The call of an action; a nil `action` is taken from the sentence in the body.
  func call(_ action: String?) -> RunCall {
    RunCall(action: action, token: token, head: head, body: body, folder: folder)
  }

  /// The answer to a question of a run.
  ///
  /// - Throws: A problem with the body.
  func answer() throws -> RunAnswer { try RunAnswer(head, body, in: folder) }

  /// The members of a JSON body.
  ///
  /// - Throws: A problem if it is of another type.
  func object(_ types: Set<String> = ["application/json"]) throws -> [String: JSONValue] {
    guard let type = head.mediaType, types.contains(type) else {
      throw Problem(
        415, "invalid-value", "the body must be \(types.sorted().joined(separator: " or "))")
    }
    return try body.object()
  }

  // MARK: Webhooks

  /// Triggers automations by a request to a webhook.
  func receive(_ context: WorkerContext) throws -> Response {
    let given: JSONValue
    switch head.mediaType {
    case nil where body.count == 0: given = .null
    case "application/json":
      do { given = try JSONValue(parsing: body.text()) } catch let problem as Problem {
        throw problem
      } catch {
        throw Problem(400, "invalid-value", "the body is not JSON: \(Problem(error).detail)")
      }
    case "application/x-www-form-urlencoded":
      given = .object(
        Dictionary(try body.form().map { ($0.name, .string($0.value)) }) { _, last in last })
    default: given = .string(try body.text())
    }
    let jobs = try context.errand().receive(
      request["hook"], body: given, as: WorkerContext.cause(token), holdingTo: token.access)
    return Response(json: .object(["jobs": .array(jobs.map(JSONValue.int))]), status: 202)
  }

  // MARK: Items

  /// The default and maximum number of items of a page.
  private static let pageSize = 50
  static let pageLimit = 500

  /// The entity of the path.
  private func entity(_ context: WorkerContext) throws -> String {
    try context.expectEntity(request["entity"])
    return request["entity"]
  }

  /// The item of the path.
  private func reference(_ context: WorkerContext) throws -> String {
    "\(ItemReference(entity: try entity(context), id: Int64(request["id"]) ?? 0))"
  }

  func list(_ context: WorkerContext) throws -> Response {
    let entity = try entity(context)
    let known = request.endpoint.query.map(\.name)
    var values: [String: String] = [:]
    for (name, value) in head.query {
      guard known.contains(name), values.updateValue(value, forKey: name) == nil else {
        throw Problem(
          422, "invalid-value", "`\(name)` is not a parameter of this request, or is given twice",
          help:
            "the parameters are \(known.dropLast().joined(separator: ", ")) and \(known.last ?? "")"
        )
      }
    }
    let limit = try values["limit"].map { text in
      guard let limit = Int(text), (1...Self.pageLimit).contains(limit) else {
        throw Problem(422, "invalid-value", "`limit` must be a number from 1 to \(Self.pageLimit)")
      }
      return limit
    }
    let size = limit ?? Self.pageSize
    // A cursor belongs to one query.
    let query = [entity, values["where"] ?? "", values["q"] ?? "", values["sort"] ?? ""]
    let reader = try context.reader()
    var served =
      try values["cursor"].map { try cursors.served(before: $0, of: query) } ?? ServedItems()
    func text(_ id: Int64) -> String { "\(ItemReference(entity: entity, id: id))" }
    let last: String?
    do throws(ErrandError) {
      last = try served.last { (try? reader.item(text($0))) != nil }.map(text)
    } catch { throw Problem(410, error.code, error.message, help: error.help) }
    let found = try reader.find(
      entity, matching: values["q"], where: values["where"],
      sort: values["sort"].map { $0.split(separator: ",").map(String.init) } ?? [],
      limit: size + 1, after: last)
    let page = found.prefix(size)
    served.append(page.map(\.id))
    let next = found.count > size ? cursors.cursor(served, of: query) : nil
    return Response(json: [
      "items": .array(page.map(\.fields)), "next": next.map(JSONValue.string) ?? .null,
    ])
  }

  func show(_ context: WorkerContext) throws -> Response {
    let item = try context.reader().item(reference(context))
    let tag = Self.tag(item)
    if head.all("if-none-match").contains(tag) { return Response(304, [("ETag", tag)]) }
    return Self.response(item)
  }

  func create(_ context: WorkerContext) throws -> Response {
    let entity = try entity(context)
    let change = try context.writer(for: token).create(entity, object())
    guard let item = change.items.first else {
      throw Problem(500, "internal", "nothing was created")
    }
    return Self.response(
      item, status: 201,
      headers: [("Location", "/api/v1/items/\(entity)/\(item.id)")])
  }

  func update(_ context: WorkerContext) throws -> Response {
    let reference = try reference(context)
    let members = try object(["application/json", "application/merge-patch+json"])
    let change = try context.writer(for: token).update(
      [reference], set: members, expecting: expectation)
    guard let item = change.items.first else {
      throw Problem(500, "internal", "nothing was changed")
    }
    return Self.response(item)
  }

  func delete(_ context: WorkerContext) throws -> Response {
    _ = try context.writer(for: token).delete([reference(context)], expecting: expectation)
    return Response(204)
  }

  /// The comparison with `If-Match`, made in the transaction of a change; nil if there is none.
  private var expectation: ((ItemSnapshot) throws -> Void)? {
    let wanted = head.all("if-match").flatMap { $0.split(separator: ",") }.map { tag in
      String(tag.filter { !$0.isWhitespace })
    }
    if wanted.isEmpty || wanted == ["*"] { return nil }
    return { item in
      guard wanted.contains(Self.tag(item)) else {
        throw ErrandError(
          code: Problem.precondition, message: "\(item.reference) was changed since it was read",
          help: "read it again")
      }
    }
  }

  /// The entity tag (RFC 9110 §8.8.3): a hash of the JSON.
  private static func tag(_ item: ItemSnapshot) -> String { "\"\(item.version)\"" }

  private static func response(
    _ item: ItemSnapshot, status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> Response {
    Response(
      status, [("Content-Type", "application/json"), ("ETag", tag(item))] + headers,
      body: Array(item.text.utf8))
  }

  // MARK: Widgets

  /// A widget as JSON, or with `as=html` or `as=svg` in the size of a `family`.
  /// The calendar to which programs subscribe.
  func calendar(_ context: WorkerContext) throws -> Response {
    Response(
      200,
      [("Content-Type", "text/calendar; charset=utf-8"), ("Cache-Control", "private, no-cache")],
      body: Array(try context.reader().calendar().utf8))
  }

  func widget(_ context: WorkerContext) throws -> Response {
    let name = request["name"]
    func value(_ name: String) -> String? { head.query.first { $0.name == name }?.value }
    let errand = try context.errand()
    guard errand.widgetNames.contains(name) else {
      throw Problem(404, "not-found", "there is no widget `\(name)`")
    }
    let word = value("family") ?? "medium"
    guard let family = WidgetEntry.Family(rawValue: word) else {
      throw Problem(422, "invalid-value", "there is no family “\(word)”")
    }
    let entry = try errand.widget(name)
    let markup = WidgetMarkup(entry, family)
    let isBedside = value("bedside") == "true"
    switch value("as") ?? "json" {
    case "json": return Response(json: entry.json)
    case "svg":
      return Response(
        200,
        [("Content-Type", "image/svg+xml"), ("Content-Security-Policy", "default-src 'none'")],
        body: Array(markup.svg(isBedside: isBedside).utf8))
    case "html":
      return Response(
        200,
        [
          ("Content-Type", "text/html; charset=utf-8"),
          (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
              + "frame-ancestors \(PageHandler.ancestors(errand))"
          ),
        ],
        body: Array(markup.document(isBedside: isBedside).utf8))
    case let other:
      throw Problem(
        422, "invalid-value", "`as` must be json, html or svg, not “\(other)”")
    }
  }

  // MARK: Intents and shortcuts

  func actions(_ context: WorkerContext) throws -> Response {
    let summaries = try context.summaries(["intent", "shortcut"])
      .filter { token.scope != .run || token.only.contains($0.name) }
    return Response(json: [
      "actions": .array(
        summaries.map {
          [
            "name": .string($0.name), "kind": .string($0.kind),
            "description": .string($0.description),
          ]
        })
    ])
  }

  /// Describes the call a sentence was understood as, without starting it.
  func understand(_ context: WorkerContext) throws -> Response {
    let understood = try Sentence(head, body).understood(context)
    if token.scope == .run, !token.only.contains(understood.action) {
      throw Problem(403, "not-allowed", "this token cannot call `\(understood.action)`")
    }
    return Response(json: [
      "intent": .string(understood.action), "parameters": .object(understood.parameters),
      "missing": .array(understood.missing.map(JSONValue.string)),
      "leftOut": .array(understood.leftOut.map(JSONValue.string)),
      "phrase": .string(understood.phrase), "language": .string(understood.language),
    ])
  }

  func action(_ context: WorkerContext) throws -> Response {
    let name = request["action"]
    let definition = try context.action(name)
    if token.scope == .run, !token.only.contains(name) {
      throw Problem(404, "not-found", "there is no intent or shortcut `\(name)`")
    }
    return Response(json: definition.json)
  }
}

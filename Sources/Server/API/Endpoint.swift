import ErrandKit
import Web

/// A request of the API or the page, from which routing, `Allow`, scopes, limits and OpenAPI
/// follow.
package struct Endpoint: Sendable {
  /// The method; a GET answers HEAD, too.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// The maximum size of a body.
  package enum Limits: Sendable {
    /// No body.
    case none
    /// 1 MiB.
    case small
    /// 1 MiB, a form with files 100 MiB.
    case form
    /// 100 MiB, JSON 1 MiB.
    case large

    /// The size in bytes for a body of a media type.
    func bytes(of mediaType: String?) -> Int {
      switch self {
      case .none: 0
      case .form where mediaType == "multipart/form-data": 100 << 20
      case .large where mediaType != "application/json": 100 << 20
      default: 1 << 20
      }
    }
  }

  /// A parameter of the query, the path or the headers.
  struct Parameter: Sendable {
    let name: String
    let description: String
    let schema: JSONValue

    init(_ name: String, _ description: String, schema: JSONValue = Schema.text) {
      self.name = name
      self.description = description
      self.schema = schema
    }
  }

  /// A response that is not a problem.
  struct Answer: Sendable {
    let status: Int
    let description: String
    let schema: Schema?
    let type: String
    /// Whether it has an `ETag`.
    let hasTag: Bool

    init(
      _ description: String, _ schema: Schema? = nil, status: Int = 200,
      type: String = "application/json", hasTag: Bool = false
    ) {
      self.status = status
      self.description = description
      self.schema = schema
      self.type = type
      self.hasTag = hasTag
    }
  }

  /// The handler of a request.
  enum Handler: Sendable {
    /// Answered at once, to anyone.
    case open(@Sendable (APIService, AdmittedRequest, Body) -> Response)
    /// Answered on the serving thread, now or later.
    case service(@Sendable (APIService, Resources, @escaping (Reply) -> Void) -> Void)
    /// Answered by a worker.
    case worker(@Sendable (Resources, WorkerContext) throws -> Response)
  }

  package let method: Method
  /// The path, with its parameters in braces; `*` stands for any rest.
  package let path: String
  /// The scope of a token that may make the request; nil where none is needed.
  package let scope: Token.Scope?
  package let limits: Limits
  /// Whether cross-site requests are answered.
  let isFromAnywhere: Bool
  /// A sentence about the effect.
  package let summary: String
  /// Whether a definition's own description is its summary in OpenAPI.
  let isDescribedByDefinition: Bool
  let query: [Parameter]
  let headers: [Parameter]
  /// The schemas of bodies by media type.
  let body: [String: Schema]
  let needsBody: Bool
  let answers: [Answer]
  let handler: Handler
  let pattern: PathPattern

  init(
    _ method: Method, _ path: String, scope: Token.Scope?, limits: Limits? = nil,
    isFromAnywhere: Bool = false, summary: String,
    isDescribedByDefinition: Bool = false, query: [Parameter] = [], headers: [Parameter] = [],
    body: [String: Schema] = [:], needsBody: Bool = true, answers: [Answer] = [], handler: Handler
  ) {
    self.method = method
    self.path = path
    self.scope = scope
    self.limits = limits ?? (method == .get ? .none : .small)
    self.isFromAnywhere = isFromAnywhere
    self.summary = summary
    self.isDescribedByDefinition = isDescribedByDefinition
    self.query = query
    self.headers = headers
    self.body = body
    self.needsBody = needsBody
    self.answers = answers
    self.handler = handler
    pattern = PathPattern(path)
  }

  /// The values of the path's parameters; nil for another path.
  package func values(of path: [String]) -> [String: String]? { pattern.values(of: path) }
}

import ErrandKit
import Synchronization
import Web

/// A request of a signed-in browser.
struct BrowserRequest: Sendable {
  let head: RequestHead
  let body: Body
  let session: BrowserSessions.Session
  let token: Token
  /// The folder of uploads.
  let folder: String
  /// Sends notifications to browsers; nil without the network.
  let webPush: @Sendable (Errand) -> WebPush?
  let pairings: Pairings
  /// The address at which devices sign in; nil for none.
  let deviceAddress: String?
  /// The time of the request in seconds since 1970.
  let now: Int64
  /// The files of a sent form, kept as long as the request.
  private let uploads = Uploads()

  /// The context of the requested page; a form must carry the token of the page's forms.
  ///
  /// - Parameter readsForm: Whether a sent form is read; otherwise the page is made as for a `GET`.
  func context(in worker: WorkerContext, readsForm: Bool = true) throws -> PageContext {
    var form: [(name: String, value: String)]?
    if readsForm, head.method == "POST" {
      let fields = try fields()
      guard let sent = fields.first(where: { $0.name == "form" })?.value, session.isForm(sent)
      else {
        throw Problem(403, "denied", "the form is not of this page", help: "load the page again")
      }
      form = fields
    }
    return PageContext(
      try worker.errand(), try worker.reader(), writer: { try worker.writer(for: token) },
      memory: worker.memory, tokenAccess: try worker.tokenAccess(),
      devices: devices, push: webPush(try worker.errand()), browser: session.see, path: head.path,
      query: head.query, form: form, uploads: files?.files ?? [], token: session.form)
  }

  /// The signed-in browsers, for the page of settings.
  private var devices: DeviceAccess {
    let path = folder + "/browsers"
    return DeviceAccess(
      isDevice: session.device != nil, address: deviceAddress,
      list: { [session, now] in
        var sessions = BrowserSessions(path: path)
        return sessions.all(at: now).map {
          (
            id: $0.id, name: $0.device ?? "A browser on this machine", isDevice: $0.device != nil,
            isThis: $0.see == session.see, expires: $0.expires
          )
        }
      },
      remove: { id in
        var sessions = BrowserSessions(path: path)
        try sessions.end(id)
      },
      invite: { [pairings] in try pairings.invite() },
      isOpen: { [pairings] in pairings.isOpen($0) },
      claim: { [pairings] in pairings.claim.map { (id: $0.id, name: $0.name, number: $0.number) } },
      settle: { [pairings] id, isAllowed in try pairings.settle(id, allowed: isAllowed) })
  }

  /// The files of a sent form; nil before it was read, or if it cannot have any.
  var files: MultipartForm? { uploads.form.withLock { $0 } }

  /// The fields of a sent form; a file is the path of its upload.
  private func fields() throws -> [(name: String, value: String)] {
    switch head.mediaType {
    case "application/x-www-form-urlencoded": return try body.form()
    case "multipart/form-data":
      let form = try uploads.form.withLock { form in
        let read =
          try form
          ?? MultipartForm(body, contentType: head.header("content-type") ?? "", in: folder)
        form = read
        return read
      }
      return form.fields.map { ($0.name, $0.text) } + form.files.map { ($0.name, $0.path) }
    default: throw Problem(415, "invalid-value", "the form has another type")
    }
  }

  private final class Uploads: Sendable {
    let form = Mutex<MultipartForm?>(nil)
  }
}

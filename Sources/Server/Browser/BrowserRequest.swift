import Web

/// A request of a signed-in browser.
struct BrowserRequest: Sendable {
  let head: RequestHead
  let body: Body
  let session: BrowserSessions.Session
  let token: Token

  /// The context of the requested page; a form must carry the token of the page's forms.
  ///
  /// - Parameter readsForm: Whether a sent form is read; otherwise the page is made as for a `GET`.
  func context(in worker: WorkerContext, readsForm: Bool = true) throws -> PageContext {
    var form: [(name: String, value: String)]?
    if readsForm, head.method == "POST" {
      guard head.mediaType == "application/x-www-form-urlencoded" else {
        throw Problem(415, "invalid-value", "the form has another type")
      }
      let fields = try body.form()
      guard let sent = fields.first(where: { $0.name == "form" })?.value, session.isForm(sent)
      else {
        throw Problem(403, "denied", "the form is not of this page", help: "load the page again")
      }
      form = fields
    }
    return PageContext(
      try worker.errand(), try worker.reader(), writer: { try worker.writer(for: token) },
      memory: worker.memory, tokenAccess: try worker.tokenAccess(), path: head.path,
      query: head.query, form: form, token: session.form)
  }
}

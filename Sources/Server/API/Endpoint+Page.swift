import ErrandKit

extension Endpoint {
  /// The requests on the page's own host, besides those of the API.
  static let page: [Endpoint] = [
    // A code is the proof of a sign-in; the file with it has no origin.
    Endpoint(
      .post, "/sign-in", scope: nil, isFromAnywhere: true, summary: "Signs a browser in.",
      handler: .open { service, _, body in service.signIn(body) }),
    // A device has no cookies yet; its code, and then the person, are the proof.
    Endpoint(
      .get, "/pair/{code}", scope: nil, isFromAnywhere: true,
      summary: "Asks whether this device is to be signed in.",
      handler: .open { service, request, _ in
        service.forDevices(request.head) { PageHandler.devicePage(request["code"], $0) }
      }),
    Endpoint(
      .get, "/pair", scope: nil, summary: "Waits for the person at the computer.",
      handler: .open { service, request, _ in service.pair(request.head) }),
    Endpoint(
      .post, "/pair", scope: nil, summary: "Has a device wait for the person.",
      handler: .open { service, request, body in
        service.forDevices(request.head) { PageHandler.claim(body, request.head, $0) }
      }),
    Endpoint(
      .get, "/assets/{name}", scope: nil, summary: "A file of the page, the same for everybody.",
      handler: .open { _, request, _ in PageHandler.asset(request["name"], request.head) }),
    Endpoint(
      .get, "/picture/{hash}", scope: .read, summary: "A picture of a page by its hash.",
      handler: .worker { PageHandler.picture($0.request["hash"], $0.head, $1) }),
    Endpoint(
      .get, "/export", scope: .read, summary: "The items of the library as a file.",
      handler: .worker { try PageHandler.export($0.head, $1) }),
    Endpoint(
      .get, "/live", scope: .read, summary: "Tells an open page of changes.",
      handler: .service { service, _, reply in reply(.stream(service.live.follow())) }),
    // The code of a notification is known to the browser that got it alone.
    Endpoint(
      .post, "/notification/{ticket}/{action}", scope: .all,
      summary: "Chooses an action of a notification.",
      handler: .worker { resources, context in
        try context.writer(for: resources.token).answer(
          notification: resources.request["ticket"], with: Int(resources.request["action"]) ?? -1)
        return Response(json: [:])
      }),
    Endpoint(
      .get, "/*", scope: .read, summary: "Shows a page.",
      handler: .service { $0.showPage($1, reply: $2) }),
    Endpoint(
      .post, "/*", scope: .all, limits: .form, summary: "Takes in a form of a page.",
      handler: .service { $0.showPage($1, reply: $2) }),
  ]
}

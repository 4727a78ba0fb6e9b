import ErrandKit

extension Endpoint {
  /// The requests of the API.
  package static let api: [Endpoint] = items + actions + runs + hooks + rest

  private static let match = Parameter("If-Match", "The ETag of the item as it was read.")
  private static let called = [
    Answer("It is done.", .called),
    Answer("It asks; answer at `/runs/{run}/answers`.", .asked, status: 202),
  ]

  private static let items: [Endpoint] = [
    Endpoint(
      .get, "/api/v1/items/{entity}", scope: .read, summary: "Lists items.",
      query: [
        Parameter("where", "A condition over `self`, such as `'swift' in self.tags`."),
        Parameter("q", "Words to search for."),
        Parameter("sort", "Properties, separated by commas; `-` for largest first."),
        Parameter(
          "limit", "The size of a page.",
          schema: ["type": "integer", "minimum": 1, "maximum": .int(Int64(Resources.pageLimit))]),
        Parameter("cursor", "`next` of the page before."),
      ],
      answers: [Answer("A page.", .items)], handler: .worker { try $0.list($1) }),
    Endpoint(
      .post, "/api/v1/items/{entity}", scope: .all, summary: "Creates an item.",
      body: ["application/json": .newItem],
      answers: [Answer("The item.", .item, status: 201, hasTag: true)],
      handler: .worker { try $0.create($1) }),
    Endpoint(
      .get, "/api/v1/items/{entity}/{id}", scope: .read, summary: "Reads an item.",
      headers: [Parameter("If-None-Match", "An ETag.")],
      answers: [
        Answer("The item.", .item, hasTag: true), Answer("The item has this ETag.", status: 304),
      ], handler: .worker { try $0.show($1) }),
    Endpoint(
      .patch, "/api/v1/items/{entity}/{id}", scope: .all,
      summary: "Changes an item; null removes a value.", headers: [match],
      body: ["application/json": .changedItem, "application/merge-patch+json": .changedItem],
      answers: [Answer("The item.", .item, hasTag: true)], handler: .worker { try $0.update($1) }),
    Endpoint(
      .delete, "/api/v1/items/{entity}/{id}", scope: .all, summary: "Deletes an item.",
      headers: [match], answers: [Answer("It is deleted.", status: 204)],
      handler: .worker { try $0.delete($1) }),
  ]

  private static let actions: [Endpoint] = [
    Endpoint(
      .get, "/api/v1/actions", scope: .run, summary: "Lists intents and shortcuts.",
      answers: [Answer("The list.", .actions)], handler: .worker { try $0.actions($1) }),
    Endpoint(
      .get, "/api/v1/actions/{action}", scope: .run, summary: "Describes `{action}`.",
      answers: [Answer("The description.", .action)], handler: .worker { try $0.action($1) }),
    Endpoint(
      .post, "/api/v1/actions/{action}", scope: .run, limits: .form, summary: "Calls `{action}`.",
      isDescribedByDefinition: true,
      body: ["application/json": .parameters, "multipart/form-data": .files], needsBody: false,
      answers: called,
      handler: .service { $0.runs.call($1.call($1.request["action"]), reply: $2) }),
    Endpoint(
      .post, "/api/v1/do", scope: .run,
      summary: "Understands a sentence, and does it if `run` is true.",
      body: ["application/json": .sentence], answers: called,
      handler: .service { $0.speak($1, reply: $2) }),
  ]

  private static let hooks = [
    Endpoint(
      .post, "/hooks/{hook}/{secret}", scope: .hook, isFromAnywhere: true,
      summary: "Triggers the automations with a webhook of this name.",
      body: ["application/json": .any, "application/x-www-form-urlencoded": .any],
      needsBody: false,
      answers: [Answer("The jobs are in the queue.", .list("jobs", .jobNumber), status: 202)],
      handler: .worker { try $0.receive($1) })
  ]

  private static let runs: [Endpoint] = [
    Endpoint(
      .get, "/api/v1/runs", scope: .run, summary: "Lists the runs of this token.",
      answers: [Answer("The list.", .list("runs", .reference("Run")))],
      handler: .service { $0.runs.list($1.token, reply: $2) }),
    Endpoint(
      .get, "/api/v1/runs/{run}", scope: .run, summary: "Shows a run.",
      answers: [Answer("The run.", .reference("Run"))],
      handler: .service { $0.runs.show($1.request["run"], $1.token, reply: $2) }),
    Endpoint(
      .delete, "/api/v1/runs/{run}", scope: .run, summary: "Ends a run.",
      answers: [Answer("The run.", .reference("Run"))],
      handler: .service { $0.runs.cancel($1.request["run"], $1.token, reply: $2) }),
    Endpoint(
      .get, "/api/v1/runs/{run}/events", scope: .run,
      summary: "Follows a run by server-sent events.",
      headers: [Parameter("Last-Event-ID", "The last event received.")],
      answers: [Answer("The events.", .any, type: "text/event-stream")],
      handler: .service { $0.runs.follow($1.request["run"], $1.head, $1.token, reply: $2) }),
    Endpoint(
      .get, "/api/v1/runs/{run}/transcript", scope: .run,
      summary:
        "Shows what a run said, showed and asked; as server-sent events, if they are accepted.",
      query: [Parameter("from", "The number of the first entry.")],
      headers: [Parameter("Last-Event-ID", "The last entry received.")],
      answers: [Answer("The entries.", .list("entries", .object))],
      handler: .service { $0.runs.transcript($1.request["run"], $1.head, $1.token, reply: $2) }),
    Endpoint(
      .post, "/api/v1/runs/{run}/answers", scope: .run, limits: .form,
      summary: "Answers a question.",
      body: ["application/json": .reference("Answer"), "multipart/form-data": .fileAnswer],
      answers: called,
      handler: .service {
        do {
          $0.runs.answer($1.request["run"], try $1.answer(), token: $1.token, reply: $2)
        } catch { $2(.response(Problem(error).response)) }
      }),
  ]

  private static let rest: [Endpoint] = [
    Endpoint(
      .post, "/api/v1/shares", scope: .share, limits: .large,
      summary: "Puts something into the inbox.",
      headers: [Parameter("Idempotency-Key", "A name, so that it is stored once.")],
      body: [
        "application/json": .reference("Share"), "text/plain": Schema(Schema.text),
        "multipart/form-data": .object,
      ],
      answers: [Answer("It is on the disk.", .members(["share": Schema.text]), status: 202)],
      handler: .worker { try $0.share($1) }),
    Endpoint(
      .get, "/api/v1/widgets/{name}", scope: .read, summary: "Shows a widget.",
      query: [Parameter("as", "json, html or svg."), Parameter("family", "The size.")],
      answers: [Answer("What it shows.", .object)], handler: .worker { try $0.widget($1) }),
    Endpoint(
      .get, "/calendar/{file}", scope: .calendar,
      summary: "The calendar of events and of tasks that are due; the file is a token and `.ics`.",
      answers: [Answer("The calendar.", type: "text/calendar")],
      handler: .worker { try $0.calendar($1) }),
    Endpoint(
      .get, "/api/v1/activities", scope: .read, summary: "Lists what runs now.",
      answers: [Answer("The list.", .list("activities", .object))],
      handler: .worker {
        Response(json: ["activities": .array(try $1.errand().activities)])
      }),
    Endpoint(
      .get, "/api/v1/jobs", scope: .read, summary: "Lists jobs.",
      answers: [Answer("The list.", .list("jobs", .object))],
      handler: .worker { Response(json: ["jobs": .array(try $1.reader().jobs())]) }),
    Endpoint(
      .get, "/api/v1/health", scope: nil, summary: "Says that the server runs.",
      answers: [Answer("It runs.", .members(["status": ["const": "ok"]]))],
      handler: .open { _, _, _ in Response(json: ["status": "ok"]) }),
    Endpoint(
      .get, "/api/v1/metrics", scope: .read, summary: "Counts requests and runs.",
      answers: [
        Answer("Counters in the format of Prometheus.", Schema(Schema.text), type: "text/plain")
      ], handler: .service { $2(.response($0.metrics())) }),
    Endpoint(
      .get, "/api/v1/openapi.json", scope: .read, summary: "Describes the API.",
      answers: [Answer("This document.", .object)],
      handler: .worker { Response(json: try OpenAPIDocument($1).value) }),
    Endpoint(
      .post, "/mcp", scope: .run, summary: "Takes a message of the Model Context Protocol.",
      handler: .service { $0.assistants.answer($1.head, $1.body, $1.token, reply: $2) }),
    Endpoint(
      .delete, "/mcp", scope: .run, summary: "Ends a session of the Model Context Protocol.",
      handler: .service { $0.assistants.answer($1.head, $1.body, $1.token, reply: $2) }),
  ]
}

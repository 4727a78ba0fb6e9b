package import ErrandKit
import POSIX

extension MCPServer {
  /// The name of the one question of an `input_required` result.
  private static let question = "question"

  // MARK: Requests

  /// Starts a call, or continues a stateless one with an answer.
  func call(_ id: JSONValue, _ parameters: JSONValue, _ peer: Peer) throws -> [JSONValue] {
    guard let name = parameters["name"]?.string else {
      throw ProtocolError(.invalidParameters, "`name` must be a string")
    }
    guard let arguments = (parameters["arguments"] ?? [:]).members else {
      throw ProtocolError(.invalidParameters, "`arguments` must be an object")
    }
    let token = parameters["_meta"]?["progressToken"]
    if peer.isModern, let state = parameters["requestState"] {
      guard let text = state.string,
        let call = waiting.take(text, of: options.caller, name, arguments)
      else {
        throw ProtocolError(
          .invalidParameters, "`requestState` is not that of an open question of this call")
      }
      call.request = id
      call.canAsk = peer.canAsk
      call.progressToken = token
      calls.append(call)
      guard let response = parameters["inputResponses"]?[Self.question] else {
        return ask(call)
      }
      return reply(call, ToolQuestion.answer(in: response))
    }
    guard calls.count < Self.callLimit else {
      throw ProtocolError(.busy, "too many calls at once: wait for one to end")
    }
    guard let tool = try tools().first(where: { $0.name == name }) else {
      throw ProtocolError(
        .invalidParameters,
        "there is no tool `\(name)` that assistants may use; `errand mcp tools` lists all")
    }
    if options.token != nil,
      let file = tool.definition.parameters.first(where: {
        $0.takesPaths && (arguments[$0.name] ?? .null) != .null
      })
    {
      throw ProtocolError(
        .invalidParameters,
        "`\(file.name)` is a file of this machine, which an assistant elsewhere cannot name; "
          + "connect it by `errand mcp`, or send the file to `POST /actions/\(name)`")
    }
    let call = ToolCall(
      tool, arguments, client: peer.name, request: id, isModern: peer.isModern, canAsk: peer.canAsk)
    call.progressToken = token
    calls.append(call)
    if tool.isIrreversible { return ask(call) }
    return start(call)
  }

  /// The name of the client, as it says, and of its token.
  private func caller(_ call: ToolCall) -> String {
    call.client + (options.token.map { " (token \($0))" } ?? "")
  }

  private func start(_ call: ToolCall) -> [JSONValue] {
    let (parameters, input) = call.tool.values(call.arguments, client: call.client)
    var run = Errand.RunOptions()
    run.cause = "\(call.tool.name) by \(caller(call))"
    do {
      call.run = try errand.start(call.tool.name, parameters, input: input, options: run)
      call.deadline = nil
      return []
    } catch {
      call.refusal = error.description
      return end(call)
    }
  }

  // MARK: Runs

  /// Descriptors of the runs, for `poll(2)`: call ``advance()`` when one is readable.
  package var descriptors: [Int32] { calls.compactMap { $0.run?.descriptor } }

  /// Handles the events of all runs; returns the messages for the client.
  ///
  /// Call it at least once a minute, too: it ends calls whose questions stayed unanswered.
  package func advance() -> [JSONValue] {
    waiting.expire()
    return calls.flatMap(advance)
  }

  private func advance(_ call: ToolCall) -> [JSONValue] {
    guard let run = call.run else { return [] }
    var messages: [JSONValue] = []
    do {
      while call.asked == nil, let event = try run.next(within: .zero) {
        switch event.name {
        case "say":
          if let text = event["text"]?.string { call.dialog.append(text) }
        case "progress": messages += progress(call, event)
        case "ask", "choose", "confirm":
          call.asked = event
          messages += ask(call)
        default: break
        }
      }
    } catch {
      call.refusal = error.description
      run.cancel()
      return messages + end(call)
    }
    // The last event comes shortly before the end of the process.
    guard call.asked == nil, [.running, .waiting].contains(run.state) == false else {
      return messages
    }
    return messages + end(call)
  }

  private func progress(_ call: ToolCall, _ event: RunHandle.Event) -> [JSONValue] {
    // The values must increase, also from one part of the work to the next.
    guard let token = call.progressToken, call.request != nil, let done = event["done"]?.number,
      done > call.lastProgress
    else { return [] }
    call.lastProgress = done
    let total = event["total"].flatMap { $0 == .null ? nil : $0 }
    return [
      [
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": .members([
          "progressToken": token, "progress": .double(done), "total": total,
          "message": event["label"],
        ]),
      ]
    ]
  }

  /// Answers the request with the result of the call, and logs it.
  private func end(_ call: ToolCall) -> [JSONValue] {
    calls.removeAll { $0 === call }
    let result = call.result()
    let state =
      call.request == nil ? "cancelled" : result["isError"]?.bool == true ? "failed" : "done"
    errand.logAssistantCall(
      .init(
        uniqueKeysWithValues: [
          ("client", .string(caller(call))), ("tool", .string(call.tool.name)),
          ("state", .string(state)), ("run", call.run?.id.map(JSONValue.string) ?? .null),
        ]))
    guard let request = call.request else { return [] }
    return [answer(request, result, isModern: call.isModern)]
  }

  // MARK: Questions

  /// Asks the open question of a call, or whether to begin it.
  private func ask(_ call: ToolCall) -> [JSONValue] {
    guard let request = call.request else {
      // Cancelled in the meantime: the client expects no answer.
      leave(call)
      return []
    }
    let key = call.asked?["key"]?.string
    let parameter = call.tool.definition.parameters.first { $0.name == key }
    let question = call.asked.map { ToolQuestion($0, for: parameter) } ?? beginning(call)
    guard call.canAsk else {
      let prompt = question.message.split(separator: "\n").first ?? ""
      let help = parameter != nil ? "; give `\(key ?? "")` in the call" : ""
      call.refusal = "this client cannot ask the person “\(prompt)”\(help)"
      leave(call)
      guard call.isModern else { return call.run == nil ? end(call) : [] }
      call.request = nil
      let error = ProtocolError(
        .missingCapability, call.refusal ?? "",
        data: ["requiredCapabilities": ["elicitation": ["form": [:]]]])
      return [error.answer(to: request)] + (call.run == nil ? end(call) : [])
    }
    guard call.isModern else {
      let number = nextElicitation()
      call.elicitation = number
      return [
        [
          "jsonrpc": "2.0", "id": .int(number), "method": "elicitation/create",
          "params": question.parameters,
        ]
      ]
    }
    call.deadline = MonotonicClock.nanoseconds + options.patience.nanoseconds
    call.request = nil
    calls.removeAll { $0 === call }
    let result: JSONValue = [
      "resultType": "input_required",
      "inputRequests": [
        Self.question: ["method": "elicitation/create", "params": question.parameters]
      ],
      "requestState": .string(waiting.add(call, of: options.caller)),
    ]
    return [answer(request, result, isModern: true)]
  }

  /// The question before a run whose effects no undo brings back.
  private func beginning(_ call: ToolCall) -> ToolQuestion {
    let access = call.tool.definition.capabilities.joined(separator: ", ")
    let arguments = (try? JSONValue.object(call.arguments).text()) ?? ""
    return ToolQuestion(
      confirming: """
        \(call.client) wants to run \(call.tool.definition.title) with \(arguments). It may use \
        \(access), and cannot be undone. Run it?
        """)
  }

  /// Takes the client's answer to one of our requests.
  func answered(_ id: JSONValue, _ result: JSONValue?) -> [JSONValue] {
    guard let number = id.int, let call = calls.first(where: { $0.elicitation == number }) else {
      return []
    }
    call.elicitation = nil
    return reply(call, ToolQuestion.answer(in: result))
  }

  /// Passes an answer on; nil if the person left.
  private func reply(_ call: ToolCall, _ answer: JSONValue?) -> [JSONValue] {
    guard let event = call.asked else {
      guard answer?.bool == true else { return end(call) }
      return start(call)
    }
    guard let answer else {
      leave(call)
      return []
    }
    if options.token != nil, Errand.Parameter.takesPaths(event["type"]?.string ?? "") {
      call.refusal = "an assistant elsewhere cannot name a file of this machine"
      leave(call)
      return advance(call)
    }
    call.asked = nil
    // A question that is not open has ended with its run, which says so.
    try? call.run?.answer(ToolQuestion.value(of: answer, to: event), to: event["number"]?.int)
    return advance(call)
  }

  private func leave(_ call: ToolCall) {
    call.asked = nil
    try? call.run?.leave()
  }
}

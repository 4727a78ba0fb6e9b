import ErrandKit
import POSIX

/// A call of a tool, from its request to the end of its run.
final class ToolCall {
  let tool: Tool
  let arguments: [String: JSONValue]
  /// The name of the client.
  let client: String
  /// The open request; nil once it was answered with a question, or was cancelled.
  var request: JSONValue?
  var isModern: Bool
  var progressToken: JSONValue?
  /// Whether the client can ask the person.
  var canAsk: Bool
  /// The run; nil until the person has allowed one that cannot be undone.
  var run: RunHandle?
  /// The event of the open question; nil for the question before the run.
  var asked: RunHandle.Event?
  /// The id of our own open request `elicitation/create`.
  var elicitation: Int64?
  /// The time at which an unanswered question ends the run, in nanoseconds.
  var deadline: Int64?
  var dialog: [String] = []
  var lastProgress = -Double.infinity
  /// Why the call fails, if not by an error of its run.
  var refusal: String?

  init(
    _ tool: Tool, _ arguments: [String: JSONValue], client: String, request: JSONValue,
    isModern: Bool, canAsk: Bool
  ) {
    self.tool = tool
    self.arguments = arguments
    self.client = client
    self.request = request
    self.isModern = isModern
    self.canAsk = canAsk
  }

  /// The result of the request, once the run has ended.
  func result() -> JSONValue {
    do {
      if let refusal { throw ErrandError(code: "needs-value", message: refusal) }
      // Without `run` the person has declined.
      guard let run else { throw ErrandError(code: "cancelled", message: "not allowed") }
      var value = try run.result()
      if tool.offersText, arguments["text"]?.bool != true { value = value.without(Tool.pageText) }
      let structured: JSONValue = [
        "result": value, "dialog": .array(dialog.map(JSONValue.string)),
      ]
      let texts = dialog + [try value.text()]
      return ["content": Self.content(texts), "structuredContent": structured, "isError": false]
    } catch let error as ErrandError {
      return ["content": Self.content(dialog + [error.description]), "isError": true]
    } catch {
      return ["content": Self.content(["\(error)"]), "isError": true]
    }
  }

  private static func content(_ texts: [String]) -> JSONValue {
    .array(texts.map { ["type": "text", "text": .string($0)] })
  }
}

/// The calls of stateless clients that wait for an answer, by their sealed states.
///
/// Not thread-safe; servers of one transport on one thread share it.
package final class WaitingCalls {
  private var calls: [String: ToolCall] = [:]
  private let seal: CallSeal

  /// Creates an empty list with a random key; nil if the system has no random source.
  package init?() {
    guard let seal = CallSeal() else { return nil }
    self.seal = seal
  }

  /// The maximum number of calls.
  private static let limit = 100

  /// Adds a call; returns the state with which its caller continues it.
  ///
  /// If there are too many, the oldest question is given up, and so its run ends.
  func add(_ call: ToolCall, of caller: String) -> String {
    if calls.count >= Self.limit,
      let oldest = calls.min(by: { ($0.value.deadline ?? 0) < ($1.value.deadline ?? 0) })
    {
      calls[oldest.key] = nil
    }
    let id = CallSeal.randomID()
    calls[id] = call
    return seal.state(of: id, by: caller, name: call.tool.name, arguments: call.arguments)
  }

  /// Removes and returns the call of a state; nil if the state is not that of this caller and call,
  /// or was used.
  func take(
    _ state: String, of caller: String, _ name: String, _ arguments: [String: JSONValue]
  ) -> ToolCall? {
    guard let id = state.split(separator: ".").first.map(String.init),
      seal.isValid(state, of: id, by: caller, name: name, arguments: arguments)
    else { return nil }
    return calls.removeValue(forKey: id)
  }

  /// Removes calls whose questions stayed unanswered, and so ends their runs.
  func expire() {
    let now = MonotonicClock.nanoseconds
    calls = calls.filter { $0.value.deadline.map { $0 > now } ?? true }
  }
}

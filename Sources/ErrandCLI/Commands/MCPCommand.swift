import CEL
import ErrandKit
import Glibc
import MCP
import Source

/// `errand mcp`: intents, shortcuts and items for assistants.
enum MCPCommand {
  static let command: Command = .init(
    "mcp", "serve assistants, and choose what they may use (MCP)",
    usage: "[tools | allow NAME… | deny NAME…]",
    discussion: """
      Speaks the Model Context Protocol on standard input and output. An assistant starts it: \
      docs/assistants.md has the settings to copy. `tools` lists what assistants could use and \
      whether they may; `allow NAME…` and `deny NAME…` change it. At first they may use what only \
      reads the library.
      """,
    serves: [.json]
  ) { invocation, arguments in
    var options = Errand.Options()
    options.catalog = arguments.last("catalog")
    options.store = arguments.last("store")
    // Pages of links that an assistant saves are not fetched before the person has seen them.
    options.environment["ERRAND_ENRICH"] = "off"
    let errand = try Errand.open(options)
    var words = arguments.words
    let verb = words.isEmpty ? "" : words.removeFirst()
    switch (verb, words.isEmpty) {
    case ("", _): try serve(errand, invocation)
    case ("tools", true): try list(errand, invocation)
    case ("allow", false), ("deny", false):
      try errand.setAssistantAccess(to: words, allowed: verb == "allow")
      let change = verb == "allow" ? "now" : "no longer"
      invocation.say("Assistants may \(change) use \(words.joined(separator: ", ")).")
    default: throw command.misuse(arguments.words)
    }
  }

  private static func serve(_ errand: Errand, _ invocation: Invocation) throws {
    let waiting = try WaitingCalls().expected("cannot generate random numbers")
    var options = MCPServer.Options(errand: errand, version: Release.version, caller: "stdio")
    options.patience = invocation.settings.answerTime
    let server = MCPServer(options, waiting: waiting)
    var loop = StandardLoop(server, input: STDIN_FILENO, output: STDOUT_FILENO)
    invocation.status = loop.run() ? 0 : 1
  }

  private static func list(_ errand: Errand, _ invocation: Invocation) throws {
    let report = Report<Errand.AssistantTool>(
      columns: [
        "name": { $0.definition.summary.name }, "assistants": { $0.isAllowed ? "may" : "may not" },
        "effect": effect,
      ],
      value: { tool in
        .record([
          "name": tool.definition.summary.name, "allowed": tool.isAllowed,
          "changes": tool.definition.mayChange, "capabilities": tool.definition.capabilities,
        ])
      })
    try report.write(errand.assistantTools(), to: invocation)
  }

  private static func effect(_ tool: Errand.AssistantTool) -> String {
    let definition = tool.definition
    let effect = definition.mayChange ? "changes" : "reads"
    return ([effect] + definition.capabilities).joined(separator: ", ")
  }
}

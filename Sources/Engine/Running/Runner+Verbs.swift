import CEL
import Catalog
import Links
import Source
import YAML

extension Runner {
  /// Runs a verb: how the steps go on, and the value if it has one.
  func run(_ call: CompiledStep.VerbCall, _ step: CompiledStep) throws -> (Flow, Value?) {
    let arguments = VerbArguments(self, call)
    switch call.verb {
    case .say:
      session.front.say(try arguments.text("text") ?? "")
    case .show: try show(arguments)
    case .ask: return (.next, try ask(arguments, step))
    case .choose: return (.next, try choose(arguments, step))
    case .confirm: return (.next, try confirm(arguments, step))
    case .value: return (.next, try arguments.value("value"))
    case .set: try set(call)
    case .find: return (.next, try find(arguments))
    case .get: return (.next, try get(arguments))
    case .create: return (.next, try create(arguments))
    case .update: return (.next, try update(arguments))
    case .delete: try delete(arguments, step)
    case .recordUse: try recordUse(arguments)
    case .wrap:
      return (.next, .string(try LinkSigning(session).wrap(try arguments.item("link"))))
    case .unwrap: return (.next, try unwrap(arguments))
    case .openURL: return (.next, try open(arguments))
    case .copy: try copy(arguments)
    case .paste: return (.next, .string(session.host.readClipboard() ?? ""))
    case .log: session.host.log(try arguments.text("text") ?? "")
    case .run: return (.next, try runNamed(arguments))
    case .stop: return (.stop, nil)
    case .returnValue: return (.returned(try arguments.value("value") ?? it), nil)
    case .fail:
      throw RunError(
        RunError.Code(try arguments.text("code") ?? "failed"), try arguments.text("message") ?? "")
    case .breakLoop: return (.breakLoop, nil)
    case .continueLoop: return (.continueLoop, nil)
    }
    return (.next, nil)
  }

  // MARK: Variables

  private func set(_ call: CompiledStep.VerbCall) throws {
    guard case .fields(let fields)? = call.arguments.first else { return }
    // All values are found before any is set, so that two variables can change places.
    let values = try fields.map { field -> Value in
      guard let type = field.type else { return try value(of: field.value) }
      return try value(of: field.value, as: type, named: field.name)
    }
    for (field, value) in zip(fields, values) {
      guard let slot = field.slot else { continue }
      frame.slots[slot] = try ValueBounds.checked(kept(value, like: frame.slots[slot], field))
    }
  }

  /// A variable keeps its type; null and a number of the wider kind are let in.
  private func kept(
    _ new: Value, like old: Value, _ field: CompiledArgument.Field
  ) throws -> Value {
    switch (old, new) {
    case (.null, _), (_, .null): return new
    case (.double, .int(let int)): return .double(Double(int))
    default:
      if field.type == .any || old.typeName == new.typeName { return new }
      throw RunError(
        .invalidValue,
        "`\(field.name)` holds \(old.typeName), and \(new.typeName) does not fit",
        help: "a variable keeps its type; use another one", at: field.span)
    }
  }

  // MARK: Beyond

  private func unwrap(_ arguments: VerbArguments) throws -> Value {
    let link = try LinkSigning(session).unwrap(try arguments.text("text") ?? "")
    return .map(
      MapValue([
        ("url", .string(link.url)), ("title", link.title.map(Value.string) ?? .null),
        ("id", .string(link.id)),
      ]))
  }

  private func open(_ arguments: VerbArguments) throws -> Value {
    guard case .string(let url)? = try arguments.value("url") else {
      throw RunError(.invalidValue, "`url`: there is nothing to open")
    }
    if session.host.open(url) { return .bool(true) }
    session.front.say("There is no browser to open it with, so here it is: \(url)")
    return .bool(false)
  }

  private func copy(_ arguments: VerbArguments) throws {
    let value = try arguments.value("value") ?? .null
    let text: String
    if case .list(let values) = value {
      text = values.map { renderer.plainText(of: $0) }.joined(separator: "\n")
    } else {
      text = renderer.plainText(of: value)
    }
    guard session.host.writeClipboard(text) else {
      throw RunError(
        .failed, "there is no clipboard here to copy to",
        help: "install wl-clipboard, xclip or xsel")
    }
  }

  private func runNamed(_ arguments: VerbArguments) throws -> Value {
    let name: String
    switch arguments.argument("name") {
    case .name(let text): name = text
    case .dynamicName(let template, _): name = try text(of: template)
    default: return .null
    }
    let callee = try session.action(name)
    let parameters = callee.definition.allParameters
    var given: [Int: GivenValue] = [:]
    if let input = try arguments.value("input") {
      guard
        let index = parameters.firstIndex(where: {
          $0.name.text == callee.definition.primaryParameter?.name.text
        })
      else { throw RunError(.invalidValue, "`\(name)` takes no input") }
      given[index] = .value(input)
    }
    if case .fields(let fields) = arguments.argument("with") {
      for field in fields {
        guard let index = parameters.firstIndex(where: { $0.name.text == field.name }) else {
          throw RunError(
            .invalidValue, "`\(name)` has no parameter `\(field.name)`",
            help: Suggestion.help(for: field.name, in: parameters.map(\.name.text)), at: field.span)
        }
        given[index] = .value(try value(of: field.value))
      }
    }
    return try session.invoke(callee, given, depth: depth + 1, speaks: false).value
  }
}

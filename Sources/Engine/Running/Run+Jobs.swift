package import CEL
package import Catalog
package import Items
package import Program
import Source
package import Store
import YAML

/// Execution of queue jobs.
extension Run {
  /// Runs the handler of a job with its input.
  ///
  /// - Throws: `Diagnostics` for an invalid handler, `RunError` when it fails.
  package func perform(_ job: Job) throws -> Outcome {
    guard let handler = try catalog.action(job.handler) else {
      throw catalog.missing(action: job.handler)
    }
    let coder = jobCoder
    if let permissions = job.permissions { hold(to: try coder.value(of: permissions)) }
    var input = try coder.value(of: job.input)
    if handler.automation != nil { input = CompiledTrigger.completed(input) }
    let entries = try coder.value(of: job.arguments).asMap?.entries ?? []
    let named = entries.map { (name: $0.key.text, value: $0.value) }
    return try perform(job.handler, handler.given(input.isNull ? nil : input, named))
  }

  /// An intent or a shortcut of the user's own definitions, since a worker has no others.
  ///
  /// - Throws: `not-found`, `invalid-value`.
  package func ownAction(_ name: String) throws -> ActionDefinition {
    guard let definition = try catalog.action(name) else { throw catalog.missing(action: name) }
    // In a test, the file of the definition stands for the folder.
    let isTest = host.machine.simulation != nil && !dryRun.isOn
    guard isTest || !catalog.isForeign(action: name) else {
      throw RunError(
        .invalidValue, "a worker does not know `\(name)`: it is not in your own definitions",
        help: "put it into the folder of your own definitions")
    }
    return definition
  }

  /// The item that triggers an automation, as it was when its job was enqueued; nil if there is none.
  package func triggeringItem(of job: Job) -> Value? {
    guard let item = (try? jobCoder.value(of: job.input))?.asMap?[.string("item")], !item.isNull
    else {
      return nil
    }
    return item
  }

  /// The job for a trigger of an automation.
  package func job(of action: CompiledAction, _ trigger: Value, key: String) throws -> NewJob {
    let definition = action.definition
    let name = definition.name.text
    var job = NewJob(
      handler: name, input: try jobCoder.text(of: trigger), key: key,
      requires: definition.automation?.requires ?? [], origin: "automation \(name)")
    job.chain = [name]
    job.isExclusive = definition.runMode == .single
    if definition.automation?.isOncePerDay == true { job.day = day(of: host.now()) }
    if let retry = action.jobRetry { job.retry = try JobRetry(retry, converter: converter) }
    return job
  }

  /// The day of a moment in the person's zone, such as `2026-12-01`.
  package func day(of moment: Timestamp) -> String { host.clock.time(at: moment).date.iso8601 }

  /// The job that runs an automation again with the action that was chosen on its notification.
  ///
  /// - Throws: `Diagnostics` for an invalid automation, `not-found`.
  package func job(after later: DesktopNotification.Later, answer: String, key: String) throws
    -> NewJob
  {
    let action = try workspace.automation(later.automation)
    guard action.definition.automation != nil, !catalog.isForeign(action: later.automation) else {
      throw RunError(.notFound, "there is no automation `\(later.automation)`")
    }
    let trigger = try jobCoder.value(of: later.trigger)
    var job = try job(of: action, CompiledTrigger.answered(trigger, with: answer), key: key)
    job.permissions = later.permissions
    // It goes on with what the run of its day began.
    job.day = nil
    return job
  }

  /// The body of a request to a webhook, with its fields converted to their types.
  ///
  /// - Throws: `invalid-value` for a body without fields, and one that does not fit.
  package func body(_ given: Value, of fields: [(name: String, type: DataType)]) throws -> Value {
    guard let map = given.asMap else {
      throw RunError(
        .invalidValue, "the body has no fields",
        help: "send JSON or a form with \(fields.map(\.name).joined(separator: ", "))")
    }
    let names = map.entries.map(\.key.text)
    if let name = names.first(where: { name in !fields.contains { $0.name == name } }) {
      throw RunError(
        .invalidValue, "the body has a field `\(name.shortened)`, which is not known",
        help: "the fields are \(fields.map(\.name).joined(separator: ", "))")
    }
    return .map(
      MapValue(
        try fields.map { name, type in
          let value = map[.string(name)] ?? .null
          guard !value.isNull || type.isOptional else {
            throw RunError(.invalidValue, "the body lacks `\(name)`")
          }
          return (name, try converted(value, to: type, named: name))
        }))
  }

  /// Encodes and decodes the values of jobs.
  var jobCoder: ValueCoder { ValueCoder { [workspace] in try? workspace.schema(of: $0) } }

  /// Whether the condition of an automation holds for an item; an operation on null counts as
  /// false.
  ///
  /// - Throws: `RunError` when the condition fails otherwise.
  package func holds(
    _ condition: (expression: CompiledExpression, selfSlot: Int)?, for item: Item
  ) throws -> Bool {
    guard let condition else { return true }
    let frame = Frame(count: condition.selfSlot + 1)
    frame.slots[condition.selfSlot] = .object(item)
    do throws(EvaluationError) {
      return try condition.expression.evaluate(frame) == .bool(true)
    } catch {
      if error.code == .nullOperand { return false }
      throw RunError(error, in: condition.expression.source)
    }
  }
}

extension Workspace {
  /// A compiled automation.
  ///
  /// - Throws: `Diagnostics` with all errors in it and in its callees.
  package func automation(_ name: String) throws -> CompiledAction {
    try check(action: name)
    return try action(name)
  }
}

import CEL
import Catalog
import Engine
import Items
import Program
import YAML

extension TestRunner {
  /// The value of `trigger` for what a test says, as a worker would make it.
  ///
  /// - Throws: `RunError` where nothing in `on` would have set the automation off.
  static func value(
    of trigger: TestDefinition.Trigger, _ automation: CompiledAction, in run: Run
  ) throws -> Value {
    let triggers = automation.triggers.filter { trigger.fits(kind: $0.kind, id: $0.id) }
    let time = try trigger.time.map {
      try run.converted(.string($0.text), to: .timestamp, named: "time")
    }
    let now = time ?? .timestamp(run.host.now())
    guard let first = triggers.first else {
      throw RunError(
        .invalidValue, "no entry of `on` fits this trigger", at: trigger.kind?.span ?? trigger.span)
    }
    let fields = (trigger.item?.entries ?? []).map { ($0.key.text, $0.value.plainValue) }
    switch first.event {
    case .created(let entity), .changed(let entity):
      let old = (trigger.was?.entries ?? []).map { ($0.key.text, $0.value.plainValue) }
      let names = Set(old.map(\.0))
      let before = try run.given(entity, fields.filter { !names.contains($0.0) } + old)
      let item =
        trigger.was == nil
        ? before
        : try run.changed(
          before,
          fields.filter { field in
            names.contains(field.0)
          })
      let found = try triggers.first { candidate in
        try run.holds(candidate.condition, for: item)
          && (candidate.kind == "created" || run.holds(candidate.previousCondition, for: before))
      }
      guard let found else {
        throw RunError(
          .invalidValue, "this sets nothing off: the `where` or the `was` of `on` doesn't hold",
          at: trigger.span)
      }
      return found.value(
        time: now, item: .object(item),
        before: found.kind == "changed" ? .object(before) : .null)
    case .share:
      return first.value(time: now, item: SharedValue.make(MapValue(fields)) ?? .null)
    case .file: return first.value(time: now, path: .string(trigger.path?.text ?? ""))
    case .every, .days, .cron: return first.value(time: now)
    }
  }
}

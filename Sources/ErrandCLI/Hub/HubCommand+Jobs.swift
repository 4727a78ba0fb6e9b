import CEL
import Engine
import ErrandKit
import Items
import JSON
import Program
import Source
import Store

/// `errand hub offer`, and the jobs of all machines.
extension HubCommand {
  // MARK: Offering

  func offer(_ names: [String]) throws {
    let (run, _) = try membership()
    let store = try run.store()
    var offered = try RunError.reportingHub { try store.hub.jobs.offered() }
    if names.isEmpty {
      try UsageError.expect(!arguments.isOn("stop"), "--stop needs the names of what to stop")
      return try list(offered)
    }
    for name in names {
      if arguments.isOn("stop") {
        guard offered.removeValue(forKey: name) != nil else {
          throw RunError(
            .notFound, "this machine does not offer `\(name)`", help: "`errand hub offer` lists it")
        }
      } else {
        _ = try run.ownAction(name)
        offered[name] = try PermissionPrompt.heldAccess(of: name, run, key: "offer") { access in
          "Each machine of the hub will be able to start `\(name)` here, with any input. It \(access)"
            + " Offer it?"
        }
      }
    }
    let changed = offered
    try RunError.reportingHub { try store.hub.jobs.setOffered(changed) }
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    invocation.say(
      arguments.isOn("stop")
        ? "Jobs of the hub for \(list) are left to other machines."
        : "Workers here run jobs of the hub for \(list).")
  }

  private func list(_ offered: [String: String]) throws {
    let report = Report<(name: String, access: String)>(
      columns: ["name": \.name, "access": \.access],
      value: { .record(["name": $0.name, "access": $0.access]) },
      empty: "This machine runs no jobs of the hub.")
    let rows = offered.sorted { $0.key < $1.key }.map { ($0.key, Self.words(of: $0.value)) }
    try report.write(rows, to: invocation)
  }

  private static func words(of permissions: String) -> String {
    guard case .list(let pairs)? = try? JSONParser().parse(permissions) else { return "" }
    return pairs.map { pair in
      guard case .list(let parts) = pair else { return "" }
      return parts.compactMap { part in
        if case .string(let text) = part { text } else { nil }
      }.joined(separator: ":")
    }.joined(separator: " ")
  }

  // MARK: Jobs of all machines

  /// Lists the jobs of the hub.
  func listJobs(_ selection: JobSelection) throws {
    let times = try TimeText(invocation)
    let report = Report<HubJobEntry>(
      columns: [
        "job": { String($0.number) }, "name": \.handler, "state": \.state.rawValue,
        "from": \.sender, "on": { $0.worker ?? "" }, "queued at": { times.text($0.created) },
        "": \.error.inOneLine,
      ], value: Self.value, empty: "The hub has no jobs.")
    try report.write(try jobs(selection) { _ in true }, to: invocation)
    try RunError.reportingHub { try invocation.storeIfMade()?.hub.jobs.forgetDead() }
  }

  /// Lists the runs of jobs of the hub.
  func listRuns(_ selection: JobSelection) throws {
    let times = try TimeText(invocation)
    let report = Report<HubJobEntry>(
      columns: [
        "on": { $0.worker ?? "" }, "run": { $0.run.map(String.init) ?? "" }, "name": \.handler,
        "state": \.state.rawValue, "began": { $0.started.map(times.text) ?? "" },
        "": \.error.inOneLine,
      ], value: Self.value, empty: "No machine has run a job of the hub.")
    try report.write(try jobs(selection) { $0.started != nil }, to: invocation)
  }

  private func jobs(
    _ selection: JobSelection, where isMeant: (HubJobEntry) -> Bool
  ) throws -> [HubJobEntry] {
    let hub = try connectAsMember()
    // Conditions are evaluated here, over the latest jobs of the hub.
    let latest = try RunError.reportingHub { try hub.jobs(limit: Self.latestJobs) }
    return Array(
      latest.filter { job in
        isMeant(job) && selection.states?.contains(job.state) ?? true
          && selection.handler ?? job.handler == job.handler
          && selection.numbers?.contains(job.number) ?? true
      }.prefix(selection.limit))
  }

  private static let latestJobs = 10_000

  private static func value(_ job: HubJobEntry) -> Value {
    .record([
      "job": Value.int(job.number), "name": job.handler, "state": job.state.rawValue,
      "from": job.sender, "machine": job.worker,
      "run": job.run.map(Value.int) ?? .null, "created": Value.timestamp(job.created),
      "due": Value.timestamp(job.due), "started": job.started.map(Value.timestamp) ?? .null,
      "ended": job.ended.map(Value.timestamp) ?? .null, "failures": Int64(job.failures),
      "error": job.error,
    ])
  }

  /// Cancels jobs of the hub, or makes them wait again.
  func changeJobs(_ numbers: [Int64]?, isRetry: Bool) throws {
    let verb = isRetry ? "retry" : "cancel"
    guard let numbers else {
      throw UsageError(
        "`queue \(verb) --hub` needs the numbers of jobs", help: "`errand queue --hub` lists them")
    }
    let hub = try connectAsMember()
    let changed = Set(try RunError.reportingHub { try hub.change(numbers, isRetry: isRetry) })
    if let left = numbers.first(where: { !changed.contains($0) }) {
      throw RunError(
        .conflict, "job \(left) of the hub is not there, or has ended",
        help: "`errand queue --hub` lists them")
    }
    let said = isRetry ? "waiting again" : "cancelled"
    invocation.say(
      "\(numbers.count.counted("job")) of the hub \(numbers.count == 1 ? "is" : "are") \(said).")
  }
}

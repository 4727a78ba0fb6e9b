import CEL
import Catalog
import Engine
import ErrandKit
import Source
import Store
import YAML

extension Invocation {
  /// What a recorded run was asked with.
  ///
  /// - Parameter isNew: whether answers that it took already are given again.
  func call(of run: RecordedRun, isNew: Bool = false) throws -> RecordedCall {
    let session = try session()
    let lines = try isNew ? [] : session.store().runs.lines(ofRun: run.number)
    return try Run.call(of: run, lines, in: session.workspace)
  }

  /// The run of this call, as one that goes on with the definitions of a recorded one.
  func resumingSession(_ run: RecordedRun, _ definitions: [String]) throws -> (
    session: Run, call: RecordedCall
  ) {
    let call = try call(of: run)
    // What else its file defines may be named yet; a file that is gone or wrong names nothing.
    if let origin = call.origin {
      try? target("\(origin)#\(run.name)").check(in: session().workspace)
    }
    let recorded = RecordedLibrary(ofRun: run.number, definitions, in: try library())
    let session = try remakeSession(recorded.library, answering: call)
    session.workspace.foreignNames = recorded.foreignNames
    return (session, call)
  }

  /// The run of this call, as one that is asked what a recorded one was asked, with the definitions as
  /// they are now.
  func repeatingSession(_ run: RecordedRun, _ call: RecordedCall) throws -> Run {
    if let origin = call.origin {
      try target("\(origin)#\(run.name)").check(in: session().workspace)
    }
    return try remakeSession(library(), answering: call)
  }

  /// Writes what the calls of a run came to.
  func write(_ outcomes: [Outcome]) throws {
    if let outcome = outcomes.first, outcomes.count == 1 {
      try resultWriter.write(outcome)
    } else {
      try resultWriter.write(each: outcomes)
    }
  }
}

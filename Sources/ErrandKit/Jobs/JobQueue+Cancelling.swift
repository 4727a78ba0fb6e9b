import Glibc
package import Store

extension JobQueue {
  /// Cancels jobs, and asks the processes that run some of them to end these.
  package func cancelAtOnce(_ selection: JobSelection) throws -> [Job] {
    let jobs = try cancel(selection)
    // What goes on can write nothing more, and need not come to its end.
    let awake = try seats?.others().map(\.process) ?? []
    for job in jobs where job.state == .running {
      if let process = job.process, process != getpid(), awake.contains(process) {
        kill(process, SIGUSR1)
      }
    }
    return jobs
  }
}

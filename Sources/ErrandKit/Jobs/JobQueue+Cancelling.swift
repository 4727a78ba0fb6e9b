import Glibc
package import Store

extension JobQueue {
  /// Cancels jobs, and interrupts the processes that are running them.
  package func cancelAtOnce(_ selection: JobSelection) throws -> [Job] {
    let jobs = try cancel(selection)
    // Such a run has lost its write access and need not finish.
    let awake = try seats?.others().map(\.process) ?? []
    for job in jobs where job.state == .running {
      if let process = job.process, process != getpid(), awake.contains(process) {
        kill(process, SIGUSR1)
      }
    }
    return jobs
  }
}

/// The right of a process to do a job, and to write for it.
package struct JobLease: Hashable, Sendable {
  package let job: Int64
  package let fence: Int64
}

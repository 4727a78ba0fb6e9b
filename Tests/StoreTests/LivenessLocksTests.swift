import Foundation
import Glibc
import POSIX
import TestSupport
import Testing

@testable import Store

/// Locks that show whether the process of a run is alive.
@Suite struct LivenessLocksTests {
  private static let stride: Int64 = 16

  /// A file in which this process, as a child would, has the lock of run 1, whose process is given.
  private func held(for process: Int64, in folder: TemporaryFolder) throws -> Descriptor {
    let file = try Descriptor(folder.path + "/store.runs", O_RDWR | O_CREAT)
    #expect(try file.lock(at: Self.stride))
    var process = process
    #expect(pwrite(file.number, &process, 8, off_t(Self.stride + 8)) == 8)
    return file
  }

  /// The number of a process that has ended.
  private func ended() throws -> Int64 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    return Int64(process.processIdentifier)
  }

  @Test func aChildOfAnEndedProcessIsWaitedFor() throws {
    let folder = try TemporaryFolder()
    let file = try held(for: ended(), in: folder)
    let locks = LivenessLocks(ofStore: folder.path + "/store")
    locks.patience = 600_000
    // Used by no other thread meanwhile.
    nonisolated(unsafe) let child = file
    Thread.detachNewThread {
      usleep(20_000)
      child.unlock(at: Self.stride)
    }
    #expect(try !locks.isHeld(1))
  }

  @Test func aLockOutsideOfTheNamespaceIsBelievedAtLast() throws {
    let folder = try TemporaryFolder()
    let file = try held(for: ended(), in: folder)
    let locks = LivenessLocks(ofStore: folder.path + "/store")
    locks.patience = 3
    #expect(try locks.isHeld(1))
    #expect(locks.patience == 0)
    file.unlock(at: Self.stride)
    #expect(try !locks.isHeld(1))
  }

  @Test func theLockOfALivingProcessIsHeld() throws {
    let folder = try TemporaryFolder()
    let file = try held(for: Int64(getpid()), in: folder)
    let locks = LivenessLocks(ofStore: folder.path + "/store")
    #expect(try locks.isHeld(1))
    #expect(locks.patience == 500)
    withExtendedLifetime(file) {}
  }
}

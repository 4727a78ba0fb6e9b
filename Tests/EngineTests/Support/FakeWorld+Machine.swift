import CEL
import Synchronization

@testable import Engine

extension FakeWorld {
  /// A machine with simulated time, and programs and files in memory.
  var machine: Machine {
    Machine(
      monotonic: { [self] in state.withLock { $0.nanoseconds } },
      pause: { [self] until, descriptors in
        state.withLock { state in
          // A wait without a deadline would last forever, so it ends at once.
          if let until { state.nanoseconds = max(state.nanoseconds, until) }
          state.pauses.append(state.nanoseconds)
          if let after = state.afterPauses, state.pauses.count == after.count { after.action() }
        }
      },
      exec: { [self] request, bounds in
        try state.withLock { state in
          state.commands.append(request.command)
          state.note(request.command.joined(separator: " "))
          guard let program = state.programs[request.command[0]] else {
            throw RunError(.exec, "there is no program `\(request.command[0])`")
          }
          let before = state.nanoseconds
          let end = program(request, &state)
          // A program that exceeds its deadline is killed.
          if let deadline = bounds.deadline, state.nanoseconds >= deadline {
            state.nanoseconds = max(before, deadline)
            return ProcessEnd(reason: .interrupted, output: [], errors: [])
          }
          return end
        }
      },
      files: files,
      notify: { [self] notification, _ in
        state.withLock { $0.notifications.append(notification.text) }
        return .shown(action: nil)
      })
  }

  private var files: FileAccess {
    FileAccess(
      read: { [self] path, _ in
        guard let bytes = state.withLock({ $0.files[path] }) else {
          throw RunError(.notFound, "there is no \(path)")
        }
        return bytes
      },
      write: { [self] path, bytes, mode in
        try state.withLock { state in
          switch mode {
          case .append: state.files[path, default: []] += bytes
          case .create where state.files[path] != nil:
            throw RunError(.conflict, "\(path) already exists")
          case .create, .replace: state.files[path] = bytes
          }
        }
      },
      list: { [self] folder, _ in
        state.withLock { state in
          state.files.keys.filter { $0.hasPrefix(folder + "/") }.sorted().map { path in
            FileEntry(
              path: path, name: String(path.dropFirst(folder.count + 1)),
              size: Int64(state.files[path]?.count ?? 0), modified: Timestamp(seconds: 0),
              isFolder: false)
          }
        }
      },
      transfer: { _ in nil }, trash: { throw RunError(.io, "\($0): there is no trash") },
      takeBack: { $0 }, status: { _ in nil })
  }
}

import Glibc
import Store

/// Parses lines on a thread of its own, a few batches ahead of whoever takes them in.
///
/// Parsing is a quarter of an import's work and needs nothing of the store, which belongs to the
/// thread that opened it.
final class LineFeed {
  /// Records that were read, and how many bytes of the file had been read by then.
  struct Batch {
    var records: [ImportRecord] = []
    var bytesRead = 0
  }

  private let queue: Queue

  /// A feed of what a file holds; the thread starts at once, and has the source to itself.
  init(_ source: ImportSource) {
    queue = Queue(source)
    queue.start()
  }

  deinit { queue.stop() }

  /// The next batch; nil at the end.
  ///
  /// - Throws: what reading the file throws.
  func next() throws -> Batch? { try queue.take() }

  /// What the two threads share; everything in it is used under the lock, but for the reader,
  /// which the thread alone uses.
  private final class Queue: @unchecked Sendable {
    /// How many lines and bytes make a batch, and how many batches may wait.
    private static let batchLines = 256
    private static let batchBytes = 256 << 10
    private static let limit = 8

    private var reader: any RecordReader
    private let progress: ImportSource.Progress
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Batch] = []
    private var end: Result<Void, any Error>?
    private var isStopped = false

    init(_ source: ImportSource) {
      reader = source.records
      progress = source.progress
      pthread_mutex_init(lock, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      pthread_cond_destroy(changed)
      pthread_mutex_destroy(lock)
      changed.deallocate()
      lock.deallocate()
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body()
    }

    // MARK: The thread

    /// Starts the thread, which keeps the queue alive until it ends.
    func start() {
      // Without another thread the lines are parsed when they are wanted.
      isAlone = BackgroundWork { while self.put(self.parse()) {} } == nil
    }

    /// Whether there is no thread.
    private var isAlone = false
    /// Whether the reader came to its end, after which it is not asked again.
    private var isAtEnd = false
    /// Why the file could not be read on, when lines before that were still to be handed over.
    private var failure: (any Error)?

    /// The next batch of the file; an empty one at its end.
    private func parse() -> Result<Batch, any Error> {
      if let failure { return .failure(failure) }
      var batch = Batch()
      let start = progress.bytes
      do {
        while !isAtEnd, batch.records.count < Self.batchLines,
          progress.bytes - start < Self.batchBytes
        {
          let record = try reader.next()
          // What was made of a file that breaks off is not told.
          try progress.expectNoFailure()
          if let record {
            batch.records.append(record)
          } else {
            isAtEnd = true
          }
        }
      } catch {
        if batch.records.isEmpty { return .failure(error) }
        failure = error
      }
      batch.bytesRead = progress.bytes
      return .success(batch)
    }

    /// Hands a batch over, when there is room for it; false when no more is wanted.
    private func put(_ result: Result<Batch, any Error>) -> Bool {
      locked {
        while waiting.count >= Self.limit, !isStopped { pthread_cond_wait(changed, lock) }
        switch result {
        case .success(let batch) where batch.records.isEmpty: end = .success(())
        case .success(let batch): waiting.append(batch)
        case .failure(let error): end = .failure(error)
        }
        pthread_cond_broadcast(changed)
        return end == nil && !isStopped
      }
    }

    // MARK: The other side

    /// Waits for a batch; nil at the end.
    func take() throws -> Batch? {
      if isAlone {
        let batch = try parse().get()
        return batch.records.isEmpty ? nil : batch
      }
      return try locked {
        while waiting.isEmpty, end == nil { pthread_cond_wait(changed, lock) }
        if waiting.isEmpty {
          try end?.get()
          return nil
        }
        pthread_cond_broadcast(changed)
        return waiting.removeFirst()
      }
    }

    /// Ends the thread, once it has read what it is waiting for.
    func stop() {
      locked {
        isStopped = true
        pthread_cond_broadcast(changed)
      }
    }
  }
}

import Glibc
import Store

/// Parses lines on a separate thread, a few batches ahead of the consumer.
///
/// Parsing is a quarter of an import's work and does not use the store, which is confined to the thread that opened it.
final class LineFeed {
  /// Records, and the number of bytes read so far.
  struct Batch {
    var records: [ImportRecord] = []
    var bytesRead = 0
  }

  private let queue: Queue

  /// Starts the thread, which then owns the source.
  init(_ source: ImportSource) {
    queue = Queue(source)
    queue.start()
  }

  deinit { queue.stop() }

  /// Returns the next batch; nil at the end.
  ///
  /// - Throws: Errors of reading the file.
  func next() throws -> Batch? { try queue.take() }

  /// The state shared by both threads; all of it is protected by the lock, except the reader, which only the thread
  /// uses.
  private final class Queue: @unchecked Sendable {
    /// Maximum size of a batch in lines and bytes, and maximum number of waiting batches.
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
      // If no thread can be started, lines are parsed on demand.
      isSynchronous = BackgroundWork { while self.put(self.parse()) {} } == nil
    }

    /// Whether there is no thread.
    private var isSynchronous = false
    /// Whether the reader has ended; it is not called again.
    private var isAtEnd = false
    /// The error that stopped reading, while earlier lines are still to be delivered.
    private var failure: (any Error)?

    /// Parses the next batch; an empty one at the end.
    private func parse() -> Result<Batch, any Error> {
      if let failure { return .failure(failure) }
      var batch = Batch()
      let start = progress.bytes
      do {
        while !isAtEnd, batch.records.count < Self.batchLines,
          progress.bytes - start < Self.batchBytes
        {
          let record = try reader.next()
          // Discard a record that was cut off by a read error.
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

    /// Enqueues a batch when there is room; false if no more is wanted.
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

    // MARK: The consumer

    /// Waits for a batch; nil at the end.
    func take() throws -> Batch? {
      if isSynchronous {
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

    /// Stops the thread once its current read returns.
    func stop() {
      locked {
        isStopped = true
        pthread_cond_broadcast(changed)
      }
    }
  }
}

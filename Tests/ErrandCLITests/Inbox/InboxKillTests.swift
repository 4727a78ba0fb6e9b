import FoundationEssentials
import Glibc
import Testing

/// Many programs that share, take in and work at once, and are killed at any moment.
@Suite struct InboxKillTests {
  /// How many shares each of 16 programs makes; `ERRAND_SHARES` is for all of them together.
  private static let sharesEach: Int = {
    let wanted = getenv("ERRAND_SHARES").flatMap { Int(String(cString: $0)) } ?? 400
    return max(1, wanted / 16)
  }()

  /// 16 programs share, some of them killed; three take in and are killed, too. Each program writes
  /// down what it was told is shared.
  private static func script(seed: Int) -> String {
    """
    writer() {
      RANDOM=$((\(seed) * 100 + $1)); n=0
      while [ $n -lt \(sharesEach) ]; do
        n=$((n + 1)); text="share $1.$n"
        errand share-in "$text" --quiet & id=$!
        if [ $((RANDOM % 8)) = 0 ]; then sleep 0.0$((RANDOM % 40)); kill -9 $id 2> /dev/null; fi
        wait $id 2> /dev/null && echo "$text" >> shared.$1
      done
    }
    drainer() {
      RANDOM=$((\(seed) * 1000 + $1))
      until [ -e finished ]; do
        # Some only take in, some also do the jobs, and some are workers.
        case $((RANDOM % 3)) in
          0) errand inbox --quiet > /dev/null 2>&1 & ;;
          1) errand inbox drain --quiet > /dev/null 2>&1 & ;;
          2) errand worker --once --quiet > /dev/null 2>&1 & ;;
        esac
        id=$!
        if [ $((RANDOM % 3)) = 0 ]; then sleep 0.$((RANDOM % 3))$((RANDOM % 90)); kill -9 $id 2> /dev/null; fi
        wait $id 2> /dev/null
      done
    }
    for d in 1 2 3; do drainer $d & drainers="$drainers $!"; done
    for w in $(seq 16); do writer $w & writers="$writers $!"; done
    wait $writers 2> /dev/null
    touch finished
    wait $drainers 2> /dev/null
    """
  }

  @Test(arguments: [1, 2]) func eachComesInOnce(seed: Int) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell("exec bash -c '\(Self.script(seed: seed))' 2> /dev/null")
    #expect(run.status == 0)
    let last = try sandbox.run("inbox", "drain", "--quiet")
    #expect(last.status == 0, "\(last)")
    var shared: Set<String> = []
    for writer in 1...16 {
      let lines = sandbox.read("shared.\(writer)")?.split(separator: "\n") ?? []
      shared.formUnion(lines.map { String($0) })
    }
    let notes = try sandbox.run("find", "notes", "--quiet", "--format", "{{ self.text }}").out
      .split(separator: "\n").map { String($0) }
    // None twice, none lost of which a program was told, none half.
    #expect(notes.count == Set(notes).count)
    #expect(shared.subtracting(notes) == [])
    #expect(notes.allSatisfy { $0.contains(/^share [0-9]+\.[0-9]+$/) })
    #expect(shared.count > Self.sharesEach * 16 / 2)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.path + "/.local/share/errand/library.db.inbox/new")
    #expect(left == [])
    #expect(try sandbox.run("doctor", "--quiet").status == 0)
  }

  @Test func aShareThatIsThereAgainIsNotTakenTwice() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell(
      """
      inbox=.local/share/errand/library.db.inbox/new
      errand share-in 'only once' -q && cp -rp $inbox kept && errand inbox drain -q
      # As if the process had died before it removed the share.
      cp -p kept/* $inbox && errand inbox drain -q; ls $inbox
      # In a store that was repaired, and in one that a backup was put in place of.
      cp -p kept/* $inbox && errand doctor --repair -q > /dev/null && errand inbox drain -q
      errand backup copy.db -q && rm .local/share/errand/library.db*  2> /dev/null
      cp copy.db .local/share/errand/library.db; cp -p kept/* $inbox; errand inbox drain -q; ls $inbox
      errand find notes --quiet
      """)
    #expect(run == Run(out: "only once\n"))
  }

  @Test func aFullDiskLosesNothing() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell(
      """
      mkdir disk
      exec unshare -m sh -c '
        mount -t tmpfs -o size=600k tmpfs disk 2> /dev/null || { echo skipped; exit; }
        n=0; told=0
        while errand --store disk/x.db share-in "text $n" -q 2> error; do n=$((n + 1)); told=$n
          [ $n = 20 ] && head -c 500k /dev/zero > disk/filler
          [ $n -gt 2000 ] && break
        done
        cat error; ls disk/x.db.inbox/tmp
        errand --store disk/x.db inbox drain -q > /dev/null 2>&1; echo "status $?"
        rm disk/filler
        mount -o remount,size=50m disk
        errand --store disk/x.db inbox drain -q; echo "status $?"
        errand --store disk/x.db find notes --count -q; echo $told; ls disk/x.db.inbox/new
      ' 2> /dev/null || echo skipped
      """)
    if run.out.contains("skipped") {
      print("aFullDiskLosesNothing is skipped: nothing can be mounted here")
      return
    }
    let lines = run.out.split(separator: "\n")
    #expect(lines.first?.contains("the disk is full; nothing was shared [io]") == true, "\(run)")
    #expect(run.out.contains("status 1\nstatus 0\n"), "\(run)")
    #expect(lines.count >= 2 && lines[lines.count - 1] == lines[lines.count - 2], "\(run)")
  }

  @Test func aFolderThatCantBeWrittenTakesNothingTwice() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell(
      """
      errand share-in 'only once' -q
      exec unshare -m sh -c '
        inbox=.local/share/errand/library.db.inbox
        mount --bind $inbox/new $inbox/new && mount -o remount,bind,ro $inbox/new || {
          echo skipped; exit; }
        errand share-in "not now" -q; echo "status $?"
        errand inbox drain -q; errand inbox drain -q
        umount $inbox/new
        errand inbox drain -q; echo "status $?"
        errand find notes -q; ls $inbox/new $inbox/tmp | grep -v :
      ' || echo skipped
      """)
    if run.out.contains("skipped") {
      print("aFolderThatCantBeWrittenTakesNothingTwice is skipped: nothing can be mounted here")
      return
    }
    #expect(run.out.contains("status 1\nstatus 0\nonly once\n"), "\(run)")
    #expect(run.err.contains("read-only file system [io]"), "\(run)")
  }
}

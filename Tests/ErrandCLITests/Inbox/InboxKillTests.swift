import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Many programs that share, import and work at once, and are killed at random.
@Suite struct InboxKillTests {
  /// Number of shares by each of 16 programs; `ERRAND_SHARES` sets their sum.
  private static let sharesEach: Int = {
    let wanted = Amount.of("ERRAND_SHARES", quick: 400, whole: 1_600)
    return max(1, wanted / 16)
  }()

  /// Further failures during the test.
  enum Trouble: String, CaseIterable, Sendable {
    case none
    /// The disk is full from time to time.
    case full
    /// The inbox is read-only from time to time.
    case readonly
    /// The store is repaired and copied from time to time.
    case repair
  }

  /// 16 programs share, and three import; all may be killed. Each program records the shares that
  /// were confirmed to it.
  private static func script(_ trouble: Trouble, seed: Int) -> String {
    """
    base=.local/share/errand
    writer() {
      RANDOM=$((\(seed) * 100 + $1)); n=0; ended=0
      while [ $ended -lt \(sharesEach) ]; do
        n=$((n + 1)); text="share $1.$n"
        errand share-in "$text" --quiet & id=$!
        if [ $((RANDOM % 8)) = 0 ]; then sleep 0.0$((RANDOM % 40)); kill -9 $id; fi
        wait $id
        case $? in
          0) echo "$text" >> shared.$1; ended=$((ended + 1)) ;;
          137) ended=$((ended + 1)) ;;
          # Refused: the trouble passes.
          *) sleep 0.02 ;;
        esac
      done
    }
    # Runs a command, which is killed one time in three.
    killed() {
      "$@" --quiet > /dev/null & id=$!
      if [ $((RANDOM % 3)) = 0 ]; then sleep 0.$((RANDOM % 3))$((RANDOM % 90)); kill -9 $id; fi
      wait $id
    }
    drainer() {
      RANDOM=$((\(seed) * 1000 + $1))
      until [ -e finished ]; do
        # Some only take in, some also do the jobs, and some are workers.
        case $((RANDOM % 3)) in
          0) killed errand inbox ;;
          1) killed errand inbox drain ;;
          2) killed errand worker --once ;;
        esac
      done
    }
    trouble() {
      RANDOM=\(seed)
      until [ -e finished ]; do
        case \(trouble.rawValue) in
          full) head -c 1G /dev/zero > $base/filler; sleep 0.$((RANDOM % 30)); rm $base/filler ;;
          readonly)
            mount -o remount,bind,ro $base/library.db.inbox; sleep 0.$((RANDOM % 30))
            mount -o remount,bind,rw $base/library.db.inbox ;;
          repair)
            killed errand doctor --repair
            rm -f copy.db; errand backup copy.db --quiet && mv copy.db restored.db ;;
        esac
        sleep 0.$((RANDOM % 70))
      done
    }
    case \(trouble.rawValue) in
      full) mkdir -p $base && mount -t tmpfs -o size=64m tmpfs $base || exit 77 ;;
      readonly)
        mkdir -p $base/library.db.inbox
        mount --bind $base/library.db.inbox $base/library.db.inbox || exit 77 ;;
    esac
    for d in 1 2 3; do drainer $d & others="$others $!"; done
    if [ \(trouble.rawValue) != none ]; then trouble & others="$others $!"; fi
    for w in $(seq 16); do writer $w & writers="$writers $!"; done
    wait $writers
    touch finished
    wait $others
    # What a full disk made fail would else be done in a quarter of an hour.
    errand inbox drain --quiet; errand queue retry --state dead,waiting --quiet
    errand inbox drain --quiet; echo "drain $?" > end
    errand find notes --quiet --format "{{ self.text }}" > notes
    ls $base/library.db.inbox/new > left
    errand doctor --quiet > /dev/null; echo "doctor $?" >> end
    if [ -e restored.db ]; then
      export ERRAND_STORE=restored.db
      before=$(errand find notes --count --quiet)
      suspended=$(errand queue --state suspended --limit 1000000 --quiet | wc -l)
      errand queue retry --state suspended --quiet; errand queue drain --quiet > /dev/null
      errand find notes --quiet --format "{{ self.text }}" > restored
      [ $((before + suspended)) = $(wc -l < restored) ]; echo "restored $?" >> end
    fi
    """
  }

  @Test(.serialized, arguments: Trouble.allCases) func eachComesInOnce(trouble: Trouble) throws {
    let sandbox = try Sandbox()
    try sandbox.write(Self.script(trouble, seed: 1), to: "script")
    // Only mounting needs a namespace, which may not be permitted.
    let isMounting = trouble == .full || trouble == .readonly
    let run = try sandbox.shell(
      "exec \(isMounting ? "unshare -m" : "") bash script 2> /dev/null")
    if isMounting, sandbox.read("end") == nil {
      print("eachComesInOnce, \(trouble.rawValue), is skipped: nothing can be mounted here")
      return
    }
    #expect(run.status == 0)
    let restored = trouble == .repair ? "restored 0\n" : ""
    #expect(sandbox.read("end") == "drain 0\ndoctor 0\n" + restored)
    func lines(_ name: String) -> [String] {
      (sandbox.read(name) ?? "").split(separator: "\n").map { String($0) }
    }
    let shared = Set((1...16).flatMap { lines("shared.\($0)") })
    let notes = lines("notes")
    // No share twice, no confirmed share lost, none incomplete.
    #expect(notes.count == Set(notes).count)
    #expect(shared.subtracting(notes) == [])
    #expect(notes.allSatisfy { $0.contains(/^share [0-9]+\.[0-9]+$/) })
    #expect(lines("restored").count == Set(lines("restored")).count)
    #expect(lines("left") == [])
    #expect(shared.count > Self.sharesEach * 16 / 2)
    print("\(trouble.rawValue): \(shared.count) told as shared, \(notes.count) taken in")
  }

  @Test func repeatedShareIsImportedOnce() throws {
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
    #expect(run == ProgramRun(out: "only once\n"))
  }

  /// Plain files of another program, while several processes import and are killed.
  @Test func bareFilesComeInOnce() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: count
      accepts: {types: [file], where: 'true'}
      steps: [{add-task: '{{ coalesce(input.name, "") }}'}]
      """,
      "script": """
      inbox=.local/share/errand/library.db.inbox
      mkdir -p $inbox/new $inbox/tmp
      drainer() {
        RANDOM=$1
        until [ -e finished ]; do
          case $((RANDOM % 3)) in
            0) words="inbox" ;;
            1) words="inbox drain" ;;
            2) words="worker --once" ;;
          esac
          timeout -s KILL 0.$((RANDOM % 10))$((RANDOM % 10)) errand $words --quiet > /dev/null
        done
      }
      for d in 1 2 3; do drainer $d & drainers="$drainers $!"; done
      for n in $(seq \(Self.sharesEach * 4)); do
        # Some are renamed into place with their old time, as by Syncthing, some written there.
        echo "file $n" > .a && touch -d '1 hour ago' .a && mv .a $inbox/new/file.$n
        [ $((n % 5)) = 0 ] && { echo "early $n"; sleep 0.02; echo "late $n"; } > $inbox/new/slow.$n
      done
      touch finished; wait $drainers
      errand inbox drain --quiet; errand queue retry --state dead,waiting --quiet
      errand inbox drain --quiet; echo "drain $?" > end
      ls $inbox/new > left
      errand find tasks --quiet --format '{{ self.title }}' > tasks
      cat .local/share/errand/library.db.files/* | grep -c early > early
      cat .local/share/errand/library.db.files/* | grep -c late > late
      """,
    ])
    _ = try sandbox.shell("exec bash script 2> /dev/null")
    #expect(sandbox.read("end") == "drain 0\n")
    #expect(sandbox.read("left") == "")
    let titles = (sandbox.read("tasks") ?? "").split(separator: "\n").map(String.init)
    let count = Self.sharesEach * 4
    let expected =
      (1...count).map { "file.\($0)" }
      + (1...count).filter { $0 % 5 == 0 }.map { "slow.\($0)" }
    #expect(titles.sorted() == expected.sorted())
    // None was imported incomplete.
    #expect(sandbox.read("early") == "\(count / 5)\n" && sandbox.read("late") == "\(count / 5)\n")
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

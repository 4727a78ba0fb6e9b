/// The functions of a hub that change jobs.
///
/// Members cannot change rows; these functions do, as the owner of the hub, after they have compared
/// the machine with the login of the session.
enum HubFunctions {
  /// The number of machines that may fall silent over a job before it is given up.
  private static let survivableDeaths = 5
  /// The longest time between two tries of a job; members write any.
  private static let longestDelay = "1 year"
  /// The time that ended jobs and decided occasions are kept.
  private static let kept = "7 days"

  /// The statements that make them.
  static var statements: [String] {
    [
      own, settle, take, renew, end, change, win,
      "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA errand FROM PUBLIC",
      "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA errand TO errand_member",
    ]
  }

  private static func function(
    _ head: String, returns: String, declare: String = "", _ body: String
  ) -> String {
    """
    CREATE OR REPLACE FUNCTION errand.\(head) RETURNS \(returns) LANGUAGE plpgsql SECURITY DEFINER \
    SET search_path = errand, pg_temp AS $$ \(declare) BEGIN \(body) END $$
    """
  }

  /// Refuses a session that is not a machine's.
  private static let own = function(
    "own(me bigint)", returns: "void",
    """
    IF NOT EXISTS (SELECT FROM machines WHERE number = me AND login = session_user) THEN \
    RAISE insufficient_privilege USING MESSAGE = 'this login has no machine ' || me; END IF;
    """)

  /// The state of a job that should wait again: a later one with its key makes it redundant.
  private static let settle = function(
    "waiting(j errand.jobs)", returns: "text",
    """
    RETURN CASE WHEN j.key IS NOT NULL AND EXISTS (SELECT FROM jobs AS o WHERE o.state = 'waiting' \
    AND o.handler = j.handler AND o.key = j.key AND o.number <> j.number) \
    THEN 'cancelled' ELSE 'waiting' END;
    """)

  /// Takes jobs that are due, after those of silent machines were put back, and those whose taking
  /// this machine has forgotten.
  private static let take = function(
    """
    take(me bigint, names text[], available bigint, host text, most integer, lease interval, \
    held uuid[])
    """, returns: "SETOF errand.jobs",
    """
    PERFORM own(me); \
    UPDATE jobs SET state = waiting(jobs), expires = NULL WHERE state = 'running' \
    AND worker = me AND uid <> ALL (held); \
    UPDATE jobs AS j SET deaths = j.deaths + 1, expires = NULL, \
    state = CASE WHEN j.deaths + 1 >= \(survivableDeaths) THEN 'dead' ELSE waiting(j) END, \
    ended = CASE WHEN j.deaths + 1 >= \(survivableDeaths) THEN now() END, \
    error = 'its machine fell silent' \
    WHERE j.number IN (SELECT number FROM jobs WHERE state = 'running' AND expires < now() \
    ORDER BY expires LIMIT 100 FOR UPDATE SKIP LOCKED); \
    DELETE FROM jobs WHERE number IN (SELECT number FROM jobs WHERE state IN ('done', 'cancelled') \
    AND ended < now() - interval '\(kept)' LIMIT 100 FOR UPDATE SKIP LOCKED); \
    RETURN QUERY UPDATE jobs AS j SET state = 'running', fence = j.fence + 1, worker = me, \
    expires = now() + lease, started = now(), ended = NULL \
    WHERE j.number IN (SELECT number FROM jobs WHERE state = 'waiting' AND due <= now() \
    AND handler = ANY (names) AND requires & ~available = 0 AND coalesce(target, host) = host \
    ORDER BY due, number LIMIT most FOR UPDATE SKIP LOCKED) RETURNING j.*;
    """)

  /// Renews leases; returns the jobs that are still the machine's, also those that it has ended.
  private static let renew = function(
    "renew(me bigint, uids uuid[], fences bigint[], lease interval)", returns: "SETOF uuid",
    """
    PERFORM own(me); \
    RETURN QUERY UPDATE jobs AS j SET expires = now() + lease, state = 'running' \
    FROM unnest(uids, fences) AS l (uid, fence) WHERE j.uid = l.uid AND j.fence = l.fence \
    AND j.worker = me AND j.settled <> l.fence AND j.state IN ('running', 'waiting') \
    RETURNING j.uid; \
    RETURN QUERY SELECT j.uid FROM jobs AS j JOIN unnest(uids, fences) AS l (uid, fence) \
    ON j.uid = l.uid AND j.settled = l.fence AND j.worker = me;
    """)

  /// Ends a job, or reschedules it for another attempt; false if a different machine holds it.
  private static let end = function(
    """
    end_job(me bigint, job uuid, lease bigint, kind text, reason text, recorded bigint)
    """, returns: "boolean", declare: "DECLARE j errand.jobs;",
    """
    PERFORM own(me); \
    SELECT * INTO j FROM jobs WHERE uid = job AND fence = lease AND worker = me FOR UPDATE; \
    IF NOT FOUND THEN RETURN false; END IF; \
    IF j.settled = lease THEN RETURN true; END IF; \
    IF j.state NOT IN ('running', 'waiting') THEN RETURN false; END IF; \
    j.state := CASE WHEN kind <> 'failed' THEN kind \
    WHEN j.failures >= least(j.times, 1000) THEN 'dead' ELSE waiting(j) END; \
    UPDATE jobs SET state = j.state, settled = lease, expires = NULL, error = reason, \
    run = recorded, failures = j.failures + (kind = 'failed')::integer, \
    ended = CASE WHEN j.state = 'waiting' THEN NULL ELSE now() END, \
    due = CASE WHEN j.state = 'waiting' THEN now() + greatest('100 milliseconds', least(j.longest, \
    '\(longestDelay)', greatest('0', least(j.delay, '\(longestDelay)')) \
    * least(power(greatest(0, least(j.backoff, 1e3)), least(j.failures, 64)), 1e6))) \
    ELSE due END \
    WHERE number = j.number; \
    RETURN true;
    """)

  /// Cancels jobs, or makes ended and waiting ones due at once; returns the numbers of those.
  private static let change = function(
    "change_jobs(numbers bigint[], again boolean)", returns: "SETOF bigint",
    """
    RETURN QUERY UPDATE jobs AS j SET state = CASE WHEN again THEN 'waiting' ELSE 'cancelled' END, \
    fence = j.fence + 1, expires = NULL, ended = CASE WHEN again THEN NULL ELSE now() END, \
    failures = 0, deaths = 0, due = CASE WHEN again THEN now() ELSE j.due END \
    WHERE j.number = ANY (numbers) AND (CASE WHEN again \
    THEN j.state IN ('waiting', 'dead', 'cancelled') AND waiting(j) = 'waiting' \
    ELSE j.state IN ('waiting', 'running', 'dead') END) RETURNING j.number;
    """)

  /// Whether the machine is the first at an occasion of an automation.
  private static let win = function(
    "win(me bigint, named text, moment text)", returns: "boolean",
    """
    PERFORM own(me); \
    DELETE FROM occasions WHERE automation = named AND at < now() - interval '\(kept)'; \
    INSERT INTO occasions (automation, occasion, machine) VALUES (named, moment, me) \
    ON CONFLICT DO NOTHING; \
    RETURN EXISTS (SELECT FROM occasions WHERE automation = named AND occasion = moment \
    AND machine = me);
    """)
}

import { afterFailure, clientNetwork, Problem, publicNetwork } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import { fingerprint } from '../credentials/key';
import * as throttle from './throttle.queries';
import type { ThrottleRow } from './throttle.queries';
import type { ThrottleSettings } from './throttle-settings';

/** How long an account is safe from strangers in a browser that does not sign in to it meanwhile; the gateway's cookie lives as long. */
const deviceDays = 90;

export interface Attempt {
  instanceId: string;
  /** In lower case. An account with this address need not exist. */
  email: string;
  /** The client's address, if it is known. */
  address: string | undefined;
  /** The secret that the person's browser has kept since it first signed in. */
  device?: string | undefined;
  /** The open session of the account that asks for the password again. */
  sessionId?: string;
}

type Account = Pick<Attempt, 'instanceId' | 'email'>;

/**
 * Runs the check of a password unless too many checks failed lately. An attempt counts as failed before its check starts, so parallel attempts
 * gain nothing over sequential ones; a success undoes its count. Whether the account exists makes no difference.
 *
 * Strangers cannot lock an account for those who use it: a browser that has signed in to it before (by its device cookie, as OWASP describes)
 * and an open session wait only for their own failures, and so does an address that has signed in before, for clients without cookies. An
 * attacker who guesses has none of these, or could have signed in. No wait is longer than the window. rate-limiter-flexible was rejected:
 * it uses its own clock, checks one limit at a time, and its waits do not grow.
 *
 * @returns the result of the check; undefined counts as a failure.
 * @throws Problem `too_many_requests`
 */
export async function withinAttempts<T>(deps: Deps, attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const counted = await admit(deps, (trx, now) => applicableTo(trx, deps.settings, attempt, now));
  const result = await check();
  if (result !== undefined) await deps.db.transaction((trx) => settle(deps, trx, counted));
  return result;
}

/**
 * Counts a link that does not exist. A valid one is never counted: it cannot be guessed, and it is the way in for people whose password is
 * being guessed.
 * @throws Problem `too_many_requests`
 */
export async function countFalseLink(deps: Deps, address: string | undefined): Promise<void> {
  await admit(deps, () => ofAddress(deps.settings, address));
}

/** Remembers that this account has signed in from this address and with this browser; failures from elsewhere no longer block it here. */
export async function rememberPlace({ clock, settings }: Deps, trx: Transaction, attempt: Attempt): Promise<void> {
  const [account, now] = [accountOf(attempt), clock.now()];
  await throttle.rememberPlace(trx, { key: placeOf(attempt), account, expires_at: daysAfter(now, settings.SESSION_DAYS) });
  const device = deviceOf(attempt);
  if (device) await throttle.rememberPlace(trx, { key: device, account, expires_at: daysAfter(now, deviceDays) });
}

/**
 * Forgets where the account signed in from, and with which browsers, when its password changes: whoever knew the old one could otherwise have
 * collected any number of devices, and guess the new one with each.
 */
export const forgetPlaces = (trx: Transaction, account: Account): Promise<void> => throttle.forgetPlaces(trx, accountOf(account));

/** Forgets all that is remembered of an account. */
export const forgetAccount = (trx: Transaction, account: Account): Promise<void> => throttle.forgetAccount(trx, accountOf(account));

interface Counter {
  key: Buffer;
  limit: number;
  /**
   * Whether a success resets it. It does not reset the counter of an address: attackers could otherwise sign in to their own account to
   * reset it.
   */
  resetsOnSuccess: boolean;
}

async function admit(deps: Deps, choose: (trx: Transaction, now: Date) => Counter[] | Promise<Counter[]>): Promise<Counter[]> {
  const now = deps.clock.now();
  const applied = await deps.db.transaction(async (trx) => {
    const applicable = await choose(trx, now);
    if (applicable.length === 0) return [];
    const rows = await lockCounters(trx, applicable, now);
    const waitMs = Math.max(...rows.map(({ blocked_until }) => (blocked_until?.getTime() ?? 0) - now.getTime()));
    if (waitMs > 0) throw Problem.tooManyRequests('Too many failed attempts. Please try again later.', Math.ceil(waitMs / 1_000));

    await throttle.saveRows(
      trx,
      rows.map((row, index) => afterFailure(row, applicable[index]?.limit ?? 0, now, deps.settings.SIGN_IN_WINDOW_MS)),
    );
    return applicable;
  });
  await throttle.sweep(deps.db, now);
  return applied;
}

async function settle(deps: Deps, trx: Transaction, counters: readonly Counter[]): Promise<void> {
  const rows = await lockCounters(trx, counters, deps.clock.now());
  await throttle.saveRows(
    trx,
    rows.map((row, index) => ({
      ...row,
      failures: counters[index]?.resetsOnSuccess ? 0 : Math.max(row.failures - 1, 0),
      blocked_until: null,
    })),
  );
}

/** The rows in the order of the counters. A counter that has expired or does not exist starts at zero. */
async function lockCounters(trx: Transaction, counters: readonly Counter[], now: Date): Promise<ThrottleRow[]> {
  const rows = await throttle.lock(
    trx,
    counters.map(({ key }) => key),
    now,
  );
  return counters.map(({ key }) => {
    const row = rows.find((locked) => locked.key.equals(key));
    return row && row.expires_at > now ? row : { key, failures: 0, blocked_until: null, expires_at: now };
  });
}

async function applicableTo(db: Database, settings: ThrottleSettings, attempt: Attempt, now: Date): Promise<Counter[]> {
  const own = (key: Buffer): Counter => ({ key, limit: settings.SIGN_IN_FAILURES, resetsOnSuccess: true });
  if (attempt.sessionId !== undefined) return [own(fingerprint(`session ${attempt.sessionId}`))];
  const [place, device] = [placeOf(attempt), deviceOf(attempt)];
  if (device && (await throttle.isKnownPlace(db, device, now))) return [own(device)];
  if (await throttle.isKnownPlace(db, place, now)) return [own(place)];
  const ofAccount = { key: accountOf(attempt), limit: settings.SIGN_IN_FAILURES_PER_ACCOUNT, resetsOnSuccess: true };
  return [own(place), ofAccount, ...ofAddress(settings, attempt.address)];
}

/** None for a private address, behind which are many people: a whole office, or everybody behind a proxy that we do not know. */
function ofAddress(settings: ThrottleSettings, address: string | undefined): Counter[] {
  const network = publicNetwork(address);
  if (network === undefined) return [];
  return [{ key: fingerprint(`address ${network}`), limit: settings.SIGN_IN_FAILURES_PER_ADDRESS, resetsOnSuccess: false }];
}

const accountOf = ({ instanceId, email }: Account): Buffer => fingerprint(`account ${instanceId} ${email}`);

const deviceOf = ({ instanceId, email, device }: Attempt): Buffer | undefined =>
  device === undefined ? undefined : fingerprint(`device ${device} ${instanceId} ${email}`);

const placeOf = ({ instanceId, email, address }: Attempt): Buffer => fingerprint(`place ${networkOf(address)} ${instanceId} ${email}`);

const networkOf = (address: string | undefined): string => clientNetwork(address) ?? 'unknown';

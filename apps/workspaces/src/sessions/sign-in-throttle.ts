import { clientNetwork, Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import { fingerprint } from '../credentials/key';
import * as throttle from './throttle.queries';
import type { ThrottleRow } from './throttle.queries';
import type { ThrottleSettings } from './throttle-settings';

const firstWaitMs = 30_000;

export interface Attempt {
  instanceId: string;
  /** In lower case. An account with this address need not exist. Undefined for a link, which names no account. */
  email: string | undefined;
  /** The client's address, if it is known. */
  address: string | undefined;
}

/** An attempt to sign in to an account. */
type AccountAttempt = Attempt & { email: string };

/**
 * Runs the check of a password or link unless too many checks failed lately. An attempt counts as failed before its check starts, so parallel attempts
 * gain nothing over sequential ones; a success undoes its count. Whether the account exists makes no difference.
 *
 * An attacker cannot lock an account permanently: an address that has signed in to it before waits only for its own failures, and no wait
 * is longer than the window. rate-limiter-flexible was rejected: it uses its own clock, checks one limit at a time, and its waits do not
 * grow.
 *
 * @returns the result of the check; undefined counts as a failure.
 * @throws Problem `too_many_requests`
 */
export async function withinAttempts<T>(deps: Deps, attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const counted = await admit(deps, attempt);
  const result = await check();
  if (result !== undefined) await deps.db.transaction((trx) => settle(deps, trx, attempt, counted));
  return result;
}

/** Remembers that this account has signed in from this address; failures from elsewhere no longer block it here. */
export async function rememberPlace({ clock, settings }: Deps, trx: Transaction, attempt: AccountAttempt): Promise<void> {
  const expires_at = daysAfter(clock.now(), settings.SESSION_DAYS);
  await throttle.rememberPlace(trx, { key: placeOf(attempt), account: accountOf(attempt), expires_at });
}

/** Forgets where the account signed in from. */
export const forgetAccount = (trx: Transaction, account: Omit<AccountAttempt, 'address'>): Promise<void> =>
  throttle.forgetAccount(trx, accountOf(account));

interface Counter {
  key: Buffer;
  limit: number;
  /**
   * Whether a success resets it. It does not reset the counter of an address: attackers could otherwise sign in to their own account to
   * reset it.
   */
  resetsOnSuccess: boolean;
}

async function admit(deps: Deps, attempt: Attempt): Promise<Counter[]> {
  const now = deps.clock.now();
  const counters = countersOf(deps.settings, attempt);
  const applied = await deps.db.transaction(async (trx) => {
    const isKnown = namesAccount(attempt) && (await throttle.isKnownPlace(trx, placeOf(attempt), now));
    const applicable = isKnown ? counters.slice(0, 1) : counters;
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

async function settle(deps: Deps, trx: Transaction, attempt: Attempt, counters: readonly Counter[]): Promise<void> {
  const rows = await lockCounters(trx, counters, deps.clock.now());
  await throttle.saveRows(
    trx,
    rows.map((row, index) => ({
      ...row,
      failures: counters[index]?.resetsOnSuccess ? 0 : Math.max(row.failures - 1, 0),
      blocked_until: null,
    })),
  );
  if (namesAccount(attempt)) await rememberPlace(deps, trx, attempt);
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

/** A counter with one more failure. From the limit on, each failure doubles the wait, up to the window. */
export function afterFailure(row: ThrottleRow, limit: number, now: Date, windowMs: number): ThrottleRow {
  const failures = row.failures + 1;
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (failures < limit) return { ...row, failures, expires_at: row.failures === 0 ? after(windowMs) : row.expires_at };
  // The cap on the exponent exceeds the longest possible window.
  const waitMs = Math.min(windowMs, firstWaitMs * 2 ** Math.min(failures - limit, 14));
  return { ...row, failures, blocked_until: after(waitMs), expires_at: after(windowMs) };
}

function countersOf(settings: ThrottleSettings, attempt: Attempt): Counter[] {
  const ofAddress = {
    key: fingerprint(`address ${networkOf(attempt.address)}`),
    limit: settings.SIGN_IN_FAILURES_PER_ADDRESS,
    resetsOnSuccess: false,
  };
  if (!namesAccount(attempt)) return [ofAddress];
  return [
    { key: placeOf(attempt), limit: settings.SIGN_IN_FAILURES, resetsOnSuccess: true },
    {
      key: accountOf(attempt),
      limit: settings.SIGN_IN_FAILURES_PER_ACCOUNT,
      resetsOnSuccess: true,
    },
    ofAddress,
  ];
}

const namesAccount = (attempt: Attempt): attempt is AccountAttempt => attempt.email !== undefined;

const accountOf = ({ instanceId, email }: Omit<AccountAttempt, 'address'>): Buffer => fingerprint(`account ${instanceId} ${email}`);

const placeOf = ({ instanceId, email, address }: AccountAttempt): Buffer =>
  fingerprint(`place ${networkOf(address)} ${instanceId} ${email}`);

const networkOf = (address: string | undefined): string => clientNetwork(address) ?? 'unknown';

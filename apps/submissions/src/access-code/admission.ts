import { createHash, createHmac, randomBytes } from 'node:crypto';
import { accessHeader, readAccess, type AccessFault } from '@sheaf/contracts';
import { clientNetwork, Problem, publicNetwork, type Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import { isCode } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';
import type { PublishedForm } from '../form/forms-view';
import { line } from './line';
import { Passes, type CodedForm } from './passes';
import * as tries from './tries.queries';

/**
 * Lets a respondent's request in to a form.
 * @returns a pass, if the request has the right code
 * @throws Problem `forbidden` with `Access-Code` in its details, without the right code or a pass; `too_many_requests` after too many wrong ones;
 *   `unavailable` while too many codes wait to be checked.
 */
export type Admission = (form: Pick<PublishedForm, 'id' | 'accessHash'>, call: Call) => Promise<string | undefined>;

/** As for signing in: so many failures for one form from one network, and then waits that grow up to the window. */
const windowMs = 900_000;

/** Behind an address that is not public there may be a whole office, or everybody, if it is that of a proxy we are not configured to trust. */
const limitFor = (address: string | undefined): number => (publicNetwork(address) === undefined ? 100 : 10);

/** A hash takes 32 MB and a tenth of a second of a processor, and strangers ask for it; those who wait are answered within a few seconds. */
const hashing = { atATime: 2, waiting: 100 };

/**
 * There is no count of a form's failures from everywhere: with it, strangers could lock out everybody who has the code. An attacker with many
 * networks can try more often; the code has at least six characters for that.
 */
export function admission({ db, clock }: { db: Database; clock: Clock }): Admission {
  const passes = new Passes({ db, clock });
  const inTurn = turns();
  const inLine = line(hashing);
  // Hashing takes as long as it should; the right code is not hashed again for each request of a script, nor for each of many people who come together.
  const secret = randomBytes(32);
  const known = new LRUCache<string, string>({ max: 1_000 });
  const checks = new Map<string, Promise<boolean>>();
  const isRight = async ({ accessHash }: CodedForm, code: string): Promise<boolean> => {
    const mark = createHmac('sha256', secret).update(code).digest('base64url');
    if (known.get(accessHash) === mark) return true;
    const key = `${accessHash} ${mark}`;
    const check = checks.get(key) ?? inLine(() => isCode(code, accessHash)).finally(() => checks.delete(key));
    checks.set(key, check);
    const right = await check;
    if (right) known.set(accessHash, mark);
    return right;
  };

  /** One code after the other, so that tries at the same time gain nothing, and many people behind one address do not block each other. */
  const tryCode = (form: CodedForm, code: string, address: string | undefined): Promise<string> => {
    const key = keyOf(form, address);
    return inTurn(key.toString('base64'), async () => {
      const now = clock.now();
      const failed = await tries.triesOf(db, key, now);
      const waitMs = (failed?.blocked_until?.getTime() ?? 0) - now.getTime();
      if (waitMs > 0) throw Problem.tooManyRequests('Too many wrong access codes. Please try again later.', Math.ceil(waitMs / 1_000));
      if (!(await isRight(form, code))) {
        await tries.countFailure(db, key, { now, limit: limitFor(address), windowMs });
        throw refusal('access_code_wrong', 'is not the code of this form');
      }
      if (failed) await tries.forgetTries(db, key);
      return passes.issue(form);
    });
  };

  return async ({ id, accessHash }, { access, address }) => {
    if (accessHash === undefined) return undefined;
    const form = { id, accessHash };
    const given = readAccess(access);
    if (given && 'code' in given) return tryCode(form, given.code, address);
    if (given && (await passes.isValid(form, given.pass))) return undefined;
    throw refusal('access_code_required', 'is required: respondents need the code of this form');
  };
}

function refusal(code: AccessFault, message: string): Problem {
  return new Problem('forbidden', `${accessHeader}: ${message}`, { details: [{ key: accessHeader, code, message }] });
}

const keyOf = ({ id }: CodedForm, address: string | undefined): Buffer =>
  createHash('sha256')
    .update(`${id} ${clientNetwork(address) ?? 'unknown'}`)
    .digest();

/** Runs what has the same key one after the other. */
function turns(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}

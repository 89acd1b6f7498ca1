import { createSecretKey } from 'node:crypto';
import { isId, Problem, type Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { startTokenSecret } from '../intake/start-tokens.queries';

/** A file that a link leads to. */
export interface Linked {
  instanceId: string;
  formId: string;
  fileId: string;
}

const id = z.string().refine(isId);
const Claims = z.object({ instance: id, form: id, file: id });

// Start tokens have the same secret, and the id of a form as their audience.
const audience = 'file';

const secretOf = async (db: Database) => createSecretKey(await startTokenSecret(db), 'utf8');

/**
 * Makes tokens for links to files: JWTs, so that nothing is stored. The same file and time make the same token: a delivery that is sent again
 * has the same bytes.
 */
export async function linkTokens(db: Database, expiresAt: Date): Promise<(linked: Linked) => string> {
  const secret = await secretOf(db);
  const exp = Math.floor(expiresAt.getTime() / 1_000);
  return ({ instanceId: instance, formId: form, fileId: file }) =>
    jwt.sign({ instance, form, file, exp }, secret, { algorithm: 'HS256', audience, noTimestamp: true });
}

/** @throws Problem `not_found` for anything but a token; `forbidden` for one that has expired. */
export async function readLinkToken({ db, clock }: { db: Database; clock: Clock }, token: string): Promise<Linked> {
  const secret = await secretOf(db);
  try {
    const clockTimestamp = Math.floor(clock.now().getTime() / 1_000);
    const { instance, form, file } = Claims.parse(jwt.verify(token, secret, { algorithms: ['HS256'], audience, clockTimestamp }));
    return { instanceId: instance, formId: form, fileId: file };
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError)
      throw Problem.forbidden('This link has expired. The file can be downloaded with an API key.');
    throw Problem.notFound('file');
  }
}

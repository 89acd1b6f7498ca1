import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { accessPassMs } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { startTokenSecret } from '../intake/start-tokens.queries';

/** A form with an access code, as far as passes are about it. */
export interface CodedForm {
  id: string;
  accessHash: string;
}

const Claims = z.object({ at: z.number(), code: z.string() });

/** Passes to forms, signed, so that nothing is stored for those who have one. A pass is for one form and one code: another code ends it. */
export class Passes {
  private key: KeyObject | undefined;

  constructor(private readonly parts: { db: Database; clock: Clock }) {}

  async issue(form: CodedForm): Promise<string> {
    const claims = { at: this.parts.clock.now().getTime(), code: nameOf(form) };
    return jwt.sign(claims, await this.secret(), { algorithm: 'HS256', audience: audienceOf(form), noTimestamp: true });
  }

  async isValid(form: CodedForm, pass: string): Promise<boolean> {
    const key = await this.secret();
    try {
      const { at, code } = Claims.parse(jwt.verify(pass, key, { algorithms: ['HS256'], audience: audienceOf(form) }));
      return code === nameOf(form) && this.parts.clock.now().getTime() - at < accessPassMs;
    } catch {
      return false;
    }
  }

  /** The secret of start tokens, whose audience is the form alone. Not read at startup: a process starts without its database. */
  private async secret(): Promise<KeyObject> {
    return (this.key ??= createSecretKey(await startTokenSecret(this.parts.db), 'utf8'));
  }
}

const audienceOf = ({ id }: CodedForm): string => `access:${id}`;

/** The hash has a salt, so the same code set again has another name. */
const nameOf = ({ accessHash }: CodedForm): string => createHash('sha256').update(accessHash).digest('base64url').slice(0, 22);

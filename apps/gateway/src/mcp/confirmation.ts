import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Problem, type Clock } from '@sheaf/kernel';

/** A publication that waits for an agreement. */
export interface Publication {
  credentialId: string;
  formId: string;
  /** Of the draft. */
  revision: number;
  /** The version that it replaces. */
  version: number;
}

export interface Confirmations {
  codeFor(publication: Publication): string;
  /** @throws Problem unless the code is that of the same publication, and not older than a quarter of an hour */
  demand(publication: Publication, code: string): void;
}

const validMs = 15 * 60_000;

const previewAgain = 'Call preview_publication, show the person what it answers, and pass its confirm value once they agree.';

/**
 * Codes that only a preview gives, for exactly what it showed. They are signed instead of stored, so that any gateway knows the codes of the others,
 * and nobody can guess one, as a respondent could who wants an agent to publish.
 */
export function confirmations(secret: string, clock: Clock): Confirmations {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sheaf confirmations of publications', 32));
  const signed = ({ credentialId, formId, revision, version }: Publication, until: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([credentialId, formId, revision, version, until]))
      .digest()
      .subarray(0, 15);
  return {
    codeFor(publication) {
      const until = (clock.now().getTime() + validMs).toString(36);
      return `${until}.${signed(publication, until).toString('base64url')}`;
    },

    demand(publication, code) {
      const [until = '', signature = ''] = code.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = signed(publication, until);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw Problem.badRequest(`confirm: is not of a preview of this draft as it is now. ${previewAgain}`);
      if (Number.parseInt(until, 36) < clock.now().getTime())
        throw Problem.badRequest(`confirm: is older than 15 minutes. ${previewAgain}`);
    },
  };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, type GenerateResult } from 'selfsigned';

const day = 86_400_000;

/** The certificate of an authority, and the key with which it signs others. */
export type Authority = Pick<GenerateResult, 'cert' | 'private'>;

export const anAuthority = (name = 'An authority of a test', until = new Date(Date.now() + 365 * day)): Promise<Authority> =>
  generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: until,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });

export interface Issue {
  issuer: Authority;
  /** Whom the owner of the certificate trusts; by default the one who signed it. */
  trusted?: readonly Authority[];
  until?: Date;
}

/** A certificate for DNS names, valid for a day, with its key. */
export async function certificateFor(
  names: readonly string[],
  { issuer, until = new Date(Date.now() + day) }: Issue,
): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'not looked at' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: until,
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
    ca: { key: issuer.private, cert: issuer.cert },
  });
  return { cert, key };
}

/** Writes a certificate into a folder, as cert-manager does. */
export async function issueInto(folder: string, names: readonly string[], issue: Issue): Promise<void> {
  const { cert, key } = await certificateFor(names, issue);
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'ca.crt'), (issue.trusted ?? [issue.issuer]).map((each) => each.cert).join('\n'));
}

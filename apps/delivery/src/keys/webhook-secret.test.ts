import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@sheaf/kernel';
import { deriveKey, signatures } from './webhook-key';
import { makeSecret, secretSignatures } from './webhook-secret';

// Another test is about sealing.
const seals = {
  seal: (_: string, purpose: string, text: string) => Promise.resolve(`${purpose}: ${text}`),
  open: (_: string, purpose: string, sealed: string) => Promise.resolve(sealed.slice(`${purpose}: `.length)),
};
const instanceId = newId();
const body = '{"event":"submission.created","data":{"name":"Zoë ☃"}}';
const id = newId();
const dayMs = 86_400_000;

/** The headers of a delivery, as `delivery` sends them: signed with the key of the instance first. */
async function headersOf(secrets: { sealed: string; retires_at?: string }[], at = new Date()): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const byKey = signatures([deriveKey('a secret of the deployment, long enough', instanceId, 1)], { id, timestamp, body });
  const bySecrets = await secretSignatures({ seals }, { instanceId, secrets }, { id, timestamp, body, at });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': [byKey, ...bySecrets].join(' ') };
}

interface Case {
  secret: string;
  headers: Record<string, string>;
  body?: string;
  isGenuine: boolean;
}

/** In a Node of its own, as a receiver would: the one of these packages is CommonJS, and the other one ESM. */
const program = (name: string) => `import { Webhook } from '${name}';
  const cases = JSON.parse(process.argv[1]);
  const accepts = ({ secret, headers, body }) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };
  console.log(JSON.stringify(cases.map(accepts)));`;

function verdicts(name: string, cases: readonly Case[]): unknown {
  const given = JSON.stringify(cases.map((one) => ({ body, ...one })));
  const options = { cwd: __dirname, timeout: 60_000 };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program(name), given], options).toString());
}

it.each(['standardwebhooks', 'svix'])(
  'the package %s, unchanged, accepts what is signed with the secret, and nothing else',
  async (name) => {
    const [old, fresh, another] = [
      await makeSecret({ seals }, instanceId),
      await makeSecret({ seals }, instanceId),
      await makeSecret({ seals }, instanceId),
    ];
    for (const { secret } of [old, fresh, another]) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const headers = await headersOf([{ sealed: old.sealed }]);
    const replaced = (inMs: number) =>
      headersOf([{ sealed: fresh.sealed }, { sealed: old.sealed, retires_at: new Date(Date.now() + inMs).toISOString() }]);
    const [during, afterwards] = [await replaced(dayMs), await replaced(-1)];
    const cases: Case[] = [
      { secret: old.secret, headers, isGenuine: true },
      { secret: old.secret, headers, body: `${body} `, isGenuine: false },
      { secret: old.secret, headers: { ...headers, 'webhook-id': newId() }, isGenuine: false },
      { secret: another.secret, headers, isGenuine: false },
      { secret: old.secret, headers: await headersOf([]), isGenuine: false },
      // While one replaces the other, and afterwards.
      { secret: old.secret, headers: during, isGenuine: true },
      { secret: fresh.secret, headers: during, isGenuine: true },
      { secret: old.secret, headers: afterwards, isGenuine: false },
      { secret: fresh.secret, headers: afterwards, isGenuine: true },
    ];
    expect(verdicts(name, cases)).toEqual(cases.map(({ isGenuine }) => isGenuine));
  },
);

const hasPython = spawnSync('python3', ['--version']).status === 0;
const guide = readFileSync(join(__dirname, '../../../../docs/verify-webhooks.md'), 'utf8');

// Debian has no package of Standard Webhooks for Python: the program of the guide follows the steps of the specification with Python's own hmac.
(hasPython ? it : it.skip)('the program in Python accepts a delivery that is signed with the secret, and no other', async () => {
  const [, code] = /```python\n(import base64\nimport hmac[\s\S]*?)```/.exec(guide) ?? [];
  const { secret, sealed } = await makeSecret({ seals }, instanceId);
  const another = await makeSecret({ seals }, instanceId);
  const headers = await headersOf([{ sealed: another.sealed }, { sealed }]);
  const old = await headersOf([{ sealed }], new Date(Date.now() - 360_000));
  const cases = [
    { body, headers, expected: true },
    { body: `${body} `, headers, expected: false },
    { body, headers: { ...headers, 'webhook-id': newId() }, expected: false },
    { body, headers: { ...headers, 'webhook-timestamp': 'now' }, expected: false },
    { body, headers: { ...headers, 'webhook-signature': 'v1,é' }, expected: false },
    { body, headers: await headersOf([]), expected: false },
    { body, headers: {}, expected: false },
    { body, headers: old, expected: false },
  ];
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-secret-'));
  try {
    writeFileSync(join(folder, 'verify.py'), code ?? '');
    writeFileSync(join(folder, 'cases.json'), JSON.stringify({ secret, cases }));
    const main = `import json
from verify import has_valid_signature
given = json.load(open("cases.json"))
print(json.dumps([has_valid_signature(case["body"].encode(), case["headers"], given["secret"]) for case in given["cases"]]))`;
    const printed = execFileSync('python3', ['-c', main], { cwd: folder, timeout: 60_000 });
    expect(JSON.parse(printed.toString())).toEqual(cases.map(({ expected }) => expected));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

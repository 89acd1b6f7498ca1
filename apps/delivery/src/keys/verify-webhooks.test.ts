import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@sheaf/kernel';
import { deriveKey, signatures } from './webhook-key';

// Runs the programs of docs/verify-webhooks.md exactly as they appear there, in each language that this machine has.

const guide = readFileSync(join(__dirname, '../../../../docs/verify-webhooks.md'), 'utf8');

function program(language: string): string {
  const blocks = [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 'gs'))];
  // The page has a program for the signature v1 too, which webhook-secret.test.ts runs.
  const code = blocks.map(([, text = '']) => text).find((text) => /ed25519/i.test(text));
  if (code === undefined) throw new Error(`docs/verify-webhooks.md has no program in ${language}`);
  return code;
}

interface Language {
  /** The command that shows whether it can run here. */
  probe: [command: string, ...args: string[]];
  /** The files of a program that reads cases from the file in its first argument and prints a JSON list of booleans. */
  files: (code: string) => Record<string, string>;
  run: [command: string, ...args: string[]];
}

const languages: Record<string, Language> = {
  python: {
    probe: ['python3', '-c', 'import cryptography.hazmat.primitives.asymmetric.ed25519'],
    files: (code) => ({
      'verify.py': code,
      'main.py': `import json, sys
from verify import is_genuine
input = json.load(open(sys.argv[1]))
print(json.dumps([is_genuine(case["body"].encode(), case["headers"], input["keySet"]) for case in input["cases"]]))`,
    }),
    run: ['python3', 'main.py'],
  },
  go: {
    probe: ['go', 'version'],
    files: (code) => ({
      'verify.go': code,
      'main.go': `package main
import ("encoding/json"; "fmt"; "os")
func main() {
	text, _ := os.ReadFile(os.Args[1])
	var input struct { Cases []struct { Body string; Headers map[string]string }; KeySet KeySet }
	if err := json.Unmarshal(text, &input); err != nil { panic(err) }
	results := []bool{}
	for _, one := range input.Cases { results = append(results, IsGenuine([]byte(one.Body), one.Headers, input.KeySet)) }
	printed, _ := json.Marshal(results)
	fmt.Println(string(printed))
}`,
    }),
    run: ['go', 'run', 'verify.go', 'main.go'],
  },
  php: {
    probe: ['php', '-r', 'exit(function_exists("sodium_crypto_sign_verify_detached") ? 0 : 1);'],
    files: (code) => ({
      'verify.php': code,
      'main.php': `<?php require 'verify.php';
        $input = json_decode(file_get_contents($argv[1]), true);
        echo json_encode(array_map(fn ($case) => isGenuine($case['body'], $case['headers'], $input['keySet']), $input['cases']));`,
    }),
    run: ['php', 'main.php'],
  },
  ruby: {
    probe: ['ruby', '-e', 'require "openssl"; OpenSSL::PKey.generate_key("ED25519")'],
    files: (code) => ({
      'verify.rb': code,
      'main.rb': `require 'json'
require_relative 'verify'
input = JSON.parse(File.read(ARGV[0]))
puts JSON.generate(input['cases'].map { |one| genuine?(one['body'], one['headers'], input['keySet']) })`,
    }),
    run: ['ruby', 'main.rb'],
  },
};

const runs = ({ probe: [command, ...args] }: Language) => spawnSync(command, args, { stdio: 'ignore', timeout: 240_000 }).status === 0;

const latest = deriveKey('a secret of the deployment, long enough', newId(), 2);
const previous = deriveKey('a secret of the deployment, long enough', newId(), 1);
const stranger = deriveKey('a secret of another deployment, long enough', newId(), 1);
const keySet = { keys: [latest, previous].map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })) };

const body = '{"event":"submission.created","data":{"name":"Zoë ☃"}}';
const id = newId();

function headers({ keys = [latest], ageSeconds = 0 }: { keys?: (typeof latest)[]; ageSeconds?: number } = {}): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures(keys, { id, timestamp, body }) };
}

const cases = [
  { name: 'a genuine webhook', genuine: true, body, headers: headers() },
  { name: 'a webhook signed with the previous key', genuine: true, body, headers: headers({ keys: [previous] }) },
  { name: 'a webhook signed during a rotation', genuine: true, body, headers: headers({ keys: [stranger, latest] }) },
  {
    name: 'a genuine webhook with another signature of an unknown kind',
    genuine: true,
    body,
    headers: { ...headers(), 'webhook-signature': `v9,AAAA ${headers()['webhook-signature'] ?? ''}` },
  },
  { name: 'a webhook signed with an unknown key', genuine: false, body, headers: headers({ keys: [stranger] }) },
  { name: 'a changed body', genuine: false, body: `${body} `, headers: headers() },
  { name: 'a changed id', genuine: false, body, headers: { ...headers(), 'webhook-id': newId() } },
  { name: 'a webhook from six minutes ago', genuine: false, body, headers: headers({ ageSeconds: 360 }) },
  { name: 'a webhook from the future', genuine: false, body, headers: headers({ ageSeconds: -360 }) },
  { name: 'a malformed timestamp', genuine: false, body, headers: { ...headers(), 'webhook-timestamp': 'now' } },
  { name: 'a malformed signature', genuine: false, body, headers: { ...headers(), 'webhook-signature': 'v1a,AAAA' } },
  { name: 'no headers', genuine: false, body, headers: {} },
];

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sheaf-verify-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [name, language] of Object.entries(languages)) {
  // Skip a missing language by name, so that it never appears verified.
  (runs(language) ? describe : describe.skip)(`the program in ${name}`, () => {
    it('accepts genuine webhooks and no others', () => {
      for (const [file, text] of Object.entries(language.files(program(name)))) writeFileSync(join(folder, file), text);
      writeFileSync(join(folder, 'cases.json'), JSON.stringify({ cases, keySet }));
      const [command, ...args] = language.run;
      const printed = execFileSync(command, [...args, 'cases.json'], {
        cwd: folder,
        timeout: 240_000,
        env: { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off', GOCACHE: join(folder, 'go-cache') },
      });

      const results = JSON.parse(printed.toString()) as boolean[];
      expect(cases.map(({ name }, i) => ({ name, genuine: results[i] }))).toEqual(cases.map(({ name, genuine }) => ({ name, genuine })));
    });
  });
}

import { execFileSync } from 'node:child_process';
import { curlOf } from './curl';

/** The arguments that a shell gives to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

it.each(['{"name":"O\'Neil $HOME `id` \\\\ \\"x\\""}', '@/etc/passwd', "'; id; '", 'two\nlines'])(
  'a shell passes the body %j on as it is',
  (body) => {
    const url = "https://crm.example/hook?a=[1]&b='";
    expect(argumentsOf(curlOf({ url, headers: { 'webhook-id': "it's" }, body }))).toEqual([
      '--globoff',
      '--request',
      'POST',
      url,
      '--header',
      "webhook-id: it's",
      '--data-raw',
      body,
    ]);
  },
);

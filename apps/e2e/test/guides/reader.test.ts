import { blocksOf } from '../../support/guides/page';
import { Reader } from '../../support/guides/reader';
import { credentials } from '../../support/people';

// A guide whose blocks do not work must fail its test.

let reader: Reader;
beforeEach(async () => {
  reader = await Reader.begin({ origin: new URL(credentials.base_url).origin, dataDir: process.env.E2E_DATA_DIR ?? '' });
});
afterEach(() => reader.close());

const block = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;

/** @returns the error of the last block, or undefined if it works like those before it */
async function faultOf(page: string): Promise<string | undefined> {
  const blocks = blocksOf(page);
  const last = blocks.pop();
  for (const each of blocks) await reader.follow(each);
  if (!last) return undefined;
  return reader.follow(last).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

describe('A block of a guide is accepted:', () => {
  it.each([
    ['a command', block('sh', 'true')],
    ['a command with a variable of an earlier block', block('sh', 'export A=1') + block('sh', 'test $A = 1')],
    ['a program with an exported variable', block('sh', 'export A=1') + block('js', 'if (process.env.A !== "1") throw new Error();')],
    ['a program with types', block('ts', 'const one: number = 1;\nconsole.log(one);') + block('text', '1')],
    ['a program that is continued', block('ts', 'const one = 1;') + block('ts continued', 'console.log(one + 1);') + block('text', '2')],
    ['a saved file', block('js a.mjs', 'console.log("hello");') + block('sh', 'node a.mjs') + block('text', 'hello')],
    ['a text with a gap', block('sh', 'echo one two three') + block('text', 'one … three')],
    [
      'JSON with another id',
      block('sh', `echo '{"id":"01a20953-5105-772b-a6e7-0f14eae76959"}'`) +
        block('json', '{ "id": "0197f0c2-5d3e-7c4a-9b1f-2a6d8e4c7b10" }'),
    ],
    ['JSON below other lines', block('sh', `echo created; echo '{"a":1}'`) + block('json', '{ "a": 1 }')],
    ['JSON with further properties', block('sh', `echo '{"a":1,"b":[2,3]}'`) + block('json', '{ "b": [2, "…"], "…": "…" }')],
    [
      'output in the background',
      block('sh background', 'echo ready; sleep 0.2; echo done; sleep 60') + block('sh', 'true') + block('text background', 'done'),
    ],
    ['an address of the system', block('sh', 'curl -sSf http://localhost:8080/api/v1/openapi.json >api.json')],
    [
      'a package of ours',
      block('sh', 'npm install @sheaf/webhooks') +
        block('ts', `import { WebhookError } from '@sheaf/webhooks';\nconsole.log(WebhookError.name);`),
    ],
    ['a package that the repository has', block('sh', 'npm install express') + block('js', `import 'express';`)],
  ])('%s', async (_, page) => expect(await faultOf(page)).toBeUndefined());
});

describe('A block of a guide is reported:', () => {
  it.each([
    ['a command that fails', block('sh', 'true\nfalse\ntrue'), 'a command failed with 1'],
    ['a command that fails in a pipe', block('sh', 'false | cat'), 'a command failed with 1'],
    ['an unset variable', block('sh', 'echo $NOTHING'), 'NOTHING: unbound variable'],
    ['a program that throws', block('js', 'throw new Error("broken")'), 'Error: broken'],
    [
      'a program that uses a variable of an earlier one without continuing it',
      block('ts', 'const one = 1;') + block('ts', 'console.log(one);'),
      'one is not defined',
    ],
    ['another text', block('sh', 'echo one') + block('text', 'two'), 'the output does not show this text'],
    ['another value', block('sh', `echo '{"a":1}'`) + block('json', '{ "a": 2 }'), 'the answer.a is 1, not 2'],
    ['a property too many', block('sh', `echo '{"a":1,"b":1}'`) + block('json', '{ "a": 1 }'), 'the answer also has b'],
    ['a missing property', block('sh', `echo '{"a":1}'`) + block('json', '{ "a": 1, "b": 1 }'), 'the answer has no b'],
    ['a list of another length', block('sh', `echo '[1,2]'`) + block('json', '[1]'), 'the answer has 2 elements, not 1'],
    ['no JSON', block('sh', 'echo none') + block('json', '{}'), 'the answer is undefined'],
    ['malformed JSON', block('json', '{ a: 1 }'), 'in JSON'],
    ['output before anything has run', block('text', 'one'), 'nothing has run yet, so there is no output to compare'],
    ['an unknown language', block('yaml', 'a: 1'), 'needs a file name'],
  ])('%s', async (_, page, reason) => expect(await faultOf(page)).toContain(reason));

  it('a program with wrong types', async () => {
    expect(await faultOf(block('ts', 'const one: string = 1;\nconsole.log(one);'))).toBeUndefined();
    expect(reader.typeErrors()).toEqual([expect.stringContaining(`Type 'number' is not assignable to type 'string'`)]);
  });
});

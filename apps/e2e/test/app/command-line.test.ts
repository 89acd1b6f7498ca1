import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startSubscriber } from '@sheaf/testing';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { anyone, asOwner, credentials } from '../../support/people';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.begin();
});
afterEach(() => desk.close());

const login = (key = credentials.api_key) => desk.run(['login', '--url', anyone.origin], { stdin: `${key}\n` });

async function pulledForm(): Promise<{ form: string; file: string }> {
  const form = await given.publishedForm({ title: 'Árvores & site visit' });
  await login();
  expect(await desk.done('forms', 'pull', form)).toBe('arvores-site-visit.form.json\n');
  return { form, file: 'arvores-site-visit.form.json' };
}

const revisionOf = async (form: string): Promise<number> =>
  ((await asOwner.get(`/app/v1/forms/${form}/draft`)).body as { revision: number }).revision;

const versionOf = async (form: string): Promise<number> =>
  ((await asOwner.get(`/api/v1/forms/${form}`)).body as { current_version: number }).current_version;

describe('A login', () => {
  it('is checked, kept for its owner alone, and forgotten', async () => {
    expect(await desk.run(['whoami'])).toMatchObject({ code: 1, stderr: expect.stringContaining('You are not logged in') as string });
    const refused = await login('shf_wrong');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not take this key') as string });
    expect(refused.stderr).not.toContain('shf_wrong');
    expect(await desk.done('accounts')).toBe('');

    expect(await login()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^Hello, /) as string });
    expect((await stat(join(desk.folder, '.config/sheaf/accounts.json'))).mode & 0o777).toBe(0o600);
    expect(await desk.done('whoami')).toContain(credentials.user.email);
    // As the address of the API has it.
    expect(await desk.done('whoami', '--json', '--url', `${anyone.origin}/api/v1`)).toContain(credentials.user.email);

    expect((await desk.run(['logout'])).stderr).toContain('revoke it in the console');
    expect((await desk.run(['whoami'])).code).toBe(1);
  });

  it('gives way to the environment, whose key reaches no other instance', async () => {
    const env = { SHEAF_URL: anyone.origin, SHEAF_KEY: credentials.api_key };
    expect(await desk.run(['whoami'], { env })).toMatchObject({ code: 0 });
    const { code, stderr } = await desk.run(['whoami', '--url', 'http://127.0.0.1:9'], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('You are not logged in to http://127.0.0.1:9') as string });
  });
});

describe('A form as a file', () => {
  it('is pulled, changed, compared, pushed and published', async () => {
    const { form, file } = await pulledForm();
    const pulled = await desk.read(file);
    expect(await desk.done('forms', 'diff', file, '--exit-code')).toBe('');

    await desk.change(file, '"Your name"', '"Full name"');
    const shown = await desk.run(['forms', 'diff', file, '--exit-code']);
    expect(shown.code).toBe(3);
    expect(shown.stdout.split('\n').filter((line) => /^[-+] /.test(line))).toEqual([
      '-      "label": "Your name",',
      '+      "label": "Full name",',
    ]);
    expect(await desk.run(['forms', 'push', file])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--yes: /) as string });
    await desk.done('forms', 'push', file, '--dry-run');
    expect(await revisionOf(form)).toBe(1);

    expect(JSON.parse(await desk.done('forms', 'push', file, '--publish', '--yes', '--json'))).toEqual({
      form,
      saved: true,
      revision: 2,
      version: 2,
    });
    expect(await versionOf(form)).toBe(2);
    // Version control shows what was changed, and no more.
    const after = pulled.replace('"revision": 1', '"revision": 2').replace('Your name', 'Full name');
    expect(await desk.read(file)).toBe(after);
    expect(JSON.parse(await desk.done('forms', 'push', file, '--publish', '--yes', '--json'))).toEqual({ form, saved: false, revision: 2 });
    await desk.done('forms', 'pull', form);
    expect(await desk.read(file)).toBe(after);
  });

  it('has the title and the settings too, which a push changes as they are kept, unless somebody else has', async () => {
    const { form, file } = await pulledForm();
    await desk.change(
      file,
      '"settings": {',
      '"settings": { "opens_at": "2026-05-31T14:30:00", "languages": ["en", "de"], "timezone": "Europe/Berlin",',
    );
    await desk.change(file, '"title": "Árvores', '"title": "Trees');
    await desk.done('forms', 'push', file, '--yes');
    expect((await asOwner.get(`/app/v1/forms/${form}`)).body).toMatchObject({
      title: 'Trees & site visit',
      languages: ['en', 'de'],
      timezone: 'Europe/Berlin',
    });
    expect(await desk.done('forms', 'diff', file, '--exit-code')).toBe('');
    await asOwner.patch(`/api/v1/forms/${form}`, { closed_message: 'Theirs.' });
    await desk.change(file, '"title": "Trees', '"title": "Mine');
    expect(await desk.run(['forms', 'push', file, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was saved') as string,
    });
  });

  it('does not overwrite what somebody else has changed since it was pulled, and says how to go on', async () => {
    const { form, file } = await pulledForm();
    await given.publishAgain(form, { fields: [{ key: 'name', label: 'Theirs', type: 'short_text' }] });
    await desk.change(file, '"Your name"', '"Mine"');
    const refused = await desk.run(['forms', 'push', file, '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('(revision 1, now 2). Nothing was saved.') as string });
    const [, command = ''] = /sheaf (forms pull .*)$/m.exec(refused.stderr) ?? [];
    // Nor does a pull overwrite the file, unless it is told to.
    expect((await desk.run(['forms', 'pull', form])).stderr).toContain('would be lost');
    await desk.done(...command.split(' '));
    expect(await desk.read(file)).toContain('Theirs');
    await desk.change(file, '"Theirs"', '"Both"');
    await desk.done('forms', 'push', file, '--yes');
    expect(await revisionOf(form)).toBe(3);
  });

  it('is taken up again after a push whose end was not seen', async () => {
    const { form, file } = await pulledForm();
    await desk.change(file, '"Your name"', '"Full name"');
    const killed = await desk.read(file);
    await desk.done('forms', 'push', file, '--yes');
    await writeFile(join(desk.folder, file), killed);
    expect(await desk.run(['forms', 'push', file, '--yes'])).toMatchObject({ code: 0, stderr: 'The form is the same already.\n' });
    expect(await revisionOf(form)).toBe(2);
    expect(await desk.read(file)).toContain('"revision": 2');
  });

  it('is refused with all its faults, and nothing is saved', async () => {
    const { form, file } = await pulledForm();
    await desk.change(file, '"short_text"', '"telepathy"');
    const refused = await desk.run(['forms', 'push', file, '--yes', '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'bad_request', message: expect.stringContaining('fields') as string },
    });
    expect(await revisionOf(form)).toBe(1);
  });
});

describe('Submissions', () => {
  it('are listed, shown and exported', async () => {
    const form = await given.publishedForm();
    const ids = [await given.submission(form, { name: 'Ada' }), await given.submission(form, { name: '\u001b[2JZoë, "☃"' })];
    await login();
    const listed = await desk.done('submissions', 'list', form, '--limit', '1');
    expect(listed).toContain('Zoë');
    expect(listed).not.toContain('\u001b');
    const lines = (await desk.done('submissions', 'list', form, '--json')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids.toReversed());
    expect(await desk.done('submissions', 'show', form, ids[0] ?? '')).toContain('  name: Ada\n');

    expect((await desk.done('submissions', 'export', form)).trim().split('\n')).toHaveLength(2);
    await desk.run(['submissions', 'export', form, '--format', 'csv', '--output', 'answers.csv']);
    expect(await desk.read('answers.csv')).toContain('"\u001b[2JZoë, ""☃"""');
    expect((await stat(join(desk.folder, 'answers.csv'))).mode & 0o777).toBe(0o600);
    expect(await desk.run(['submissions', 'export', form, '--format', 'xlsx'])).toMatchObject({ code: 2 });
  });

  it('are printed as they arrive, each once, until Ctrl-C', async () => {
    const form = await given.publishedForm();
    await given.submission(form, { name: 'before' });
    await login();
    const tail = desk.start(['submissions', 'tail', form, '--json', '--interval', '1']);
    try {
      await once(createInterface(tail.stderr), 'line');
      const arrived = createInterface(tail.stdout)[Symbol.asyncIterator]();
      for (const name of ['Ada', 'Grace', 'Mary']) {
        await given.submission(form, { name });
        const { value } = (await arrived.next()) as { value: string };
        expect(JSON.parse(value)).toMatchObject({ data: { name } });
      }
      tail.kill('SIGINT');
      expect(await once(tail, 'close')).toEqual([0, null]);
      expect((await arrived.next()).done).toBe(true);
    } finally {
      tail.kill('SIGKILL');
    }
  });
});

describe('Attempts to deliver', () => {
  it('are printed as they end, each once, until Ctrl-C', async () => {
    const form = await given.publishedForm();
    const subscriber = await startSubscriber();
    subscriber.answer(503);
    await given.subscription(form, `${subscriber.url}/created`);
    await given.submission(form);
    await subscriber.waitFor(1);
    await login();
    const tail = desk.start(['deliveries', 'tail', form, '--json', '--interval', '1']);
    try {
      await once(createInterface(tail.stderr), 'line');
      const ended = createInterface(tail.stdout)[Symbol.asyncIterator]();
      const next = async () => JSON.parse(((await ended.next()) as { value: string }).value) as { number: number; status: number };
      // A later attempt of a delivery from before.
      subscriber.answer(200);
      const shown = [await next()];
      while (shown.at(-1)?.status !== 200) shown.push(await next());
      expect(shown.at(-1)).toMatchObject({ form_id: form, in_progress: false });
      const numbers = shown.map(({ number }) => number);
      expect(numbers.at(-1)).toBeGreaterThan(1);
      expect(new Set(numbers).size).toBe(numbers.length);
      await given.submission(form);
      expect(await next()).toMatchObject({ number: 1, event: 'submission.created', reference: expect.stringContaining('-') as string });
      tail.kill('SIGINT');
      expect(await once(tail, 'close')).toEqual([0, null]);
      expect((await ended.next()).done).toBe(true);
    } finally {
      tail.kill('SIGKILL');
      await subscriber.close();
    }
  });
});

it('A refusal names the next step, and a program gets its code', async () => {
  await login();
  const missing = await desk.run(['submissions', 'list', 'nope', '--json']);
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.stderr)).toEqual({
    error: { code: 'not_found', message: expect.stringMatching(/^There is no such form.*"sheaf forms list"/s) as string },
  });
  const away = await desk.run(['whoami'], { env: { SHEAF_URL: 'http://127.0.0.1:9', SHEAF_KEY: credentials.api_key } });
  expect(away).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Sheaf did not answer: .*Check the address/) as string });
  expect(await desk.run(['forms', 'burn'])).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'burn'") as string });
});

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { readFormFile, writeFormFile, type FormFile } from './form-file';
import { runProgram } from './program';

const fields = [{ key: 'name', label: 'Name', type: 'short_text' as const, required: true }];
const settings = { status: 'active', description: 'Before.' };
const file = { form: 'f', title: 'Visit', revision: 1, fields: [{ ...fields[0], label: 'Full name' }] as typeof fields };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a command against a server that answers so. @param signal is Ctrl-C */
async function run(args: string[], answer: RequestListener, answers: boolean[] = [], signal = new AbortController().signal) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const said: string[] = [];
  const out = new PassThrough({ encoding: 'utf8' });
  const questions: string[] = [];
  const code = await runProgram(
    args,
    {
      program: 'sheaf',
      environment: { SHEAF_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SHEAF_KEY: 'shf_secret' },
      out,
      say: (line) => void said.push(line),
      isTerminal: false,
      hasColours: false,
      confirm: (question) => {
        questions.push(question);
        return Promise.resolve(answers.shift() ?? false);
      },
      readSecret: () => Promise.reject(new Error('nobody asked for a key')),
      signal,
    },
    '0.0.0',
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { code, said: said.join('\n'), shown: String(out.read() ?? ''), questions };
}

/** A server with one form, which remembers what it was asked to change. `meanwhile` are drafts that somebody saves before each request to publish. */
function oneForm(changes: string[], { meanwhile = [] }: { meanwhile?: string[] } = {}): RequestListener {
  let draft = { fields, revision: 1, updated_at: '' };
  let form = { id: 'f', title: 'Visit', current_version: 1, publish_mode: 'draft', ...settings };
  const save = (label: string) => (draft = { ...draft, fields: [{ ...fields[0], label }] as typeof fields, revision: draft.revision + 1 });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request;
    const route = `${method} ${url}`;
    response.setHeader('content-type', 'application/json');
    const send = (body: unknown, status = 200) => response.writeHead(status).end(JSON.stringify(body));
    switch (route) {
      case 'GET /app/v1/forms/f/draft':
        return send(draft);
      case 'GET /api/v1/forms/f':
      case 'GET /app/v1/forms/f':
        return send(form);
      case 'PATCH /app/v1/forms/f':
      case 'PATCH /api/v1/forms/f': {
        const patch = (await json(request)) as object;
        changes.push(`${route} ${JSON.stringify(patch)}`);
        return send((form = { ...form, ...patch }));
      }
      case 'PUT /app/v1/forms/f/draft': {
        changes.push(route);
        const { fields: wanted } = (await json(request)) as { fields: typeof fields };
        return send(save(wanted[0]?.label.trim() ?? ''));
      }
      case 'POST /app/v1/forms/f/publish-check':
        return send({
          changes: [{}],
          warnings: ['A \u001b[2Jwarning.'],
          affected: [{ key: 'name', submissions: 3 }],
          affected_options: [],
        });
      case 'POST /app/v1/forms/f/draft/publish': {
        const { revision } = (await json(request)) as { revision: number };
        const theirs = meanwhile.shift();
        if (theirs !== undefined) save(theirs);
        if (revision !== draft.revision) return send({ error: { code: 'conflict', message: 'revision: the draft has changed' } }, 409);
        changes.push(`${route} ${revision}`);
        return send({ version: 2, published_at: 'now', warnings: [] });
      }
      default:
        return send({ error: { code: 'not_found', message: route } }, 404);
    }
  };
  return (request, response) => void respond(request, response);
}

async function push(answers: boolean[], options = {}, args: string[] = []) {
  const path = join(folder, 'visit.form.json');
  await writeFormFile(path, file);
  const changes: string[] = [];
  return { ...(await run(['forms', 'push', path, '--publish', ...args], oneForm(changes, options), answers)), changes, path };
}

const saving = 'PUT /app/v1/forms/f/draft';
const publishing = (revision: number) => `POST /app/v1/forms/f/draft/publish ${revision}`;

it('a list asks for the conditions of its filters, and refuses what is none', async () => {
  const asked: string[] = [];
  const none: RequestListener = (request, response) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [], next_cursor: null }));
  };
  const filters = ['town=Oslo=1', 'town=Bergen', 'constructor=x', 'age[gte]=18', '_created[within]=last_7_days'];
  const args = ['submissions', 'list', 'f', ...filters.flatMap((filter) => ['--filter', filter])];
  expect((await run(args, none)).code).toBe(0);
  for (const part of ['[town][eq]=Oslo=1', '[constructor][eq]=x', '[town][eq]=Bergen', '[age][gte]=18', '[_created][within]=last_7_days'])
    expect(asked[0]).toContain(`filter${part}`);
  expect(await run(['submissions', 'list', 'f', '--filter', 'Oslo'], none)).toMatchObject({
    code: 2,
    said: expect.stringMatching(/^--filter: must be such as/) as string,
  });
  expect(asked).toHaveLength(1);
});

it('a push changes nothing unless the person agrees', async () => {
  expect(await push([false])).toMatchObject({ code: 1, changes: [], said: 'Cancelled; nothing was changed.' });
});

it('a push publishes only what the person agreed to after they saw what it does to earlier submissions', async () => {
  const declined = await push([true, false]);
  expect(declined.changes).toEqual([saving]);
  expect(declined.questions).toEqual(['Shall Sheaf save this as the draft?', 'Shall Sheaf publish the draft as version 2?']);
  expect(declined.said).toContain('name: 3 submissions with an answer');
  expect(declined.said).not.toContain('\u001b');
  expect(await readFile(declined.path, 'utf8')).toContain('"revision": 2');
});

it('a push publishes the draft that it has saved', async () => {
  expect(await push([true, true])).toMatchObject({ code: 0, changes: [saving, publishing(2)] });
});

it('a draft that somebody else has saved since the person agreed is shown and asked about again before it is published', async () => {
  const agreed = await push([true, true, true], { meanwhile: ['Theirs'] });
  expect(agreed).toMatchObject({ code: 0, changes: [saving, publishing(3)] });
  expect(agreed.shown).toContain('+      "label": "Theirs"');
  expect(agreed.said).toContain('pull them before you go on');
  expect(await push([true, true, false], { meanwhile: ['Theirs'] })).toMatchObject({ code: 1, changes: [saving] });
  expect(await push([], { meanwhile: ['Theirs'] }, ['--yes'])).toMatchObject({
    code: 1,
    changes: [saving],
    said: expect.stringContaining('It was not published: pull it first') as string,
  });
});

/** Pushes a file that was pulled and then changed. `since` is what somebody else has changed after so many reads of the push. */
async function pushChanged(changed: (pulled: FormFile) => FormFile, answers: boolean[], since: object = {}, reads = 0) {
  const changes: string[] = [];
  const path = join(folder, 'visit.form.json');
  const server = oneForm(changes);
  await run(['forms', 'pull', 'f', '--output', path, '--force'], server);
  await writeFormFile(path, changed(await readFormFile(path)));
  let read = 0;
  const served: RequestListener = (request, response) => {
    const isTheirs = request.url === '/app/v1/forms/f' && request.method === 'GET' && ++read > reads && Object.keys(since).length > 0;
    if (!isTheirs) return server(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'f', title: 'Visit', current_version: 1, publish_mode: 'draft', ...settings, ...since }));
  };
  return { ...(await run(['forms', 'push', path], served, answers)), changes, after: await readFormFile(path), path };
}
const rename = ({ settings: pulled = {}, ...rest }: FormFile): FormFile => {
  const { description: _, ...kept } = pulled;
  return { ...rest, title: 'Site visit', settings: { ...kept, closed_message: 'Closed.' } };
};

it('a push shows what it changes of title and settings, and saves these and no others', async () => {
  const { code, shown, questions, changes, path } = await pushChanged(rename, [true]);
  expect(code).toBe(0);
  expect(shown).toContain('-  "title": "Visit"');
  expect(shown).toContain('-    "description": "Before."');
  expect(questions).toEqual(['Shall Sheaf change the settings, which takes effect at once?']);
  expect(changes).toEqual([
    'PATCH /app/v1/forms/f {"description":null}',
    'PATCH /api/v1/forms/f {"closed_message":"Closed.","title":"Site visit"}',
  ]);
  const again = await run(['forms', 'push', path], oneForm([]));
  expect(again.said).toContain('somebody has changed the title or the settings');
});

it('a push of fields and settings leaves a file with both as they are kept', async () => {
  const label = (text: string) => [{ ...fields[0], label: text }] as typeof fields;
  const { code, changes, after } = await pushChanged((pulled) => ({ ...rename(pulled), fields: label('Full name ') }), [true]);
  expect(code).toBe(0);
  expect(changes).toHaveLength(3);
  expect(after).toMatchObject({ title: 'Site visit', revision: 2, fields: label('Full name') });
});

it('settings of which some are refused are corrected and pushed again', async () => {
  const path = join(folder, 'visit.form.json');
  const changes: string[] = [];
  const server = oneForm(changes);
  let refuses = true;
  const refusing: RequestListener = (request, response) => {
    if (!refuses || `${request.method} ${request.url}` !== 'PATCH /api/v1/forms/f') return server(request, response);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'bad_request', message: 'closed_message: is too long' } }));
  };
  await run(['forms', 'pull', 'f', '--output', path], server);
  await writeFormFile(path, rename(await readFormFile(path)));
  expect(await run(['forms', 'push', path], refusing, [true])).toMatchObject({
    code: 1,
    said: expect.stringContaining('closed_message: is too long') as string,
  });
  expect(changes).toEqual(['PATCH /app/v1/forms/f {"description":null}']);
  refuses = false;
  expect(await run(['forms', 'push', path], refusing, [true])).toMatchObject({ code: 0 });
  expect(changes.slice(1)).toEqual(['PATCH /api/v1/forms/f {"closed_message":"Closed.","title":"Site visit"}']);
});

it.each([
  ['somebody else changes others meanwhile', true],
  ['it cannot be read what was saved', false],
])('a file keeps what it has seen if some settings are refused and %s', async (_, isRead) => {
  const path = join(folder, 'visit.form.json');
  const server = oneForm([]);
  let isRefused = false;
  const refusing: RequestListener = (request, response) => {
    const route = `${request.method} ${request.url}`;
    const send = (code: number, body: object) => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (route === 'PATCH /api/v1/forms/f') {
      isRefused = true;
      return send(400, { error: { code: 'bad_request', message: 'closed_message: is too long' } });
    }
    if (!isRefused || route !== 'GET /app/v1/forms/f') return server(request, response);
    if (!isRead) return send(400, { error: { code: 'bad_request', message: 'nobody can tell' } });
    return send(200, { id: 'f', title: 'Theirs', current_version: 1, publish_mode: 'draft', ...settings, description: undefined });
  };
  await run(['forms', 'pull', 'f', '--output', path], server);
  await writeFormFile(path, rename(await readFormFile(path)));
  const before = await readFile(path, 'utf8');
  const { said } = await run(['forms', 'push', path], refusing, [true]);
  expect(said).toContain('closed_message: is too long');
  expect(await readFile(path, 'utf8')).toBe(before);
  expect((await run(['forms', 'push', path], server, [true])).said).toContain('somebody has changed the title or the settings');
});

it('a push leaves title and settings alone that somebody has changed since the file was pulled', async () => {
  const refused = await pushChanged(rename, [true], { description: 'Theirs.' });
  expect(refused).toMatchObject({ code: 1, changes: [], said: expect.stringContaining('Nothing was saved') as string });
  // Also while the person is asked.
  const asked = await pushChanged(rename, [true], { description: 'Theirs.' }, 1);
  expect(asked).toMatchObject({ code: 1, changes: [], said: expect.stringContaining('Nothing was saved') as string });
  expect(asked.questions).toHaveLength(1);
  // Unless the file changes none itself.
  const fine = await pushChanged((pulled) => ({ ...pulled, settings: { ...pulled.settings, description: 'Theirs.' } }), [], {
    description: 'Theirs.',
  });
  expect(fine).toMatchObject({ code: 0, changes: [], said: 'The form is the same already.' });
});

it('a form is made with the file of its questions, and nothing is made if that file is there', async () => {
  const [changes, made] = [[] as string[], [] as unknown[]];
  const server = oneForm(changes);
  const answer: RequestListener = (request, response) => {
    if (`${request.method} ${request.url}` !== 'POST /api/v1/forms') return server(request, response);
    void json(request).then((body) => {
      made.push(body);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'f', title: 'Visit' }));
    });
  };
  const path = join(folder, 'visit.form.json');
  const args = ['forms', 'create', 'Visit', '--output', path];
  expect(await run(args, answer)).toMatchObject({ code: 0, said: expect.stringContaining('The form f is made') as string });
  expect(await readFormFile(path)).toMatchObject({ form: 'f', title: 'Visit', revision: 1 });
  expect(await run(args, answer)).toMatchObject({ code: 1, said: expect.stringContaining('No form was made') as string });
  expect(made).toEqual([{ title: 'Visit' }]);
});

it('advice about forms follows only what is about a form', async () => {
  const missing = (what: string): RequestListener => {
    const body = JSON.stringify({ error: { code: 'not_found', message: `There is no such ${what}.` } });
    return (_, response) => response.writeHead(404, { 'content-type': 'application/json' }).end(body);
  };
  expect((await run(['submissions', 'list', 'f'], missing('form'))).said).toContain('forms list');
  expect((await run(['submissions', 'show', 'f', 's'], missing('submission'))).said).toBe('There is no such submission.');
});

it('an export that breaks off leaves no file', async () => {
  const { code, said } = await run(['submissions', 'export', 'f', '--output', join(folder, 'answers.ndjson')], (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' });
    response.write('{"id":"1"}\n', () => response.destroy());
  });
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^The connection ended before the export did/) as string });
  expect(await readdir(folder)).toEqual([]);
});

describe('an export in the background', () => {
  const begun = { id: 'e', format: 'csv', done: 0, total: 4, name: 'visit.csv', created_at: '', expires_at: '' };
  /** A server whose export is in the next of these states each time that somebody looks. */
  const preparing =
    (asked: string[], ...states: object[]): RequestListener =>
    ({ method = '', url = '' }, response) => {
      asked.push(`${method} ${url}`);
      const send = (status: number, body: string, type = 'application/json') =>
        response.writeHead(status, { 'content-type': type }).end(body);
      if (method === 'DELETE') return response.writeHead(204).end();
      if (url.endsWith('/file')) return send(200, 'name\r\nAda\r\n', 'text/csv');
      const state = method === 'POST' ? { state: 'waiting' } : states.length > 1 ? states.shift() : states[0];
      return send(method === 'POST' ? 202 : 200, JSON.stringify({ ...begun, ...state }));
    };

  it('is waited for, written to a file, and deleted on the server', async () => {
    const asked: string[] = [];
    const path = join(folder, 'answers.csv');
    const server = preparing(asked, { state: 'running', done: 1 }, { state: 'ready' });
    const { code, said } = await run(['submissions', 'export', 'f', '--background', '--format', 'csv', '--output', path], server);
    expect(code).toBe(0);
    // The id comes first: the program may end at any time.
    expect(said.split('\n')).toEqual([
      'The export has begun. Fetch its file with "sheaf submissions export f --fetch e --output <file>".',
      'The export is running: about 20 % of 4 submissions.',
      path,
    ]);
    expect(await readFile(path, 'utf8')).toBe('name\r\nAda\r\n');
    expect([asked[0], ...asked.slice(-2)]).toEqual([
      'POST /app/v1/forms/f/exports?format=csv',
      'GET /app/v1/forms/f/exports/e/file',
      'DELETE /app/v1/forms/f/exports/e',
    ]);
  });

  it('goes on after Ctrl-C, and is fetched by its id', async () => {
    const [asked, ending] = [[] as string[], new AbortController()];
    const server = preparing(asked, { state: 'running' });
    const ended: RequestListener = (request, response) => {
      server(request, response);
      if (request.method === 'GET') setImmediate(() => ending.abort());
    };
    const { code, said } = await run(['submissions', 'export', 'f', '--background'], ended, [], ending.signal);
    expect({ code, said }).toEqual({
      code: 130,
      said: expect.stringContaining('Fetch its file with "sheaf submissions export f --fetch e --output <file>"') as string,
    });
    expect(asked).not.toContain('DELETE /app/v1/forms/f/exports/e');
    const path = join(folder, 'answers.csv');
    expect((await run(['submissions', 'export', 'f', '--fetch', 'e', '--output', path], preparing([], { state: 'ready' }))).code).toBe(0);
    expect(await readFile(path, 'utf8')).toContain('Ada');
    expect((await run(['submissions', 'export', 'f', '--fetch', 'e'], preparing([]))).code).toBe(2);
  });

  it.each([
    [{ state: 'failed', reason: 'too_large' }, 'larger than this server allows'],
    [{ state: 'failed', reason: 'of_a_later_server' }, 'could not make it'],
    [{ state: 'erased' }, 'Something of the form was erased'],
  ])('says why there is no file: %j', async (state, reason) => {
    const { code, said } = await run(['submissions', 'export', 'f', '--background'], preparing([], state));
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(reason) as string });
  });
});

it('no message has the key', async () => {
  const { code, said } = await run(['whoami'], (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'The credential is not valid.' } }));
  });
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('Run "sheaf login"') as string });
  expect(said).not.toContain('shf_secret');
});

describe('an import', () => {
  const preview = {
    format: 'csv',
    source: 'other',
    version: 3,
    rows: 2,
    valid: 1,
    columns: [{ number: 1, heading: 'Name', samples: [], filled: 2, target: 'answers.name', proposed: 'answers.name' }],
    missing: [],
    faults: [{ row: 3, column: 1, heading: 'Name', key: 'name', message: 'is required' }],
    fault_count: 1,
  };
  const importing =
    (requests: string[]): RequestListener =>
    (request, response) => {
      requests.push(`${request.url} ${String(request.headers['idempotency-key'] ?? '')}`);
      request.resume();
      request.on('end', () => {
        const isPreview = request.url?.includes('/preview') === true;
        response.setHeader('content-type', 'application/json');
        const done = { id: 'i', imported: 1, left_out: 1, faults: [], events: false, created_at: new Date().toISOString() };
        response.writeHead(isPreview ? 200 : 201).end(JSON.stringify(isPreview ? preview : done));
      });
    };
  const ofFile = async (...options: string[]) => {
    const path = join(folder, 'a.csv');
    await writeFile(path, 'Name\nAda\n');
    const requests: string[] = [];
    return { ...(await run(['submissions', 'import', 'f', path, ...options], importing(requests))), requests };
  };

  it('stores nothing while a row is wrong, and names it', async () => {
    const { code, said, requests } = await ofFile();
    expect(code).toBe(1);
    expect(said).toContain('row 3, Name: is required');
    expect(said).toContain('so this run imported none. --only-valid leaves such rows out');
    expect(requests).toEqual(['/app/v1/forms/f/imports/preview ']);
  });

  it('of the same file has the same key, unless another one is given', async () => {
    const matched = ['--match', '1:answers.name', '--match', '2:nothing'];
    const [first, again, announced, other, turned, own] = [
      await ofFile('--only-valid'),
      await ofFile('--only-valid'),
      await ofFile('--only-valid', '--events'),
      await ofFile('--only-valid', ...matched),
      await ofFile('--only-valid', '--match', '2:nothing', '--match', '1:answers.name'),
      await ofFile('--only-valid', '--key', 'mine'),
    ];
    expect(first).toMatchObject({ code: 0, said: expect.stringContaining('1 submissions imported, 1 rows left out.') as string });
    expect(first.requests[1]).toMatch(/^\/app\/v1\/forms\/f\/imports\?version=3&only_valid=true&events=false file-[0-9a-f]{64}$/);
    expect(again.requests).toEqual(first.requests);
    const keyOf = ({ requests }: { requests: string[] }) => requests[1]?.split(' ')[1];
    expect(keyOf(announced)).toBe(keyOf(first));
    expect(keyOf(other)).not.toBe(keyOf(first));
    expect(keyOf(turned)).toBe(keyOf(other));
    expect(own.requests[1]).toMatch(/ mine$/);
  });
});

it.each([
  'login',
  'logout',
  'accounts',
  'whoami',
  'new',
  'forms list',
  'forms create',
  'forms push',
  'submissions import',
  'submissions tail',
  'submissions changes',
  'deliveries tail',
  'webhooks listen',
])('%s has examples in its help', async (command) => {
  const { code, shown } = await run([...command.split(' '), '--help'], (_, response) => response.end());
  expect({ code, shown }).toEqual({ code: 0, shown: expect.stringMatching(new RegExp(`Examples?:\\n {2}sheaf ${command}`)) as string });
});

describe('submissions of a view', () => {
  const search = {
    q: 'oak',
    status: ['new', 'in_review'],
    filter: [
      { key: 'age', comparison: 'gte', values: ['18'] },
      { key: 'age', comparison: 'lt', values: ['65'] },
      { key: '_language', comparison: 'eq', values: ['de', 'fr'] },
    ],
    sort: '-answers.age',
  };
  const view = (id: string, name: string, shared: boolean) => ({ id, name, shared, pinned: false, search, created_at: '', updated_at: '' });
  const views = [view('1', 'To review', true), view('2', 'Twice', true), view('3', 'Twice', false)];
  const serve =
    (asked: URL[]): RequestListener =>
    (request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      response.setHeader('content-type', 'application/json');
      if (url.pathname.endsWith('/views')) return response.end(JSON.stringify({ data: views }));
      asked.push(url);
      return response.end(JSON.stringify(url.pathname.endsWith('/export') ? [] : { data: [], next_cursor: null }));
    };
  const conditions =
    'q=oak&status=new&status=in_review&filter[age][gte]=18&filter[age][lt]=65&filter[_language][eq]=de&filter[_language][eq]=fr';

  it.each([
    ['list', [], `${conditions}&sort=-answers.age&limit=25`],
    ['export', ['--format', 'csv'], `${conditions}&format=csv`],
  ])('have the conditions that people keep with it: %s', async (command, options, query) => {
    for (const name of ['To review', '1']) {
      const asked: URL[] = [];
      expect(await run(['submissions', command, 'f', '--view', name, ...options], serve(asked))).toMatchObject({ code: 0 });
      expect(asked.map(({ search: sent }) => [...new URLSearchParams(sent)].sort())).toEqual([[...new URLSearchParams(query)].sort()]);
    }
  });

  it.each([
    [
      'that nobody keeps',
      ['--view', 'Lost'],
      '--view: the form has no such view. There are To review (shared, 1), Twice (shared, 2), Twice (own, 3).',
    ],
    [
      'of a name that several have',
      ['--view', 'Twice'],
      '--view: several views have this name: Twice (shared, 2), Twice (own, 3). Give the id of one.',
    ],
    ['beside other conditions', ['--view', '1', '--status', 'new'], "cannot be used with option '--status <statuses...>'"],
  ])('are refused for a view %s', async (_, options, said) => {
    const asked: URL[] = [];
    const refused = await run(['submissions', 'list', 'f', ...options], serve(asked));
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining(said) as string });
    expect(asked).toEqual([]);
  });
});

describe('an export with a preset', () => {
  const preset = (id: string, name: string, file: object, missing: string[] = []) => ({
    id,
    name,
    shared: true,
    file,
    missing,
    created_at: '',
    updated_at: '',
  });
  const accounts = { format: 'csv', delimiter: 'semicolon', columns: ['reference:No: 1', 'answers.gone:Gone', 'answers.name'] };
  const presets = [
    preset('1', 'For the accounts', accounts, ['gone']),
    preset('2', 'Workbook', { format: 'xlsx', language: 'de' }),
    preset('3', 'Of nothing', { format: 'csv', columns: ['answers.gone'] }, ['gone']),
  ];
  const serve =
    (asked: URL[]): RequestListener =>
    (request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      response.setHeader('content-type', 'application/json');
      if (url.pathname.endsWith('/export-presets')) return response.end(JSON.stringify({ data: presets }));
      asked.push(url);
      return response.end('[]');
    };

  it.each(['For the accounts', '1'])('looks as people keep it, and says what is left out: %s', async (name) => {
    const asked: URL[] = [];
    const { code, said } = await run(['submissions', 'export', 'f', '--preset', name, '--status', 'new'], serve(asked));
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining('Left out, as no version of the form has them: gone.') as string,
    });
    expect(asked.map(({ search }) => [...new URLSearchParams(search)].sort())).toEqual([
      [
        ['columns', 'answers.name'],
        ['columns', 'reference:No: 1'],
        ['delimiter', 'semicolon'],
        ['format', 'csv'],
        ['status', 'new'],
      ],
    ]);
  });

  it.each([
    ['that nobody keeps', ['--preset', 'Lost'], '--preset: the form has no such preset. There are For the accounts (shared, 1)'],
    ['beside a format', ['--preset', '1', '--format', 'csv'], "cannot be used with option '--format <format>'"],
    ['of a workbook without a file', ['--preset', 'Workbook'], '--output: name a file for a workbook'],
    ['without a column that is left', ['--preset', 'Of nothing'], '--preset: no version of the form has any of its columns: gone.'],
  ])('is refused for a preset %s', async (_, options, said) => {
    const asked: URL[] = [];
    const refused = await run(['submissions', 'export', 'f', ...options], serve(asked));
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining(said) as string });
    expect(asked).toEqual([]);
  });
});

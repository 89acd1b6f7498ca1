import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { idsOf, Started } from './started';

// The operator's spam checker: the requests it received and the response it gives.
const requests: unknown[] = [];
const notSpam = (_: IncomingMessage, response: ServerResponse) => void response.end('{"spam":false}');
let respond = notSpam;
let checker: Server;

const started = new Started();
const { owner, editor, viewer, outsider, stranger, instanceId, clock } = started;

beforeAll(async () => {
  checker = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push(JSON.parse(body));
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => checker.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(checker.address() as AddressInfo).port}/check`;
  await started.start({ SPAM_CHECK_URL: url, SPAM_CHECK_TIMEOUT_MS: 1_000, SPAM_MAX_LINKS: 2 });
});
afterAll(async () => {
  await started.stop();
  checker.closeAllConnections();
  await new Promise((resolve) => checker.close(resolve));
});
beforeEach(() => {
  respond = notSpam;
});

const spamOf = async (form_id: string, more: { limit?: number; offset?: number } = {}, as: Caller = owner) =>
  idsOf(await started.client.listSpam(callAs(as), { form_id, limit: 25, offset: 0, ...more }));
const reasonsOf = async (form_id: string) =>
  (await started.client.listSpam(callAs(viewer), { form_id, limit: 25, offset: 0 })).submissions.map(({ spam_reason }) => spam_reason);
const mark = (form_id: string, id: string, spam: boolean, as: Caller = owner) => started.client.markSpam(callAs(as), { form_id, id, spam });
const submitSpam = (form: string) => started.submit(form, undefined, { hp: 'http://buy.example' });
const get = (form_id: string, id: string) => started.client.getSubmission(callAs(owner), { form_id, id });
/** The events that subscribers will be sent. */
const recorded = (subject: string) => started.db('outbox').where({ subject }).whereNot({ type: 'audit.recorded' });

describe('detected spam', () => {
  it('gets the same response as any submission, but is listed separately, found by its id, and causes no event', async () => {
    const form = started.aForm();
    const spam = await submitSpam(form);
    const other = await started.submit(form);
    expect(Object.keys(spam)).toEqual(Object.keys(other));
    expect(spam).toMatchObject({ form_id: form, status: 'new' });

    expect(await started.list(form)).toEqual({ total: 1, ids: [other.id] });
    expect(await started.list(form, { status: 'new' })).toEqual({ total: 1, ids: [other.id] });
    expect(await spamOf(form)).toEqual({ total: 1, ids: [spam.id] });
    expect(await reasonsOf(form)).toEqual(['honeypot']);
    expect(await get(form, spam.id)).toMatchObject({ id: spam.id });
    await eventually(() => expect(started.eventsOf(other.id)).toHaveLength(1));
    expect(started.eventsOf(spam.id)).toEqual([]);
    expect(await recorded(spam.id)).toEqual([]);
  });

  it('takes no place within the limit, and is refused like any other once the form is full', async () => {
    const form = started.aForm({ max_submissions: 1, closed_message: 'Back on Monday' });
    await submitSpam(form);
    expect(await started.client.getIntakeForm(callAs(started.respondent), { form })).toMatchObject({ open: true });
    await started.submit(form);
    await expect(submitSpam(form)).rejects.toMatchObject({ code: 'forbidden', message: 'Back on Monday' });
    expect(await spamOf(form)).toMatchObject({ total: 1 });
  });

  it('is refused like any other if its answers are invalid', async () => {
    await expect(started.submit(started.aForm(), {}, { hp: 'x' })).rejects.toEqual(refused('bad_request'));
  });

  it('gets the first response again under its idempotency key', async () => {
    const form = started.aForm();
    const once = () => started.submit(form, undefined, { hp: 'x', idempotency_key: 'key-1' });
    expect(await once()).toEqual(await once());
    expect(await spamOf(form)).toMatchObject({ total: 1 });
  });

  it('includes submissions with too many links in their text', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada', story: 'http://a.example http://b.example' });
    await started.submit(form, { name: 'Ada', story: 'http://a.example http://b.example www.c.example' });
    expect(await reasonsOf(form)).toEqual(['too_many_links']);
  });
});

describe('answers that are sent sooner than a person can type', () => {
  const startedAt = async (form: string) => (await started.client.getIntakeForm(callAs(started.respondent), { form })).started;
  const tooFast = { code: 'bad_request', details: [expect.objectContaining({ key: 'started', code: 'too_fast' })] };

  it('are no spam: their sender is asked to confirm them, and then they are accepted like all others', async () => {
    const form = started.aForm();
    const token = await startedAt(form);
    clock.advance(1_999);
    await expect(started.submit(form, undefined, { started: token })).rejects.toMatchObject(tooFast);
    expect([await spamOf(form), await started.list(form)]).toMatchObject([{ total: 0 }, { total: 0 }]);
    const accepted = await started.submit(form, undefined, { started: token, confirmed: true });
    expect(await started.list(form)).toEqual({ total: 1, ids: [accepted.id] });
    await eventually(() => expect(started.eventsOf(accepted.id)).toHaveLength(1));
  });

  it('need no confirmation after the time, with a token that is none of the form’s, or once they were accepted', async () => {
    const form = started.aForm();
    const token = await startedAt(form);
    const once = { started: token, idempotency_key: 'key-1' };
    const accepted = await started.submit(form, undefined, { ...once, confirmed: true });
    expect(await started.submit(form, undefined, once)).toEqual(accepted);
    const elsewhere = await startedAt(started.aForm());
    for (const one of [elsewhere, 'nonsense', `${token}x`]) await started.submit(form, undefined, { started: one });
    clock.advance(2_000);
    await started.submit(form, undefined, { started: token });
    expect(await started.list(form)).toMatchObject({ total: 5 });
    expect(await spamOf(form)).toMatchObject({ total: 0 });
  });

  it('reach the checker of the operator once, and are spam for other reasons without a question', async () => {
    const form = started.aForm();
    const token = await startedAt(form);
    const before = requests.length;
    await expect(started.submit(form, undefined, { started: token })).rejects.toMatchObject(tooFast);
    expect(requests).toHaveLength(before);
    await started.submit(form, undefined, { started: token, confirmed: true });
    expect(requests).toHaveLength(before + 1);
    await started.submit(form, undefined, { started: token, hp: 'http://buy.example' });
    expect(await reasonsOf(form)).toEqual(['honeypot']);
  });
});

describe('the spam checker of the operator', () => {
  const verdict = (given: object) => (respond = (_, response) => void response.end(JSON.stringify(given)));

  it('receives the answers and the address of the sender', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' }, { address: '9.9.9.9' });
    expect(requests.at(-1)).toEqual({ form_id: form, data: { name: 'Ada' }, address: '9.9.9.9' });
    expect(await started.list(form)).toMatchObject({ total: 1 });
  });

  it.each([
    [{ spam: true }, 'checker'],
    [{ spam: true, reason: 'bayes: 0.99' }, 'bayes: 0.99'],
    [{ spam: true, reason: '<script>' }, 'checker'],
  ])('decides with the verdict %j', async (said, reason) => {
    const form = started.aForm();
    verdict(said);
    await started.submit(form);
    expect(await reasonsOf(form)).toEqual([reason]);
  });

  it.each<[string, typeof respond]>([
    ['fails', (_, response) => void response.writeHead(500).end('{"oops":true}')],
    ['redirects', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['does not send JSON', (_, response) => void response.end('Ada Lovelace')],
    ['does not respond', () => undefined],
  ])('lets all submissions pass if it %s, which is logged without the answers', async (_, response) => {
    respond = response;
    const form = started.aForm();
    started.logged.length = 0;
    await started.submit(form, { name: 'Ada Lovelace' }, { address: '9.9.9.9' });
    expect(await started.list(form)).toMatchObject({ total: 1 });
    expect(started.logged).toEqual([expect.stringContaining('the spam checker gave no verdict')]);
    expect(started.logged.join('')).not.toMatch(/Ada|Lovelace|9\.9\.9\.9/);
  });

  it('is not called for known spam', async () => {
    const before = requests.length;
    await submitSpam(started.aForm());
    expect(requests).toHaveLength(before);
  });
});

describe('releasing spam', () => {
  it('adds the submission to list and totals, and announces it once', async () => {
    const form = started.aForm();
    const { id, created_at } = await submitSpam(form);
    clock.advance(60_000);
    const released = await mark(form, id, false, editor);
    expect(released).toMatchObject({ id, status: 'new', created_at });
    expect(released.spam_reason).toBeUndefined();

    expect(await spamOf(form)).toEqual({ total: 0, ids: [] });
    expect(await started.list(form, { status: 'new' })).toEqual({ total: 1, ids: [id] });
    await eventually(() =>
      expect(started.eventsOf(id)).toEqual([
        {
          event: 'submission.created',
          form_id: form,
          occurred_at: clock.now().toISOString(),
          data: { name: 'Ada' },
          submission: { id, form_id: form, schema_version: 3, created_at },
        },
      ]),
    );
    await eventually(async () => expect(await recorded(id)).toEqual([]));

    await mark(form, id, true);
    await mark(form, id, false);
    expect((await recorded(id)).map(({ type }: { type: string }) => type)).not.toContain('submission.created');
  });

  it('emits one event if many release at once', async () => {
    const form = started.aForm();
    const { id } = await submitSpam(form);
    await Promise.all(Array.from({ length: 10 }, () => mark(form, id, false)));
    expect(await recorded(id)).toHaveLength(1);
    expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
    expect(await spamOf(form)).toEqual({ total: 0, ids: [] });
  });

  it('counts the submission towards the limit, even beyond it', async () => {
    const form = started.aForm({ max_submissions: 1 });
    const { id } = await submitSpam(form);
    await started.submit(form);
    await mark(form, id, false);
    expect(await started.list(form)).toMatchObject({ total: 2 });
    await expect(started.submit(form)).rejects.toEqual(refused('forbidden'));
  });
});

describe('marking as spam', () => {
  it('removes the submission from the list and frees its place within the limit, without an event of the contract', async () => {
    const form = started.aForm({ max_submissions: 1 });
    const { id } = await started.submit(form);
    clock.advance(1);
    expect(await mark(form, id, true, editor)).toMatchObject({ id, spam_reason: 'marked', spam_at: clock.now().toISOString() });

    expect(await started.list(form)).toEqual({ total: 0, ids: [] });
    expect(await spamOf(form)).toEqual({ total: 1, ids: [id] });
    await started.submit(form);
    expect((await recorded(id)).map(({ type }: { type: string }) => type)).toEqual(['submission.created', 'submission.spam_changed']);
  });

  it('keeps the reason of existing spam', async () => {
    const form = started.aForm();
    const { id } = await submitSpam(form);
    expect(await mark(form, id, true)).toMatchObject({ spam_reason: 'honeypot' });
  });

  it('is allowed only for owners, editors and service accounts; any role can read the spam', async () => {
    const form = started.aForm();
    const { id } = await submitSpam(form);
    await expect(spamOf(form, {}, viewer)).resolves.toMatchObject({ total: 1 });
    await expect(spamOf(form, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(spamOf(form, {}, stranger)).rejects.toEqual(refused('not_found'));
    await expect(mark(form, id, false, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(mark(form, id, false, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(mark(form, id, false, stranger)).rejects.toEqual(refused('not_found'));
    await expect(mark(form, newId(), false)).rejects.toEqual(refused('not_found'));
    await expect(mark(form, 'nonsense', false)).rejects.toEqual(refused('not_found'));
    await expect(mark(form, id, false, aServiceAccount({ instanceId }))).resolves.toMatchObject({ id });
  });
});

it('records marking and releasing in the audit log', async () => {
  const form = started.aForm();
  const { id } = await started.submit(form);
  await mark(form, id, true, editor);
  await mark(form, id, true, editor);
  await mark(form, id, false, owner);
  expect(await started.auditOf(id)).toEqual([
    ['submission.marked_as_spam', editor.id],
    ['submission.released', owner.id],
  ]);
});

describe('spam that was never announced', () => {
  it('can be changed, deleted and restored without any event', async () => {
    const form = started.aForm();
    const { id } = await submitSpam(form);
    await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'rejected' });
    const other = await started.submit(form);
    await started.client.changeStatuses(callAs(owner), { form_id: form, submission_ids: [id, other.id], status: 'archived' });
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id });

    expect(await spamOf(form)).toEqual({ total: 0, ids: [] });
    await expect(mark(form, id, false)).rejects.toEqual(refused('not_found'));
    await started.client.restoreSubmission(callAs(owner), { form_id: form, id });
    expect(await spamOf(form)).toEqual({ total: 1, ids: [id] });

    expect(await recorded(id)).toEqual([]);
    await eventually(() =>
      expect(started.eventsOf(form)).toEqual([
        {
          event: 'submission.status_changed',
          form_id: form,
          occurred_at: expect.any(String) as unknown,
          submission_ids: [other.id],
          new_status: 'archived',
        },
      ]),
    );
  });
});

it('emits events for the verdict, the status and the deletion of spam that was announced', async () => {
  const form = started.aForm();
  const { id } = await started.submit(form);
  await mark(form, id, true);
  await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'rejected' });
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
  await eventually(() =>
    expect(started.eventsOf(id).map(({ event }) => event)).toEqual([
      'submission.created',
      'submission.spam_changed',
      'submission.status_changed',
      'submission.deleted',
    ]),
  );
});

it('tells of each verdict on a submission that was announced, and announces one that was not', async () => {
  const form = started.aForm();
  const { id } = await submitSpam(form);
  await mark(form, id, false);
  await mark(form, id, true);
  await mark(form, id, true);
  await mark(form, id, false);
  await eventually(() => expect(started.eventsOf(id)).toHaveLength(3));
  const told = { event: 'submission.spam_changed', form_id: form, submission_id: id, status: 'new' };
  expect(started.eventsOf(id)).toMatchObject([{ event: 'submission.created' }, { ...told, spam: true }, { ...told, spam: false }]);
  const times = started.eventsOf(id).map(({ occurred_at }) => occurred_at as string);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(3);
});

it('lists spam newest first, in pages', async () => {
  const form = started.aForm();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    clock.advance(1);
    ids.unshift((await submitSpam(form)).id);
  }
  expect(await spamOf(form, { limit: 2 })).toEqual({ total: 3, ids: ids.slice(0, 2) });
  expect(await spamOf(form, { offset: 2 })).toEqual({ total: 3, ids: ids.slice(2) });
  expect(await spamOf(form, { offset: 3 })).toEqual({ total: 3, ids: [] });
});

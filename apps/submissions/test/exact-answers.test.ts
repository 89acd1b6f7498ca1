import { createHash, randomBytes } from 'node:crypto';
import { FieldList, storedItems, type FormItem } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import fc from 'fast-check';
import { countBefore, hold } from '../src/exact/exact.queries';
import { exactRules } from '../src/exact/rules';
import { runBulkChanges } from '../src/bulk/run-bulk-changes';
import type { PublishedVersion } from './started';
import { StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started } = payments;
const { owner, respondent, clock } = started;
beforeAll(payments.start);
afterAll(payments.stop);

type Client = typeof started.client;

interface Rules {
  limits: Record<string, number>;
  isUnique: boolean;
}

const choices = ['a', 'b', 'c'];
const fieldsOf = ({ limits, isUnique }: Rules): Buffer =>
  Buffer.from(
    storedItems([
      {
        key: 'day',
        label: 'Day',
        type: 'multi_select',
        required: false,
        options: choices.map((value) => ({
          value,
          label: value.toUpperCase(),
          ...(limits[value] === undefined ? {} : { limit: limits[value] }),
        })),
      },
      {
        key: 'mail',
        label: 'E-mail',
        type: 'email',
        required: false,
        ...(isUnique && { unique: true, messages: { unique: 'We have you already.' } }),
      },
    ] as FormItem[]),
  );

let number = 0;
const aVersion = (rules: Rules): PublishedVersion => ({
  version: (number += 1),
  version_id: newId(),
  published_at: clock.now().toISOString(),
  fields: fieldsOf(rules),
});

/** A form with its latest version, and processes that know it. */
function aForm(rules: Rules, settings: Parameters<typeof started.aForm>[0] = {}) {
  const form = started.aForm({ published: [aVersion(rules)], ...settings });
  let versions = [aVersion(rules)];
  started.setVersions(form, versions);
  const publish = async (next: Rules): Promise<Client> => {
    versions = [...versions, aVersion(next)];
    started.setVersions(form, versions);
    return started.startAfresh();
  };
  return { form, publish, latest: () => versions.at(-1) ?? aVersion(rules) };
}

const submit = (client: Client, form: string, data: object, idempotency_key?: string) =>
  client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)), idempotency_key });

const named = (form_id: string, id: string) => ({ form_id, id });

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The places that are taken, counted from the submissions themselves. */
async function counted(form: string): Promise<Record<string, number>> {
  const rows = await started
    .db<{ form_id: string; data: { day?: string[] }; spam_at: Date | null; deleted_at: Date | null; holds_place: boolean }>('submission')
    .where({ form_id: form, spam_at: null, deleted_at: null, holds_place: true });
  return Object.fromEntries(choices.map((each) => [each, rows.filter(({ data }) => data.day?.includes(each)).length]));
}

async function taken(form: string): Promise<Record<string, number>> {
  const rows = await started.db<{ form_id: string; option: Buffer; taken: number }>('option_place').where({ form_id: form });
  return Object.fromEntries(choices.map((each) => [each, rows.find(({ option }) => option.equals(hashOf(each)))?.taken ?? 0]));
}

const isCounted = async (form: string, kind: string): Promise<boolean> =>
  (await started.db('exact_field').where({ form_id: form, kind, is_counted: true }).pluck<string[]>('key')).length > 0;

const fullOf = async (client: Client, form: string) => (await client.getIntakeForm(callAs(respondent), { form })).full_options;

describe('the places of an option', () => {
  it('go to as many of 200 concurrent senders as there are, whichever process they reach, and nobody else is refused', async () => {
    const { form } = aForm({ limits: { a: 30, b: 7 }, isUnique: true });
    const clients = [started.client, payments.second];
    const sent = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) =>
        submit(clients[at % 2] ?? started.client, form, {
          day: [['a', 'b'], ['a'], ['b'], ['c']][at % 4],
          mail: `p${at % 150}@example.com`,
        }),
      ),
    );
    const accepted = sent.filter(({ status }) => status === 'fulfilled').length;
    expect(await counted(form)).toMatchObject({ a: 30, b: 7 });
    expect(await taken(form)).toEqual(await counted(form));
    expect(await started.db('submission').where({ form_id: form })).toHaveLength(accepted);
    expect(await started.db('unique_answer').where({ form_id: form })).toHaveLength(accepted);
    for (const each of sent) if (each.status === 'rejected') expect(each.reason).toEqual(refused('bad_request'));
    expect(await fullOf(started.client, form)).toEqual([{ key: 'day', values: ['a', 'b'] }]);
  });

  it('name the field and the option when they are taken, and a repeat of the first request still gets the first answer', async () => {
    const { form } = aForm({ limits: { a: 1 }, isUnique: false });
    const first = await submit(started.client, form, { day: ['a'] }, 'key-1');
    await expect(submit(started.client, form, { day: ['a', 'b'] }, 'key-2')).rejects.toMatchObject({
      code: 'bad_request',
      details: [{ key: 'day', code: 'option_full', params: { options: 'a' } }],
    });
    expect(await submit(started.client, form, { day: ['a'] }, 'key-1')).toEqual(first);
    const { faults } = await started.client.checkAnswers(callAs(respondent), { form, data: Buffer.from('{"day":["a"]}') });
    expect(JSON.parse(faults.toString())).toMatchObject([{ key: 'day', code: 'option_full' }]);
  });

  it('tell only those who send an answer whether another submission has it', async () => {
    const { form } = aForm({ limits: {}, isUnique: true });
    await submit(started.client, form, { mail: 'ada@example.com' });
    const data = Buffer.from('{"mail":"ada@example.com"}');
    const { faults } = await started.client.checkAnswers(callAs(respondent), { form, data });
    expect(JSON.parse(faults.toString())).toEqual([]);
    await expect(submit(started.client, form, { mail: 'ada@example.com' })).rejects.toMatchObject({ details: [{ code: 'not_unique' }] });
  });

  it('can be exceeded by members who enter answers, and are given back and taken by each change in one transaction', async () => {
    const { form } = aForm({ limits: { a: 1, b: 1 }, isUnique: false });
    const { client } = started;
    const { id } = await submit(client, form, { day: ['a'] });
    const entered = await client.enterSubmission(callAs(owner), { form_id: form, data: Buffer.from('{"day":["a"]}') });
    expect(await taken(form)).toMatchObject({ a: 2 });
    await client.deleteSubmission(callAs(owner), named(form, id));
    expect(await fullOf(client, form)).toEqual([{ key: 'day', values: ['a'] }]);
    const restored = client.restoreSubmission(callAs(owner), named(form, id));
    await expect(restored).rejects.toMatchObject({ code: 'conflict', message: 'data.day: all places of the option a are taken.' });
    await client.correctSubmission(callAs(owner), { ...named(form, entered.id), data: Buffer.from('{"day":["b"]}'), revision: 0 });
    expect(await fullOf(client, form)).toEqual([{ key: 'day', values: ['b'] }]);
    await client.restoreSubmission(callAs(owner), named(form, id));
    const moved = client.correctSubmission(callAs(owner), { ...named(form, id), data: Buffer.from('{"day":["b"]}'), revision: 0 });
    await expect(moved).rejects.toEqual(refused('conflict'));
    expect(await taken(form)).toEqual({ a: 1, b: 1, c: 0 });
  });

  it('are left to what comes back first when many are restored in the background', async () => {
    const { form } = aForm({ limits: { a: 2 }, isUnique: false });
    const { client } = started;
    for (let at = 0; at < 5; at++) {
      const { id } = await submit(client, form, { day: ['a'] });
      await client.deleteSubmission(callAs(owner), named(form, id));
    }
    const all = await client.listTrash(callAs(owner), { form_id: form, limit: 10, offset: 0 });
    const submission_ids = all.submissions.map(({ id }) => id);
    await expect(client.restoreSubmissions(callAs(owner), { form_id: form, submission_ids })).rejects.toEqual(refused('conflict'));
    clock.advance(1_000);
    const { id } = await client.startBulkChange(callAs(owner), { form_id: form, action: 'restore' });
    // PostgreSQL keeps 64 of a transaction at hand: more slow down everybody.
    let savepoints = 0;
    let most = 0;
    started.db.on('query', ({ sql }: { sql: string }) => {
      savepoints += sql.startsWith('savepoint') ? 1 : sql.startsWith('release savepoint') ? -1 : 0;
      most = Math.max(most, savepoints);
    });
    await runBulkChanges({ ...started.deps, log: started.log }, new AbortController().signal);
    expect(most).toBe(1);
    expect(await client.getBulkChange(callAs(owner), { form_id: form, id })).toMatchObject({ state: 'done', changed: 2 });
    expect(await taken(form)).toEqual(await counted(form));
  });

  it('count what was there before the rule, in steps of which a process that dies leaves whole ones', async () => {
    const { form, publish, latest } = aForm({ limits: {}, isUnique: false });
    for (let at = 0; at < 12; at++)
      await submit(started.client, form, { day: ['a'], mail: at < 2 ? 'Twice@example.com' : `${at}@example.com` });
    const client = await publish({ limits: { a: 13 }, isUnique: true });
    // As a process that died after its first step.
    const rules = exactRules(FieldList.parse(JSON.parse(latest().fields.toString())));
    const held = { formId: form, version: latest().version, versionId: latest().version_id, rules };
    await started.db.transaction((trx) => hold(trx, held, undefined));
    await countBefore(started.db, form, 5);
    await started.client.deleteSubmission(callAs(owner), named(form, (await started.list(form)).ids[11] ?? ''));
    await started.client.deleteSubmission(callAs(owner), named(form, (await started.list(form)).ids[0] ?? ''));

    await expect(submit(client, form, { mail: 'twice@EXAMPLE.com ' })).rejects.toMatchObject({
      details: [{ key: 'mail', message: 'We have you already.' }],
    });
    expect(await taken(form)).toEqual(await counted(form));
    const sent = await Promise.allSettled(Array.from({ length: 9 }, () => submit(client, form, { day: ['a'] })));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await taken(form)).toMatchObject({ a: 13 });
  });

  it('hold for a process that still has the version before the rule, and for one of an earlier release', async () => {
    const { form, publish } = aForm({ limits: {}, isUnique: false });
    const { id } = await submit(started.client, form, { day: ['a'], mail: 'ada@example.com' });
    const client = await publish({ limits: { a: 1 }, isUnique: true });
    await fullOf(client, form);
    await expect(submit(started.client, form, { day: ['a'] })).rejects.toMatchObject({ details: [{ code: 'option_full' }] });
    await expect(submit(started.client, form, { mail: 'ADA@example.com' })).rejects.toMatchObject({ details: [{ code: 'not_unique' }] });
    await started.db('submission').where({ id }).update({ deleted_at: clock.now(), changed_at: clock.now() });
    await submit(client, form, { day: ['a'] });
    const back = started.db('submission').where({ id }).update({ deleted_at: null, changed_at: clock.now() });
    await expect(back).rejects.toMatchObject({ constraint: 'option_place_left' });
  });

  it('are free again where a later version has no limit', async () => {
    const { form, publish } = aForm({ limits: { a: 0 }, isUnique: true });
    await expect(submit(started.client, form, { day: ['a'] })).rejects.toEqual(refused('bad_request'));
    const client = await publish({ limits: {}, isUnique: false });
    await submit(client, form, { day: ['a'], mail: 'ada@example.com' });
    await submit(client, form, { day: ['a'], mail: 'ada@example.com' });
    expect(await fullOf(client, form)).toEqual([]);
  });
});

describe('a field that had texts before it had options, and has them again', () => {
  const day = (field: object): PublishedVersion => ({
    version: (number += 1),
    version_id: newId(),
    published_at: clock.now().toISOString(),
    fields: Buffer.from(storedItems([{ key: 'day', label: 'Day', required: false, ...field }] as FormItem[])),
  });
  const text = day({ type: 'long_text' });
  const choice = day({ type: 'select', options: [{ value: 'a', label: 'A', limit: 1 }] });
  const publish = (form: string, ...versions: PublishedVersion[]) => {
    started.setVersions(form, versions);
    return started.startAfresh();
  };

  it('is counted whatever the texts, of which nothing is readable, and nothing stays once they are erased', async () => {
    const form = started.aForm({ published: [text] });
    const long = randomBytes(45_000).toString('hex');
    const first = await submit(started.client, form, { day: long });
    const chosen = await publish(form, text, choice);
    await submit(chosen, form, { day: 'a' });
    await expect(submit(chosen, form, { day: 'a' })).rejects.toMatchObject({ details: [{ code: 'option_full' }] });
    expect(await fullOf(chosen, form)).toEqual([{ key: 'day', values: ['a'] }]);

    const typed = await publish(form, text, choice, day({ type: 'long_text' }));
    const again = await submit(typed, form, { day: long });
    const own = await submit(typed, form, { day: 'Ada Lovelace, born 1815' });
    await submit(typed, form, { day: 'a' });
    const places = () => started.db<{ form_id: string; value: string | null; taken: number }>('option_place').where({ form_id: form });
    expect((await places()).map(({ value, taken: count }) => [value, count]).sort()).toEqual([
      [null, 1],
      [null, 2],
      [null, 2],
    ]);
    for (const { id } of [first, again, own]) {
      await started.client.deleteSubmission(callAs(owner), named(form, id));
      await started.client.eraseSubmission(callAs(owner), named(form, id));
    }
    expect(await places()).toMatchObject([{ option: hashOf('a'), taken: 2 }]);
  });
});

describe('an answer that another submission has', () => {
  const used = { mail: 'ada@example.com' };
  const free = { mail: 'nobody@example.com' };

  it('is not told by a form that has reached its limit, which refuses all alike', async () => {
    const { form } = aForm({ limits: {}, isUnique: true }, { max_submissions: 1 });
    await submit(started.client, form, used);
    const paid = aForm({ limits: {}, isUnique: true }, { max_submissions: 1, payment: { amount: 2500, currency: 'eur' } });
    await submit(started.client, paid.form, used);
    for (const [at, key] of [[form], [form, 'key-1'], [paid.form], [paid.form, 'key-1']] as const)
      for (const data of [used, free]) await expect(submit(started.client, at, data, key)).rejects.toEqual(refused('forbidden'));
    const spam = started.client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(used)), hp: 'x' });
    await expect(spam).rejects.toEqual(refused('forbidden'));
  });

  it('is not told with an option that is full, as nothing would be stored either way', async () => {
    const { form } = aForm({ limits: { a: 0 }, isUnique: true });
    await submit(started.client, form, used);
    for (const data of [used, free])
      await expect(submit(started.client, form, { ...data, day: ['a'] })).rejects.toMatchObject({
        details: [{ key: 'day', code: 'option_full' }],
      });
  });
});

describe('rules that a later version has ended', () => {
  async function ended(settings: Parameters<typeof started.aForm>[0] = {}) {
    const { form, publish } = aForm({ limits: { a: 1 }, isUnique: true }, settings);
    const data = { day: ['a'], mail: 'ada@example.com' };
    const { id } = await submit(started.client, form, data);
    await started.client.deleteSubmission(callAs(owner), named(form, id));
    await submit(started.client, form, data);
    return { form, id, data, client: await publish({ limits: {}, isUnique: false }) };
  }

  it('refuse nothing that members do, though nobody has opened the form since', async () => {
    const restored = await ended();
    await restored.client.restoreSubmission(callAs(owner), named(restored.form, restored.id));
    const entered = await ended();
    await entered.client.enterSubmission(callAs(owner), { form_id: entered.form, data: Buffer.from(JSON.stringify(entered.data)) });
    const imported = await ended();
    async function* file() {
      yield { file: { form_id: imported.form, match: [], idempotency_key: 'one', only_valid: false, events: false } };
      yield { bytes: await Promise.resolve(Buffer.from('mail\nada@example.com\n')) };
    }
    await imported.client.importSubmissions(callAs(owner), file());
    for (const { form } of [restored, entered, imported]) expect(await started.list(form)).toMatchObject({ total: 2 });
  });

  it('refuse nothing that an earlier release stores, once somebody has opened the form', async () => {
    const { form, id, client } = await ended();
    const restore = () => started.db('submission').where({ id }).update({ deleted_at: null, changed_at: clock.now() });
    await expect(restore()).rejects.toMatchObject({ constraint: 'option_place_left' });
    await client.getIntakeForm(callAs(respondent), { form });
    await restore();
  });
});

it('a form whose rules have to wait for somebody else keeps no connection from other forms, and shows its page', async () => {
  const { form } = aForm({ limits: { a: 0 }, isUnique: false });
  const { form: other } = aForm({ limits: { a: 1 }, isUnique: false });
  const sent = await started.db.transaction(async (trx) => {
    await trx.raw('select lock_submission_changes(array[cast(? as uuid)])', [form]);
    const waiting = Array.from({ length: 20 }, (_, at) => submit(started.client, form, { mail: `${at}@example.com` }));
    const shown = await Promise.all(Array.from({ length: 20 }, () => fullOf(started.client, form)));
    expect(shown.flat()).toEqual([]);
    const checked = await started.client.checkAnswers(callAs(respondent), { form, data: Buffer.from('{"day":["a"]}') });
    expect(JSON.parse(checked.faults.toString())).toEqual([]);
    await submit(started.client, other, { day: ['a'] });
    return { waiting };
  });
  await Promise.all(sent.waiting);
  expect(await fullOf(started.client, form)).toEqual([{ key: 'day', values: ['a'] }]);
});

it('a payment that fails waits for the form before it locks the rules, as all others do', async () => {
  const { form } = aForm({ limits: { a: 1 }, isUnique: false }, { payment: { amount: 2500, currency: 'eur' } });
  const { id } = await submit(started.client, form, { day: ['a'] });
  const { over } = await started.db.transaction(async (trx) => {
    await trx('intake').where({ form_id: form }).forUpdate();
    const ending = payments.send('checkout.session.expired', payments.stripe.sessionOf(id));
    await eventually(async () => {
      const { rows } = await started.db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    await trx.raw('select from exact_form where form_id = ? for update nowait', [form]);
    return { over: ending };
  });
  await over;
  expect(await taken(form)).toMatchObject({ a: 0 });
});

it.each([
  ['mail', 'email', 'Ada@Example.com', 'ada@example.COM'],
  ['phone', 'phone', '+43 1 234-567', '+431234567'],
  ['code', 'short_text', 'Straße Ⅳ', 'STRASSE iv'],
  ['amount', 'number', 1, 1.0],
])('an answer that is the same in another spelling is found among those to %s', async (key, type, first, second) => {
  const fields = Buffer.from(storedItems([{ key, type, label: 'L', required: false, unique: true }] as FormItem[]));
  const form = started.aForm({ fields });
  const { id } = await submit(started.client, form, { [key]: first });
  await expect(submit(started.client, form, { [key]: second })).rejects.toMatchObject({ details: [{ key, code: 'not_unique' }] });
  const entry = { form_id: form, data: Buffer.from(JSON.stringify({ [key]: second })) };
  await expect(started.client.enterSubmission(callAs(owner), entry)).rejects.toMatchObject({ details: [{ key, code: 'not_unique' }] });
  await started.client.deleteSubmission(callAs(owner), named(form, id));
  await started.client.eraseSubmission(callAs(owner), named(form, id));
  expect(await started.db('unique_answer').where({ form_id: form })).toEqual([]);
  await submit(started.client, form, { [key]: second });
});

interface Known {
  id: string;
  day: string[];
  mail: string;
  isTrashed: boolean;
  isSpam: boolean;
  holds: boolean;
  isPaid: boolean;
  revision: number;
}

const counts = ({ isTrashed, isSpam, holds }: Known) => !isTrashed && !isSpam && holds;

interface Step {
  kind: 'submit' | 'pay' | 'fail' | 'trash' | 'restore' | 'spam' | 'release' | 'correct' | 'erase' | 'publish';
  at: number;
  day: string[];
  mail: string;
  limits: Record<string, number>;
  isUnique: boolean;
}

const kinds = [
  'submit',
  'submit',
  'submit',
  'pay',
  'fail',
  'trash',
  'restore',
  'restore',
  'spam',
  'release',
  'correct',
  'erase',
  'publish',
] as const;
const day = fc.subarray(choices);
const mail = fc.constantFrom('ada@x.example', 'ADA@x.example', 'bob@x.example', 'eve@x.example');
const limits = fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: [] }) as fc.Arbitrary<
  Record<string, number>
>;
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(5), day, mail, limits, isUnique: fc.boolean() });

it('are never one too many and never one too few, whatever happens to submissions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      let rules: Rules = { limits: { a: 1, b: 2 }, isUnique: true };
      const { form, publish } = aForm(rules, { payment: { amount: 2500, currency: 'eur' } });
      let client = await started.startAfresh();
      let known: Known[] = [];
      const others = (me?: Known) => known.filter((each) => each !== me && counts(each));
      const isFree = (next: { day: string[]; mail: string }, me?: Known) =>
        next.day.every((each) => others(me).filter((other) => other.day.includes(each)).length < (rules.limits[each] ?? Infinity)) &&
        (!rules.isUnique || others(me).every((other) => other.mail.toLowerCase() !== next.mail.toLowerCase()));
      const expectDone = async (work: Promise<unknown>, isAllowed: boolean, code: 'bad_request' | 'conflict') => {
        if (isAllowed) await work;
        else await expect(work).rejects.toEqual(refused(code));
        return isAllowed;
      };
      for (const { kind, at, ...next } of steps) {
        const one = known.length === 0 ? undefined : known[at % known.length];
        if (kind === 'publish') {
          rules = { limits: next.limits, isUnique: next.isUnique };
          client = await publish(rules);
        } else if (kind === 'submit') {
          const sent = submit(client, form, { day: next.day, mail: next.mail });
          if (await expectDone(sent, isFree(next), 'bad_request'))
            known.push({
              id: (await sent).id,
              day: next.day,
              mail: next.mail,
              isTrashed: false,
              isSpam: false,
              holds: true,
              isPaid: false,
              revision: 0,
            });
        } else if (one) {
          const name = named(form, one.id);
          const mayCount = (after: Partial<Known>) => counts(one) || !counts({ ...one, ...after }) || isFree(one, one);
          if (kind === 'pay') {
            await payments.sendPaid(payments.stripe.sessionOf(one.id));
            Object.assign(one, { holds: true, isPaid: true });
          } else if (kind === 'fail') {
            await payments.send('checkout.session.expired', payments.stripe.sessionOf(one.id));
            one.holds &&= one.isPaid;
          } else if (kind === 'trash' && !one.isTrashed) {
            await client.deleteSubmission(callAs(owner), name);
            one.isTrashed = true;
          } else if (kind === 'restore') {
            if (await expectDone(client.restoreSubmission(callAs(owner), name), mayCount({ isTrashed: false }), 'conflict'))
              one.isTrashed = false;
          } else if (kind === 'spam' && !one.isTrashed) {
            await client.markSpam(callAs(owner), { ...name, spam: true });
            one.isSpam = true;
          } else if (kind === 'release' && !one.isTrashed) {
            if (await expectDone(client.markSpam(callAs(owner), { ...name, spam: false }), mayCount({ isSpam: false }), 'conflict'))
              one.isSpam = false;
          } else if (kind === 'correct' && !one.isTrashed) {
            const gained = {
              day: next.day.filter((each) => !one.day.includes(each)),
              mail: next.mail.toLowerCase() === one.mail.toLowerCase() ? `${one.id}@x.example` : next.mail,
            };
            const isAllowed = !counts(one) || isFree(gained, one);
            const work = client.correctSubmission(callAs(owner), {
              ...name,
              data: Buffer.from(JSON.stringify({ day: next.day, mail: next.mail })),
              revision: one.revision,
            });
            if (await expectDone(work, isAllowed, 'conflict')) {
              const { revision = 0 } = await work;
              Object.assign(one, { day: next.day, mail: next.mail, revision });
            }
          } else if (kind === 'erase' && one.isTrashed) {
            await client.eraseSubmission(callAs(owner), name);
            known = known.filter((each) => each !== one);
          }
        }
        expect(await counted(form)).toEqual(
          Object.fromEntries(choices.map((each) => [each, others().filter((other) => other.day.includes(each)).length])),
        );
        await fullOf(client, form);
        if (await isCounted(form, 'places')) expect(await taken(form)).toEqual(await counted(form));
        if (await isCounted(form, 'text'))
          expect((await started.db('unique_answer').where({ form_id: form }).pluck<string[]>('submission_id')).sort()).toEqual(
            others()
              .map(({ id }) => id)
              .sort(),
          );
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);

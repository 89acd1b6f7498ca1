import { randomBytes, scryptSync } from 'node:crypto';
import { accessPassMs, accessText, type Access } from '@sheaf/contracts';
import { newId, Problem, type Caller } from '@sheaf/kernel';
import { Submissions, type Call } from '@sheaf/rpc';
import { hashCode } from '@sheaf/runtime';
import { callAs, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { clock, respondent } = started;
let accessHash: string;
beforeAll(async () => {
  await started.start();
  accessHash = await hashCode('spring-2026');
});
afterAll(() => started.stop());

const fields = Buffer.from(
  JSON.stringify([
    { key: 'name', label: 'Name', type: 'short_text' },
    { key: 'f', label: 'F', type: 'file' },
  ]),
);
const codedForm = (settings: Parameters<Started['aForm']>[0] = {}) =>
  started.aForm({ fields, access_hash: accessHash, settings: { resume: { days: 3 } }, ...settings });
const callWith = (access?: Access, address?: string, as: Caller = respondent): Call => ({
  ...callAs(as),
  address,
  access: access && accessText(access),
});

type Door = (call: Call, form: string) => Promise<unknown>;
/** The methods for respondents that are about a form. */
const doors: Record<string, Door> = {
  getIntakeForm: (call, form) => started.client.getIntakeForm(call, { form }),
  submit: (call, form) => started.client.submit(call, { form, data: Buffer.from('{"name":"Ada"}') }),
  checkAnswers: (call, form) => started.client.checkAnswers(call, { form, data: Buffer.from('{}') }),
  getReceipt: (call, form) => started.client.getReceipt(call, { form_id: form, idempotency_key: 'key-1' }),
  saveAnswers: (call, form) =>
    started.client.saveAnswers(call, { form, name: randomBytes(32), sealed: Buffer.from('sealed'), file_ids: [] }),
  getSavedAnswers: (call, form) => started.client.getSavedAnswers(call, { form, name: randomBytes(32) }),
  uploadFile: (call, form) => started.client.uploadFile(call, announced(form)),
  countStep: (call, form) => started.client.countStep(call, { form, version: 1, reached: 0 }),
};

async function* announced(form: string) {
  yield await Promise.resolve({ file: { form, field: 'f', name: 'a.txt', content_type: 'text/plain' } });
}

const required = refused('forbidden', /^Access-Code: is required/);
const wrong = refused('forbidden', 'Access-Code: is not the code of this form');
const isAccessRefusal = (thrown: unknown) => thrown instanceof Problem && thrown.details?.some(({ key }) => key === 'Access-Code') === true;

describe('a form with an access code', () => {
  it('is closed at every door for respondents without the code, and open with it', async () => {
    const form = codedForm();
    for (const [name, knock] of Object.entries(doors)) {
      await expect(knock(callWith(), form)).rejects.toEqual(required);
      await expect(knock(callWith({ code: 'winter-2026' }, `198.51.100.${name.length}`), form)).rejects.toEqual(wrong);
      const opened = await knock(callWith({ code: 'spring-2026' }), form).catch((thrown: unknown) => thrown);
      expect(isAccessRefusal(opened)).toBe(false);
    }
  });

  it('has no other doors for respondents than these, but for links to single files', async () => {
    const client = started.client as unknown as Record<string, (call: Call, request: unknown) => unknown>;
    const open: string[] = [];
    for (const [method, { requestStream }] of Object.entries(Submissions.methods)) {
      const name = method.charAt(0).toLowerCase() + method.slice(1);
      const refusal = await refusalOf(client[name]?.(callWith(), requestStream ? announced(newId()) : {}));
      if (refusal !== 'This operation is not for this kind of caller.') open.push(name);
    }
    expect(open.sort()).toEqual([...Object.keys(doors), 'readLinkedFile'].sort());
  });

  it('tells its settings without the hash of the code', async () => {
    const { settings } = await started.client.getIntakeForm(callWith({ code: 'spring-2026' }), { form: codedForm() });
    expect(JSON.parse(settings.toString())).toEqual({ resume: { days: 3 } });
  });

  it('does not ask members, who enter submissions', async () => {
    const form = codedForm();
    const entered = { form_id: form, data: Buffer.from('{"name":"Ada"}') };
    await expect(started.client.enterSubmission(callAs(started.editor), entered)).resolves.toMatchObject({ form_id: form });
  });

  it('refuses a site that may not use it before it asks for the code', async () => {
    const form = codedForm({ settings: { embed_origins: [] } });
    const call = callWith({ code: 'winter-2026' });
    await expect(started.client.getIntakeForm(call, { form, origin: 'https://shop.example' })).rejects.toEqual(
      refused('forbidden', /^Origin: /),
    );
  });
});

describe('a pass', () => {
  const passFor = async (form: string) => (await started.client.getIntakeForm(callWith({ code: 'spring-2026' }), { form })).pass ?? '';
  const enter = (form: string, pass: string) => started.client.getIntakeForm(callWith({ pass }), { form });

  it('stands for the code at every door, for twelve hours', async () => {
    const form = codedForm();
    const pass = await passFor(form);
    for (const knock of Object.values(doors)) {
      const opened = await knock(callWith({ pass }), form).catch((thrown: unknown) => thrown);
      expect(isAccessRefusal(opened)).toBe(false);
    }
    clock.advance(accessPassMs - 1);
    await expect(enter(form, pass)).resolves.toMatchObject({ id: form });
    clock.advance(1);
    await expect(enter(form, pass)).rejects.toEqual(required);
  });

  it('opens no other form, is none if somebody made it up, and ends with the code', async () => {
    const form = codedForm();
    const pass = await passFor(form);
    await expect(enter(codedForm(), pass)).rejects.toEqual(required);
    const { started: startToken } = await started.client.getIntakeForm(callWith({ pass }), { form });
    for (const other of ['', 'made.up.pass', startToken]) await expect(enter(form, other)).rejects.toEqual(required);

    started.setAccessHash(form, await hashCode('spring-2026'));
    const client = await started.startAfresh();
    await expect(client.getIntakeForm(callWith({ pass }), { form })).rejects.toEqual(required);
  });
});

describe('wrong codes', () => {
  const attempt = (form: string, code: string, address: string) => started.client.getIntakeForm(callWith({ code }, address), { form });
  const fail = async (form: string, times: number, address: string) => {
    for (let time = 0; time < times; time++) await expect(attempt(form, `winter-${time}`, address)).rejects.toEqual(wrong);
  };

  it('make the next try wait after ten, also the right one; each later one doubles the wait', async () => {
    const form = codedForm();
    await fail(form, 10, '8.8.8.7');
    const waiting = await attempt(form, 'spring-2026', '8.8.8.7').catch((thrown: unknown) => thrown);
    expect(waiting).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 30 });
    clock.advance(30_000);
    await fail(form, 1, '8.8.8.7');
    await expect(attempt(form, 'spring-2026', '8.8.8.7')).rejects.toMatchObject({ retryAfterSeconds: 60 });
    clock.advance(60_000);
    await expect(attempt(form, 'spring-2026', '8.8.8.7')).resolves.toMatchObject({ id: form });
  });

  it('make nobody wait before a hundred where an address may be that of many people', async () => {
    const key = scryptSync('spring-2026', 'salt', 32, { N: 2 }).toString('base64url');
    const form = codedForm({ access_hash: `scrypt$1$8$1$${Buffer.from('salt').toString('base64url')}$${key}` });
    await fail(form, 99, '10.0.0.7');
    await expect(attempt(form, 'spring-2026', '10.0.0.7')).resolves.toMatchObject({ id: form });
    await fail(form, 100, '10.0.0.7');
    await expect(attempt(form, 'spring-2026', '10.0.0.7')).rejects.toEqual(refused('too_many_requests'));
  });

  it('count for one form and one network alone, and are forgotten once the right one is entered', async () => {
    const form = codedForm();
    await fail(form, 9, '8.8.8.8');
    await expect(attempt(form, 'spring-2026', '8.8.8.8')).resolves.toMatchObject({ id: form });
    await fail(form, 10, '8.8.8.8');
    await expect(attempt(form, 'spring-2026', '8.8.8.8')).rejects.toEqual(refused('too_many_requests'));
    await expect(attempt(form, 'spring-2026', '8.8.8.9')).resolves.toMatchObject({ id: form });
    await expect(attempt(codedForm(), 'spring-2026', '8.8.8.8')).resolves.toMatchObject({ open: true });
  });

  it('gain nothing from arriving together, while many people with the right one do not block each other', async () => {
    const form = codedForm();
    const right = await Promise.all(Array.from({ length: 30 }, () => attempt(form, 'spring-2026', '8.8.8.10')));
    expect(right).toHaveLength(30);
    const guesses = Array.from({ length: 20 }, (_, n) => attempt(form, `winter-${n}`, '8.8.8.10').catch((thrown: unknown) => thrown));
    const codes = (await Promise.all([...guesses, attempt(form, 'spring-2026', '8.8.8.10').catch((thrown: unknown) => thrown)])).map(
      (thrown) => (thrown as Problem).code,
    );
    expect(codes.filter((code) => code === 'forbidden')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(11);
  });

  it('make nobody wait in line who enters what others enter at the same moment, whatever networks they come from', async () => {
    const form = codedForm();
    const together = await Promise.all(Array.from({ length: 150 }, (_, n) => attempt(form, 'spring-2026', `9.9.${n}.1`)));
    expect(together.every(({ pass }) => pass !== undefined)).toBe(true);
  });

  it('do not keep out those who have a pass', async () => {
    const form = codedForm();
    const { pass = '' } = await attempt(form, 'spring-2026', '8.8.8.11');
    await fail(form, 10, '8.8.8.11');
    await expect(started.client.getIntakeForm(callWith({ pass }, '8.8.8.11'), { form })).resolves.toMatchObject({ id: form });
  });
});

async function refusalOf(answer: unknown): Promise<string | undefined> {
  try {
    if (answer !== null && typeof answer === 'object' && Symbol.asyncIterator in answer)
      await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    else await answer;
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

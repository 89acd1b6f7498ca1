import { inBrowser, Person } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { PlainPage } from '../../support/plain-browser';
import { sharedSystem, type SharedSystem } from '../../support/shared-system';

// The system that most tests use does not check for haste.

let system: SharedSystem;
let owner: Person;
const asRespondent = inBrowser(() => system.origin);

const published = (options: given.FormOptions = {}) => given.publishedForm(options, owner);
const spamOf = async (form: string) => ((await owner.get(`/app/v1/forms/${form}/submissions/spam`)).body as { data: unknown[] }).data;

beforeAll(async () => {
  system = await sharedSystem('shop');
  owner = new Person(system.origin, system.credentials.api_key);
});

describe('answers sent faster than people can type', () => {
  const sent = async (form: string) => [(await given.submissionsOf(form, owner)).length, (await spamOf(form)).length];

  it('is asked about once, with the answers kept and one button, and then counts', async () => {
    const form = await published();
    const page = await PlainPage.open(`${system.origin}/f/${form}`);
    page.enter('a.name', ['Ada']);
    const asked = await page.send('send');
    expect([asked.status, asked.heading]).toEqual([200, 'Check your answers']);
    expect(asked.html).toMatch(/not been sent yet/);
    expect([asked.entered('a.name'), await sent(form)]).toEqual([['Ada'], [0, 0]]);
    expect((await asked.send('send')).heading).toBe('Thank you');
    expect(await sent(form)).toEqual([1, 0]);
    // Sent again, it leads to the same receipt.
    expect((await page.send('send')).heading).toBe('Thank you');
    expect(await sent(form)).toEqual([1, 0]);
  });

  it('is not asked about again by Back, once it was confirmed', async () => {
    const form = await published();
    const page = await PlainPage.open(`${system.origin}/f/${form}`);
    page.enter('a.name', ['Ada']);
    const asked = await page.send('send');
    expect((await asked.send('send')).heading).toBe('Thank you');
    const back = await PlainPage.open(asked.url);
    expect(back.heading).toBe('Thank you');
    expect(back.html).not.toMatch(/not been sent/);
    expect(await sent(form)).toEqual([1, 0]);
  });

  it('needs no question where a link filled it in, but does where the link set hidden fields alone', async () => {
    const asks = [
      { key: 'coming', label: 'Are you coming?', type: 'boolean', required: true, prefill: true },
      { key: 'source', label: 'Source', type: 'hidden' },
    ];
    const form = await published({ fields: asks });
    const rsvp = await PlainPage.open(`${system.origin}/f/${form}?coming=true`);
    expect((await rsvp.send('send')).heading).toBe('Thank you');
    const tracked = await PlainPage.open(`${system.origin}/f/${form}?source=mail`);
    tracked.enter('a.coming', ['true']);
    expect((await tracked.send('send')).heading).toBe('Check your answers');
    expect(await sent(form)).toEqual([1, 0]);
  });

  it('needs no question from somebody who comes back to saved answers', async () => {
    const form = await published({ settings: { resume: { days: 7 } } });
    const page = await PlainPage.open(`${system.origin}/f/${form}`);
    page.enter('a.name', ['Ada']);
    const [, link = ''] = /(\/f\/[^"<\s]*\/resume\/[\w-]+)/.exec((await page.send('save')).html) ?? [];
    expect((await (await PlainPage.open(system.origin + link)).send('send')).heading).toBe('Thank you');
    expect(await sent(form)).toEqual([1, 0]);
  });

  itInBrowser('needs no question after a reload that brought back what was typed', async () => {
    const form = await published();
    const { page } = await asRespondent();
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await page.reload();
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect(await sent(form)).toEqual([1, 0]);
  });

  it('by a script is answered with what to do', async () => {
    const form = await published();
    const { started } = (await owner.get(`/public/v1/forms/${form}`)).body as { started: string };
    const send = async (more: object) => {
      const body = JSON.stringify({ data: { name: 'Ada' }, started, ...more });
      const response = await fetch(`${system.origin}/public/v1/forms/${form}/submissions`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      return [response.status, await response.json()];
    };
    expect(await send({})).toMatchObject([400, { error: { details: [{ key: 'started', code: 'too_fast' }] } }]);
    expect((await send({ confirmed: true }))[0]).toBe(201);
    expect(await sent(form)).toEqual([1, 0]);
  });
});

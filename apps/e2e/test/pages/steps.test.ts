import { randomBytes } from 'node:crypto';
import { asRespondent, itInBrowser, itWithScriptsAtNight } from '../../support/browser';
import * as given from '../../support/given';
import { answer, arriving, buttonOf, entered, faultyKeys, heading, idWith, press, reference, textFile } from '../../support/hosted-form';
import { PlainPage } from '../../support/plain-browser';

/** Sends the first step as a browser that does not say where it comes from. */
async function stepOf(headers: Record<string, string>, more = ''): Promise<PlainPage> {
  const page = await PlainPage.open(`/f/${form}`, headers);
  page.enter('a.name', [`Ada Lovelace${more}`]);
  page.enter('a.guests', ['false']);
  return page.send('continue', [], headers);
}

const fields = [
  { type: 'page', label: 'Guests' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'guests', label: 'Do you bring guests?', type: 'boolean', required: true },
  { key: 'count', label: 'How many?', type: 'integer', required: true, min: 1, visible_if: { key: 'guests', equals: true } },
  { type: 'page', label: 'Names of the guests', visible_if: { key: 'guests', equals: true } },
  { key: 'names', label: 'Their names', type: 'long_text', required: true },
  { type: 'page', label: 'Arrival' },
  { key: 'day', label: 'Day of arrival', type: 'date', required: true },
  { key: 'ticket', label: 'Your ticket', type: 'file' },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Summer party', fields });
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  const itOfServer = itWithScriptsAtNight(javaScript);

  itInBrowser('a respondent goes through the steps, back, checks the answers, changes one and sends', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada', guests: 'true' });
    // Without scripts, a question that depends on an answer appears after Continue.
    if (!javaScript) {
      expect(await page.locator('[data-key=count]').isVisible()).toBe(false);
      await press(page, 'Continue');
    }
    await answer(page, { count: '2' });
    await press(page, 'Continue');
    expect(await page.getByRole('heading', { name: 'Names of the guests' }).isVisible()).toBe(true);
    await answer(page, { names: 'Grace\nMary' });
    await press(page, 'Back');
    expect([await entered(page, 'name'), await entered(page, 'count')]).toEqual([['Ada'], ['2']]);
    await press(page, 'Continue');
    expect(await entered(page, 'names')).toEqual(['Grace\nMary']);
    await press(page, 'Continue');
    await answer(page, { day: '2031-07-01', ticket: [textFile('ticket.txt')] });
    await press(page, 'Continue');

    expect(await heading(page)).toBe('Check your answers');
    const shown = await page.locator('main').innerText();
    for (const text of ['Ada', 'Grace', 'Mary', 'ticket.txt']) expect(shown).toContain(text);
    await arriving(page, () => page.getByRole('button', { name: /Change.*Their names/ }).click());
    expect(await page.evaluate('document.activeElement.id')).toBe('f-names');
    await answer(page, { names: 'Grace' });
    await press(page, 'Continue');
    expect(await heading(page)).toBe('Check your answers');
    await press(page, 'Send');

    expect(await heading(page)).toBe('Thank you');
    const [stored] = await given.submissionsOf(form);
    expect(stored).toMatchObject({
      id: idWith(await reference(page)),
      data: { name: 'Ada', guests: true, count: 2, names: 'Grace', day: '2031-07-01' },
    });
    expect(await given.fileNames(form, stored?.data.ticket)).toEqual(['ticket.txt']);
  });

  itOfServer('a step whose condition is not met is skipped, and answers to it are not stored', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Bob', guests: 'true' });
    if (!javaScript) await press(page, 'Continue');
    await answer(page, { count: '1' });
    await press(page, 'Continue');
    await answer(page, { names: 'Carol' });
    await press(page, 'Back');
    await answer(page, { guests: 'false' });
    await press(page, 'Continue');
    expect(await page.getByRole('heading', { name: 'Arrival' }).isVisible()).toBe(true);
    await answer(page, { day: '2031-07-02' });
    await press(page, 'Continue');
    await press(page, 'Send');
    expect((await given.submissionsOf(form))[0]?.data).toEqual({ name: 'Bob', guests: false, day: '2031-07-02' });
  });

  itInBrowser('Back, Forward and Reload lead to each step, with what was entered on the way there', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada', guests: 'false' });
    await press(page, 'Continue');
    // Refused answers have an address, too.
    expect(await press(page, 'Continue')).toBe(422);
    await answer(page, { day: '2031-07-01', ticket: [textFile('ticket.txt')] });
    await press(page, 'Continue');
    expect(await heading(page)).toBe('Check your answers');
    await page.reload();
    expect(await page.locator('main').innerText()).toMatch(/Ada[^]*ticket\.txt/);

    await page.goBack();
    expect([await page.title(), await faultyKeys(page)]).toEqual([expect.stringMatching(/^Error: /), ['day']]);
    await page.goBack();
    expect(await page.getByRole('heading', { name: 'Arrival' }).isVisible()).toBe(true);
    await page.goBack();
    expect(await page.getByRole('heading', { name: 'Guests' }).isVisible()).toBe(true);
    for (let step = 0; step < 3; step++) await page.goForward();
    expect(await heading(page)).toBe('Check your answers');
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect((await given.submissionsOf(form))[0]).toMatchObject({
      id: idWith(await reference(page)),
      data: { name: 'Ada', day: '2031-07-01' },
    });
  });

  itOfServer('a change leads back to the check page by way of the questions that it brings up', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada', guests: 'false' });
    await press(page, 'Continue');
    await answer(page, { day: '2031-07-01' });
    await press(page, 'Continue');
    await arriving(page, () => page.getByRole('button', { name: /Change.*bring guests/ }).click());
    await answer(page, { guests: 'true' });
    if (!javaScript) await press(page, 'Continue');
    await answer(page, { count: '2' });
    await press(page, 'Continue');
    expect(await page.getByRole('heading', { name: 'Names of the guests' }).isVisible()).toBe(true);
    await answer(page, { names: 'Grace' });
    await press(page, 'Continue');
    expect(await heading(page)).toBe('Check your answers');
  });

  itOfServer('the address of a step that somebody passed on opens the form without the answers', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada Lovelace', guests: 'false' });
    await press(page, 'Continue');
    const address = page.url();
    expect(address).not.toContain('Ada');
    const other = await asRespondent({ javaScript });
    await other.page.goto(address);
    expect(new URL(other.page.url()).pathname).toBe(`/f/${form}`);
    expect(await entered(other.page, 'name')).toEqual(['']);
    expect(await other.page.content()).not.toContain('Lovelace');
  });

  itOfServer('wrong answers keep everything that was entered, files too', async () => {
    const own = await given.publishedForm({
      fields: [
        { key: 'name', label: 'Your name', type: 'short_text', required: true },
        { key: 'age', label: 'Your age', type: 'integer', min: 18 },
        { key: 'mail', label: 'Your address', type: 'email' },
        { key: 'likes', label: 'What do you like?', type: 'multi_select', options: ['a', 'b', 'c'], min_choices: 2 },
        { key: 'cv', label: 'Your CV', type: 'file', max_bytes: 1_000 },
        { key: 'notes', label: 'Some notes', type: 'file', multiple: true },
      ],
    });
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${own}`);
    await answer(page, {
      age: 'seventeen',
      mail: 'ada@',
      likes: ['b'],
      cv: [textFile('good.txt')],
      notes: [textFile('one.txt', 'one\n'), textFile('two.txt', 'two\n')],
    });

    expect(await press(page, 'Send')).toBe(422);

    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.getByRole('heading', { name: 'There is a problem' }).isVisible()).toBe(true);
    expect(await faultyKeys(page)).toEqual(['name', 'age', 'mail', 'likes']);
    expect([await entered(page, 'age'), await entered(page, 'mail'), await entered(page, 'likes')]).toEqual([
      ['seventeen'],
      ['ada@'],
      ['b'],
    ]);
    expect(await page.locator('[data-key=cv]').innerText()).toContain('good.txt');
    expect(await page.locator('[data-key=notes]').innerText()).toMatch(/one\.txt[^]*two\.txt/);
    const name = page.locator('#f-name');
    expect([await name.getAttribute('aria-invalid'), await name.getAttribute('aria-describedby')]).toEqual(['true', 'e-name']);
    await page.locator('a[href="#f-name"]').click();
    expect(await page.locator('#f-name:focus').count()).toBe(1);

    await arriving(page, () => page.getByRole('button', { name: /Remove.*one\.txt/ }).click());
    expect(await page.locator('[data-key=notes]').innerText()).not.toContain('one.txt');
    await answer(page, { name: 'Ada', age: '18', mail: 'ada@example.org', likes: ['b', 'c'] });
    expect(await press(page, 'Send')).toBe(200);
    const [stored] = await given.submissionsOf(own);
    expect(stored?.data).toMatchObject({
      name: 'Ada',
      age: 18,
      mail: 'ada@example.org',
      likes: ['b', 'c'],
    });
    expect([await given.fileNames(own, stored?.data.cv), await given.fileNames(own, stored?.data.notes)]).toEqual([
      ['good.txt'],
      ['two.txt'],
    ]);
  });

  itOfServer('a refused file is named, and the others stay', async () => {
    const own = await given.publishedForm({
      fields: [
        { key: 'cv', label: 'Your CV', type: 'file', max_bytes: 1_000 },
        { key: 'photo', label: 'A photo', type: 'file', accept: ['image/*'] },
        { key: 'note', label: 'A note', type: 'file' },
        { key: 'more', label: 'More', type: 'file', multiple: true, max_bytes: 10 },
      ],
    });
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${own}`);
    await answer(page, {
      // Too large for the buffers on the way, so that somebody has to read the rest.
      cv: [textFile('large.txt', 'x'.repeat(4_000_000))],
      photo: [textFile('no-photo.txt', 'x'.repeat(4_000_000))],
      note: [textFile('note.txt')],
      more: [textFile('short.txt'), textFile('long.txt', 'x'.repeat(11)), textFile('empty.txt', '')],
    });
    expect(await press(page, 'Send')).toBe(422);
    expect(await faultyKeys(page)).toEqual(['cv', 'photo', 'more', 'more']);
    const summary = await page.locator('.summary').innerText();
    expect(summary).toMatch(/Your CV: large\.txt: .*\n.*A photo: no-photo\.txt: /);
    // Files are stored side by side, so that either may be refused first.
    for (const named of [/More: long\.txt: .*no larger/, /More: empty\.txt: .*empty/]) expect(summary).toMatch(named);
    for (const named of [/^long\.txt: /m, /^empty\.txt: /m])
      expect(await page.locator('[data-key=more] .fault').innerText()).toMatch(named);
    expect(await page.locator('[data-key=more]').innerText()).toContain('short.txt');
    expect(await page.locator('[data-key=note]').innerText()).toContain('note.txt');
    expect(await press(page, 'Send')).toBe(200);
    expect(await given.fileNames(own, (await given.submissionsOf(own))[0]?.data.note)).toEqual(['note.txt']);
  });
});

it('a step whose answers are too long for an address is shown all the same', async () => {
  const own = await given.publishedForm({
    fields: [
      { key: 'story', label: 'Your story', type: 'long_text' },
      { type: 'page', label: 'More' },
      { key: 'name', label: 'Your name', type: 'short_text' },
    ],
  });
  const told = async (story: string) => {
    const first = await PlainPage.open(`/f/${own}`);
    first.enter('a.story', [story]);
    const second = await first.send('continue');
    const checked = await second.send('continue');
    expect((await checked.send('send')).heading).toBe('Thank you');
    return new URL(second.url).pathname.length;
  };
  expect(await told('A short one.')).toBeGreaterThan(100);
  const long = randomBytes(30_000).toString('base64');
  expect(await told(long)).toBe(`/f/${own}`.length);
  expect((await given.submissionsOf(own)).map(({ data }) => data.story)).toEqual([long, 'A short one.']);
});

describe.each([8_000, 100_000])('with scripts, steps after an answer of %i characters', (length) => {
  const own = {
    fields: [
      { key: 'story', label: 'Your story', type: 'long_text' },
      { type: 'page', label: 'More' },
      { key: 'name', label: 'Your name', type: 'short_text' },
      { type: 'page', label: 'Last' },
      { key: 'day', label: 'Day of arrival', type: 'date', required: true },
      { key: 'ticket', label: 'Your ticket', type: 'file' },
    ],
  };
  const story = randomBytes(length).toString('base64').slice(0, length);

  itInBrowser('come back by Back, Forward and Reload, and are never sent again by the browser', async () => {
    const form = await given.publishedForm(own);
    const { page } = await asRespondent();
    await page.goto(`/f/${form}`);
    await answer(page, { story });
    await press(page, 'Continue');
    await answer(page, { name: 'Ada' });

    /** Uses a button of the browser, which must ask for the page instead of sending one: before sending, it would ask, or show an error. */
    const by = async (button: (options: { waitUntil: 'commit' }) => Promise<unknown>, title: string) => {
      const asked = page.waitForRequest((request) => request.isNavigationRequest());
      await button({ waitUntil: 'commit' });
      expect((await asked).method()).toBe('GET');
      await page.getByRole('heading', { name: title }).waitFor();
      await page.waitForLoadState();
    };
    const [back, forward, reload] = [page.goBack.bind(page), page.goForward.bind(page), page.reload.bind(page)];
    await by(reload, 'More');
    expect(await entered(page, 'name')).toEqual(['Ada']);
    await press(page, 'Continue');
    // Refused answers come back as such.
    expect(await press(page, 'Continue')).toBe(422);
    await by(reload, 'Last');
    expect(await faultyKeys(page)).toEqual(['day']);
    await answer(page, { day: '2031-07-01', ticket: [textFile('ticket.txt')] });
    await press(page, 'Continue');
    await by(reload, 'Check your answers');
    expect(await page.locator('main').innerText()).toMatch(/Ada[^]*ticket\.txt/);

    await by(back, 'Last');
    expect([await faultyKeys(page), await entered(page, 'day')]).toEqual([['day'], ['2031-07-01']]);
    await by(back, 'Last');
    await by(back, 'More');
    expect(await entered(page, 'name')).toEqual(['Ada']);
    for (const title of ['Last', 'Last', 'Check your answers']) await by(forward, title);
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    const [stored] = await given.submissionsOf(form);
    expect(stored).toMatchObject({ id: idWith(await reference(page)), data: { story, name: 'Ada', day: '2031-07-01' } });
    await by(back, 'Check your answers');
    await press(page, 'Send');
    expect(await given.submissionsOf(form)).toMatchObject([{ id: idWith(await reference(page)) }]);
  });

  itInBrowser('come back in their tab alone, whoever is given the address', async () => {
    const form = await given.publishedForm(own);
    const { page, context } = await asRespondent();
    await page.goto(`/f/${form}`);
    await answer(page, { story });
    await press(page, 'Continue');
    for (const other of [await context.newPage(), (await asRespondent()).page]) {
      await other.goto(page.url());
      expect(await entered(other, 'story')).toEqual(['']);
      expect(await other.content()).not.toContain(story.slice(0, 20));
    }
  });
});

itInBrowser('a form with a single page asks to check the answers only if its author wants it', async () => {
  const reviewed = await given.publishedForm({ settings: { review_before_sending: true } });
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${reviewed}`);
  await answer(page, { name: 'Ada' });
  expect(await buttonOf(page, 'Send').count()).toBe(0);
  await press(page, 'Continue');
  expect(await heading(page)).toBe('Check your answers');
  await press(page, 'Send');
  expect((await given.submissionsOf(reviewed))[0]?.data).toEqual({ name: 'Ada' });
});

itInBrowser('with scripts, a question appears as soon as an answer asks for it, and leaves without one', async () => {
  const own = await given.publishedForm({
    fields: [
      { key: 'kind', label: 'What is it?', type: 'select', options: ['praise', 'complaint'], required: true },
      { key: 'why', label: 'What happened?', type: 'long_text', required: true, visible_if: { key: 'kind', equals: 'complaint' } },
    ],
  });
  const { page } = await asRespondent();
  await page.goto(`/f/${own}`);
  const why = page.locator('[data-key=why]');
  expect(await why.isVisible()).toBe(false);
  await answer(page, { kind: 'complaint' });
  expect(await why.isVisible()).toBe(true);
  await answer(page, { why: 'It broke' });
  await answer(page, { kind: 'praise' });
  expect(await why.isVisible()).toBe(false);
  await press(page, 'Send');
  expect((await given.submissionsOf(own))[0]?.data).toEqual({ kind: 'praise' });
});

describe('the address of a step, without a word of the browser on where it comes from,', () => {
  const own = { 'user-agent': 'Old browser', 'x-forwarded-for': '203.0.113.5' };

  it('opens for the browser that was led there', async () => {
    const step = await stepOf(own);
    expect(new URL(step.url).pathname).toMatch(/\/at\//);
    expect((await PlainPage.open(step.url, own)).html).toContain('Ada Lovelace');
    const sandboxed = { ...own, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
    expect((await PlainPage.open(step.url, sandboxed)).html).toContain('Ada Lovelace');
  });

  /** The answers that a page keeps, because they are too long for an address, as the script brings them back. */
  async function bringBack(headers: Record<string, string>): Promise<PlainPage> {
    const step = await stepOf(own, randomBytes(10_000).toString('base64'));
    const [, place = ''] = /data-place="([^"]*)"/.exec(step.html) ?? [];
    expect(place).not.toBe('');
    return PlainPage.post(step.url, { place }, headers);
  }

  it('is not needed for a step that is too long for it, which its page brings back', async () => {
    expect((await bringBack(own)).html).toContain('Ada Lovelace');
  });

  it.each<[string, Record<string, string>]>([
    ['a program', { ...own, 'user-agent': 'curl/8.5.0' }],
    ['a program that calls itself the same', { ...own, 'x-forwarded-for': '203.0.113.6' }],
    ['a program that looks at links', { 'user-agent': 'Slackbot-LinkExpanding 1.0', 'x-forwarded-for': '203.0.113.7' }],
    ['a frame of another site', { 'user-agent': 'Browser', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
    ['a window that another site opened', { ...own, 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
  ])('leads %s to the form without the answers', async (_who, headers) => {
    const step = await stepOf(own);
    for (const opened of [await PlainPage.open(step.url, headers), await bringBack(headers)]) {
      expect(new URL(opened.url).pathname).toBe(`/f/${form}`);
      expect(opened.html).not.toContain('Lovelace');
      expect(opened.entered('a.name')).toEqual(['']);
    }
  });
});

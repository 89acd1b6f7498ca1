import { referenceOf } from '@sheaf/contracts';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, arriving, buttonOf, heading, idWith, press, reference } from '../../support/hosted-form';
import { asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

let form: string;
beforeEach(async () => {
  form = await given.publishedForm({ title: 'Once' });
});

const count = async () => (await given.submissionsOf(form)).length;

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a double click sends once', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await arriving(page, () => buttonOf(page, 'Send').dblclick());
    expect(await heading(page)).toBe('Thank you');
    expect(await given.submissionsOf(form)).toMatchObject([{ id: idWith(await reference(page)) }]);
  });

  itInBrowser('Reload and Back lead to the same receipt', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    const first = await reference(page);
    await page.reload();
    expect(await reference(page)).toBe(first);

    await page.goBack();
    // The browser may have kept the answers or not.
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    expect([await heading(page), await reference(page)]).toEqual(['Thank you', first]);
    expect(await count()).toBe(1);
  });
});

it('after several steps, a page that is sent again keeps the first submission, and its other answers can be sent as another', async () => {
  const long = await given.publishedForm({
    fields: [
      { key: 'name', label: 'Your name', type: 'short_text', required: true },
      { type: 'page', label: 'More' },
      { key: 'city', label: 'Your city', type: 'short_text' },
    ],
  });
  const first = await PlainPage.open(`/f/${long}`);
  first.enter('a.name', ['Ada']);
  const second = await first.send('continue');
  second.enter('a.city', ['London']);
  const receipt = await (await second.send('continue')).send('send');

  second.enter('a.city', ['Paris']);
  const again = await (await second.send('continue')).send('send');
  expect([again.status, again.heading]).toEqual([409, 'Your answers have not been sent']);
  expect(await given.submissionsOf(long)).toMatchObject([{ data: { name: 'Ada', city: 'London' } }]);
  expect([again.entered('a.name'), again.entered('a.city')]).toEqual([['Ada'], ['Paris']]);
  const [, address = ''] = /href="(\/f\/[^"]*\/receipt\/[^"]+)"/.exec(again.html) ?? [];
  const before = await PlainPage.open(address);
  expect(before.heading).toBe('You have already sent this form');
  for (const { html } of [receipt, before]) expect(html).toContain(referenceOf((await given.submissionsOf(long))[0]?.id ?? ''));

  expect((await again.send('send')).heading).toBe('Thank you');
  expect((await again.send('send')).heading).toBe('Thank you');
  expect((await given.submissionsOf(long)).map(({ data }) => data.city).sort()).toEqual(['London', 'Paris']);
});

itInBrowser(
  'two tabs of one page send once; different answers of the second are kept, never thanked for, and sent as another submission',
  async () => {
    const { page, context } = await asRespondent({ javaScript: false });
    await page.goto(`/f/${form}`);
    const html = await page.content();
    const second = await context.newPage();
    await second.route(`**/f/${form}`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ contentType: 'text/html', body: html }) : route.continue(),
    );
    await second.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    await answer(second, { name: 'Somebody else' });
    await press(second, 'Send');

    expect(await heading(second)).toBe('Your answers have not been sent');
    expect(await second.locator('main').innerText()).toMatch(/already sent this form[^]*Somebody else/);
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada' } }]);
    await press(second, 'Send');
    expect(await heading(second)).toBe('Thank you');
    expect((await given.submissionsOf(form)).map(({ data }) => data.name)).toEqual(['Somebody else', 'Ada']);
  },
);

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a correction after Back is shown as not sent, and can be sent', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    await page.goBack();
    await answer(page, { name: 'Ada Lovelace' });
    expect(await press(page, 'Send')).toBe(409);
    expect(await heading(page)).toBe('Your answers have not been sent');
    expect(await page.locator('main').innerText()).toContain('Ada Lovelace');
    await page.reload();
    expect(await page.locator('main').innerText()).toContain('Ada Lovelace');
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect(await count()).toBe(2);
  });
});

it('the same page sent ten times at once leads to one submission and one receipt', async () => {
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  const receipts = await Promise.all(Array.from({ length: 10 }, () => page.send('send')));
  expect(new Set(receipts.map(({ status, heading: title }) => `${status} ${title}`))).toEqual(new Set(['200 Thank you']));
  const [stored, ...more] = await given.submissionsOf(form);
  expect(more).toEqual([]);
  for (const receipt of receipts) expect(receipt.html).toContain(referenceOf(stored?.id ?? ''));
});

it('a page whose start token is from another day still sends', async () => {
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  page.enter('started', ['an old token']);
  expect((await page.send('send')).heading).toBe('Thank you');
  expect(await count()).toBe(1);
});

describe('a step of answers that were sent', () => {
  const fields = [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { type: 'page', label: 'More' },
    { key: 'city', label: 'Your city', type: 'short_text' },
  ];
  const change = async (id: string, patch: object) =>
    expect(await asOwner.patch(`/api/v1/forms/${id}`, patch)).toMatchObject({ status: 200 });
  const after: [what: string, change: (id: string) => Promise<unknown>][] = [
    ['full', (id) => change(id, { max_submissions: 1 })],
    ['closed', (id) => change(id, { closes_at: '2021-01-01T00:00:00Z' })],
    ['disabled', (id) => change(id, { status: 'disabled' })],
    ['published again', (id) => given.publishAgain(id, { fields: fields.slice(0, 1) })],
  ];

  it.each(after)('leads to the receipt, although the form is %s by now', async (_what, changed) => {
    const id = await given.publishedForm({ fields });
    const first = await PlainPage.open(`/f/${id}`);
    first.enter('a.name', ['Ada']);
    const second = await first.send('continue');
    const checked = await second.send('continue');
    expect((await checked.send('send')).heading).toBe('Thank you');
    const [stored] = await given.submissionsOf(id);
    await changed(id);

    // The browser's Back and Reload ask for the addresses of steps; a click on a page that the browser kept sends it again.
    for (const again of [await PlainPage.open(checked.url), await PlainPage.open(second.url), await second.send('continue')]) {
      expect(['Thank you', 'You have already sent this form']).toContain(again.heading);
      expect(again.html).toContain(referenceOf(stored?.id ?? ''));
    }
    expect(await given.submissionsOf(id)).toHaveLength(1);
  });

  itInBrowser.each([false, true])(
    'leads to the receipt by Back and Reload, if they took the last place (scripts: %s)',
    async (javaScript) => {
      const id = await given.publishedForm({ fields });
      await change(id, { max_submissions: 1 });
      const { page } = await asRespondent({ javaScript });
      await page.goto(`/f/${id}`);
      await answer(page, { name: 'Ada' });
      for (const button of ['Continue', 'Continue', 'Send']) await press(page, button);
      const sent = await reference(page);
      for (const move of [() => page.goBack(), () => page.reload(), () => page.goBack()]) {
        await move();
        expect(await heading(page)).toMatch(/^(Thank you|You have already sent this form)$/);
        expect(await reference(page)).toBe(sent);
      }
    },
  );

  it('shows other answers than those as not sent, although the form is closed by now', async () => {
    const id = await given.publishedForm({ fields });
    const first = await PlainPage.open(`/f/${id}`);
    first.enter('a.name', ['Ada']);
    const second = await first.send('continue');
    await (await second.send('continue')).send('send');
    second.enter('a.city', ['Paris']);
    const corrected = await second.send('continue');
    await change(id, { closes_at: '2021-01-01T00:00:00Z' });

    const again = await PlainPage.open(corrected.url);
    expect(again.heading).toBe('Your answers have not been sent');
    expect(again.html).toMatch(/closed.*Paris/s);
  });
});

describe('a page that is older than the form', () => {
  const before = [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'nickname', label: 'Your nickname', type: 'short_text' },
  ];
  const after = [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'city', label: 'Your city', type: 'short_text', required: true },
  ];

  itInBrowser('is told that the form has changed, loses nothing and can then be sent', async () => {
    const changed = await given.publishedForm({ fields: before });
    const { page } = await asRespondent({ javaScript: false });
    await page.goto(`/f/${changed}`);
    await answer(page, { name: 'Ada', nickname: 'The Countess' });
    await given.publishAgain(changed, { fields: after });

    await press(page, 'Send');

    expect(await page.locator('main').innerText()).toMatch(/changed/);
    expect(await page.locator('#f-name').inputValue()).toBe('Ada');
    expect(await page.locator('main').innerText()).toContain('The Countess');
    expect(await given.submissionsOf(changed)).toEqual([]);
    await answer(page, { city: 'London' });
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect((await given.submissionsOf(changed))[0]?.data).toEqual({ name: 'Ada', city: 'London' });
  });

  const options = (...values: string[]) => values.map((value) => ({ value, label: `Workshop ${value}` }));
  const rich = (workshops: object[], isShown = true) => [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'workshop', label: 'Workshop', type: 'select', options: workshops },
    { key: 'also', label: 'And also', type: 'multi_select', options: workshops },
    { key: 'diet', label: 'Your diet', type: 'short_text', ...(isShown ? {} : { visible_if: { key: 'workshop', answered: true } }) },
    ...(isShown ? [{ key: 'cv', label: 'Your CV', type: 'file' }] : []),
  ];
  const enterAll = (page: PlainPage) => {
    page.enter('a.name', ['Ada']);
    page.enter('a.workshop', ['a']);
    page.enter('a.also', ['a', 'b']);
    page.enter('a.diet', ['No nuts']);
  };
  const cv = [{ name: 'file.cv', file: new File(['hello\n'], 'cv.txt', { type: 'text/plain' }) }];
  /** The answers that fall away, as the page lists them. */
  const listed = ({ html }: PlainPage) =>
    [...html.matchAll(/<li><bdi>(.*?)<\/bdi>: <bdi>(.*?)<\/bdi><\/li>/g)].map(([, label, value]) => `${label}: ${value}`);
  const all = ['Workshop: Workshop a', 'And also: Workshop a', 'Your diet: No nuts', 'Your CV: cv.txt'];

  it('names each answer that falls away: to options, questions and files that are gone, and to questions that are hidden now', async () => {
    const changed = await given.publishedForm({ fields: rich(options('a', 'b')) });
    const page = await PlainPage.open(`/f/${changed}`);
    enterAll(page);
    // A file that was taken before the change.
    page.enter('a.name', ['']);
    const kept = await page.send('send', cv);
    kept.enter('a.name', ['Ada']);
    await given.publishAgain(changed, { fields: rich(options('b', 'c'), false) });
    const told = await kept.send('send');
    expect([told.status, listed(told)]).toEqual([409, all]);
    expect([told.entered('a.also'), told.entered('a.workshop')]).toEqual([['b'], []]);
    expect((await told.send('send')).heading).toBe('Thank you');
    expect((await given.submissionsOf(changed))[0]?.data).toEqual({ name: 'Ada', also: ['b'] });
  });

  it('names what a question takes no more of several answers, as it takes one now', async () => {
    const [name, , also = {}] = rich(options('a', 'b', 'c'));
    const changed = await given.publishedForm({ fields: [name ?? {}, also] });
    const page = await PlainPage.open(`/f/${changed}`);
    page.enter('a.name', ['Ada']);
    page.enter('a.also', ['a', 'c']);
    await given.publishAgain(changed, { fields: [name ?? {}, { ...also, type: 'select' }] });
    const told = await page.send('send');
    expect([listed(told), told.entered('a.also')]).toEqual([['And also: Workshop c'], ['a']]);
  });

  it('names them to somebody who comes back to saved answers, too', async () => {
    const changed = await given.publishedForm({ fields: rich(options('a', 'b')), settings: { resume: { days: 7 } } });
    const page = await PlainPage.open(`/f/${changed}`);
    enterAll(page);
    const [, link = ''] = /(\/f\/[^"<\s]*\/resume\/[\w-]+)/.exec((await page.send('save', cv)).html) ?? [];
    await given.publishAgain(changed, { fields: rich(options('b', 'c'), false) });
    expect(listed(await PlainPage.open(link))).toEqual(all);
  });

  itInBrowser('lets them be copied, in a right-to-left language as well', async () => {
    const changed = await given.publishedForm({ fields: rich(options('a', 'b')) });
    const { page, context } = await asRespondent();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/f/${changed}?lang=ar`);
    await answer(page, { name: 'Ada', workshop: 'a', diet: 'No nuts' });
    await given.publishAgain(changed, { fields: rich(options('b', 'c'), false) });
    await arriving(page, () => page.locator('button.primary').click());
    await page.getByRole('button', { name: 'نسخ', exact: true }).click();
    await page.locator('#status', { hasText: 'تم النسخ' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Workshop: Workshop a\nYour diet: No nuts');
  });
});

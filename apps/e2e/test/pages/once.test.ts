import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, arriving, buttonOf, heading, press, reference } from '../../support/hosted-form';
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
    expect(await given.submissionsOf(form)).toMatchObject([{ id: await reference(page) }]);
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

it('after several steps, a page that is sent again leads on to the same receipt', async () => {
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
  expect(again.heading).toBe('Thank you');
  expect(await given.submissionsOf(long)).toMatchObject([{ data: { name: 'Ada', city: 'London' } }]);
  for (const { html } of [receipt, again]) expect(html).toContain((await given.submissionsOf(long))[0]?.id);
});

itInBrowser('two tabs of one page send once, also with different answers, and the second one says so', async () => {
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

  expect(await reference(second)).toBe(await reference(page));
  expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada' } }]);
  expect(await second.locator('main').innerText()).toMatch(/before|already/i);
});

it('the same page sent ten times at once leads to one submission and one receipt', async () => {
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  const receipts = await Promise.all(Array.from({ length: 10 }, () => page.send('send')));
  expect(new Set(receipts.map(({ status, heading: title }) => `${status} ${title}`))).toEqual(new Set(['200 Thank you']));
  const [stored, ...more] = await given.submissionsOf(form);
  expect(more).toEqual([]);
  for (const receipt of receipts) expect(receipt.html).toContain(stored?.id);
});

it('a page whose start token is from another day still sends', async () => {
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  page.enter('started', ['an old token']);
  expect((await page.send('send')).heading).toBe('Thank you');
  expect(await count()).toBe(1);
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
});

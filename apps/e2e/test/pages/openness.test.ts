import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const change = async (form: string, patch: object) => {
  const { status, body } = await asOwner.patch(`/api/v1/forms/${form}`, patch);
  if (status !== 200) throw new Error(JSON.stringify(body));
};
const textOf = async (path: string) => {
  const page = await PlainPage.open(path);
  return { status: page.status, text: page.html.replaceAll(/<[^<>]*>/g, ' ') };
};

describe('a form that takes no submissions has a page that says so, without questions', () => {
  it.each<[string, object, RegExp]>([
    ['is closed, and since when', { closes_at: '2021-03-04T10:00:00Z', timezone: 'Europe/Vienna' }, /closed[^]*4 March 2021/i],
    ['is closed in the words of its author', { closes_at: '2021-03-04T10:00:00Z', closed_message: 'Back on Monday' }, /Back on Monday/],
    [
      'is not open yet, and when it opens, in its own time zone',
      { opens_at: '2098-01-01T23:30:00Z', timezone: 'Europe/Vienna' },
      /2 January 2098[^]*00:30|00:30[^]*2 January 2098|12:30[^]*2 January 2098|2 January 2098[^]*12:30/i,
    ],
  ])('that it %s', async (_what, patch, expected) => {
    const form = await given.publishedForm({ title: 'Closed' });
    await change(form, patch);
    const { status, text } = await textOf(`/f/${form}`);
    expect(status).toBe(200);
    expect(text).toMatch(expected);
    expect(text).not.toContain('Your name');
  });

  it('that it is full', async () => {
    const form = await given.publishedForm();
    await change(form, { max_submissions: 1 });
    await given.submission(form);
    expect((await textOf(`/f/${form}`)).text).toMatch(/full|as many|maximum/i);
  });

  it('that no such form exists', async () => {
    for (const path of ['/f/no-such-form', '/f/00000000-0000-0000-0000-000000000000', '/f/%F0%9F%92%A5', '/f/%ff'])
      expect(await textOf(path)).toMatchObject({
        status: 404,
        text: expect.stringMatching(/not found|no form|does not exist/i) as unknown,
      });
  });

  it('that an unpublished form does not exist', async () => {
    const { id } = await given.form({ title: 'Secret draft' });
    const { status, text } = await textOf(`/f/${id}`);
    expect(status).toBe(404);
    expect(text).not.toContain('Secret draft');
  });
});

itInBrowser('a form opens under its slug too', async () => {
  const form = await given.publishedForm({ title: 'By name' });
  await change(form, { slug: `by-name-${form.slice(0, 8)}` });
  const { page } = await asRespondent();
  await page.goto(`/f/by-name-${form.slice(0, 8)}`);
  expect(await heading(page)).toBe('By name');
  await answer(page, { name: 'Ada' });
  await press(page, 'Send');
  expect(await heading(page)).toBe('Thank you');
});

itInBrowser('the last place is taken while somebody types: the page says so and shows what was not sent', async () => {
  const form = await given.publishedForm();
  await change(form, { max_submissions: 1, closed_message: 'All places are taken' });
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada the late' });
  await given.submission(form);

  await press(page, 'Send');

  const text = await page.locator('main').innerText();
  expect(text).toContain('All places are taken');
  expect(text).toContain('Ada the late');
  expect(await given.submissionsOf(form)).toHaveLength(1);
});

it('a page that is open while its form gets another address still sends, and its links stay', async () => {
  const form = await given.publishedForm({ settings: { resume: { days: 7 }, show_answers: true } });
  const slug = `moved-${form.slice(0, 8)}`;
  await change(form, { slug });
  const page = await PlainPage.open(`/f/${slug}`);
  page.enter('a.name', ['Ada']);
  const saved = await page.send('save');
  const other = await PlainPage.open(`/f/${slug}`);
  other.enter('a.name', ['Grace']);
  const receipt = await other.send('send');
  expect(receipt.heading).toBe('Thank you');
  await change(form, { slug: `${slug}-again` });

  expect((await PlainPage.open(new URL(saved.url).pathname)).entered('a.name')).toEqual(['Ada']);
  expect((await PlainPage.open(new URL(receipt.url).pathname)).html).toContain('Grace');
  expect((await page.send('send')).heading).toBe('Thank you');
});

itInBrowser('the form goes to the trash while somebody types: the page shows what was not sent', async () => {
  const form = await given.publishedForm();
  const { page, problems } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada the late' });
  expect((await asOwner.delete(`/api/v1/forms/${form}`)).status).toBeLessThan(300);

  expect(await press(page, 'Send')).toBe(404);
  problems.take();
  const text = await page.locator('main').innerText();
  expect(text).toMatch(/have not been sent/i);
  expect(text).toContain('Ada the late');
});

it('words of another site are not shown as answers to a form that is gone', async () => {
  const form = await given.publishedForm();
  const page = await PlainPage.open(`/f/${form}`);
  const [token = ''] = page.entered('token');
  await asOwner.delete(`/api/v1/forms/${form}`);
  for (const [sent, headers] of [
    [token, { 'sec-fetch-site': 'cross-site' }],
    ['forged', {}],
  ] as const) {
    const body = new URLSearchParams({ token: sent, 'a.name': 'Call this number' });
    const response = await fetch(new URL(`/f/${form}?fill-in=1`, page.url), { method: 'POST', body, headers });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('Call this number');
  }
});

describe('a form that takes nothing more, and a page with a file', () => {
  const fields = [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'cv', label: 'Your CV', type: 'file' },
  ];
  const files = [{ name: 'file.cv', file: new File(['hello\n'], 'cv.txt', { type: 'text/plain' }) }];

  it.each<[string, object]>([
    ['full', { max_submissions: 1 }],
    ['closed', { closes_at: '2021-01-01T00:00:00Z' }],
  ])('if it is %s, a page that was sent leads to its receipt, and another shows what was not sent', async (_what, patch) => {
    const form = await given.publishedForm({ fields });
    const [first, late] = [await PlainPage.open(`/f/${form}`), await PlainPage.open(`/f/${form}`)];
    first.enter('a.name', ['Ada']);
    late.enter('a.name', ['Ada the late']);
    expect((await first.send('send', files)).heading).toBe('Thank you');
    await change(form, patch);

    expect((await first.send('send', files)).heading).toBe('You have already sent this form');
    const refused = await late.send('send', files);
    expect([refused.status, refused.heading]).toEqual([403, 'Your answers have not been sent']);
    expect(refused.html).toContain('Ada the late');
    expect(await given.submissionsOf(form)).toHaveLength(1);
  });
});

it('the form is changed and closes while somebody types: the page says so and shows what was not sent', async () => {
  const form = await given.publishedForm({
    fields: [
      { key: 'name', label: 'Your name', type: 'short_text' },
      { key: 'nickname', label: 'Your nickname', type: 'short_text' },
    ],
  });
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada the late']);
  page.enter('a.nickname', ['The Countess']);
  await given.publishAgain(form, { fields: [{ key: 'name', label: 'Your name', type: 'short_text' }] });
  await change(form, { closes_at: '2021-01-01T00:00:00Z' });

  const closed = await page.send('send');

  expect([closed.status, closed.shownKeys]).toEqual([403, []]);
  expect(closed.heading).toBe('Your answers have not been sent');
  for (const text of ['Ada the late', 'Your nickname', 'The Countess']) expect(closed.html).toContain(text);
});

itInBrowser('the form closes while somebody types: the page says so and shows what was not sent', async () => {
  const form = await given.publishedForm();
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada the late' });
  await change(form, { closes_at: '2021-01-01T00:00:00Z' });
  await press(page, 'Send');
  const text = await page.locator('main').innerText();
  expect(text).toMatch(/closed/i);
  expect(text).toContain('Ada the late');
  expect(await given.submissionsOf(form)).toEqual([]);
});

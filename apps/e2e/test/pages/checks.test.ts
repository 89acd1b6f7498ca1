import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, faultyKeys, heading, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const starts = { key: 'starts', label: 'Starts', type: 'date', required: true };
const ends = { key: 'ends', label: 'Ends', type: 'date', required: true };
const check = {
  ...{ type: 'check', if: { key: 'ends', lt: { key: 'starts' } }, message: 'The end is before the start.', at: 'ends' },
  translations: { ar: { message: 'النهاية قبل البداية.' } },
};
const settings = { languages: ['en', 'ar'], default_language: 'en' };
const wrong = { starts: '2031-05-02', ends: '2031-05-01' };

async function filled(page: PlainPage, answers: Readonly<Record<string, string>>, button: string): Promise<PlainPage> {
  for (const [key, value] of Object.entries(answers)) page.enter(`a.${key}`, [value]);
  return page.send(button);
}

it('v1 and /public/v1 refuse answers with the message of the check, and v1 shows no check among the fields', async () => {
  const form = await given.publishedForm({ fields: [starts, ends, check] });
  const { body } = await asOwner.get(`/api/v1/forms/${form}/fields`);
  expect((body as { fields: { key: string }[] }).fields.map(({ key }) => key)).toEqual(['starts', 'ends']);
  const fault = { key: 'ends', code: 'refused', params: { check: 2 }, message: check.message };
  const sent = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: wrong });
  expect(sent).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: `data.ends: ${check.message}`, details: [fault] } },
  });
  const { status } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { ...wrong, ends: wrong.starts } });
  expect(status).toBe(201);
});

it('a page shows the message at the question in the language of the page, with everything that was entered', async () => {
  const form = await given.publishedForm({ fields: [starts, ends, check], settings });
  const page = await filled(await PlainPage.open(`/f/${form}?lang=ar`), wrong, 'send');
  expect([page.status, page.faultyKeys, page.entered('a.ends')]).toEqual([422, ['ends'], [wrong.ends]]);
  expect(page.html.match(/النهاية قبل البداية\./g)).toHaveLength(2);
  const receipt = await filled(page, { ends: '2031-05-03' }, 'send');
  expect(receipt.status).toBe(200);
  expect(await given.submissionsOf(form)).toMatchObject([{ data: { ...wrong, ends: '2031-05-03' } }]);
});

it('of several steps, the one with the last question is not left, and leads back to an earlier one that has the message', async () => {
  const fields = [
    starts,
    { type: 'page', label: 'End' },
    ends,
    { type: 'page', label: 'More' },
    { key: 'more', label: 'More', type: 'short_text' },
  ];
  const form = await given.publishedForm({
    fields: [...fields, check, { ...check, if: { key: 'ends', gt: '2032-01-01' }, message: 'Too late.', at: 'starts' }],
  });
  let page = await filled(await PlainPage.open(`/f/${form}`), { starts: wrong.starts }, 'continue');
  page = await filled(page, { ends: wrong.ends }, 'continue');
  expect([page.status, page.heading, page.faultyKeys]).toEqual([422, 'End', ['ends']]);

  page = await filled(page, { ends: '2033-01-01' }, 'continue');
  expect([page.status, page.shownKeys, page.faultyKeys]).toEqual([422, ['starts'], ['starts']]);
  page = await page.send('continue');
  expect([page.status, page.shownKeys, page.entered('a.ends')]).toEqual([200, ['ends'], ['2033-01-01']]);
  page = await filled(page, { ends: '2031-06-01' }, 'continue');
  page = await page.send('continue');
  expect(page.heading).toBe('Check your answers');

  page = await filled(await page.send('change:starts'), { starts: '2031-07-01' }, 'continue');
  expect([page.status, page.faultyKeys]).toEqual([422, ['ends']]);
});

it('an option that no longer fits is told on the way to the check page, and at the question that has lost it', async () => {
  const only = (equals: string) => ({ visible_if: { key: 'kind', equals } });
  const fields = [
    { key: 'kind', label: 'Kind', type: 'select', options: ['a', 'b'] },
    { type: 'page', label: 'City' },
    {
      ...{ key: 'city', label: 'City', type: 'select' },
      options: [
        { value: 'agra', label: 'Agra', ...only('a') },
        { value: 'bern', label: 'Bern', ...only('b') },
      ],
    },
  ];
  const form = await given.publishedForm({ fields });
  let page = await filled(await PlainPage.open(`/f/${form}`), { kind: 'a' }, 'continue');
  const checked = await filled(page, { city: 'agra' }, 'continue');
  expect(checked.heading).toBe('Check your answers');

  page = await filled(await checked.send('change:kind'), { kind: 'b' }, 'continue');
  expect([page.status, page.shownKeys, page.faultyKeys]).toEqual([422, ['city'], ['city']]);

  page = await checked.send('back');
  page = await filled(await page.send('back'), { kind: 'b' }, 'continue');
  expect([page.status, page.shownKeys, page.faultyKeys]).toEqual([200, ['city'], []]);
  expect(page.html).toMatch(/Removed, as it does not fit your other answers:<\/p><ul><li><bdi[^>]*>Agra</);
});

itInBrowser('the summary has the focus and leads to the question, on a phone from right to left', async () => {
  const form = await given.publishedForm({ title: 'Holiday', fields: [starts, ends, check], settings });
  for (const language of ['en', 'ar']) {
    const { page } = await asRespondent({ width: 320, height: 700 });
    await page.goto(`/f/${form}?lang=${language}`);
    await answer(page, wrong);
    const title = await heading(page);
    expect(await press(page, language === 'en' ? 'Send' : 'إرسال')).toBe(422);
    expect([await heading(page), await faultyKeys(page)]).toEqual([title, ['ends']]);
    expect(await page.locator('.summary:focus').count()).toBe(1);
    await page.locator('.summary a').click();
    expect(await page.locator('#f-ends:focus').getAttribute('aria-describedby')).toContain('ends');
  }
});

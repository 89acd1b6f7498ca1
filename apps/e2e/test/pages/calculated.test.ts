import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';

const fields = [
  { key: 'places', label: 'Places', type: 'integer', required: true, max: 50 },
  { key: 'member', label: 'Are you a member?', type: 'boolean' },
  { key: 'total', label: 'Total', type: 'calculated', formula: 'places * 12.5 - if(member, 10, 0)', format: 'currency', currency: 'eur' },
  { key: 'large', label: 'Large', type: 'calculated', formula: 'total > 100', format: 'boolean', shown: false },
  { key: 'address', label: 'Address of the invoice', type: 'short_text', visible_if: { key: 'large', equals: true } },
  { type: 'page', label: 'Your order' },
  { key: 'again', label: 'To pay', type: 'calculated', formula: 'total', format: 'currency', currency: 'eur' },
  { key: 'note', label: 'Note', type: 'short_text' },
];
const settings = { languages: ['en', 'ar'], default_language: 'en' };

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Order', fields, settings });
});

it('the APIs compute it, ignore what is sent for it, and compute it anew when a member corrects an answer', async () => {
  const sent = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { places: 2, member: true, total: 1, large: true } });
  expect(sent.status).toBe(201);
  const data = { places: 2, member: true, total: 15, large: false, again: 15 };
  const [stored] = await given.submissionsOf(form);
  expect(stored?.data).toEqual(data);
  const path = `/app/v1/forms/${form}/submissions/${stored?.id}`;
  const corrected = await asOwner.patch(path, { data: { ...data, places: 3 }, revision: 0 });
  expect(corrected).toMatchObject({ status: 200, body: { data: { places: 3, total: 27.5, again: 27.5 } } });

  const { body } = await asOwner.get(`/api/v1/forms/${form}/fields`);
  expect((body as { fields: { key: string; type: string }[] }).fields.map(({ key, type }) => `${key} ${type}`)).toEqual([
    'places number',
    'member boolean',
    'total number',
    'large boolean',
    'address string',
    'again number',
    'note string',
  ]);
});

it('tells the author where a formula is wrong', async () => {
  const { id } = (await asOwner.post('/api/v1/forms', { title: 'Order' })).body as { id: string };
  const draft = `/app/v1/forms/${id}/draft`;
  const { revision } = (await asOwner.get(draft)).body as { revision: number };
  const wrong = [{ key: 'total', label: 'Total', type: 'calculated', formula: 'places * 2' }];
  expect(await asOwner.put(draft, { fields: wrong, revision })).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [{ key: 'fields.0.formula', message: expect.stringContaining('places is the key of no earlier field') as string }],
      },
    },
  });
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a respondent sees it in their language on the pages after it, and it is stored', async () => {
    const { page } = await asRespondent({ javaScript, width: 320 });
    await page.goto(`/f/${form}?lang=ar`);
    const written = (amount: number) => new Intl.NumberFormat('ar', { style: 'currency', currency: 'eur' }).format(amount);
    await answer(page, { places: '10', member: 'false' });
    if (javaScript) {
      expect(await page.locator('output').textContent()).toBe(written(125));
      await answer(page, { address: 'Home' });
      await press(page, 'متابعة');
    } else {
      await press(page, 'متابعة');
      // The page asks for the address, which only the result brings up.
      expect(await page.locator('output').textContent()).toBe(written(125));
      await answer(page, { address: 'Home' });
      await press(page, 'متابعة');
    }
    expect(await page.locator('output').textContent()).toBe(written(125));
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/calculated-${javaScript}.png`, fullPage: true });
  });
});

import { createHash } from 'node:crypto';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const id = createHash('sha256').update(png).digest('hex');
const fields = [
  {
    key: 'cup',
    label: 'Which cup?',
    type: 'select',
    options: [
      { value: 'red', label: 'Red', image: { picture: id } },
      { value: 'blue', label: 'Blue' },
    ],
  },
];

/** A published form whose first option has a picture. */
async function pictured(settings: object = {}): Promise<string> {
  const form = await given.publishedForm({ settings });
  const added = await asOwner.post(`/app/v1/forms/${form}/pictures`, { picture: `data:image/png;base64,${png.toString('base64')}` });
  expect(added).toMatchObject({ status: 201, body: { id } });
  expect(await asOwner.get(`/app/v1/forms/${form}/pictures/${id}`)).toMatchObject({ status: 200, body: added.body });
  await given.publishAgain(form, { fields });
  return form;
}
const pictureOf = (form: string) => anyone.offTheMap.send('GET', `/f/${form}/pictures/${id}`);

describe('the picture of an option', () => {
  itInBrowser.each([
    ['without scripts', false],
    ['with scripts', true],
  ])('is pressed as its label, %s, on the page and in a frame', async (_, javaScript) => {
    const form = await pictured();
    const { page } = await asRespondent({ javaScript, width: 320 });
    for (const address of [`/f/${form}`, `/f/${form}?embed=1`]) {
      await page.goto(address);
      const image = page.locator('[data-key=cup] img');
      await image.scrollIntoViewIfNeeded();
      await page.waitForFunction('[...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)');
      await image.click();
      expect(await page.getByRole('radio', { name: 'Red', exact: true }).isChecked()).toBe(true);
    }
    await press(page, 'Send');
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { cup: 'red' } }]);
  });

  it('has an address that browsers alone may keep, for a version alone', async () => {
    const form = await pictured();
    const response = await pictureOf(form);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'private, max-age=31536000, immutable',
    ]);
    expect(await anyone.offTheMap.send('GET', `/f/${form}/pictures/${'0'.repeat(64)}`)).toMatchObject({ status: 404 });
    expect(await anyone.offTheMap.send('GET', `/f/${form}/pictures/x`)).toMatchObject({ status: 400 });
  });

  it('is not shown before the access code', async () => {
    const form = await pictured({ access_code: 'spring-2026' });
    const { status, headers } = await pictureOf(form);
    expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });
});

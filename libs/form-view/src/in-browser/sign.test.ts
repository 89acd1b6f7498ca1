import { inBrowser } from '@sheaf/testing';
import { itemsOf, questions, shownItem } from '../sample-views';
import { Site } from './site';

let site: Site;
beforeAll(async () => (site = await Site.start()));
afterAll(() => site.stop());

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asRespondent = inBrowser(() => site.origin);

async function open(options: Parameters<typeof asRespondent>[0] = {}, script = '') {
  const [item] = itemsOf({ key: 'signed', type: 'signature', label: 'Your signature', required: true });
  if (!item) throw new Error('no item');
  site.pages.set('/f/site-visit', questions({ items: [shownItem(item, 0)] }));
  const respondent = await asRespondent(options);
  if (script !== '') await respondent.page.addInitScript(script);
  await respondent.open('/f/site-visit');
  const { page } = respondent;
  const pad = page.locator('canvas');
  const box = async () => (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    respondent,
    page,
    box,
    name: page.getByLabel('Type your name'),
    /** A stroke from one place to the next, in parts of the pad. */
    stroke: async (...places: [number, number][]) => {
      const { x, y, width, height } = await box();
      for (const [at, [right, down]] of places.entries()) {
        await page.mouse.move(x + right * width, y + down * height);
        if (at === 0) await page.mouse.down();
      }
      await page.mouse.up();
    },
    /** The file that would be sent: its name, type, size in pixels, and how many of them are dark. */
    drawn: () =>
      page.evaluate<{ name: string; type: string; width: number; height: number; dark: number } | undefined>(`(async () => {
        const file = new FormData(document.querySelector('main form')).get('file.signed');
        if (!file || file.size === 0) return undefined;
        const { width, height } = await createImageBitmap(file);
        const canvas = new OffscreenCanvas(width, height);
        const pen = canvas.getContext('2d');
        pen.drawImage(await createImageBitmap(file), 0, 0);
        const bytes = pen.getImageData(0, 0, width, height).data;
        let dark = 0;
        for (let at = 0; at < bytes.length; at += 4) if (bytes[at] < 128 && bytes[at + 3] === 255) dark++;
        return { name: file.name, type: file.type, width, height, dark };
      })()`),
  };
}

itInBrowser('a signature that was drawn is sent as a picture, dark on white, in place of a name', async () => {
  const { respondent, stroke, drawn, name, page } = await open({ dark: true });
  await name.fill('Ada');
  expect(await drawn()).toBeUndefined();
  await stroke([0.1, 0.5], [0.4, 0.2], [0.6, 0.8], [0.9, 0.4]);
  const picture = await drawn();
  expect(picture).toMatchObject({ name: 'signature.png', type: 'image/png', width: 1_200, height: 480 });
  expect(picture?.dark).toBeGreaterThan(1_000);
  expect(await name.isDisabled()).toBe(true);
  expect(await page.evaluate<boolean>("new FormData(document.querySelector('main form')).has('a.signed')")).toBe(false);
  expect(await respondent.accessibilityFaults()).toEqual([]);
});

itInBrowser('strokes are taken back one by one, or all at once, and then the name counts again', async () => {
  const { stroke, drawn, name, page } = await open();
  await stroke([0.1, 0.5], [0.9, 0.5]);
  const one = await drawn();
  await stroke([0.5, 0.1], [0.5, 0.9]);
  expect((await drawn())?.dark).toBeGreaterThan(one?.dark ?? Infinity);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await drawn()).toEqual(one);
  await stroke([0.2, 0.2], [0.3, 0.8]);
  await page.getByRole('button', { name: 'Clear' }).click();
  expect([await drawn(), await name.isEnabled()]).toEqual([undefined, true]);
  expect(await page.locator(':focus').getAttribute('id')).toBe('f-signed');
});

itInBrowser('a pad fits on a narrow screen, and draws where it is touched there', async () => {
  const { page, stroke, drawn, box } = await open({ width: 320, height: 640 });
  expect((await box()).width).toBeLessThan(320);
  await stroke([0.25, 0.5], [0.75, 0.5]);
  expect((await drawn())?.dark).toBeGreaterThan(1_000);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
});

itInBrowser('people sign without a script by typing their name', async () => {
  const { page, name } = await open({ javaScript: false });
  expect(await page.locator('canvas').isVisible()).toBe(false);
  expect(await name.isVisible()).toBe(true);
});

itInBrowser('a hand that rests on the pad does not end the stroke of a pen', async () => {
  const { page, box, drawn } = await open();
  const { x, y, width, height } = await box();
  await page.mouse.move(x + 0.1 * width, y + 0.5 * height);
  await page.mouse.down();
  for (const type of ['pointermove', 'pointerup'])
    await page.evaluate(`document.querySelector('canvas').dispatchEvent(new PointerEvent('${type}', { pointerId: 99 }))`);
  await page.mouse.move(x + 0.9 * width, y + 0.5 * height);
  await page.mouse.up();
  expect((await drawn())?.dark).toBeGreaterThan(1_000);
});

itInBrowser('a page that is restored without its drawing takes a name again', async () => {
  const restored = `document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') document.querySelector('#f-signed').disabled = true;
  })`;
  const { page, name } = await open({}, restored);
  expect(await page.locator('canvas').isVisible()).toBe(true);
  expect(await name.isEnabled()).toBe(true);
  // The next test must not have its script.
  await page.close();
});

itInBrowser('people type their name where the browser gives back other pixels than were drawn', async () => {
  const { page, name } = await open(
    {},
    'CanvasRenderingContext2D.prototype.getImageData = () => ({ data: new Uint8ClampedArray(324).fill(255) })',
  );
  expect(await name.isVisible()).toBe(true);
  expect(await page.locator('canvas').isVisible()).toBe(false);
  await page.close();
});

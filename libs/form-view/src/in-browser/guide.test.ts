import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isField, isOnPages, isRepeat, withOthers } from '@sheaf/contracts';
import { inBrowser } from '@sheaf/testing';
import { render } from '../render';
import { enteredItems, itemsOf, questions, shownItem } from '../sample-views';
import type { ShownItem, View } from '../view';
import { Site } from './site';

const guides = join(__dirname, '../../../../docs/guides');

/** The questions of the guide that people see, each with the name of the file that a reader saves it as. */
const examples = [...readFileSync(join(guides, 'questions.md'), 'utf8').matchAll(/^```json ([\w-]+)\.json\n(.*?)^```$/gms)]
  .map(([, name = '', json = '']) => ({ name, field: JSON.parse(json) as { type?: string; label: string } }))
  .filter(({ field }) => field.type !== undefined && field.type !== 'hidden');

/** Questions that show more once something is answered. */
const answered: Readonly<Record<string, Partial<ShownItem>>> = {
  source: { values: ['other'] },
  total: { result: { value: 40, formula: undefined } },
};

const pageWith = ({ name, field }: (typeof examples)[number]): View =>
  questions({
    items: withOthers(itemsOf({ ...field }))
      .filter(isOnPages)
      .map((item, index) =>
        isField(item) && isRepeat(item)
          ? enteredItems([item], { [item.key]: '1' })
          : [shownItem(item, index, index === 0 ? answered[name] : {})],
      )
      .flat(),
  });

it.each(examples)('draws the question $name of the guide', (example) => {
  expect(render(pageWith(example))).toContain(example.field.label);
});

// The pictures are files of the repository, and differ with the fonts of a machine: only somebody who asks for them writes them.
const drawing = process.env.PICTURES === 'guide' ? describe : describe.skip;
drawing('The guide', () => {
  let site: Site;
  beforeAll(async () => (site = await Site.start()));
  afterAll(() => site.stop());
  const asRespondent = inBrowser(() => site.origin, { handsOn: true });

  it.each(examples)('gets a picture of the question $name', async (example) => {
    site.pages.set('/f/guide', pageWith(example));
    const { page, context } = await asRespondent({ width: 640 });
    await page.goto('/f/guide');
    await page.evaluate("document.body.style.padding = 0; document.querySelector('main').style.border = 0");
    const boxes = await Promise.all((await page.locator('main .item:visible').all()).map((item) => item.boundingBox()));
    const [margin, top = 0] = [16, boxes[0]?.y];
    const bottom = Math.max(...boxes.map((box) => (box ? box.y + box.height : 0)));
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 80,
      clip: { x: 0, y: top - margin, width: 640, height: Math.ceil(bottom - top) + 2 * margin, scale: 1 },
      captureBeyondViewport: true,
    });
    await session.detach();
    await writeFile(join(guides, `pictures/${example.name}.webp`), data, 'base64');
  });
});

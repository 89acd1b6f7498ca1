import { isField, visibility, type FormItem } from '@sheaf/contracts';
import { propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { anyone } from '../../support/people';
import { anyFilledForm, type Filled, type FilledForm } from '../../support/random-form';
import { PlainPage } from '../../support/plain-browser';

// Random forms, filled in without scripts.

const anyTakenForm = anyFilledForm.filter(({ refusedAt }) => refusedAt.size === 0);

/** More than any form of the test has steps, conditions and mistakes. */
const maxPages = 60;

it('a form filled in without scripts stores what /public/v1 would have accepted', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilledForm, async (filled) => {
      const form = await given.publishedForm({ fields: filled.items, settings: filled.settings });
      const end = await fillIn(form, filled);
      const answers = Object.fromEntries(filled.answers.flatMap(({ key, answer }) => (answer === undefined ? [] : [[key, answer]])));
      const direct = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: answers });
      if (filled.refusedAt.size > 0) {
        const { details } = (direct.body as { error: { details: { key: string; code: string }[] } }).error;
        expect({ status: direct.status, keys: new Set(details.map(({ key }) => key)) }).toEqual({ status: 400, keys: filled.refusedAt });
        expect(new Set(details.map(({ code }) => code))).toEqual(new Set(['refused']));
        expect([end.status, end.faultyKeys.every((key) => filled.refusedAt.has(key)), await given.submissionsOf(form)]).toEqual([
          422,
          true,
          [],
        ]);
        return;
      }
      expect(direct).toMatchObject({ status: 201 });

      const [byApi, byPage, ...more] = await given.submissionsOf(form);
      expect(more).toEqual([]);
      expect(byPage?.data).toEqual(byApi?.data);
    }),
    propertyRuns(25),
  );
});

itInBrowser('scripts show the same questions as the server, so that a form filled in with them stores the same', async () => {
  for (const filled of fc.sample(anyTakenForm, propertyRuns(6))) {
    const form = await given.publishedForm({ fields: filled.items, settings: filled.settings });
    const { page } = await asRespondent();
    await fillInBrowser(page, form, filled);
    const answers = Object.fromEntries(filled.answers.flatMap(({ key, answer: value }) => (value === undefined ? [] : [[key, value]])));
    await anyone.post(`/public/v1/forms/${form}/submissions`, { data: answers });
    const [byApi, byPage] = await given.submissionsOf(form);
    expect({ items: filled.items, data: byPage?.data }).toEqual({ items: filled.items, data: byApi?.data });
  }
});

/** The questions that are asked once everything is answered. An answer may hide others on the same page. */
function askedKeys({ items, answers }: FilledForm): Set<string> {
  const isShown = visibility();
  const given = Object.fromEntries(answers.map(({ key, answer }) => [key, answer]));
  const asked: Record<string, unknown> = {};
  for (const item of items as FormItem[]) if (isShown(item, asked) && isField(item)) asked[item.key] = given[item.key];
  return new Set(Object.keys(asked));
}

/** @returns the last page: the receipt, or the first one on which a check refuses the answers */
async function fillIn(form: string, filled: FilledForm): Promise<PlainPage> {
  const { answers } = filled;
  const asked = askedKeys(filled);
  const byKey = new Map(answers.map((filled) => [filled.key, filled]));
  const hidden = answers.flatMap(({ key, type, typed }) => (type === 'hidden' ? typed.map((value): [string, string] => [key, value]) : []));
  const mistakesMade = new Set<string>();
  let page = await PlainPage.open(`/f/${form}?${new URLSearchParams(hidden).toString()}`);

  for (let count = 0; page.heading !== 'Thank you'; count++) {
    if (count > maxPages) throw new Error(`still at ${page.url}: ${page.html}`);
    const shown = page.shownKeys.flatMap((key) => byKey.get(key) ?? []);
    const mistakes = shown.filter(({ key, mistake }) => mistake !== undefined && asked.has(key) && !mistakesMade.has(key));
    for (const { key, typed, mistake } of shown) {
      const isWrong = mistakes.some((each) => each.key === key);
      if (isWrong) mistakesMade.add(key);
      page.enter(`a.${key}`, isWrong && mistake !== undefined ? [mistake] : typed);
    }
    page = await page.send(page.buttons.includes('send') ? 'send' : 'continue');
    if (mistakes.length > 0) expectRefused(page, mistakes);
    else if (filled.refusedAt.size > 0 && page.faultyKeys.length > 0) return page;
    else expect([page.status, page.faultyKeys]).toEqual([200, []]);
  }
  return page;
}

async function fillInBrowser(page: Page, form: string, { answers }: FilledForm): Promise<void> {
  const byKey = new Map(answers.map((filled) => [filled.key, filled]));
  const hidden = answers.flatMap(({ key, type, typed }) => (type === 'hidden' ? typed.map((value): [string, string] => [key, value]) : []));
  await page.goto(`/f/${form}?${new URLSearchParams(hidden).toString()}`);
  while ((await heading(page)) !== 'Thank you') {
    const done = new Set<string>();
    for (let key = await nextShown(page, done); key !== undefined; key = await nextShown(page, done)) {
      done.add(key);
      const typed = byKey.get(key)?.typed ?? [];
      if (typed.length > 0) await answer(page, { [key]: typed });
    }
    const isLast = (await page.locator('button.primary').innerText()) === 'Send';
    expect(await press(page, isLast ? 'Send' : 'Continue')).toBe(200);
    // The server did not find questions that the page had not shown.
    expect(await page.locator('.notice').count()).toBe(0);
  }
}

async function nextShown(page: Page, done: ReadonlySet<string>): Promise<string | undefined> {
  for (const item of await page.locator('[data-key]:visible').all()) {
    const key = (await item.getAttribute('data-key')) ?? '';
    if (!done.has(key)) return key;
  }
  return undefined;
}

/** The page names the wrong answers and keeps them. */
function expectRefused(page: PlainPage, mistakes: readonly Filled[]): void {
  expect({ status: page.status, keys: page.faultyKeys }).toEqual({ status: 422, keys: mistakes.map(({ key }) => key) });
  for (const { key, mistake } of mistakes) expect(page.entered(`a.${key}`)).toEqual([mistake]);
}

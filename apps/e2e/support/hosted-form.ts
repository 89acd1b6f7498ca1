import { referenceOf } from '@sheaf/contracts';
import type { Locator, Page } from 'playwright-core';

/** A file that a respondent attaches. */
export interface Attachment {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const textFile = (name: string, content = 'hello\n'): Attachment => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

export type Entry = string | boolean | readonly string[] | readonly Attachment[];

/** Types, ticks, chooses or attaches the answers to these questions, which are named by their keys. */
export async function answer(page: Page, entries: Readonly<Record<string, Entry>>): Promise<void> {
  for (const [key, entry] of Object.entries(entries)) await answerOne(page, key, entry);
}

async function answerOne(page: Page, key: string, entry: Entry): Promise<void> {
  const item = page.locator(`[data-key="${key}"]`);
  if (isAttachments(entry)) return item.locator('input[type=file]').setInputFiles([...entry]);
  const texts = Array.isArray(entry) ? entry.map(String) : [String(entry)];
  if ((await item.locator('input[type=checkbox]').count()) > 0) return tick(page, key, texts);
  if ((await item.locator('select').count()) > 1) return rank(item, texts);
  if ((await item.locator('.parts input').count()) > 0) return fillParts(item, texts);
  for (const text of texts) {
    if ((await item.locator('input[type=radio]').count()) > 0) await item.locator(`input[value=${JSON.stringify(text)}]`).check();
    else if ((await item.locator('[role=combobox]').count()) > 0) await search(item, text);
    else if ((await item.locator('select').count()) > 0) await item.locator('select').selectOption(text);
    else await item.locator('input:not([type=hidden], [type=file]), textarea').fill(text);
  }
}

/** Chooses an option of a long list by its label. */
async function search(item: Locator, value: string): Promise<void> {
  const label = await item.locator(`option[value=${JSON.stringify(value)}]`).textContent();
  await item.locator('[role=combobox]').fill(label ?? '');
  await item.locator('[role=combobox]').press('Enter');
}

/** Chooses an option in each list of a ranking. */
async function rank(item: Locator, values: readonly string[]): Promise<void> {
  for (const [at, list] of (await item.locator('select').all()).entries()) await list.selectOption(values[at] ?? '');
}

/** Fills in each part of an answer. */
async function fillParts(item: Locator, values: readonly string[]): Promise<void> {
  for (const [at, input] of (await item.locator('.parts input').all()).entries()) await input.fill(values[at] ?? '');
}

async function tick(page: Page, key: string, chosen: readonly string[]): Promise<void> {
  for (const box of await page.locator(`[data-key="${key}"] input[type=checkbox]`).all())
    await box.setChecked(chosen.includes((await box.getAttribute('value')) ?? ''));
}

const isAttachments = (entry: Entry): entry is readonly Attachment[] =>
  Array.isArray(entry) && entry.some((each: unknown) => typeof each === 'object');

/** The values of a question's controls. */
export async function entered(page: Page, key: string): Promise<string[]> {
  const controls = page
    .locator(`[data-key="${key}"]`)
    .locator(
      'input:not([type=hidden], [type=radio], [type=checkbox], [type=file], [type=search], [role=combobox]), textarea, select, input:checked',
    );
  return Promise.all((await controls.all()).map((control) => control.inputValue()));
}

/** Presses a button that leads to another page. @returns the status of that page */
export const press = (page: Page, button: string): Promise<number> => arriving(page, () => buttonOf(page, button).click());

export const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Does something that leads to another page. @returns the status of that page */
export async function arriving(page: Page, act: () => Promise<unknown>): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse(
      (each) => each.request().isNavigationRequest() && each.frame() === page.mainFrame() && !(each.status() >= 300 && each.status() < 400),
    ),
    page.waitForEvent('load'),
    act(),
  ]);
  return response.status();
}

/** The main heading of the page. */
export const heading = async (page: Page): Promise<string> => (await page.locator('h1').innerText()).trim();

/** The reference on a receipt. */
export async function reference(page: Page): Promise<string> {
  const text = await page.locator('main').innerText();
  const found = /Reference\W*([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2})/.exec(text)?.[1];
  if (found === undefined) throw new Error(`no reference on the page: ${text}`);
  return found;
}

/** Matches the id of the submission with this reference. */
export const idWith = (shown: string) => ({ asymmetricMatch: (id: unknown) => typeof id === 'string' && referenceOf(id) === shown });

/** The keys of the questions that the error summary leads to. */
export async function faultyKeys(page: Page): Promise<string[]> {
  const links = await page.locator('a[href^="#f-"]').all();
  return Promise.all(links.map(async (link) => ((await link.getAttribute('href')) ?? '').slice('#f-'.length)));
}

import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at } from './answers/form';
import { idOf, then } from './answers/people';
import { inbox, submission } from './answers/submissions';
import { fits } from './support/fits';
import { onScreen, onScreens } from './support/on-screens';
import { Reply, refused, text } from './support/recorded-server';

const open = onScreens();
const list = `GET ${app}/exports`;
const begin = `POST ${app}/exports`;
const wide = { width: 1_280, height: 900 };

const exportOf = (number: number, state: string, more: object = {}) => ({
  id: idOf(11, number),
  format: 'csv',
  state,
  done: 0,
  total: 120_000,
  name: `visits-${number}.csv`,
  created_at: then,
  expires_at: '2099-03-02T09:00:00.000Z',
  ...more,
});
const ready = { done: 120_000, size: 4_821_334, finished_at: then };
const many = { submissions: { total: 120_000, new: 0, spam: 0 } };
const inboxWith = (more: object = {}) => inbox([submission(1, { name: 'Ada' })], more);

async function dialogOf(page: Page) {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export submissions' });
  return { dialog, itemOf: (number: number) => dialog.getByRole('listitem').filter({ hasText: `visits-${number}.csv` }) };
}

onScreen('a long export is offered in the background first, goes on without the dialog, and is downloaded once it is ready', async () => {
  const screen = await open(at('submissions'), { ...inboxWith(many), [begin]: exportOf(1, 'waiting') }, wide);
  const { page, server } = screen;
  const { dialog, itemOf } = await dialogOf(page);
  await dialog.getByText('These are about 120,000 submissions. From about 20,000 on').waitFor();
  await dialog.getByText('CSV for every').click();
  server.set({ [list]: { data: [exportOf(1, 'running', { done: 31_000 })] } });
  // The first of the choices is the last button, as in every dialog.
  const prepare = dialog.getByRole('button').last();
  expect(await prepare.textContent()).toBe('Prepare in the background');
  await prepare.click();
  await hasFocus(itemOf(1));
  await itemOf(1).getByText('31,000 of about 120,000 submissions').waitFor();
  expect(await itemOf(1).getByRole('status').textContent()).toBe('CSV Running25%');
  expect(server.asked(begin).map(({ query }) => query.toString())).toEqual(['format=csv&language=en&delimiter=comma&bom=true']);
  await screen.screenshot('export in the background');
  expect(await screen.accessibilityFaults()).toEqual([]);

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const done = exportOf(1, 'ready', ready);
  const { id } = done;
  server.set({
    [list]: { data: [done] },
    [`GET ${app}/exports/${id}`]: done,
    [`GET ${app}/exports/${id}/file`]: text('text/csv', 'Your name\nAda\n', {
      'content-disposition': 'attachment; filename="visits-1.csv"',
    }),
  });
  const again = await dialogOf(page);
  await again.itemOf(1).getByText('4.8 MB, until 2 Mar 2099').waitFor();
  const download = page.waitForEvent('download');
  await again.itemOf(1).getByRole('button', { name: 'Download visits-1.csv' }).press('Enter');
  expect((await download).suggestedFilename()).toBe('visits-1.csv');
});

onScreen('exports tell why they have no file, are ended by the keyboard, and are forgotten with the access', async () => {
  const [erased, running] = [exportOf(4, 'erased'), exportOf(1, 'running', { total: undefined, done: 40_000 })];
  const all = [
    running,
    exportOf(2, 'ready', ready),
    exportOf(3, 'failed', { reason: 'too_large' }),
    erased,
    exportOf(5, 'failed', { reason: 'of_a_later_server' }),
  ];
  const screen = await open(
    at('submissions'),
    { ...inboxWith(), [list]: { data: all }, [begin]: refused(429, 'too_many_requests', 'No.', undefined, { 'retry-after': '60' }) },
    { ...wide, dark: true },
  );
  const { page, server } = screen;
  const { dialog, itemOf } = await dialogOf(page);
  await itemOf(1).getByText('40,000 submissions so far').waitFor();
  await itemOf(3).getByText('larger than this server allows').waitFor();
  await itemOf(4).getByText('Something in this form was erased').waitFor();
  await itemOf(5).getByText('The file could not be made').waitFor();
  await dialog.getByRole('button', { name: 'Prepare in the background' }).click();
  await dialog.getByRole('alert').getByText('as many exports as it may have at once').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringContaining('429')]);
  await screen.screenshot('exports');
  expect(await screen.accessibilityFaults()).toEqual([]);

  // It was erased after the list was loaded, which is not loaded again before the press.
  const releaseList = server.hold(list);
  server.set({ [`GET ${app}/exports/${idOf(11, 2)}`]: exportOf(2, 'erased') });
  await itemOf(2).getByRole('button', { name: 'Download' }).press('Enter');
  await itemOf(2).getByText('No longer available').waitFor();
  server.set({ [list]: { data: [running, exportOf(2, 'erased'), erased] } });
  releaseList();

  server.set({ [`DELETE ${app}/exports/${running.id}`]: undefined });
  const release = server.hold(list);
  await itemOf(1).getByRole('button', { name: 'Cancel visits-1.csv' }).press('Enter');
  await eventually(() => expect(server.asked(`DELETE ${app}/exports/${running.id}`)).toHaveLength(1));
  server.set({ [list]: { data: [erased] } });
  release();
  await itemOf(1).waitFor({ state: 'detached' });
  await hasFocus(dialog.getByRole('heading', { name: 'Your exports of this form' }));

  server.set({ [list]: refused(403, 'forbidden', 'No.') });
  await page.keyboard.press('Escape');
  await (await dialogOf(page)).dialog.getByText('You are not allowed to do this.').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringContaining('403')]);
  await dialog.getByRole('listitem').first().waitFor({ state: 'detached' });
});

onScreen('a finished export is deleted after a question, and the list fits a phone', async () => {
  const done = exportOf(1, 'ready', { ...ready, name: `${'besuche-'.repeat(12)}1.csv` });
  const answers = { ...inboxWith(many), [list]: { data: [done, exportOf(2, 'running', { done: 61_000 })] } };
  const screen = await open(at('submissions'), answers, { width: 320, height: 900, locale: 'de-DE' });
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Exportieren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Einsendungen exportieren' });
  await dialog.getByText('61.000 von etwa 120.000 Einsendungen').waitFor();
  await screen.screenshot('exports');
  await fits(screen, 'de');
  await dialog.getByRole('button', { name: /1\.csv löschen$/ }).click();
  const question = page.getByRole('dialog', { name: 'Diesen Export löschen?' });
  server.set({ [`DELETE ${app}/exports/${done.id}`]: undefined, [list]: { data: [] } });
  await question.getByRole('button', { name: 'Löschen' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('heading', { name: 'Ihre Exporte' }).waitFor({ state: 'detached' });
  await hasFocus(dialog);
});

const presets = `${app}/export-presets`;
const accounts = {
  id: idOf(12, 1),
  name: 'For the accounts',
  shared: true,
  file: { format: 'csv', delimiter: 'semicolon', columns: ['reference:Number', 'answers.name:Customer', 'answers.gone', 'answers.old'] },
  missing: ['gone'],
  created_at: then,
  updated_at: then,
};
type Preset = Omit<typeof accounts, 'file'> & { file: object };

/** A server that keeps presets, as the API does. */
function keeping(...first: Preset[]) {
  let kept = [...first];
  const one = (id: string) => ({
    [`PATCH ${presets}/${id}`]: ({ body }: { body: Partial<Preset> & { if_updated_at?: string } }) => {
      const { if_updated_at: expected, ...patch } = body;
      const before = kept.find((each) => each.id === id) ?? accounts;
      if (expected !== before.updated_at) return refused(409, 'conflict', 'The preset was changed.');
      const after = { ...before, ...patch, updated_at: new Date(Date.parse(before.updated_at) + 1).toISOString() };
      kept = kept.map((each) => (each.id === id ? after : each));
      return after;
    },
    [`DELETE ${presets}/${id}`]: () => {
      kept = kept.filter((each) => each.id !== id);
      return undefined;
    },
  });
  return {
    /** Saves one as another person does. */
    save: (id: string, file: object) => {
      kept = kept.map((each) => (each.id === id ? { ...each, file, updated_at: '2026-03-05T09:00:00.000Z' } : each));
    },
    answers: {
      [`GET ${presets}`]: () => ({ data: kept }),
      [`POST ${presets}`]: ({ body }: { body: Pick<Preset, 'name' | 'shared' | 'file'> }) => {
        const made = { ...accounts, id: idOf(12, 20), missing: [], ...body };
        kept.push(made);
        return new Reply(201, made);
      },
      ...Object.assign({}, ...[accounts.id, idOf(12, 20)].map(one)),
    } as Record<string, unknown>,
  };
}

async function choose(page: Page, dialog: ReturnType<Page['getByRole']>, name: string) {
  await dialog.getByRole('button', { name: / Preset$/ }).click();
  await page.getByRole('option', { name }).click();
}

onScreen('a preset decides how the file looks, says what is gone, and is changed, put back and deleted', async () => {
  const server = keeping(accounts);
  const screen = await open(at('submissions'), { ...inboxWith(), ...server.answers, [begin]: exportOf(1, 'waiting') }, wide);
  const { page } = screen;
  const { dialog } = await dialogOf(page);
  await choose(page, dialog, 'For the accounts');
  await dialog.getByText('Left out, as no version of the form has them: gone.').waitFor();
  await dialog.getByText('does not ask these questions any more: old.').waitFor();
  await dialog.getByRole('button', { name: 'Prepare in the background' }).click();
  await eventually(() => expect(screen.server.asked(begin)).toHaveLength(1));
  const query = screen.server.asked(begin)[0]?.query;
  expect([query?.get('format'), query?.get('delimiter'), query?.get('language')]).toEqual(['csv', 'semicolon', null]);
  expect(query?.getAll('columns')).toEqual(['reference:Number', 'answers.name:Customer', 'answers.old']);
  await screen.screenshot('export with a preset');
  expect(await screen.accessibilityFaults()).toEqual([]);

  const change = dialog.getByRole('button', { name: 'Save changes' });
  await dialog.getByRole('checkbox', { name: 'Status' }).press('Space');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await change.waitFor({ state: 'detached' });
  expect(await dialog.getByRole('checkbox', { name: 'Status' }).isChecked()).toBe(false);
  await dialog.getByRole('checkbox', { name: 'Status' }).press('Space');
  await change.press('Enter');
  await change.waitFor({ state: 'detached' });
  await hasFocus(dialog.getByRole('button', { name: / Preset$/ }));
  // The change loses no column that no version has.
  expect(screen.server.asked(`PATCH ${presets}/${accounts.id}`).at(-1)?.body).toMatchObject({
    file: { columns: ['reference:Number', 'answers.name:Customer', 'answers.gone', 'answers.old', 'status'] },
    if_updated_at: then,
  });

  await dialog.getByText('Excel as a workbook').click();
  server.save(accounts.id, { format: 'ndjson' });
  await change.press('Enter');
  await dialog.getByRole('alert').getByText('Somebody else has saved this preset meanwhile.').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringContaining('409')]);
  await screen.screenshot('preset saved by somebody else');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  expect(await dialog.getByRole('radio', { name: /^NDJSON/ }).isChecked()).toBe(true);

  await dialog.getByRole('button', { name: 'Delete preset' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete the preset “For the accounts”?' });
  await question.getByRole('button', { name: 'Delete preset' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: / Preset$/ }).waitFor({ state: 'detached' });
  await hasFocus(dialog);
});

onScreen('a look is kept as a preset, and shared by those who may change the form', async () => {
  const screen = await open(at('submissions'), { ...inboxWith(), ...keeping().answers }, { width: 360, height: 800, dark: true });
  const { page, server } = screen;
  const { dialog } = await dialogOf(page);
  await dialog.getByText('CSV for every').click();
  await dialog.getByText('For programs keys').click();
  await dialog.getByRole('button', { name: 'Save as a preset' }).click();
  const saving = page.getByRole('dialog', { name: 'Save as a preset' });
  await saving.getByRole('textbox', { name: 'Name' }).fill('Raw');
  await saving.getByText('Share with the team').click();
  await screen.screenshot('saving a preset');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await saving.getByRole('textbox', { name: 'Name' }).press('Enter');
  await saving.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Raw' }).waitFor();
  expect(server.asked(`POST ${presets}`).map(({ body }) => body)).toEqual([
    { name: 'Raw', shared: true, file: { format: 'csv', delimiter: 'comma', bom: true } },
  ]);
  await screen.screenshot('preset on a phone');
});

onScreen('a viewer takes a shared preset and changes only their own', async () => {
  const viewers = inbox([submission(1, { name: 'Ada' })], {}, 'viewer');
  const screen = await open(at('submissions'), { ...viewers, ...keeping(accounts).answers }, { width: 320, height: 900, locale: 'de-DE' });
  const { page } = screen;
  await page.getByRole('button', { name: 'Exportieren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Einsendungen exportieren' });
  await dialog.getByRole('button', { name: 'Vorlage' }).first().click();
  await page.getByRole('option', { name: 'For the accounts' }).click();
  await dialog.getByRole('button', { name: 'Semikolon' }).waitFor();
  await dialog.getByText('Excel als').click();
  await dialog.getByRole('button', { name: 'Zurücksetzen' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Änderungen speichern' }).count()).toBe(0);
  expect(await dialog.getByRole('button', { name: 'Vorlage löschen' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Als Vorlage speichern' }).click();
  const saving = page.getByRole('dialog', { name: 'Als Vorlage speichern' });
  await saving.getByRole('textbox').waitFor();
  expect(await saving.getByRole('checkbox').count()).toBe(0);
  await screen.screenshot('preset of a viewer');
  await fits(screen, 'de');
});

import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { asConsoleOwner, asVisitor, type ConsoleUser } from '../../support/console';
import { publishedForm, submission, submissionsOf } from '../../support/given';
import { acceptedInvitation, anyone, password } from '../../support/people';
import { uploadedFile } from '../../support/uploads';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { type: 'section', label: 'The visit' },
  {
    key: 'town',
    label: 'Town',
    type: 'select',
    options: [
      { value: 'b', label: 'Berlin' },
      { value: 'h', label: 'Hamburg' },
    ],
  },
  { key: 'stars', label: 'Stars', type: 'rating' },
  { key: 'photo', label: 'Photo', type: 'file' },
];

/** A person with a form that has these submissions, the last one newest, and its page open. */
async function withSubmissions(
  answers: readonly object[],
  { title = 'Visits', width = 1_280 } = {},
): Promise<{ user: ConsoleUser; form: string; page: Page }> {
  const user = await asConsoleOwner(undefined, { width, height: 900 });
  const form = await publishedForm({ title, fields }, user.person);
  for (const data of answers) await submission(form, data);
  await user.open(`/console/forms/${form}/submissions`);
  return { user, form, page: user.page };
}

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Person ${index + 1}`, town: index % 2 ? 'h' : 'b', stars: (index % 5) + 1 }));
const panel = (page: Page) => page.getByRole('region', { name: 'Submission', exact: true });
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: text, exact: true }) });
/** A menu takes keys once the focus is in it. */
const menuHasFocus = (page: Page) => page.locator('[role=menu]:focus, [role=menu] :focus').waitFor();
const statusesOf = async (form: string, user: ConsoleUser): Promise<Record<string, string>> =>
  Object.fromEntries((await submissionsOf(form, user.person)).map(({ data, status }) => [String(data.name), status]));

it('triages many submissions by the keyboard alone', async () => {
  const user = await asConsoleOwner(undefined, { width: 1_280, height: 900 });
  const form = await publishedForm({ title: 'Visits', fields }, user.person);
  await Promise.all(Array.from({ length: 117 }, () => submission(form, { name: 'Somebody', town: 'b' })));
  for (const name of ['Joan', 'Grace', 'Ada']) await submission(form, { name });
  await user.open(`/console/forms/${form}/submissions`);
  const { page } = user;
  await page.getByText('120 submissions').waitFor();
  await page.keyboard.press('j');
  await panel(page).getByText('Ada', { exact: true }).waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('a');
  await hasFocus(page.getByRole('menuitem', { name: 'Approved' }));
  await page.keyboard.press('Enter');
  await page.getByText('1 submission set to “Approved”').waitFor();
  await panel(page).getByText('Approved', { exact: true }).waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  for (const name of ['Grace', 'Joan']) {
    await page.keyboard.press('j');
    await panel(page).getByText(name, { exact: true }).waitFor();
    await page.keyboard.press('x');
  }
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('r');
  await hasFocus(page.getByRole('menuitem', { name: 'Rejected' }));
  await page.keyboard.press('Enter');
  await page.getByText('2 submissions set to “Rejected”').waitFor();
  await eventually(async () =>
    expect(await statusesOf(form, user)).toMatchObject({ Ada: 'approved', Grace: 'rejected', Joan: 'rejected' }),
  );
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await eventually(async () => expect(await statusesOf(form, user)).toMatchObject({ Ada: 'approved', Grace: 'new', Joan: 'new' }));

  // To the end of the list, over its pages, and from there up again with a range.
  await rowOf(page, 'Ada').getByRole('gridcell').nth(1).focus();
  await eventually(async () => {
    await page.keyboard.press('Control+End');
    expect(await page.locator('[role=row][aria-rowindex="121"]').count()).toBe(1);
  });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await page.getByText('120 selected').waitFor();
  await page.keyboard.press('s');
  await menuHasFocus(page);
  await page.keyboard.press('End');
  await hasFocus(page.getByRole('menuitem', { name: 'Archived' }));
  await page.keyboard.press('Enter');
  await page.getByText('120 submissions set to “Archived”').waitFor();
  const { body } = await user.person.get(`/app/v1/forms/${form}/submissions?status=archived`);
  expect(body).toMatchObject({ total: 120 });
});

it('keeps filters in the address, where Back takes them back, and says at the filter what is wrong with it', async () => {
  const { user, page } = await withSubmissions(people(4));
  await rowOf(page, 'Person 4').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Town' }).click();
  await page.getByRole('dialog').getByText('Berlin').click();
  expect(await user.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await page.getByText('2 submissions').waitFor();
  expect(new URL(page.url()).searchParams.get('filter[town]')).toBe('b');
  await page.getByRole('button', { name: 'Town: Berlin', exact: true }).waitFor();

  // Kept as a view, with a name.
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('From Berlin');
  const isKept = page.waitForResponse((response) => response.url().includes('/preferences/') && response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await isKept).status()).toBe(200);

  await page.getByRole('button', { name: 'Remove filter: Town: Berlin' }).click();
  await page.getByText('4 submissions').waitFor();
  await page.goBack();
  await page.getByText('2 submissions').waitFor();
  await page.goBack();
  await page.getByText('4 submissions').waitFor();

  await page.reload();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'From Berlin' }).click();
  await page.getByText('2 submissions').waitFor();

  await page.goto(`${page.url().split('?')[0] ?? ''}?from=yesterday`);
  await page.getByRole('alert').filter({ hasText: 'from: must be' }).waitFor();
  await page.getByRole('button', { name: 'Remove filter: Received from yesterday' }).click();
  await page.getByText('4 submissions').waitFor();
  // Asked for once more when the stream of changes begins.
  const refused = user.problems.take();
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((problem) => !/^400: .*from=yesterday/.test(problem))).toEqual([]);
});

it('remembers which columns a person wants, and in which order', async () => {
  const { page } = await withSubmissions([{ name: 'Ada', town: 'b', stars: 5 }]);
  await rowOf(page, 'Ada').waitFor();
  const heads = () => page.getByRole('columnheader').allInnerTexts();
  await eventually(async () =>
    expect(await heads()).toEqual(['', 'Your name', 'Received', 'Status', 'Assigned to', 'Town', 'Stars', 'Photo']),
  );
  const change = async (column: string, action: string) => {
    await page.getByRole('button', { name: `Options of “${column}”` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  for (const [column, action] of [
    ['Town', 'Move backward'],
    ['Assigned to', 'Hide column'],
  ] as const) {
    const isKept = page.waitForResponse((response) => response.url().includes('/preferences/'));
    await change(column, action);
    await isKept;
  }
  const wanted = ['', 'Your name', 'Received', 'Status', 'Town', 'Stars', 'Photo'];
  await eventually(async () => expect(await heads()).toEqual(wanted));
  await page.reload();
  await rowOf(page, 'Ada').waitFor();
  await eventually(async () => expect(await heads()).toEqual(wanted));
});

it('keeps spam apart with its reason, and releases it', async () => {
  const { user, form, page } = await withSubmissions([{ name: 'Buy now' }]);
  await rowOf(page, 'Buy now').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Mark as spam' }).click();
  await page.getByText('1 submission marked as spam').waitFor();
  // It is counted where submissions are counted, and told of.
  await page.getByText('One submission is held as spam, and not counted here.').waitFor();
  await page.getByRole('link', { name: 'Spam (1)' }).click();
  await page.getByText('Marked by a person').waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByText('No spam').waitFor();
  expect(await submissionsOf(form, user.person)).toHaveLength(1);
});

it('shows markup, right-to-left answers and long titles as what they are', async () => {
  const title = '🎉'.repeat(200);
  const { user, form, page } = await withSubmissions([], { title, width: 320 });
  const markup = '<img src=x onerror=alert(1)>';
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const photo = await uploadedFile(form, 'photo', { name: `${markup}.png`, type: 'image/png', content: png });
  const id = await submission(form, { name: markup, photo });
  await user.person.post(`/app/v1/forms/${form}/submissions/${id}/notes`, { text: `<script>alert('note')</script>` });
  await submission(form, { name: 'مرحبا بكم' });
  await page.reload();
  await rowOf(page, 'مرحبا بكم').waitFor();
  const direction = `getComputedStyle([...document.querySelectorAll('[role=gridcell] > [dir=auto]')].find((cell) => cell.textContent === 'مرحبا بكم')).direction`;
  expect(await page.evaluate<string>(direction)).toBe('rtl');
  await rowOf(page, markup).click();
  await panel(page).getByText(`<script>alert('note')</script>`).waitFor();
  await panel(page).getByText('onerror=alert(1)').last().waitFor();
  await panel(page).getByRole('button', { name: 'Show picture' }).click();
  await panel(page).getByRole('img').waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  const download = page.waitForEvent('download');
  await panel(page).getByRole('link', { name: 'Download' }).click();
  await (await download).cancel();
});

it('lets a viewer read, and offers nothing else', async () => {
  const { user: owner, form } = await withSubmissions([{ name: 'Ada', town: 'b' }]);
  const { email, userId } = await acceptedInvitation('viewer');
  await owner.person.put(`/app/v1/forms/${form}/grants/${userId}`, { role: 'viewer' });
  const viewer = await asVisitor('/console/sign-in', { dark: true });
  await viewer.context.request.post(`${anyone.origin}/app/v1/sessions`, { data: { email, password, cookie: true } });
  const { page } = viewer;
  await viewer.open(`/console/forms/${form}/submissions`);
  await rowOf(page, 'Ada').click();
  await panel(page).getByText('Berlin').waitFor();
  expect(await viewer.accessibilityFaults()).toEqual([]);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  for (const name of ['Set status', 'Assign', 'Add note', 'Move to trash'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  await panel(page).getByRole('button', { name: 'More actions' }).click();
  await eventually(async () => expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Print', 'Copy link to this submission']));
});

it('goes on after the session ended in the middle', async () => {
  const { user, form, page } = await withSubmissions([{ name: 'Ada' }]);
  await rowOf(page, 'Ada').click();
  await panel(page).getByRole('textbox', { name: 'New note' }).fill('Call her back');
  await user.context.request.delete('/app/v1/sessions/current', { headers: { origin: anyone.origin } });
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await panel(page).getByRole('button', { name: 'Add note' }).click();
  await eventually(async () => {
    const [{ id } = { id: '' }] = await submissionsOf(form, user.person);
    const { body } = await user.person.get(`/app/v1/forms/${form}/submissions/${id}/notes`);
    expect(body).toMatchObject({ data: [{ text: 'Call her back' }] });
  });
  await submission(form, { name: 'Grace' });
  await page.getByText('1 new submission').waitFor();
  user.problems.take();
});

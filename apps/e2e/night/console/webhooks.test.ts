import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

const addressOf = (path: string) => subscriber.url + path;

const webhooksOf = async ({ person }: ConsoleUser, form: string) =>
  ((await person.get(`/app/v1/forms/${form}/webhooks`)).body as { data: { id: string; url: string; active: boolean }[] }).data;

itInBrowser('a submission shows what webhooks were told of it', async () => {
  const owner = await asConsoleOwner();
  const form = await given.publishedForm({}, owner.person);
  await owner.person.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: addressOf('/told') });
  const id = await given.submission(form);
  await given.submission(form);
  await owner.open(`/console/forms/${form}/submissions?open=${id}`);
  const { page } = owner;
  const told = page
    .getByRole('region', { name: 'Activity' })
    .getByRole('listitem')
    .filter({ hasText: `Sent to ${new URL(subscriber.url).host}` });
  await told.getByText('Delivered').waitFor();
  expect(await told.count()).toBe(1);
  await told.getByRole('link').click();
  await page.getByRole('region', { name: 'Attempt 1' }).waitFor();
  expect(JSON.parse(await page.getByRole('region', { name: 'Body' }).innerText())).toMatchObject({ submission: { id } });
  await page.keyboard.press('Escape');
  await eventually(async () => expect(await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count()).toBe(2));
  await page.getByRole('button', { name: 'Of one submission only' }).click();
  await page.getByRole('row').nth(2).waitFor();
});

itInBrowser('an owner switches a webhook off and deletes it, after a question', async () => {
  const owner = await asConsoleOwner();
  const form = await given.publishedForm({}, owner.person);
  const address = addressOf('/switched');
  await owner.person.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: address });
  await owner.open(`/console/forms/${form}/webhooks`);
  const { page } = owner;
  const open = async (item: string) => {
    await page.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await open('Switch off');
  await page.getByText('Switched off.').waitFor();
  expect(await webhooksOf(owner, form)).toMatchObject([{ active: false }]);
  await open('Switch on');
  await page.getByRole('cell', { name: 'Active', exact: true }).waitFor();

  await open('Delete');
  await page.getByRole('dialog', { name: 'Delete this webhook?' }).getByRole('button', { name: 'Cancel' }).click();
  expect(await webhooksOf(owner, form)).toHaveLength(1);
  await open('Delete');
  await page.getByRole('dialog', { name: 'Delete this webhook?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Send submissions to other applications').waitFor();
  expect(await webhooksOf(owner, form)).toEqual([]);
});

itInBrowser('sending many again counts them first', async () => {
  const owner = await asConsoleOwner();
  const form = await given.publishedForm({}, owner.person);
  await owner.person.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: addressOf('/range') });
  await given.submission(form);
  await owner.open(`/console/forms/${form}/webhooks`);
  const { page } = owner;
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
  await page.getByRole('button', { name: 'Send many again' }).click();
  const local = (offsetMs: number) => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000 + offsetMs).toISOString().slice(0, 16);
  await page.getByRole('dialog').getByLabel('From').fill(local(-3_600_000));
  await page.getByRole('dialog').getByLabel('To').fill(local(3_600_000));
  await page.getByRole('dialog').getByRole('button', { name: /State/ }).click();
  await page.getByRole('option', { name: 'Delivered' }).click();
  await page.getByRole('button', { name: 'Count first' }).click();
  await page.getByText('1 delivery matches.').waitFor();
  expect(await owner.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Send 1 again' }).click();
  await page.getByText('1 delivery is sent again.').waitFor();
});

itInBrowser('the code that verifies signatures names this instance, in five languages', async () => {
  const owner = await asConsoleOwner();
  const form = await given.publishedForm({}, owner.person);
  await owner.open(`/console/forms/${form}/webhooks`);
  const { page } = owner;
  await page.getByRole('button', { name: 'How to verify' }).click();
  await page.getByRole('region', { name: 'JavaScript' }).getByText(new URL(page.url()).origin).waitFor();
  for (const language of ['Python', 'Go', 'PHP', 'Ruby']) {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Language/ })
      .click();
    await page.getByRole('option', { name: language }).click();
    await page.getByRole('region', { name: language }).waitFor();
  }
  expect(await owner.accessibilityFaults()).toEqual([]);
});

itInBrowser('a viewer sees what is sent, and can change nothing', async () => {
  const viewer = await asConsoleMember('viewer', undefined, { dark: true, width: 320 });
  const form = await given.publishedForm();
  await viewer.open(`/console/forms/${form}/webhooks`);
  const { page } = viewer;
  await page.getByText('Nobody has created a webhook for this form.').waitFor();
  for (const name of ['New webhook', 'Send many again']) expect(await page.getByRole('button', { name }).count()).toBe(0);
  expect(await viewer.accessibilityFaults()).toEqual([]);
});

import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner } from '../../support/console';
import * as given from '../../support/given';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

const addressOf = (path: string) => subscriber.url + path;

itInBrowser('an owner creates a webhook, tests it, and sees the exact bytes of a delivery', async () => {
  const owner = await asConsoleOwner();
  const form = await given.publishedForm({ title: 'Site visit' }, owner.person);
  await owner.open(`/console/forms/${form}/webhooks`);
  const { page } = owner;
  await page.getByRole('button', { name: 'New webhook' }).first().waitFor();

  await page.getByRole('button', { name: 'New webhook' }).first().click();
  await page.getByLabel('Address').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page
    .getByRole('alert')
    .getByText(/target_url/)
    .waitFor();
  expect(owner.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  await page.getByLabel('Address').fill(addressOf('/console'));
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('cell', { name: addressOf('/console'), exact: true }).waitFor();

  await page.getByRole('button', { name: `Actions for ${addressOf('/console')}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('It arrived.').waitFor();
  await page.getByRole('region', { name: 'Headers' }).getByText('webhook-signature').waitFor();
  await page.keyboard.press('Escape');

  const id = await given.submission(form, { name: 'Ada' });
  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'Delivered' });
  await row.getByRole('button').first().click();
  await page.getByRole('region', { name: 'Attempt 1' }).waitFor();
  expect(JSON.parse(await page.getByRole('region', { name: 'Body' }).innerText())).toMatchObject({ submission: { id } });
  expect(page.url()).toContain('delivery=');
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('It is sent again now.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => expect(page.url()).not.toContain('delivery='));
});

import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import { operations } from '../../support/operations';
import { anyone } from '../../support/people';

it('serves the OpenAPI document without a credential', async () => {
  expect(await anyone.offTheMap.get('/api/v1/openapi.json')).toMatchObject({
    status: 200,
    body: { openapi: '3.1.1', info: { title: 'Sheaf' } },
  });
});

// The browser also fails a test for requests to other servers, refused scripts and styles, and errors.
itInBrowser('shows every operation and its documented responses in a browser', async () => {
  const { page } = await asRespondent();
  await page.goto('/docs');
  // It draws one operation after the other.
  await eventually(async () => expect(await page.locator('.opblock:not(.webhooks *)').count()).toBe(operations.length), 60_000);

  const operation = page.locator('[id$="-updateForm"]');
  await operation.locator('.opblock-summary-control').click();
  await eventually(async () => expect(await operation.locator('.responses-table .response').count()).toBeGreaterThan(5));
});

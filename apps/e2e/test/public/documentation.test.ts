import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import { operations } from '../../support/operations';
import { anyone } from '../../support/people';

it('serves the OpenAPI document without a credential', async () => {
  expect(await anyone.offTheMap.get('/api/v1/openapi.json')).toMatchObject({
    status: 200,
    body: { openapi: '3.1.0', info: { title: 'Sheaf' } },
  });
});

// The browser also fails a test for requests to other servers, refused scripts and styles, and errors.
itInBrowser('shows every operation and its documented responses in a browser', async () => {
  const { page } = await asRespondent();
  await page.goto('/docs');
  // Only the operations in sight are in the page.
  const shown = new Set<string>();
  await eventually(async () => {
    const ids = await page.evaluate<string[]>(`[...document.querySelectorAll('.opblock:not(.webhooks *)')].map(({ id }) => id)`);
    for (const id of ids) shown.add(id);
    await page.mouse.wheel(0, 400);
    expect(shown.size).toBe(operations.length);
  });

  await page.evaluate('scrollTo(0, 0)');
  const operation = page.locator('[id$="-updateForm"]');
  await operation.locator('.opblock-summary-control').click();
  await eventually(async () => expect(await operation.locator('.responses-table .response').count()).toBeGreaterThan(5));
});

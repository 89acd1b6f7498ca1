import { chromium, visit } from '../../support/browser';
import { operations } from '../../support/operations';
import { anyone } from '../../support/people';

it('serves the OpenAPI document without a credential', async () => {
  expect(await anyone.offTheMap.get('/api/v1/openapi.json')).toMatchObject({
    status: 200,
    body: { openapi: '3.1.1', info: { title: 'Sheaf' } },
  });
});

// Counts the operations, and opens one of them to count its documented responses.
const openOperation = `(() => {
  const operation = document.querySelector('[id$="-updateForm"]');
  const toggle = operation?.querySelector('.opblock-summary-control:not([data-clicked])');
  if (toggle) {
    toggle.dataset.clicked = true;
    toggle.click();
  }
  return { operations: document.querySelectorAll('.opblock').length, responses: operation?.querySelectorAll('.responses-table .response').length ?? 0 };
})()`;

// Without Chromium, the gateway's unit tests still check the page and its policy.
(chromium === undefined ? it.skip : it)(
  'shows every operation in a browser, without errors and without requests to other servers',
  async () => {
    const { requests, messages } = await visit<{ operations: number; responses: number }>(chromium ?? '', `${anyone.origin}/docs`, {
      expression: openOperation,
      ready: (page) => page.operations === operations.length && page.responses > 5,
    });

    const expected = [
      '/docs',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
      '/docs/favicon-32x32.png',
      '/api/v1/openapi.json',
    ].map((path) => anyone.origin + path);
    expect(requests.filter((address) => !expected.includes(address) && !address.startsWith('data:'))).toEqual([]);
    expect(requests).toContain(`${anyone.origin}/api/v1/openapi.json`);
    expect(messages).toEqual([]);
  },
);

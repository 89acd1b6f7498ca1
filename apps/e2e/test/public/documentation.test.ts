import { chromium, visit } from '../../support/browser';
import { operations } from '../../support/operations';
import { anyone } from '../../support/people';

it('serves the document to everybody, without a credential', async () => {
  expect(await anyone.offTheMap.get('/api/v1/openapi.json')).toMatchObject({
    status: 200,
    body: { openapi: '3.1.1', info: { title: 'Sheaf' } },
  });
});

// Counts the operations, and opens one to count its documented answers.
const openOne = `(() => {
  const one = document.querySelector('[id$="-updateForm"]');
  const opener = one?.querySelector('.opblock-summary-control:not([data-clicked])');
  if (opener) {
    opener.dataset.clicked = true;
    opener.click();
  }
  return { shown: document.querySelectorAll('.opblock').length, answers: one?.querySelectorAll('.responses-table .response').length ?? 0 };
})()`;

// Without Chromium, the gateway's unit tests still check the page and its policy.
(chromium === undefined ? it.skip : it)(
  'shows every operation in a browser, which asks nobody but us and has nothing to complain about',
  async () => {
    const { asked, complaints } = await visit<{ shown: number; answers: number }>(chromium ?? '', `${anyone.origin}/docs`, {
      look: openOne,
      ready: ({ shown, answers }) => shown === operations.length && answers > 5,
    });

    const ours = [
      '/docs',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
      '/docs/favicon-32x32.png',
      '/api/v1/openapi.json',
    ].map((path) => anyone.origin + path);
    expect(asked.filter((address) => !ours.includes(address) && !address.startsWith('data:'))).toEqual([]);
    expect(asked).toContain(`${anyone.origin}/api/v1/openapi.json`);
    expect(complaints).toEqual([]);
  },
);

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import zapier from 'zapier-platform-core';
import { app } from '../support/app.js';

type Handler = (event: { command: 'validate' }) => Promise<{ results: unknown[] }>;
// The types of the platform leave it out.
const { createAppHandler } = zapier as unknown as { createAppHandler: (of: object) => Handler };

describe('the definition', () => {
  it('is valid under the schema of the platform', async () => {
    const { results } = await createAppHandler(app)({ command: 'validate' });
    assert.deepEqual(results, []);
  });

  it('hides the trigger that fills the list of forms, and shows the others', () => {
    const { triggers } = app;
    assert.deepEqual(
      Object.values(triggers).map(({ key, display }) => [key, 'hidden' in display]),
      [
        ['form', true],
        ['new_submission', false],
        ['submission_status_changed', false],
        ['submission_deleted', false],
        ['submission_restored', false],
        ['submission_corrected', false],
        ['submission_spam_changed', false],
      ],
    );
  });
});

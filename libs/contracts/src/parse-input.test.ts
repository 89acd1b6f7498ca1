import { Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { DraftRequest } from './operations/drafts';
import { parseInput } from './parse-input';

function refusalOf(shape: z.ZodType, input: unknown): Problem {
  try {
    parseInput(shape, input);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('the input was accepted');
}

describe('an invalid input', () => {
  it('is rejected with the first fault as its message and all faults as details', () => {
    const problem = refusalOf(DraftRequest, {
      fields: [
        { key: 'A', label: 'x', type: 'email' },
        { key: 'b', type: 'email', min: '1' },
      ],
      revision: -1,
    });

    expect(problem.message).toMatch(/^fields\.0\.key: must be a lower-case letter/);
    expect(problem.details).toEqual([
      { key: 'fields.0.key', message: expect.stringMatching(/^must be a lower-case letter/) as unknown },
      { key: 'fields.1.label', message: 'is required' },
      { key: 'fields.1.min', message: 'must be a number' },
      { key: 'revision', message: 'must be a whole number between 0 and 2147483647' },
    ]);
  });

  it('has at most 30 faults in its details', () => {
    expect(refusalOf(DraftRequest, { fields: Array.from({ length: 500 }, () => ({})), revision: 0 }).details).toHaveLength(30);
  });

  it('may be invalid as a whole', () => {
    expect(refusalOf(z.string('must be a string'), 5)).toMatchObject({
      message: 'must be a string',
      details: [{ key: '', message: 'must be a string' }],
    });
  });
});

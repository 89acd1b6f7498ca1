import { Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { DraftRequest } from './app/draft';
import { understood } from './understood';

function refusalOf(shape: z.ZodType, given: unknown): Problem {
  try {
    understood(shape, given);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('it was not refused');
}

describe('an input that is wrong', () => {
  it('is refused in the words of the first fault, with each of them in the details', () => {
    const problem = refusalOf(DraftRequest, { fields: [{ key: 'A', label: 'x', type: 'email' }, { key: 'b', type: 'email', min: '1' }], revision: -1 });

    expect(problem.message).toMatch(/^fields\.0\.key: must be a lower-case letter/);
    expect(problem.details).toEqual([
      { key: 'fields.0.key', message: expect.stringMatching(/^must be a lower-case letter/) as unknown },
      { key: 'fields.1.label', message: 'is required' },
      { key: 'fields.1.min', message: 'must be a number' },
      { key: 'revision', message: 'must be a whole number between 0 and 2147483647' },
    ]);
  });

  it('lists the first of very many', () => {
    expect(refusalOf(DraftRequest, { fields: Array.from({ length: 500 }, () => ({})), revision: 0 }).details).toHaveLength(30);
  });

  it('may be wrong as a whole', () => {
    expect(refusalOf(z.string('must be a string'), 5)).toMatchObject({ message: 'must be a string', details: [{ key: '', message: 'must be a string' }] });
  });
});

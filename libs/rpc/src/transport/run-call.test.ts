import { Problem } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import { Registry } from 'prom-client';
import { callRunner } from './run-call';

it('logs a caller token that it refuses, which no client can cause', async () => {
  const lines: unknown[][] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line), debug: () => undefined } as unknown as Log;
  const verify = () => {
    throw Problem.unauthorized('a caller token from an unknown issuer');
  };
  const run = callRunner({ log, metrics: new Registry(), tracer: undefined }, { service: 'forms', verify, problemOf: Problem.from });

  const call = { token: 'very-secret', requestId: 'r-1', deadline: 0 };
  expect(await run('GetForm', call, () => Promise.resolve({}))).toMatchObject({ problem: { code: 'unauthorized' } });

  expect(lines).toEqual([
    [
      { err: 'a caller token from an unknown issuer', requestId: 'r-1', method: 'GetForm' },
      expect.stringContaining('CALLER_KEYS') as unknown,
    ],
  ]);
});

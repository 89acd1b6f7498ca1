import { hash } from '@node-rs/argon2';

/**
 * The stored hash of a password, made as cheaply as the algorithm allows. It names its cost, so that checking a password against it is cheap too:
 * the hundreds that tests try took a quarter of the processor time of this service's tests. `password.test.ts` holds the real cost.
 */
export const cheapHash = (password: string): Promise<string> =>
  hash(password.normalize('NFKC'), { memoryCost: 8, timeCost: 1, parallelism: 1 });

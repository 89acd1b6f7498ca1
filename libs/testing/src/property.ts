/**
 * How many cases a property test tries: a fifth of `all` by default, all of them at night (`npm run test:all` sets FUZZ_SHARE=1), more if
 * somebody asks for more. If one fails, fast-check prints its seed, and FUZZ_SEED=<seed> repeats the run.
 */
export function propertyRuns(all: number): { numRuns: number; seed?: number } {
  const { FUZZ_SHARE: share = '0.2', FUZZ_SEED: seed } = process.env;
  return { numRuns: Math.max(1, Math.round(all * Number(share))), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}

import { silentLog } from '@sheaf/runtime';
import { pino } from 'pino';
import type { Match } from './match-thread';
import { MatchedPatterns } from './patterns';

// From a form that was published before patterns were limited in size.
const huge = '(?:a?){1000}'.repeat(41);

describe('an answer', () => {
  let patterns: MatchedPatterns;
  beforeEach(() => (patterns = new MatchedPatterns({ log: silentLog(), limitMs: 10_000 })));
  afterEach(() => patterns.stop());

  const match = (pattern: string, text: string): Match | Promise<Match> => {
    const found = patterns.matcher(pattern)(text);
    return typeof found === 'string' ? found : found();
  };

  it('is matched synchronously if that is cheap', () => {
    expect(match('[A-Z]{2}-[0-9]+', 'AB-12')).toBe('matches');
    expect(match('[A-Z]{2}-[0-9]+', 'ab-12')).toBe('differs');
  });

  it.each([
    ['a large pattern', '(?:[\\p{L}\\p{N}]{1,50} ?){1,19}', 'x'.repeat(900)],
    ['a long answer', '(a+)+', 'a'.repeat(100_000)],
  ])('is matched in a thread for %s', async (_, pattern, text) => {
    const found = match(pattern, text);
    expect(found).toBeInstanceOf(Promise);
    expect(await found).toBe('matches');
    expect(await match(pattern, `${text}!`)).toBe('differs');
  });

  it('waits for its turn when many are matched in threads', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(200)}${index % 2 === 0 ? '' : '!'}`);
    const found = await Promise.all(texts.map(async (text) => match('(?:a{1,200}){1,2}', text)));
    expect(found).toEqual(texts.map((text) => (text.endsWith('!') ? 'differs' : 'matches')));
  });

  it('is refused as temporarily unavailable when too many are waiting', async () => {
    const found = await Promise.allSettled(Array.from({ length: 60 }, async () => match('(?:a{1,200}){1,2}', 'a'.repeat(200))));
    expect(found.filter(({ status }) => status === 'rejected')).toHaveLength(8);
    expect(found.at(-1)).toMatchObject({ reason: { code: 'unavailable' } });
  });

  it('to a pattern that cannot be compiled does not end the process', async () => {
    expect(await match(`[${'a'.repeat(200)}`, 'a')).toBe('late');
  });
});

describe('a pattern that takes too long', () => {
  let patterns: MatchedPatterns;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    patterns = new MatchedPatterns({ log: pino({}, { write: (line) => warnings.push(line) }), limitMs: 100 });
  });
  afterEach(() => patterns.stop());

  it('does not block this thread, and is stopped', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const found = patterns.matcher(huge)('a'.repeat(20_000));
    expect(found).toBeInstanceOf(Function);
    expect(typeof found === 'function' && (await found())).toBe('late');
    clearInterval(turning);
    expect(turns).toBeGreaterThan(0);
  });

  it('is not retried right away on an answer of the same length', async () => {
    const matcher = patterns.matcher(huge);
    const match = async (text: string) => {
      const found = matcher(text);
      return typeof found === 'string' ? found : found();
    };
    expect(await match('a'.repeat(20_000))).toBe('late');
    expect(warnings).toHaveLength(1);
    expect(await Promise.all(Array.from({ length: 1_000 }, () => match('a'.repeat(20_000))))).toEqual(Array(1_000).fill('late'));
    expect(warnings).toHaveLength(1);
  });
});

import { patternSize } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import { RE2JS } from 're2js';
import { MatchThread, type Match } from './match-thread';

/** Matches a text at once where that is cheap. Elsewhere it says how; that throws `unavailable` when too many others wait. */
export type Matcher = (text: string) => Match | (() => Promise<Match>);

/** Matches answers against the patterns of fields. */
export interface Patterns {
  matcher(pattern: string): Matcher;
}

// RE2 takes time in proportion to pattern and text, and about ten milliseconds for this much, the compiling included. Nearly every pattern
// of a real form is below it.
const inPlace = { size: 100, cost: 10_000 };
// The more was matched against a pattern, the more states of it are kept. This much is at most 64 MB, over all patterns.
const keptCost = 5_000_000;
const compilingCost = 100;

const threads = 2;
const waitingAtMost = 50;
const waitingMs = 2_000;
// For this long a pattern that ran out of time is not tried again on as long a text: others wait for the threads.
const lateForMs = 10_000;
const lateAtMost = 1_000;

interface Waiting {
  pattern: string;
  text: string;
  since: number;
  settle: (match: Match) => void;
  refuse: (problem: Problem) => void;
}

/**
 * RE2 runs in linear time, but a pattern may be large and an answer long: what could hold up all other calls is matched in threads, under
 * a time limit.
 */
export class MatchedPatterns implements Patterns {
  private compiled = new Map<string, RE2JS>();
  private spent = 0;
  private readonly free: MatchThread[];
  private readonly all: readonly MatchThread[];
  private waiting: Waiting[] = [];
  private readonly late = new Map<string, { length: number; until: number }>();

  constructor(private readonly parts: { log: Log; limitMs?: number }) {
    this.all = Array.from({ length: threads }, () => new MatchThread(parts.limitMs ?? 1_000));
    this.free = [...this.all];
  }

  matcher(pattern: string): Matcher {
    const size = patternSize(pattern);
    return (text) => {
      const cost = size * (text.length + 1);
      return size <= inPlace.size && cost <= inPlace.cost
        ? this.matchHere(pattern, text, size, cost)
        : () => this.matchElsewhere(pattern, text);
    };
  }

  async stop(): Promise<void> {
    for (const { refuse } of this.waiting.splice(0)) refuse(Problem.unavailable('the process stops'));
    await Promise.all(this.all.map((thread) => thread.stop()));
  }

  private matchHere(pattern: string, text: string, size: number, cost: number): Match {
    let known = this.compiled.get(pattern);
    this.spent += cost;
    if (!known) {
      this.spent += size * compilingCost;
      if (this.spent > keptCost) {
        this.compiled.clear();
        this.spent = 0;
      }
      this.compiled.set(pattern, (known = RE2JS.compile(pattern)));
    }
    return known.matches(text) ? 'matches' : 'differs';
  }

  private matchElsewhere(pattern: string, text: string): Promise<Match> {
    const late = this.late.get(pattern);
    if (late && late.until > performance.now() && text.length >= late.length) return Promise.resolve('late');
    if (this.waiting.length >= waitingAtMost) return Promise.reject(Problem.unavailable('too many answers wait to be matched'));
    return new Promise((settle, refuse) => {
      this.waiting.push({ pattern, text, since: performance.now(), settle, refuse });
      this.next();
    });
  }

  private next(): void {
    for (let thread = this.free.pop(); thread; thread = this.free.pop()) {
      const one = this.waiting.shift();
      if (!one) {
        this.free.push(thread);
        return;
      }
      if (performance.now() - one.since > waitingMs) {
        one.refuse(Problem.unavailable('an answer waited too long to be matched'));
        this.free.push(thread);
      } else void this.run(thread, one);
    }
  }

  private async run(thread: MatchThread, { pattern, text, settle }: Waiting): Promise<void> {
    const match = await thread.match(pattern, text);
    if (match === 'late') {
      this.parts.log.warn(
        { size: patternSize(pattern), length: text.length },
        'matching an answer against the pattern of its field took too long',
      );
      if (this.late.size >= lateAtMost) this.late.clear();
      this.late.set(pattern, { length: text.length, until: performance.now() + lateForMs });
    }
    settle(match);
    this.free.push(thread);
    this.next();
  }
}

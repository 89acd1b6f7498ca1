import { patternSize } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import { RE2JS } from 're2js';
import { MatchThread, type Match } from './match-thread';

/**
 * Matches cheap text right away. Otherwise returns a function that matches it in a thread, and rejects with `unavailable` when too many
 * others wait.
 */
export type Matcher = (text: string) => Match | (() => Promise<Match>);

/** Matches answers against the patterns of fields. */
export interface Patterns {
  matcher(pattern: string): Matcher;
}

// RE2's time is proportional to the size of pattern and text: about ten milliseconds at these limits, compilation included. Nearly every
// pattern of a real form is below them.
const inlineLimits = { size: 100, cost: 10_000 };
// RE2 caches more states the more a pattern is used. This total cost keeps all patterns together below 64 MB.
const maxCachedCost = 5_000_000;
const compilingCost = 100;

const threads = 2;
const maxWaiting = 50;
const waitingMs = 2_000;
// A pattern that timed out is not tried again for this long on a text of at least the same length: others wait for the threads.
const lateMemoryMs = 10_000;
const maxLatePatterns = 1_000;

interface Waiting {
  pattern: string;
  text: string;
  since: number;
  settle: (match: Match) => void;
  refuse: (problem: Problem) => void;
}

/**
 * RE2 runs in linear time, but patterns and answers may be large. A match that could block all other calls runs in a thread, with a time
 * limit.
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
      return size <= inlineLimits.size && cost <= inlineLimits.cost
        ? this.matchInline(pattern, text, size, cost)
        : () => this.matchInThread(pattern, text);
    };
  }

  async stop(): Promise<void> {
    for (const { refuse } of this.waiting.splice(0)) refuse(Problem.unavailable('the process is stopping'));
    await Promise.all(this.all.map((thread) => thread.stop()));
  }

  private matchInline(pattern: string, text: string, size: number, cost: number): Match {
    let known = this.compiled.get(pattern);
    this.spent += cost;
    if (!known) {
      this.spent += size * compilingCost;
      if (this.spent > maxCachedCost) {
        this.compiled.clear();
        this.spent = 0;
      }
      this.compiled.set(pattern, (known = RE2JS.compile(pattern)));
    }
    return known.matches(text) ? 'matches' : 'differs';
  }

  private matchInThread(pattern: string, text: string): Promise<Match> {
    const late = this.late.get(pattern);
    if (late && late.until > performance.now() && text.length >= late.length) return Promise.resolve('late');
    if (this.waiting.length >= maxWaiting) return Promise.reject(Problem.unavailable('too many answers are waiting for pattern matching'));
    return new Promise((settle, refuse) => {
      this.waiting.push({ pattern, text, since: performance.now(), settle, refuse });
      this.next();
    });
  }

  private next(): void {
    for (let thread = this.free.pop(); thread; thread = this.free.pop()) {
      const waiting = this.waiting.shift();
      if (!waiting) {
        this.free.push(thread);
        return;
      }
      if (performance.now() - waiting.since > waitingMs) {
        waiting.refuse(Problem.unavailable('an answer waited too long for pattern matching'));
        this.free.push(thread);
      } else void this.run(thread, waiting);
    }
  }

  private async run(thread: MatchThread, { pattern, text, settle }: Waiting): Promise<void> {
    const match = await thread.match(pattern, text);
    if (match === 'late') {
      this.parts.log.warn(
        { size: patternSize(pattern), length: text.length },
        'matching an answer against the pattern of its field took too long',
      );
      if (this.late.size >= maxLatePatterns) this.late.clear();
      this.late.set(pattern, { length: text.length, until: performance.now() + lateMemoryMs });
    }
    settle(match);
    this.free.push(thread);
    this.next();
  }
}

import { Health, silentLog, type Process } from '@sheaf/runtime';
import { Registry } from 'prom-client';

/** A `Process` for a service inside a test. */
export interface TestProcess extends Process {
  stop(): Promise<void>;
}

export function testProcess(name: string): TestProcess {
  const closers: (() => unknown)[] = [];
  return {
    name,
    log: silentLog(),
    metrics: new Registry(),
    health: new Health(),
    onStop: (_what, close) => closers.push(close),
    async stop() {
      for (const close of closers.reverse()) await close();
    },
  };
}

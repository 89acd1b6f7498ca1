// A reporter for node --test: writes the totals to the file at COUNTS, at once, because --test-force-exit does not wait for reporters. Node
// reports totals as diagnostics at the end. They count tests, not suites.
import { writeFileSync } from 'node:fs';

// oxlint-disable-next-line require-yield
export default async function* counts(events) {
  const totals = { pass: 0, fail: 0, cancelled: 0 };
  for await (const { type, data } of events) {
    const [, name, count] = type === 'test:diagnostic' ? (/^(pass|fail|cancelled) (\d+)$/.exec(data.message) ?? []) : [];
    if (name === undefined) continue;
    totals[name] = Number(count);
    writeFileSync(process.env.COUNTS, JSON.stringify({ passed: totals.pass, failed: totals.fail + totals.cancelled }));
  }
}

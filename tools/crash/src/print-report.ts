import Table from 'cli-table3';
import type { CrashReport } from './crash';

const maxShown = 20;
const share = (part: number, whole: number) => (whole === 0 ? 'none' : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`);
const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Prints the report for people; the exit code says whether the promise holds. */
export function printReport(report: CrashReport): void {
  const table = new Table({ style: { head: [], border: [] } });
  const deaths = new Map<string, number>();
  for (const { victim, pid } of report.kills) if (pid !== undefined) deaths.set(victim, (deaths.get(victim) ?? 0) + 1);
  table.push(
    ['seed, seconds', `${report.seed}, ${report.seconds}`],
    ['killed', [...deaths].map(([victim, times]) => `${victim} ${times}`).join(', ')],
    ['submissions accepted, status changes, deletions', `${report.submissions}, ${report.statusChanges}, ${report.deletions}`],
    ['of these submissions, from the hosted page', report.fromPages],
    ['retried requests', report.retries],
    ['POSTs received by subscribers', report.posts],
    ['of these, repeats of accepted events', report.repeats],
    ['failing deliveries with exactly three POSTs', share(report.failing.exactlyThree, report.failing.deliveries)],
    ['deliveries to flapping subscribers that were accepted', share(report.flapping.accepted, report.flapping.deliveries)],
    ['from the last kill to the last delivery to a healthy subscriber', inSeconds(report.caughtUpMs)],
    ['from the last kill until nothing was pending', inSeconds(report.settledMs)],
  );
  console.log(table.toString());
  if (report.broken.length === 0) {
    console.log('The promise holds: nothing lost, nothing duplicated, nothing out of order, nothing sent a fourth time.');
    return;
  }
  for (const { promise, offending } of report.broken) {
    console.log(`BROKEN with seed ${report.seed}: ${promise}`);
    for (const item of offending.slice(0, maxShown)) console.log(`  ${item}`);
    if (offending.length > maxShown) console.log(`  and ${offending.length - maxShown} more`);
  }
  console.log(`The data is kept in ${report.dataDir ?? ''}`);
}

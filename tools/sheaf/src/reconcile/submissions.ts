import type { App } from '@sheaf/kernel';
import { about, firstId, firstIdOf, unique, type Checking } from './asking';
import type { Findings } from './findings';

interface UsedVersion {
  form_id: string;
  version: number;
  version_id: string | null;
  submissions: number;
  oldest: string;
}

interface Announced {
  id: string;
  form_id: string;
  at: string;
}

/** Events of a minute: minutes since 1970, how many, and a sum over their forms and moments. */
type Tally = [minute: number, count: number, sum: string];

/** A part of the way through a table. */
interface Part {
  /** After which one the next part begins; null if this was the last. */
  last: string | null;
}

/** How many submissions or events a command walks past before it says how far it is. */
const walkedAtOnce = 100_000;
/** How many versions are remembered as being there, so that they are not asked for again. */
const maxKnown = 100_000;

/**
 * Reads all submissions and looks for their versions in `forms` and for their events in `delivery`. The order makes false alarms impossible: what
 * `submissions` says first, the others must have committed before. Events are counted by minutes on both sides; only where a minute differs are they
 * named, because that takes a hundred times as long.
 * @returns how many submissions were read, and from when on their events are in the log of deliveries
 */
export async function checkSubmissions(
  checking: Checking,
  findings: Findings,
  since: Date | undefined,
): Promise<{ submissions: number; events_since: string }> {
  const begin = since === undefined ? firstId : firstIdOf(since);
  const { from } = (await checking.context.runCommand('delivery', ['show-log-begin'])) as { from: string };
  const known = new Set<string>();
  const minutes = new Minutes();
  let submissions = 0;
  const walk = [`--before=${checking.before.toISOString()}`, `--limit=${walkedAtOnce}`];
  for (let after: string | null = begin; after !== null;) {
    const part: Part & { submissions: number; versions: UsedVersion[]; tallies: Tally[] } = await ask(
      checking,
      'submissions',
      'tally-submissions',
      [`--after=${after}`, `--from=${from}`, ...walk],
    );
    submissions += part.submissions;
    minutes.expect(part.tallies);
    for (let at = 0; at < part.versions.length; at += checking.pageSize)
      await checkVersions(checking, findings, part.versions.slice(at, at + checking.pageSize), known);
    after = part.last;
    checking.progress(`${submissions} submissions`);
  }
  const earliest = Math.max(Date.parse(from), since?.getTime() ?? 0);
  let events = 0;
  for (let after: string | null = minutes.isEmpty ? null : firstIdOf(new Date(earliest - slackMs)); after !== null;) {
    const part: Part & { read: number; tallies: Tally[] } = await ask(checking, 'delivery', 'tally-planned', [`--after=${after}`, ...walk]);
    events += part.read;
    minutes.found(part.tallies);
    after = part.last;
    checking.progress(`${events} events`);
  }
  await checkEvents(checking, findings, begin, minutes.different());
  return { submissions, events_since: from };
}

/** How far the clock of an id may be from the moment that was recorded beside it. */
const slackMs = 10_000;

/** Minutes in which something was announced: how many more times than planned, and by how much the sums differ. Each takes some 100 bytes. */
class Minutes {
  private readonly open = new Map<number, { count: number; sum: bigint }>();

  get isEmpty(): boolean {
    return this.open.size === 0;
  }

  expect(tallies: readonly Tally[]): void {
    for (const tally of tallies) this.add(tally, 1);
  }

  /** Events of minutes in which nothing is expected are those of submissions that were erased. */
  found(tallies: readonly Tally[]): void {
    for (const tally of tallies) if (this.open.has(tally[0])) this.add(tally, -1);
  }

  different(): number[] {
    return [...this.open].filter(([, { count, sum }]) => count !== 0 || sum !== 0n).map(([minute]) => minute);
  }

  private add([minute, count, sum]: Tally, sign: 1 | -1): void {
    const known = this.open.get(minute) ?? { count: 0, sum: 0n };
    this.open.set(minute, { count: known.count + sign * count, sum: known.sum + BigInt(sign) * BigInt(sum) });
  }
}

const ask = async <T>({ context }: Checking, app: App, command: string, options: readonly string[], stdin?: string): Promise<T> =>
  (await context.runCommand(app, [command, ...options], stdin)) as T;

async function checkVersions(checking: Checking, findings: Findings, used: readonly UsedVersion[], known: Set<string>): Promise<void> {
  const unknown = used.filter((version) => version.version_id === null || !known.has(version.version_id));
  if (unknown.length === 0) return;
  const wanted = unknown.map(({ form_id, version, version_id, oldest }) => ({ form_id, version, version_id, oldest: new Date(oldest) }));
  const { missing } = await about<{ missing: { place: number; has_form: boolean }[] }>(checking, 'forms', 'list-missing-versions', wanted);
  if (known.size > maxKnown) known.clear();
  const places = new Set(missing.map(({ place }) => place));
  for (const [place, { version_id }] of unknown.entries()) if (version_id !== null && !places.has(place)) known.add(version_id);

  const lacking = missing.flatMap(({ place, has_form }) => {
    const version = unknown[place];
    return version ? [{ ...version, has_form }] : [];
  });
  const lost = lacking.length === 0 ? [] : await ofFormsThatAreThere(checking, lacking);
  for (const { form_id, version_id, submissions, has_form } of lost)
    findings.add(has_form ? 'version_missing' : 'form_missing', has_form && version_id !== null ? [version_id] : [form_id], submissions);
  // So that the gauge and the health of `submissions` tell of them, until they are there again.
  const present = unknown.filter((_, place) => !places.has(place));
  const marks = [
    ...lost.map((version) => ({ ...version, is_missing: true })),
    ...present.map((version) => ({ ...version, is_missing: false })),
  ]
    .filter(({ version_id }) => version_id !== null)
    .map(({ form_id, version, version_id, is_missing }) => ({ form_id, version, version_id, is_missing }));
  if (marks.length > 0) await about(checking, 'submissions', 'mark-missing-versions', marks);
}

/** Without those of a form that was erased meanwhile, which has no submissions any more. */
async function ofFormsThatAreThere<V extends UsedVersion>(checking: Checking, versions: readonly V[]): Promise<V[]> {
  const formIds = unique(versions.map(({ form_id }) => form_id));
  const { forms } = await about<{ forms: string[] }>(checking, 'submissions', 'list-forms-with-submissions', formIds);
  const there = new Set(forms);
  return versions.filter(({ form_id }) => there.has(form_id));
}

/**
 * Looks for the events of single submissions. Of a minute that differs, all may be there: a submission was erased and its event is kept, or they came while
 * the others were counted.
 */
async function checkEvents(checking: Checking, findings: Findings, begin: string, minutes: readonly number[]): Promise<void> {
  if (minutes.length === 0) return;
  let looked = 0;
  for (let after: string | null = begin; after !== null;) {
    const options = [`--after=${after}`, `--before=${checking.before.toISOString()}`, `--limit=${checking.pageSize}`];
    const part: Part & { announced: Announced[] } = await ask(checking, 'submissions', 'list-announced', options, JSON.stringify(minutes));
    await lookUp(checking, findings, part.announced);
    looked += part.announced.length;
    after = part.last;
    checking.progress(`${looked} events, one by one`);
  }
}

async function lookUp(checking: Checking, findings: Findings, announced: readonly Announced[]): Promise<void> {
  if (announced.length === 0) return;
  const { missing } = await about<{ missing: (Announced & { certain: boolean })[] }>(
    checking,
    'delivery',
    'list-unplanned',
    announced.map(({ id, form_id, at }) => [id, form_id, at]),
  );
  const certain = missing.filter((submission) => submission.certain);
  const idsOf = (submissions: readonly Announced[]) => submissions.map(({ id }) => id);
  findings.add('event_missing', idsOf(certain));
  findings.add('event_unsure', idsOf(missing.filter((submission) => !submission.certain)));
  if (!checking.repair || certain.length === 0) return;
  // First, so that nothing is sent that a lost database may have sent before.
  const last = Math.max(...certain.map(({ at }) => Date.parse(at)));
  await checking.context.runCommand('delivery', ['hold-back', `--before=${new Date(last + 1).toISOString()}`]);
  const again = await about<{ announced: number }>(checking, 'submissions', 'announce-again', idsOf(certain));
  findings.mended('event_missing', again.announced);
}

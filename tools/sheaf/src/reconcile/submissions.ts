import { about, aboutInParts, fewestAtOnce, firstId, firstIdOf, isTooSlow, unique, type Checking } from './asking';
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

interface StoredPage {
  submissions: number;
  last: string | null;
  versions: UsedVersion[];
  announced: Announced[];
}

/** How many versions are remembered as being there, so that they are not asked for with each page. */
const maxKnown = 100_000;

/**
 * Reads all submissions and looks for their versions in `forms` and for their events in `delivery`. The order makes false alarms impossible: what
 * `submissions` says first, the others must have committed before.
 * @returns how many submissions were read, and from when on their events are in the log of deliveries
 */
export async function checkSubmissions(
  checking: Checking,
  findings: Findings,
  since: Date | undefined,
): Promise<{ submissions: number; events_since: string | null }> {
  const known = new Set<string>();
  let [submissions, eventsSince] = [0, null as string | null];
  let after = since === undefined ? firstId : firstIdOf(since);
  for (;;) {
    const page = await storedPage(checking, after);
    submissions += page.submissions;
    await checkVersions(checking, findings, page.versions, known);
    eventsSince = (await checkEvents(checking, findings, page.announced)) ?? eventsSince;
    if (page.last === null) return { submissions, events_since: eventsSince };
    after = page.last;
    checking.progress(`${submissions} submissions`);
  }
}

/** The next submissions: fewer where `submissions` cannot read as many in time. */
async function storedPage(checking: Checking, after: string): Promise<StoredPage> {
  for (let limit = checking.pageSize; ; limit = Math.ceil(limit / 2)) {
    const options = [`--after=${after}`, `--before=${checking.before.toISOString()}`, `--limit=${limit}`];
    try {
      return (await checking.context.runCommand('submissions', ['list-stored', ...options])) as unknown as StoredPage;
    } catch (error) {
      if (!isTooSlow(error) || limit <= fewestAtOnce) throw error;
    }
  }
}

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

/** @returns from when on the log of deliveries has all events */
async function checkEvents(checking: Checking, findings: Findings, announced: readonly Announced[]): Promise<string | undefined> {
  if (announced.length === 0) return undefined;
  const answers = await aboutInParts<{ from: string; missing: (Announced & { certain: boolean })[] }>(
    checking,
    'delivery',
    'list-unplanned',
    announced.map(({ id, form_id, at }) => [id, form_id, at]),
  );
  const missing = answers.flatMap((answer) => answer.missing);
  const certain = missing.filter((submission) => submission.certain);
  const idsOf = (submissions: readonly Announced[]) => submissions.map(({ id }) => id);
  findings.add('event_missing', idsOf(certain));
  findings.add('event_unsure', idsOf(missing.filter((submission) => !submission.certain)));
  if (checking.repair && certain.length > 0) {
    // First, so that nothing is sent that a lost database may have sent before.
    const last = Math.max(...certain.map(({ at }) => Date.parse(at)));
    await checking.context.runCommand('delivery', ['hold-back', `--before=${new Date(last + 1).toISOString()}`]);
    const again = await about<{ announced: number }>(checking, 'submissions', 'announce-again', idsOf(certain));
    findings.mended('event_missing', again.announced);
  }
  return answers.at(-1)?.from;
}

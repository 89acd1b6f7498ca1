import { resolve } from 'node:path';
import {
  createClient,
  createForm,
  createHookSubscription,
  createSession,
  deleteHookSubscription,
  deleteSubmission,
  getFormDraft,
  listSubmissions,
  publishForm,
  saveFormDraft,
  submitForm,
  updateSubmissionStatus,
  type Client,
} from '@sheaf/client';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { Listener } from './listener';
import { percentile } from './percentile';
import { findRunningSystem } from './running-system';
import { answers, fields, title } from './survey';

const submissionCount = 1_000;
const concurrency = 16;
const approvedCount = 50;
const deletedCount = 10;
const deliveryTimeoutMs = 60_000;
const events = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const;

async function main(): Promise<void> {
  const system = await findRunningSystem(resolve(process.env.DATA_DIR ?? '.data'));
  const listener = new Listener();
  try {
    await runDemo(system, listener);
  } finally {
    listener.stop();
  }
}

type RunningSystem = Awaited<ReturnType<typeof findRunningSystem>>;

async function runDemo(system: RunningSystem, listener: Listener): Promise<void> {
  const me = await signIn(system);
  const form = await makeForm(me);

  print('3. Subscribe to its events, as an automation platform does with an API key');
  const automation = createClient({ url: system.origin, key: system.apiKey });
  const subscriptions = await subscribe(automation, form.id, await listener.start(system.subscriberPort));

  print(`4. ${submissionCount} respondents fill in version ${form.version}`);
  const startedAt = performance.now();
  const sent = await respond(system.origin, form.id);
  const seconds = (performance.now() - startedAt) / 1_000;

  print(`5. The team reviews them: ${approvedCount} are approved, ${deletedCount} deleted`);
  const remaining = await review(me, form.id);

  print('6. The subscriber receives every event');
  const expected = sent.length + approvedCount + deletedCount;
  const bar = progress('delivered', expected);
  const complete = await listener.waitFor(expected, deliveryTimeoutMs, (count) => bar.update(count));
  bar.stop();
  for (const path of subscriptions) await deleteHookSubscription({ client: automation, path });

  reportFigures({ sent, seconds, remaining }, listener);
  print(`To list the submissions:\n  curl -H "Authorization: Bearer <key>" "${system.origin}/api/v1/forms/${form.id}/submissions?limit=3"`);
  print('  (the key is in credentials.json in the data folder)');
  if (!complete || sent.length < submissionCount) throw new Error('Not every event arrived in time; see the logs in the data folder.');
}

async function signIn({ origin: url, email, password }: RunningSystem): Promise<Client> {
  print(`1. Sign in as ${email}`);
  const { token } = await createSession({ client: createClient({ url }), body: { email, password } });
  return createClient({ url, key: token });
}

async function makeForm(client: Client): Promise<{ id: string; version: number }> {
  print(`2. Create the form “${title}”, add ${fields.length} fields, and publish it`);
  const path = await createForm({ client, body: { title } });
  const { revision } = await getFormDraft({ client, path });
  await saveFormDraft({ client, path, body: { fields, revision } });
  const { version } = await publishForm({ client, path });
  return { id: path.id, version };
}

const subscribe = (client: Client, form_id: string, target_url: string) =>
  Promise.all(events.map((event) => createHookSubscription({ client, body: { form_id, target_url, event, source: 'zapier' } })));

/** Approves some submissions and deletes others. @returns the number of those that remain */
async function review(client: Client, id: string): Promise<number> {
  const { data: newest } = await listSubmissions({ client, path: { id }, query: { limit: 100 } });
  const paths = newest.map((submission) => ({ id, subId: submission.id }));
  for (const path of paths.slice(0, approvedCount)) await updateSubmissionStatus({ client, path, body: { status: 'approved' } });
  for (const path of paths.slice(0, deletedCount)) await deleteSubmission({ client, path });
  return (await listSubmissions({ client, path: { id }, query: { limit: 1 } })).total;
}

function reportFigures({ sent, seconds, remaining }: { sent: Sent[]; seconds: number; remaining: number }, listener: Listener): void {
  const toSubscriber = sent.flatMap(({ id, answeredAt }) => {
    const at = listener.firstAt.get(Listener.keyOf('submission.created', id));
    return at === undefined ? [] : [at - answeredAt];
  });
  report([
    ['Submissions accepted', `${sent.length} of ${submissionCount}, ${(sent.length / seconds).toFixed(0)}/s`],
    ['In the list after the deletions', String(remaining)],
    ...events.map((event): [string, string] => [`Delivered: ${event}`, String(listener.count(event))]),
    ['Delivered more than once', String(listener.repeats)],
    ['Submit, ms: p50 / p95 / p99', latencies(sent.map(({ tookMs }) => tookMs))],
    // The webhook can arrive before the respondent gets the answer.
    ['Answer to webhook, ms: p50 / p95 / p99', latencies(toSubscriber)],
  ]);
}

interface Sent {
  id: string;
  tookMs: number;
  answeredAt: number;
}

async function respond(url: string, form: string): Promise<Sent[]> {
  const client = createClient({ url });
  const bar = progress('accepted', submissionCount);
  const sent: Sent[] = [];
  let next = 0;
  const worker = async () => {
    while (next < submissionCount) {
      const n = next++;
      const from = performance.now();
      const { id } = await submitForm({ client, path: { form }, body: { data: answers(n) } });
      const answeredAt = performance.now();
      sent.push({ id, tookMs: answeredAt - from, answeredAt });
      bar.increment();
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    bar.stop();
  }
  return sent;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

function progress(what: string, total: number): SingleBar {
  const bar = new SingleBar({
    format: `   {bar} {value}/{total} ${what}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  bar.start(total, 0);
  return bar;
}

const latencies = (values: readonly number[]) => [0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(1)).join(' / ');

function report(rows: readonly [string, string][]): void {
  const table = new Table({ head: ['Measure', 'Result'], style: { head: [], border: [] } });
  table.push(...rows);
  print(`\n${table.toString()}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

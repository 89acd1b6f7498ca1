import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  Draft,
  FormDetail,
  HookSubscription,
  PublishResponse,
  SignedIn,
  Submission,
  SubmissionList,
  SubmissionReceipt,
} from '@sheaf/contracts';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { Client } from './client';
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
  const form = await publishForm(me);

  print('3. Subscribe to its events, as an automation platform does with an API key');
  const automation = new Client(system.origin, system.apiKey);
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
  for (const { id } of subscriptions) await automation.remove(`/api/v1/hooks/${id}`);

  reportFigures({ sent, seconds, remaining }, listener);
  print(`To list the submissions:\n  curl -H "Authorization: Bearer <key>" "${system.origin}/api/v1/forms/${form.id}/submissions?limit=3"`);
  print('  (the key is in credentials.json in the data folder)');
  if (!complete || sent.length < submissionCount) throw new Error('Not every event arrived in time; see the logs in the data folder.');
}

async function signIn({ origin, email, password }: RunningSystem): Promise<Client> {
  print(`1. Sign in as ${email}`);
  const { token } = await new Client(origin).call('POST', '/app/v1/sessions', SignedIn, { email, password });
  return new Client(origin, token);
}

async function publishForm(me: Client): Promise<{ id: string; version: number }> {
  print(`2. Create the form “${title}”, add ${fields.length} fields, and publish it`);
  const { id } = await me.call('POST', '/api/v1/forms', FormDetail, { title });
  const draft = await me.call('GET', `/app/v1/forms/${id}/draft`, Draft);
  await me.call('PUT', `/app/v1/forms/${id}/draft`, Draft, { fields, revision: draft.revision });
  const { version } = await me.call('POST', `/api/v1/forms/${id}/publish`, PublishResponse);
  return { id, version };
}

const subscribe = (automation: Client, formId: string, targetUrl: string) =>
  Promise.all(
    events.map((event) =>
      automation.call('POST', '/api/v1/hooks/subscribe', HookSubscription, {
        form_id: formId,
        target_url: targetUrl,
        event,
        source: 'zapier',
      }),
    ),
  );

/** Approves some submissions and deletes others. @returns the number of those that remain */
async function review(me: Client, formId: string): Promise<number> {
  const submissions = `/api/v1/forms/${formId}/submissions`;
  const { data: newest } = await me.call('GET', `${submissions}?limit=100`, SubmissionList);
  for (const { id } of newest.slice(0, approvedCount)) {
    await me.call('PATCH', `${submissions}/${id}/status`, Submission, { status: 'approved' });
  }
  for (const { id } of newest.slice(0, deletedCount)) await me.remove(`${submissions}/${id}`);
  return (await me.call('GET', `${submissions}?limit=1`, SubmissionList)).total;
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

/** Every respondent has their own key, so that a repeated request does not count twice. */
async function respond(origin: string, formId: string): Promise<Sent[]> {
  const respondent = new Client(origin);
  const run = randomUUID();
  const bar = progress('accepted', submissionCount);
  const sent: Sent[] = [];
  let next = 0;
  const worker = async () => {
    while (next < submissionCount) {
      const n = next++;
      const from = performance.now();
      const { id } = await respondent.call(
        'POST',
        `/public/v1/forms/${formId}/submissions`,
        SubmissionReceipt,
        { data: answers(n) },
        { 'idempotency-key': `demo-${run}-${n}` },
      );
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

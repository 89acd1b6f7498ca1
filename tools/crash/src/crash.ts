import type { JsonWebKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDataDir, Person, removeDataDir, System } from '@sheaf/testing';
import { Choices } from './choices';
import { carryOut, planKills, type Killed } from './kills';
import { hookEvents, Ledger } from './ledger';
import { Listeners, neverFails } from './listeners';
import { Load } from './load';
import { figuresOf, missing, prove, type Broken, type Figures, type Listed } from './proof';

export interface CrashOptions {
  seed: number;
  /** Duration of the load during which processes are killed. */
  seconds: number;
  /** How long everything may take afterwards until it is delivered, failed or cancelled. */
  settleSeconds: number;
  /** After that no more deliveries may arrive for this long. */
  quietMs: number;
  /** Settings of the system, such as shorter retry schedules. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Receives progress lines. */
  tell?: (line: string) => void;
}

export interface CrashReport extends Figures {
  seed: number;
  seconds: number;
  kills: Killed[];
  submissions: number;
  statusChanges: number;
  deletions: number;
  /** Requests that got no answer or a 5xx and were retried. */
  retries: number;
  /** Time from the last kill until a subscriber that never fails had received its last missing event, and until nothing was pending. */
  caughtUpMs: number;
  settledMs: number;
  broken: Broken[];
  /** Kept if the promise was broken. */
  dataDir: string | undefined;
}

// Sent again at the end: each must be answered with its original id.
const repeatedKeys = 200;
const pageSize = 100;
const lookEveryMs = 250;

/** Starts its own system, kills its processes under load, waits until it has caught up, and proves that its promises hold. */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const dataDir = await newDataDir();
  const listeners = await Listeners.start();
  let keep = true;
  let system: System | undefined;
  try {
    system = await System.start(dataDir, { SUBMIT_PER_ADDRESS_PER_MINUTE: '0', LOG_LEVEL: 'info', ...options.env });
    const report = await run(options, system, listeners);
    keep = report.broken.length > 0;
    return { ...report, dataDir: keep ? dataDir : undefined };
  } catch (error) {
    throw new Error(`The run with seed ${options.seed} did not come to its end; its data is in ${dataDir}.`, { cause: error });
  } finally {
    await system?.stop();
    await listeners.close();
    if (!keep) await removeDataDir(dataDir);
  }
}

async function run(options: CrashOptions, system: System, listeners: Listeners): Promise<Omit<CrashReport, 'dataDir'>> {
  const { seed, seconds, tell = () => undefined } = options;
  const choices = new Choices(seed);
  const plan = planKills(choices.branch(), seconds);
  const anyone = new Person(system.origin);
  const owner = anyone.with(system.credentials.api_key);
  const forms = { busy: await publishedForm(owner, 'Busy'), quiet: await publishedForm(owner, 'Quiet') };
  const ledger = new Ledger();
  const stop = new AbortController();
  options.signal?.addEventListener('abort', () => stop.abort(), { once: true });
  const late = setTimeout(() => stop.abort(), (seconds + options.settleSeconds) * 1_000);
  const load = new Load({ anyone, owner, ledger, listeners, forms, seconds, giveUp: stop.signal });

  try {
    for (const event of hookEvents)
      for (const kind of ['healthy', 'healthy', 'failing', 'flapping'] as const)
        await load.subscribe(listeners.add(kind, forms.busy, event), choices);
    const gone = listeners.add('gone', forms.busy, 'submission.created');
    for (const listener of [
      gone,
      listeners.add('hanging', forms.quiet, 'submission.created'),
      listeners.add('healthy', forms.quiet, 'submission.created'),
    ])
      await load.subscribe(listener, choices);

    const kills: Killed[] = [];
    let lastKillAt = Date.now();
    const killing = carryOut(system, plan, stop.signal, (killed) => {
      kills.push(killed);
      lastKillAt = Date.now();
      tell(`${(killed.atMs / 1_000).toFixed(1)} s: ${killed.victim} ${killed.pid === undefined ? 'is not there to be killed' : 'killed'}`);
    });
    await Promise.all([load.run(choices.branch()), killing]);
    tell(`${ledger.accepted.length} submissions accepted; waiting for what is under way`);

    const lookAtPending = () => Promise.all(Object.values(forms).map((form) => pendingOf(owner, form)));
    const caughtUp = await until(() => missing(ledger, listeners.all).length === 0, stop.signal);
    const caughtUpMs = Math.max(0, lastNeeded(listeners) - lastKillAt);
    const settled = caughtUp && (await until(async () => (await lookAtPending()).every((pending) => pending === 0), stop.signal));
    const settledMs = Date.now() - lastKillAt;
    // Computed before any more requests, which would count as failing while still in progress.
    const figures = figuresOf(listeners.all);

    for (const accepted of ledger.accepted.slice(-repeatedKeys)) await load.repeat(accepted, choices);
    // The subscription that answered 410 is disabled by now and receives nothing more.
    const goneHad = gone.posts.length;
    await load.submit(forms.busy, choices);
    await until(() => missing(ledger, listeners.all).length === 0, stop.signal);
    await sleep(options.quietMs);
    const heardAfterGone = gone.posts
      .slice(goneHad)
      .map(({ webhookId }) => `${webhookId} after ${gone.posts.slice(0, goneHad).length} POSTs`);

    const lists = await Promise.all(Object.values(forms).map((form) => listOf(owner, form)));
    const { keys } = (await anyone.get('/.well-known/webhook-keys.json')).body as { keys: JsonWebKey[] };
    return {
      seed,
      seconds,
      kills,
      submissions: ledger.accepted.length,
      statusChanges: ledger.happened.filter(({ event }) => event === 'submission.status_changed').length,
      deletions: ledger.happened.filter(({ event }) => event === 'submission.deleted').length,
      retries: ledger.retries,
      caughtUpMs,
      settledMs,
      ...figures,
      broken: [
        ...prove({ ledger, listeners: listeners.all, lists, keys }),
        ...(settled
          ? []
          : [
              {
                promise: `all is settled ${options.settleSeconds} s after the load`,
                offending: [`pending: ${(await lookAtPending()).join(' and ')}`],
              },
            ]),
        ...(heardAfterGone.length === 0 ? [] : [{ promise: 'who answers 410 is not called again', offending: heardAfterGone }]),
      ],
    };
  } finally {
    clearTimeout(late);
    stop.abort();
  }
}

async function publishedForm(owner: Person, title: string): Promise<string> {
  const { id } = (await owner.post('/api/v1/forms', { title })).body as { id: string };
  await owner.put(`/app/v1/forms/${id}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  const { status } = await owner.post(`/api/v1/forms/${id}/publish`);
  if (status !== 200) throw new Error(`publishing answered ${status}`);
  return id;
}

const pendingOf = async (owner: Person, form: string): Promise<number> =>
  ((await owner.get(`/app/v1/forms/${form}/deliveries?state=pending&limit=1`)).body as { total: number }).total;

async function listOf(owner: Person, form: string): Promise<Listed> {
  const list: Listed = { form, total: 0, submissions: [] };
  for (let more = true; more;) {
    const { body } = await owner.get(`/api/v1/forms/${form}/submissions?limit=${pageSize}&offset=${list.submissions.length}`);
    const { total, data } = body as { total: number; data: Listed['submissions'] };
    list.total = total;
    list.submissions.push(...data);
    more = data.length === pageSize;
  }
  return list;
}

/** When the last event arrived for the first time at a subscriber that never fails. */
function lastNeeded({ all }: Listeners): number {
  const firsts = all
    .filter(({ kind }) => neverFails(kind))
    .flatMap(({ posts }) => posts.filter(({ webhookId }, index) => posts.findIndex((post) => post.webhookId === webhookId) === index));
  return Math.max(0, ...firsts.map(({ at }) => at));
}

async function until(look: () => boolean | Promise<boolean>, stop: AbortSignal): Promise<boolean> {
  while (!stop.aborted) {
    if (
      await Promise.resolve()
        .then(look)
        .catch(() => false)
    )
      return true;
    await sleep(lookEveryMs, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

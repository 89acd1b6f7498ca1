import type { JsonWebKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDataDir, Person, removeDataDir, System } from '@sheaf/testing';
import { Choices } from './choices';
import { executeKills, planKills, type Kill, type Killed } from './kills';
import { hookEvents, Ledger } from './ledger';
import { Listeners, neverFails, type Listener } from './listeners';
import { Load } from './load';
import { figuresOf, missing, prove, type Broken, type Figures, type Listed } from './proof';

export interface CrashOptions {
  seed: number;
  /** Duration of the load during which processes are killed. */
  seconds: number;
  /** How long deliveries may then take until each has succeeded, failed or been cancelled. */
  settleSeconds: number;
  /** The time after that in which no further delivery may arrive. */
  quietMs: number;
  /** Settings of the system, such as shorter retry schedules. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Receives progress lines. */
  onProgress?: (line: string) => void;
}

export interface CrashReport extends Figures {
  seed: number;
  seconds: number;
  kills: Killed[];
  submissions: number;
  /** How many of them came from the hosted page. */
  fromPages: number;
  statusChanges: number;
  deletions: number;
  /** Requests that got no answer or a 5xx and were retried. */
  retries: number;
  /** Time from the last kill until the subscribers that never fail had received every event, and until nothing was pending. */
  caughtUpMs: number;
  settledMs: number;
  broken: Broken[];
  /** Kept if the promise was broken. */
  dataDir: string | undefined;
}

// Idempotency keys that are sent again at the end: each must be answered with its original id.
const repeatedKeys = 200;
const pageSize = 100;
const pollMs = 250;

/** Starts a system, kills its processes under load, waits until it has caught up, and checks that its promises hold. */
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
    throw new Error(`The run with seed ${options.seed} was aborted; its data is in ${dataDir}.`, { cause: error });
  } finally {
    await system?.stop();
    await listeners.close();
    if (!keep) await removeDataDir(dataDir);
  }
}

/** A system under load, with its subscribers and the record of acknowledged requests. */
interface Scene {
  anyone: Person;
  owner: Person;
  forms: { busy: string; quiet: string };
  ledger: Ledger;
  listeners: Listeners;
  /** Answers 410 to its first POST. */
  gone: Listener;
  load: Load;
  choices: Choices;
  stop: AbortSignal;
}

async function run(options: CrashOptions, system: System, listeners: Listeners): Promise<Omit<CrashReport, 'dataDir'>> {
  const { seed, seconds, settleSeconds, onProgress = () => undefined } = options;
  const choices = new Choices(seed);
  const plan = planKills(choices.branch(), seconds, (options.env.PROCESSES ?? process.env.PROCESSES) === 'one');
  const anyone = new Person(system.origin);
  const owner = anyone.with(system.credentials.api_key);
  const forms = { busy: await publishedForm(owner, 'Busy'), quiet: await publishedForm(owner, 'Quiet') };
  const ledger = new Ledger();
  const stop = new AbortController();
  options.signal?.addEventListener('abort', () => stop.abort(), { once: true });
  const timer = setTimeout(() => stop.abort(), (seconds + settleSeconds) * 1_000);
  const load = new Load({ anyone, owner, ledger, listeners, forms, seconds, giveUp: stop.signal });

  try {
    const gone = await subscribe(load, listeners, forms, choices);
    const scene: Scene = { anyone, owner, forms, ledger, listeners, gone, load, choices, stop: stop.signal };
    const { kills, lastKillAt } = await loadAndKill(scene, system, plan, onProgress);
    onProgress(`${ledger.accepted.length} submissions accepted; waiting for pending work`);

    const { isSettled, ...times } = await settle(scene, lastKillAt);
    // Computed before any more requests, whose deliveries would count as failing while still in progress.
    const figures = figuresOf(listeners.all);
    const postsAfterGone = await submitAgain(scene, options.quietMs);
    return {
      seed,
      seconds,
      kills,
      submissions: ledger.accepted.length,
      fromPages: ledger.accepted.filter(({ page }) => page !== undefined).length,
      statusChanges: ledger.expectedEvents.filter(({ event }) => event === 'submission.status_changed').length,
      deletions: ledger.expectedEvents.filter(({ event }) => event === 'submission.deleted').length,
      retries: ledger.retries,
      ...times,
      ...figures,
      broken: [
        ...(await brokenPromises(scene)),
        ...(isSettled ? [] : [await unsettled(scene, settleSeconds)]),
        ...(postsAfterGone.length === 0
          ? []
          : [{ promise: 'a subscriber that answers 410 is not called again', offending: postsAfterGone }]),
      ],
    };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** Subscribes listeners of every kind. @returns the one that answers 410 */
async function subscribe(load: Load, listeners: Listeners, forms: Scene['forms'], choices: Choices): Promise<Listener> {
  for (const event of hookEvents)
    for (const kind of ['healthy', 'healthy', 'failing', 'flapping'] as const)
      await load.subscribe(listeners.add(kind, forms.busy, event), choices);
  const gone = listeners.add('gone', forms.busy, 'submission.created');
  for (const listener of [
    gone,
    listeners.add('hanging', forms.quiet, 'submission.created'),
    listeners.add('healthy', forms.quiet, 'submission.created'),
    listeners.add('healthy', undefined, 'submission.created'),
    listeners.add('flapping', undefined, 'submission.created'),
  ])
    await load.subscribe(listener, choices);
  return gone;
}

async function loadAndKill(
  { load, choices, stop }: Scene,
  system: System,
  plan: readonly Kill[],
  onProgress: (line: string) => void,
): Promise<{ kills: Killed[]; lastKillAt: number }> {
  const kills: Killed[] = [];
  let lastKillAt = Date.now();
  const killing = executeKills(system, plan, stop, (killed) => {
    kills.push(killed);
    lastKillAt = Date.now();
    onProgress(`${(killed.atMs / 1_000).toFixed(1)} s: ${killed.victim} ${killed.pid === undefined ? 'was not running' : 'killed'}`);
  });
  await Promise.all([load.run(choices.branch()), killing]);
  return { kills, lastKillAt };
}

/** Waits until subscribers that never fail have received every event, and then until nothing is pending. */
async function settle(scene: Scene, lastKillAt: number): Promise<{ isSettled: boolean; caughtUpMs: number; settledMs: number }> {
  const { ledger, listeners, stop } = scene;
  const isCaughtUp = await until(() => missing(ledger, listeners.all).length === 0, stop);
  const caughtUpMs = Math.max(0, lastFirstDelivery(listeners) - lastKillAt);
  const isSettled = isCaughtUp && (await until(async () => (await pendingIn(scene)).every((pending) => pending === 0), stop));
  return { isSettled, caughtUpMs, settledMs: Date.now() - lastKillAt };
}

/**
 * Repeats submissions under their keys, and submits once more. The subscription that answered 410 is disabled by now.
 * @returns the POSTs that its subscriber still received
 */
async function submitAgain({ ledger, listeners, gone, load, forms, choices, stop }: Scene, quietMs: number): Promise<string[]> {
  for (const accepted of ledger.accepted.slice(-repeatedKeys)) await load.repeat(accepted, choices);
  const before = gone.posts.length;
  await load.submit(forms.busy, choices);
  await until(() => missing(ledger, listeners.all).length === 0, stop);
  await sleep(quietMs);
  return gone.posts.slice(before).map(({ webhookId }) => `${webhookId} after ${before} POSTs`);
}

async function brokenPromises({ anyone, owner, forms, ledger, listeners }: Scene): Promise<Broken[]> {
  const lists = await Promise.all(Object.values(forms).map((form) => listOf(owner, form)));
  const { keys } = (await anyone.get('/.well-known/webhook-keys.json')).body as { keys: JsonWebKey[] };
  return prove({ ledger, listeners: listeners.all, lists, keys });
}

const unsettled = async (scene: Scene, settleSeconds: number): Promise<Broken> => ({
  promise: `nothing is pending ${settleSeconds} s after the load`,
  offending: [`pending: ${(await pendingIn(scene)).join(' and ')}`],
});

const pendingIn = ({ owner, forms }: Scene): Promise<number[]> => Promise.all(Object.values(forms).map((form) => pendingOf(owner, form)));

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
function lastFirstDelivery({ all }: Listeners): number {
  const firsts = all
    .filter(({ kind }) => neverFails(kind))
    .flatMap(({ posts }) => posts.filter(({ webhookId }, index) => posts.findIndex((post) => post.webhookId === webhookId) === index));
  return Math.max(0, ...firsts.map(({ at }) => at));
}

async function until(condition: () => boolean | Promise<boolean>, stop: AbortSignal): Promise<boolean> {
  while (!stop.aborted) {
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return true;
    await sleep(pollMs, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

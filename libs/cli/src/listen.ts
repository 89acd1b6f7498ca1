import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  all,
  endFormListener,
  listWorkspaces,
  receiveFormEvents,
  searchForms,
  SheafError,
  type FoundForm,
  type ReceivedEvent,
  type ReceivedEvents,
} from '@sheaf/client';
import { Option, type Command } from 'commander';
import type { Session } from './context';
import { painted } from './deliveries';
import { Failure, withoutOperation } from './failure';
import { follow, mayPass } from './follow';
import { cell, print, printJson } from './show';

export const webhookEvents = [
  'submission.created',
  'submission.updated',
  'submission.status_changed',
  'submission.deleted',
  'submission.restored',
  'submission.corrected',
  'submission.spam_changed',
] as const;

export interface ListenOptions {
  forward?: string;
  events?: (typeof webhookEvents)[number][];
  payload: 'contract' | 'named';
  fields?: string[];
  printJson?: true;
}

/** The options of the command, of developers as of operators. */
export const withListenOptions = (command: Command): Command =>
  command
    .option('--forward <url>', 'the address to which each event is sent, signed as a webhook')
    .addOption(new Option('--events <events...>', 'only these events').choices(webhookEvents))
    .addOption(new Option('--payload <payload>', 'the bodies').choices(['contract', 'named']).default('contract'))
    .option('--fields <keys...>', 'only the answers to the questions with these keys')
    .option('--print-json', 'print the body of each event too');

/** The surroundings of listening, which a program of developers has, and the tool of operators. */
export type ListeningSession = Pick<Session, 'client' | 'signal' | 'json' | 'say' | 'isTerminal' | 'hasColours' | 'webhookSecret'> & {
  out: Pick<Session['out'], 'write'>;
};

/** @param key the key of Sheaf by which the events are received */
export const webhookSecretBy =
  (key: string) =>
  (form: string | undefined): string =>
    `whsec_${createHmac('sha256', key)
      .update(`sheaf webhooks listen ${form ?? 'every form'}`)
      .digest('base64')}`;

const interval = { ofOneFormMs: 500, ofEveryFormMs: 1_000 };
/** How often forms that were made meanwhile are looked for. */
const newFormsMs = 10_000;
/** The listeners wait for a search, so one that fails is for the next time. */
const searching = { timeoutMs: 10_000, retries: 0 };
/** An instance has 100 listeners, which others need too. */
const formsAtMost = 20;
/** As long as Sheaf gives a webhook. */
const answerMs = 10_000;
/** A listener is gone after a minute without a request, so what a slow server leaves is for the next look, before which every form is asked. */
const lookMs = 20_000;
/** A listener that could not be ended is gone after a minute too. */
const endingMs = 2_000;

/**
 * Prints the events of a form, or of every form, as they happen, and forwards each, signed as a webhook, until Ctrl-C. Nothing of it stays on the
 * server, also if this program is killed.
 */
export async function listenTo(session: ListeningSession, form: string | undefined, options: ListenOptions): Promise<void> {
  const { forward } = options;
  if (forward !== undefined && !/^https?:$/.test(URL.canParse(forward) ? new URL(forward).protocol : ''))
    throw new Failure('--forward: must be an address, such as http://localhost:3000/webhooks', 2);

  const secret = session.webhookSecret(form);
  const show = (event: ReceivedEvent) => showEvent(session, secret, event, options);
  const listeners = form === undefined ? new EveryForm(session, options) : new OneForm(session, form, options);
  try {
    await listeners.begin();
    if (forward !== undefined) session.say(`Sign with v1a by the keys of the instance, or with v1 by this secret: ${secret}`);
    session.say(`Waiting for events${listeners.about}${forward === undefined ? '' : ` to forward to ${cell(forward)}`}; Ctrl-C ends.`);
    await follow(session, listeners.intervalMs, () => listeners.look(show));
  } finally {
    await listeners.end();
  }
}

type Show = (event: ReceivedEvent) => Promise<void>;

/** The listener to one form. */
class OneForm {
  readonly about: string = '';
  readonly intervalMs = interval.ofOneFormMs;
  private readonly path: { id: string; listenerId: string };
  /** The events of the last answers that Sheaf does not know to have arrived. */
  private received: string[] = [];
  private missed = 0;
  private hasBegun = false;

  constructor(
    private readonly session: ListeningSession,
    form: string,
    private readonly options: ListenOptions,
  ) {
    this.path = { id: form, listenerId: randomUUID() };
  }

  begin = (): Promise<unknown> => this.ask();

  /** Shows what has happened since the last look, or as much of it as there is time for. */
  async look(show: Show): Promise<void> {
    const { say } = this.session;
    const until = performance.now() + lookMs;
    for (let isRest = true; isRest && performance.now() <= until;) {
      const hadBegun = this.hasBegun;
      const answer = await this.ask();
      if (!answer.went_on && hadBegun) say('Sheaf did not hear from this program for a minute: what happened in between is not shown.');
      if (answer.missed > this.missed) say(`${answer.missed - this.missed} events came too fast, and are not shown.`);
      this.missed = answer.went_on ? Math.max(this.missed, answer.missed) : 0;
      isRest = answer.has_more;
      for (const event of answer.data) {
        await show(event);
        this.received.push(event.id);
        if (performance.now() > until) return;
      }
    }
  }

  async end(): Promise<void> {
    const { client } = this.session;
    await endFormListener({ client, path: this.path, retries: 0, timeoutMs: endingMs }).catch(() => undefined);
  }

  private async ask(): Promise<ReceivedEvents> {
    const { client, signal } = this.session;
    const { events = [...webhookEvents], payload, fields } = this.options;
    const body = { events, payload, received: this.received, ...(fields === undefined ? {} : { fields }) };
    const answer = await receiveFormEvents({ client, path: this.path, body, signal });
    this.received = [];
    this.hasBegun = true;
    return answer;
  }
}

/** A listener to each form whose webhooks the key may change. Forms that are made later join. */
class EveryForm {
  readonly intervalMs = interval.ofEveryFormMs;
  private readonly listeners = new Map<string, { title: string; listener: OneForm }>();
  /** Those that cannot be listened to, and those that a listener was begun for. */
  private readonly known = new Set<string>();
  private lookedAt: number | undefined;

  constructor(
    private readonly session: ListeningSession,
    private readonly options: ListenOptions,
  ) {
    // Every form waits for Ctrl-C at once, of which Node.js would warn.
    setMaxListeners(0, session.signal);
  }

  get about(): string {
    const { size } = this.listeners;
    return size === 1 ? ' of 1 form' : ` of ${size} forms`;
  }

  /** Forms that were made meanwhile are looked for too. */
  async begin(): Promise<void> {
    const { say } = this.session;
    const isFirst = this.lookedAt === undefined;
    this.lookedAt = performance.now();
    const found = (await this.formsOfKey(isFirst ? {} : searching)).filter(({ id, role }) => role !== 'viewer' && !this.known.has(id));
    const room = formsAtMost - this.listeners.size;
    if (isFirst && found.length > room)
      throw new Failure(`There are ${found.length} forms, and a program listens to ${formsAtMost} at most. Name one of them.`);
    for (const { id, title } of found.slice(Math.max(room, 0))) {
      this.known.add(id);
      say(`“${cell(title)}” is not listened to: a program listens to ${formsAtMost} forms at most.`);
    }
    await Promise.all(
      found.slice(0, Math.max(room, 0)).map(async (form) => {
        const listener = new OneForm(this.session, form.id, this.options);
        this.known.add(form.id);
        this.listeners.set(form.id, { title: form.title, listener });
        await this.orLeaveOut(form.id, form.title, listener.begin());
      }),
    );
  }

  /** All at once, and each to its end: a form that is slow or fails must not cost another one its listener. */
  async look(show: Show): Promise<void> {
    const looks = [...this.listeners].map(([id, { title, listener }]) => this.orLeaveOut(id, title, listener.look(show)));
    if (performance.now() - (this.lookedAt ?? 0) > newFormsMs) looks.push(this.begin());
    const failures = (await Promise.allSettled(looks)).flatMap((look) => (look.status === 'rejected' ? [look.reason as unknown] : []));
    if (failures.length > 0) throw failures.find((failure) => !mayPass(failure)) ?? failures[0];
  }

  /** Those of each workspace of a person, and those that are shared with them; for a service account, those of the instance. */
  private async formsOfKey(patience: Partial<typeof searching>): Promise<FoundForm[]> {
    const { client, signal } = this.session;
    const workspaces = await listWorkspaces({ client, signal, ...patience }).catch((error: unknown) => {
      // A service account has none, and may lack the scope to read that. A person has every scope.
      if (error instanceof SheafError && error.code === 'insufficient_scope') return { data: [] };
      throw error;
    });
    const forms = new Map<string, FoundForm>();
    for (const place of [{}, ...workspaces.data.map(({ id }) => ({ workspace_id: id })), { shared: true }])
      for await (const form of all(searchForms, { client, query: { ...place, sort: 'created' }, signal, ...patience }))
        forms.set(form.id, form);
    return [...forms.values()];
  }

  end = async (): Promise<void> => void (await Promise.all([...this.listeners.values()].map(({ listener }) => listener.end())));

  /** A form that is trashed, or on which the role is lost, takes no other one with it. */
  private async orLeaveOut(id: string, name: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof SheafError && ['forbidden', 'not_found', 'conflict'].includes(error.code))) throw error;
      this.listeners.delete(id);
      this.session.say(`“${cell(name)}” is not listened to: ${cell(withoutOperation(error.message))}`);
    }
  }
}

async function showEvent(
  session: ListeningSession,
  secret: string,
  event: ReceivedEvent,
  { forward, printJson: printsBody }: ListenOptions,
): Promise<void> {
  const outcome = forward === undefined ? undefined : await forwarded(session, forward, secret, event);
  const body = JSON.parse(event.body) as { occurred_at?: string };
  if (session.json) return printJson(session, { id: event.id, event: event.event, ...outcome, body });
  const parts = [cell(body.occurred_at), cell(event.event).padEnd(25), cell(event.id)];
  if (outcome !== undefined) {
    const { status, error, duration_ms: ms } = outcome;
    parts.push(painted(session, cell(status ?? error), status !== undefined && status >= 200 && status <= 299), `${ms} ms`);
  }
  print(session, parts.join('  ').trim());
  if (outcome?.advice !== undefined) session.say(outcome.advice);
  if (printsBody === true) printJson(session, body);
}

interface Outcome {
  status?: number;
  error?: string;
  advice?: string;
  duration_ms: number;
}

/** Sends an event as Sheaf would, with one signature more. A failure is shown, and not tried again: the developer is there. */
async function forwarded(
  { signal }: ListeningSession,
  url: string,
  secret: string,
  { id, headers, body }: ReceivedEvent,
): Promise<Outcome> {
  const sent = new Headers(headers.map(({ name, value }) => [name, value]));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${sent.get('webhook-timestamp')}.${body}`)
    .digest('base64');
  sent.set('webhook-signature', `${sent.get('webhook-signature')} v1,${signature}`);
  const startedAt = performance.now();
  const ended = () => ({ duration_ms: Math.round(performance.now() - startedAt) });
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: sent,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
    await answer.body?.cancel();
    return { status: answer.status, ...ended() };
  } catch (error) {
    signal.throwIfAborted();
    if ((error as Error).name === 'TimeoutError')
      return { error: 'timeout', advice: `No answer within ${answerMs / 1_000} seconds, after which Sheaf tries again later.`, ...ended() };
    const { code = 'no answer' } = ((error as Error).cause ?? {}) as { code?: string };
    const isUnreachable = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT)$/.test(code);
    const advice = isUnreachable
      ? `Nothing answers at ${cell(url)}. Start your server there: the next event is forwarded again.`
      : `${cell(url)} could not be used: ${cell(((error as Error).cause as Error | undefined)?.message ?? (error as Error).message)}.`;
    return { error: code, advice, ...ended() };
  }
}

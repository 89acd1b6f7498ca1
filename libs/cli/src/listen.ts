import { createHmac, randomUUID } from 'node:crypto';
import { receiveFormEvents, type ReceivedEvent, type ReceivedEvents } from '@sheaf/client';
import type { Session } from './context';
import { painted } from './deliveries';
import { Failure } from './failure';
import { follow } from './follow';
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

const intervalMs = 500;
/** As long as Sheaf gives a webhook. */
const answerMs = 10_000;
/** A listener is gone after a minute without a request, so what a slow server leaves of a page is asked for again. */
const pageMs = 20_000;

/** Prints the events of a form as they happen, and forwards each, signed as a webhook, until Ctrl-C. Nothing of it stays on the server. */
export async function listenTo(session: Session, form: string, options: ListenOptions): Promise<void> {
  const { client, signal } = session;
  const { forward, events = [...webhookEvents], payload, fields } = options;
  if (forward !== undefined && !/^https?:$/.test(URL.canParse(forward) ? new URL(forward).protocol : ''))
    throw new Failure('--forward: must be an address, such as http://localhost:3000/webhooks', 2);

  const path = { id: form, listenerId: randomUUID() };
  /** The events of the last answers that Sheaf does not know to have arrived. */
  let received: string[] = [];
  const ask = async (): Promise<ReceivedEvents> => {
    const told = received;
    const answer = await receiveFormEvents({
      client,
      path,
      body: { events, payload, received: told, ...(fields === undefined ? {} : { fields }) },
      signal,
    });
    received = [];
    return answer;
  };
  await ask();
  if (forward !== undefined)
    session.say(`Sign with v1a by the keys of the instance, or with v1 by this secret: ${session.webhookSecret(form)}`);
  session.say(`Waiting for events${forward === undefined ? '' : ` to forward to ${cell(forward)}`}; Ctrl-C ends.`);

  let missed = 0;
  await follow(session, intervalMs, async () => {
    for (let isRest = true; isRest;) {
      const answer = await ask();
      if (!answer.went_on) session.say('Sheaf did not hear from this program for a minute: what happened in between is not shown.');
      if (answer.missed > missed) session.say(`${answer.missed - missed} events came too fast, and are not shown.`);
      missed = answer.went_on ? Math.max(missed, answer.missed) : 0;
      const until = performance.now() + pageMs;
      isRest = answer.has_more;
      for (const event of answer.data) {
        await showEvent(session, form, event, options);
        received.push(event.id);
        isRest ||= performance.now() > until;
        if (performance.now() > until) break;
      }
    }
  });
}

async function showEvent(
  session: Session,
  form: string,
  event: ReceivedEvent,
  { forward, printJson: printsBody }: ListenOptions,
): Promise<void> {
  const outcome = forward === undefined ? undefined : await forwarded(session, forward, session.webhookSecret(form), event);
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
async function forwarded({ signal }: Session, url: string, secret: string, { id, headers, body }: ReceivedEvent): Promise<Outcome> {
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

import { payloadOf, readWebhookOptions } from '@sheaf/contracts';
import { OwnFailure } from '@sheaf/egress';
import { authorize, formRole, isId, newId, Problem, type Client as ClientCaller } from '@sheaf/kernel';
import { toFormAccess, type Asked, type Client, type HooksDefinition } from '@sheaf/rpc';
import { batchEvent, batchOfOne } from '../attempts/batch-body';
import { openHeaders, withoutValues } from '../attempts/own-headers';
import { headersOf } from '../attempts/send';
import { shownResponse } from '../attempts/shown-response';
import type { Deps } from '../deps';
import type { FormFields } from './form-fields';
import { chosenSample, namedSample, sampleOf, type SampledForm } from './sample';

export interface TestingDeps extends Pick<Deps, 'clock' | 'forms' | 'egress' | 'webhookKeys' | 'seals' | 'settings'> {
  webhooks: Pick<Client<HooksDefinition>, 'getWebhook' | 'getWebhookTarget' | 'listWebhooks'>;
  fields: FormFields;
  tests: TestLimit;
}

export interface WantedTest {
  /** The form or the workspace of the webhook; neither for one of the instance. */
  form_id?: string | undefined;
  workspace_id?: string | undefined;
  id: string;
  event?: string | undefined;
  /** The form whose fields the sample has. */
  sample_form_id?: string | undefined;
}

export interface TestResult {
  delivered: boolean;
  status?: number | undefined;
  error?: string | undefined;
  /** The code that explains the error further. */
  code?: string | undefined;
  /** The beginning of the response. To a sample it repeats no answers, so whoever may send samples may read it. */
  response?: ReturnType<typeof shownResponse> | undefined;
  duration_ms: number;
  request: { headers: Record<string, string>; body: string };
}

const testHeader = 'Sheaf-Test';
const atOnce = 5;

/** How many tests an instance has in flight in this process. A subscriber may take ten seconds, and tests are outside the queue. */
export class TestLimit {
  private readonly inFlight = new Map<string, number>();

  /** @throws Problem `too_many_requests` */
  async within<T>(instanceId: string, test: () => Promise<T>): Promise<T> {
    const count = this.inFlight.get(instanceId) ?? 0;
    if (count >= atOnce) throw Problem.tooManyRequests(`At most ${atOnce} samples are sent at a time. Please try again.`, 10);
    this.inFlight.set(instanceId, count + 1);
    try {
      return await test();
    } finally {
      const left = (this.inFlight.get(instanceId) ?? 1) - 1;
      if (left === 0) this.inFlight.delete(instanceId);
      else this.inFlight.set(instanceId, left);
    }
  }
}

/**
 * Sends a sample to a webhook, once and at once. Nothing of it is stored, and its outcome changes nothing: a 410 ends no webhook.
 * @throws Problem `not_found`; `forbidden` for callers who may not change the webhook; `bad_request` for an event or a form that is not the
 *   webhook's; `too_many_requests`; `unavailable` after a fault on our side.
 */
export async function testWebhook(
  deps: TestingDeps,
  asked: Asked<ClientCaller>,
  { event: wanted, sample_form_id: sampleFormId, ...webhook }: WantedTest,
): Promise<TestResult> {
  const target = await deps.webhooks.getWebhookTarget(asked.call, webhook);
  const event = wanted ?? target.events[0] ?? '';
  if (!target.events.includes(event)) throw Problem.badRequest(`event: must be one of the webhook's events: ${target.events.join(', ')}`);
  const form = await sampledForm(deps, asked, target, sampleFormId);
  const { instanceId } = asked.caller;

  const now = deps.clock.now();
  const options = readWebhookOptions(target.options ?? '');
  const sample = chosenSample(sampleOf(event, form, now), options?.fields);
  const origin = target.link_origin ?? null;
  const one = JSON.stringify(payloadOf(target.payload) === 'named' ? namedSample(sample, form, { origin, now }) : sample);
  const id = newId();
  const trace = asked.call.trace ?? null;
  const body = options?.batch ? batchOfOne(id, { id: newId(), traceparent: trace, body: one }) : one;
  const sent = {
    id,
    type: options?.batch ? batchEvent : event,
    subscription_id: target.id,
    instance_id: instanceId,
    options,
  };
  const own = await openHeaders(deps, sent);
  const headers = { ...(await headersOf(deps, sent, { body, at: now, trace })), [testHeader]: '1' };
  return deps.tests.within(instanceId, async () => {
    const posted = await deps.egress
      .post(target.url, { headers: { ...own.values, ...headers }, body, timeoutMs: deps.settings.DELIVERY_TIMEOUT_MS, connection: 'new' })
      .catch((error: unknown) => {
        throw error instanceof OwnFailure ? Problem.unavailable(error) : error;
      });
    const { durationMs, ...outcome } = withoutValues(posted, own);
    const { status, error, code, response } = { status: undefined, error: undefined, code: undefined, response: undefined, ...outcome };
    const delivered = status !== undefined && status >= 200 && status <= 299;
    const said = await response;
    return {
      delivered,
      status,
      error,
      code,
      response: said && shownResponse(said),
      duration_ms: Math.round(durationMs),
      request: { headers: { ...headers, ...own.shown }, body },
    };
  });
}

type Target = Awaited<ReturnType<TestingDeps['webhooks']['getWebhookTarget']>>;

/** The webhook's form, or the one that is named for a webhook with several. */
async function sampledForm(
  { forms, fields }: TestingDeps,
  { caller, call }: Asked<ClientCaller>,
  target: Target,
  wanted: string | undefined,
): Promise<SampledForm> {
  const ofForm = target.form_id === '' ? undefined : target.form_id;
  const id = ofForm ?? wanted;
  if (id === undefined) throw Problem.badRequest('form_id: is required, because the webhook listens to several forms');
  if (wanted !== undefined && wanted !== id) throw Problem.badRequest("form_id: must be the webhook's form");
  if (!isId(id)) throw Problem.badRequest('form_id: there is no such form');
  if (ofForm === undefined) {
    const form = toFormAccess(await forms.getFormAccess(call, { form_id: id }));
    authorize(formRole(caller, form), 'read this form');
    if (target.workspace_id !== undefined && form.workspaceId !== target.workspace_id) {
      throw Problem.badRequest("form_id: must be a form of the webhook's workspace");
    }
  }
  const latest = await fields.latest({ instanceId: caller.instanceId, formId: id });
  return { id, version: latest.version, fields: latest.fields };
}

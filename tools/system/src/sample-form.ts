import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readJson, writeJson } from './data-dir';
import { description, fields, settings, slug, title } from './sample-form-content';

const createWithinMs = 15_000;
const retryMs = 100;

const State = z.object({
  /** `planned` until the first start is complete, even if that takes several attempts. */
  state: z.enum(['planned', 'created', 'failed']),
});

const FormList = z.object({ data: z.array(z.object({ id: z.string(), title: z.string() })) });
const Form = z.object({ id: z.string(), slug: z.string().optional(), current_version: z.number() });
const Draft = z.object({ revision: z.number() });

/** How the launcher calls the API of its own system, as the first user. */
type Access = { origin: string; apiKey: string; signal: AbortSignal };

/** The form that the first start of a system creates, so that there is a page to look at. */
export class SampleForm {
  /** @param file keeps whether the form is still to be created */
  constructor(private readonly file: string) {}

  /** Called before the first user exists, so that only a new system gets the form. */
  plan = (): Promise<void> => this.#write('planned');

  /** Creates the form if it is planned. An attempt that was interrupted is continued, one that failed is not. */
  async create(access: Access): Promise<void> {
    if ((await readJson(this.file, State))?.state !== 'planned') return;
    try {
      await createForm(new Api({ ...access, signal: AbortSignal.any([access.signal, AbortSignal.timeout(createWithinMs)]) }));
    } catch (error) {
      access.signal.throwIfAborted();
      await this.#write('failed');
      throw error;
    }
    await this.#write('created');
  }

  /** @returns the address of the form's page, unless the form is gone or closed */
  async address({ origin, signal }: Omit<Access, 'apiKey'>): Promise<string | undefined> {
    if ((await readJson(this.file, State))?.state !== 'created') return undefined;
    const address = `${origin}/f/${slug}`;
    const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(createWithinMs)]) }).catch(
      () => undefined,
    );
    await response?.arrayBuffer();
    return response?.ok === true ? address : undefined;
  }

  #write = (state: z.output<typeof State>['state']): Promise<void> => writeJson(this.file, { state });
}

/** Each step can be repeated. Until the system has started for the first time, nobody else has made a form. */
async function createForm(api: Api): Promise<void> {
  const { data: forms } = await api.ask('GET', '/api/v1/forms?limit=100', FormList);
  const known = forms.find((form) => form.title === title);
  const { id } = known ?? (await api.ask('POST', '/api/v1/forms', Form, { title }));
  const form = await api.ask('GET', `/api/v1/forms/${id}`, Form);
  if (form.slug === undefined) await api.ask('PATCH', `/api/v1/forms/${id}`, Form, { slug });
  await api.ask('PATCH', `/app/v1/forms/${id}`, z.unknown(), { description, ...settings });
  if (form.current_version > 0) return;
  const { revision } = await api.ask('GET', `/app/v1/forms/${id}/draft`, Draft);
  await api.ask('PUT', `/app/v1/forms/${id}/draft`, Draft, { fields, revision });
  await api.ask('POST', `/api/v1/forms/${id}/publish`, z.unknown());
}

class Api {
  constructor(private readonly access: Access) {}

  async ask<T extends z.ZodType>(method: string, path: string, shape: T, body?: unknown): Promise<z.output<T>> {
    const { origin, apiKey, signal } = this.access;
    for (;;) {
      const response = await fetch(origin + path, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal,
      });
      const text = await response.text();
      if (response.ok) return shape.parse(JSON.parse(text));
      // A process may be ready before it has connected to the others.
      if (response.status !== 503) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      await sleep(retryMs, undefined, { signal });
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClient,
  createForm,
  getForm,
  getFormDraft,
  listForms,
  publishForm,
  saveFormDraft,
  SheafError,
  updateForm,
  updateFormSettings,
} from '@sheaf/client';
import { z } from 'zod';
import { readJson, writeJson } from '@sheaf/data-dir';
import { description, fields, settings, slug, title } from './sample-form-content';

const createWithinMs = 60_000;
const retryMs = 100;

const State = z.object({
  /** `planned` until the first start is complete, even if that takes several attempts. */
  state: z.enum(['planned', 'created', 'failed']),
});

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
      await createWhenPossible({ ...access, signal: AbortSignal.any([access.signal, AbortSignal.timeout(createWithinMs)]) });
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

/** A process may be ready before it has connected to the others. */
async function createWhenPossible(access: Access): Promise<void> {
  for (;;) {
    try {
      return await createSample(access);
    } catch (error) {
      if (!(error instanceof SheafError && error.status === 503)) throw error;
      await sleep(retryMs, undefined, { signal: access.signal });
    }
  }
}

/** Each step can be repeated. Until the system has started for the first time, nobody else has made a form. */
async function createSample({ origin, apiKey, signal }: Access): Promise<void> {
  const client = createClient({ url: origin, key: apiKey, retries: 0 });
  const { data: forms } = await listForms({ client, query: { limit: 100 }, signal });
  const { id } = forms.find((form) => form.title === title) ?? (await createForm({ client, body: { title }, signal }));
  const call = { client, path: { id }, signal };
  const form = await getForm(call);
  if (form.slug === undefined) await updateForm({ ...call, body: { slug } });
  await updateFormSettings({ ...call, body: { description, ...settings } });
  if (form.current_version > 0) return;
  const { revision } = await getFormDraft(call);
  await saveFormDraft({ ...call, body: { fields, revision } });
  await publishForm(call);
}

import { EventCache, eventRoot, type Broker } from '@sheaf/events';
import { FieldList, type Field, type Payment } from '@sheaf/contracts';
import { formRole, instanceOf, isId, Problem, type Caller, type Client as ClientCaller, type FormAccess, type FormRole } from '@sheaf/kernel';
import { toFormAccess, type Call, type Client, type FormsDefinition } from '@sheaf/rpc';
import { answerCheck, type AnswerCheck } from './answers';

/** What a field takes; anything up to the operator's bound where it does not say. */
export interface FileRules {
  accept: readonly string[] | undefined;
  maxBytes: number | undefined;
}

/** A published form as intake needs it. */
export interface PublishedForm {
  id: string;
  title: string;
  status: string;
  version: number;
  /** The fields as JSON, as they were published. */
  fields: Buffer;
  /** What each submission costs, undefined for nothing. */
  payment: Payment | undefined;
  check: AnswerCheck;
  /** The fields that take files, by their keys. */
  fileFields: ReadonlyMap<string, FileRules>;
  opensAt: Date | undefined;
  closesAt: Date | undefined;
  maxSubmissions: number | undefined;
  closedMessage: string | undefined;
}

/** What this service knows of forms: asked of `forms` once and remembered until an event says that the form changed. */
export interface FormsView {
  /** @throws Problem `not_found` if there is nothing to fill in under this id or slug. */
  published(form: string, caller: Caller, call: Call): Promise<PublishedForm>;
  /** The caller's role on the form, undefined for none. @throws Problem `not_found` if it is not a form of their instance. */
  roleOn(formId: string, caller: ClientCaller, call: Call): Promise<FormRole | undefined>;
  /** The same, and the workspace that the form is in. */
  standingOn(formId: string, caller: ClientCaller, call: Call): Promise<{ role: FormRole | undefined; workspaceId: string }>;
  /** Under which keys submissions of the form may have answers, whatever their version. Asked anew each time. */
  fieldKeys(formId: string, call: Call): Promise<string[]>;
}

/** What a lost event could cost at most. */
const rememberMs = 30_000;

export function formsView(forms: Client<FormsDefinition>, broker: Pick<Broker, 'connected' | 'listen'>): FormsView {
  const subject = `${eventRoot}.forms.>`;
  const tagsOf = ({ subject: formId }: { subject: string }) => [formId];
  const published = new EventCache<PublishedForm>(broker, { subject, max: 2_000, ttlMs: rememberMs, tagsOf });
  const access = new EventCache<FormAccess>(broker, { subject, max: 20_000, ttlMs: rememberMs, tagsOf });

  const standingOn: FormsView['standingOn'] = async (formId, caller, call) => {
    if (!isId(formId)) throw Problem.notFound('form');
    const facts = await access.get(`${caller.instanceId}:${formId}`, async () => {
      const value = toFormAccess(await forms.getFormAccess(call, { form_id: formId }));
      return { value, tags: [formId] };
    });
    return { role: formRole(caller, facts), workspaceId: facts.workspaceId };
  };

  return {
    standingOn,
    roleOn: async (formId, caller, call) => (await standingOn(formId, caller, call)).role,

    published: (form, caller, call) =>
      published.get(`${instanceOf(caller)}:${form}`, async () => {
        const found = await forms.getPublishedForm(call, { form });
        const fields: Field[] = FieldList.parse(JSON.parse(found.fields.toString()));
        const value: PublishedForm = {
          id: found.id,
          title: found.title,
          status: found.status,
          version: found.version,
          fields: found.fields,
          payment: found.payment ?? undefined,
          check: answerCheck(fields),
          fileFields: new Map(fields.filter(({ type }) => type === 'file').map(({ key, accept, max_bytes: maxBytes }) => [key, { accept, maxBytes }])),
          opensAt: found.opens_at === undefined ? undefined : new Date(found.opens_at),
          closesAt: found.closes_at === undefined ? undefined : new Date(found.closes_at),
          maxSubmissions: found.max_submissions,
          closedMessage: found.closed_message,
        };
        return { value, tags: [found.id] };
      }),

    fieldKeys: async (formId, call) => (await forms.listFieldKeys(call, { form_id: formId })).keys,
  };
}

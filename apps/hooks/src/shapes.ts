import { headerFault, webhookEvents, maxWebhookHeaders, oneOf, WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

/** A message carries an absent text as an empty one. */
const orAbsent = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** The form or the workspace; neither for the whole instance. */
const scope = { form_id: id().transform(orAbsent), workspace_id: id().optional() };
const webhook = z.object({ ...scope, id: id() });
const linkOrigin = { link_origin: z.url().max(300).optional() };

/** Only `delivery` sees values; the gateway has it seal them before it calls. */
const sealedHeader = z
  .object({ name: z.string(), sealed: z.string().min(1).max(8_192).optional() })
  .refine(({ name }) => headerFault({ name }) === undefined, 'must have the name of a header that a webhook may send');
const sealedHeaders = z
  .array(sealedHeader)
  .max(maxWebhookHeaders)
  .refine((given) => new Set(given.map(({ name }) => name.toLowerCase())).size === given.length, 'must not name a header twice');
const sealed = {
  sealed_secret: z.string().min(1).max(1_024).optional(),
  sealed_headers: z
    .object({ headers: sealedHeaders })
    .nullish()
    .transform((given) => given ?? undefined),
};

const NewWebhook = WebhookRequest.safeExtend({ ...scope, ...linkOrigin, ...sealed });
const ChangedWebhook = WebhookUpdateRequest.safeExtend({ ...scope, ...linkOrigin, ...sealed, id: id() });
/** A message carries an absent list as an empty one. */
type Carried<Shape extends z.ZodType<unknown, object>> = Omit<z.input<Shape>, 'event' | 'events' | 'filter' | 'fields' | 'batch'> & {
  events: string[];
  filter?: string;
  fields?: string;
  batch?: string;
};
/** A text that is no JSON stays one, which is no filter, no list and no batch. */
function ofJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const sent = ({
  event,
  events,
  filter,
  fields,
  batch,
  ...rest
}: {
  event?: string;
  events: string[];
  filter?: string;
  fields?: string;
  batch?: string;
}): unknown => ({
  ...rest,
  filter: ofJson(filter),
  fields: ofJson(fields),
  batch: ofJson(batch),
  event: orAbsent(event),
  events: events.length === 0 ? undefined : events,
});

export const listWebhooks = z.object(scope);
export const getWebhook = webhook;
export const getWebhookTarget = webhook;
export const createWebhook = z
  .custom<Carried<typeof NewWebhook> & { event: string }>()
  .transform(sent)
  .pipe<z.ZodType<z.output<typeof NewWebhook>>>(NewWebhook);
export const updateWebhook = z
  .custom<Carried<typeof ChangedWebhook> & { event?: string }>()
  .transform(sent)
  .pipe<z.ZodType<z.output<typeof ChangedWebhook>>>(ChangedWebhook);
export const deleteWebhook = webhook;

/** Only services send these ids, so a malformed one is a bug. */
const serviceId = () => id().refine(isId, 'must be an id');

export const listListeners = z.object({
  topics: z.array(z.object({ instance_id: serviceId(), form_id: serviceId(), event: oneOf(webhookEvents) })),
  places: z.array(z.object({ form_id: serviceId(), workspace_id: serviceId() })),
});

import { fileIdsIn, type Payload, type WebhookOptions } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import type { Call, Client, SubmissionsDefinition } from '@sheaf/rpc';
import { z } from 'zod';
import type { FormFields } from './form-fields';
import { namedAnswers, unnamedAnswers, type NamedFile } from './named-answers';

/** An event with the payload that its subscriber chose. */
export interface Composed {
  payload: Payload;
  type: string;
  /** As the event has it: the contract's body. */
  body: string;
  instance_id: string;
  form_id: string;
  occurred_at: Date;
  /** The origin of links to files. */
  link_origin: string | null;
  /** Null for none, and if they are not known. */
  options: Pick<WebhookOptions, 'fields'> | null;
}

/** A body with the answers that its webhook receives. A field without an answer, as one that was removed, is absent. */
export function withChosen<Body extends { data: Record<string, unknown> }>(body: Body, fields: readonly string[] | undefined): Body {
  if (fields === undefined) return body;
  const chosen = new Set(fields);
  return { ...body, data: Object.fromEntries(Object.entries(body.data).filter(([key]) => chosen.has(key))) };
}

/** The body of `submission.corrected` with the keys of the fields that its webhook receives: it is not told either which others changed. */
export const withChosenKeys = <Body extends { changed: string[] }>(body: Body, fields: readonly string[] | undefined): Body =>
  fields === undefined ? body : { ...body, changed: body.changed.filter((key) => fields.includes(key)) };

const Created = z.looseObject({
  data: z.record(z.string(), z.unknown()),
  submission: z.looseObject({ id: z.string(), schema_version: z.int(), created_at: z.string() }),
});

const dayMs = 86_400_000;
/** Links to files work for this long after the event, whenever it is sent: every POST of a delivery has the same bytes. */
export const linkLifetimeMs = dayMs;

/**
 * Composes the bodies of deliveries. A named body is not stored: that would be one more copy of the answers. It follows from the event, its
 * version of the form, which never changes, and its files; so each attempt sends the same bytes, and the log shows them.
 */
export class Payloads {
  constructor(
    private readonly parts: {
      fields: Pick<FormFields, 'of'>;
      submissions: Pick<Client<SubmissionsDefinition>, 'describeFiles'>;
      ownCall: () => Call;
    },
  ) {}

  /** @throws Problem if a neighbour cannot answer, or the form was erased. */
  async bodyOf(event: Composed): Promise<string> {
    const chosen = event.options?.fields;
    if (event.type === 'submission.corrected' && chosen !== undefined)
      return JSON.stringify(withChosenKeys(JSON.parse(event.body) as { changed: string[] }, chosen));
    if ((event.payload === 'contract' && chosen === undefined) || event.type !== 'submission.created') return event.body;
    const stored: unknown = JSON.parse(event.body);
    // In the order of the contract, in which the parsed body is not.
    if (event.payload === 'contract') return JSON.stringify(withChosen(stored as { data: Record<string, unknown> }, chosen));
    const body = withChosen(Created.parse(stored), chosen);
    const { instance_id: instanceId, form_id: formId } = event;
    const { id, schema_version: version, created_at: madeAt } = body.submission;
    const { versionId, files } = await this.described(event, id, body.data);
    const fields = await this.parts.fields.of({ instanceId, formId, version, versionId, madeAt });
    // The body never has names of another version: without its own, the answers stand under their keys.
    const answers = fields ? namedAnswers(fields, body.data, (file) => files.get(file)) : unnamedAnswers(body.data);
    return JSON.stringify({ ...body, answers });
  }

  /** The version that the submission was made against, and its files. Every id among the answers may be that of a file. */
  private async described(
    event: Composed,
    submissionId: string,
    data: Record<string, unknown>,
  ): Promise<{ versionId: string | undefined; files: Map<string, NamedFile> }> {
    const expires = new Date(event.occurred_at.getTime() + linkLifetimeMs).toISOString();
    const { instance_id, form_id, link_origin: origin } = event;
    const { version_id: versionId, files } = await this.parts.submissions.describeFiles(this.parts.ownCall(), {
      instance_id,
      form_id,
      submission_id: submissionId,
      file_ids: Object.values(data).flatMap(fileIdsIn).filter(isId),
      expires_at: expires,
    });
    const named = files.map(({ id, name, content_type: type, size, token }): [string, NamedFile] => [
      id,
      { id, name, type, size, url: `${origin ?? ''}/public/v1/files/${token}`, url_expires_at: expires },
    ]);
    return { versionId, files: new Map(named) };
  }
}

import { isFile, type Field, type Payload } from '@sheaf/contracts';
import type { Call, Client, SubmissionsDefinition } from '@sheaf/rpc';
import { z } from 'zod';
import type { FormFields } from './form-fields';
import { fileIdsIn, namedAnswers, type NamedFile } from './named-answers';

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
}

const Created = z.looseObject({
  data: z.record(z.string(), z.unknown()),
  submission: z.looseObject({ schema_version: z.int() }),
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
    if (event.payload === 'contract' || event.type !== 'submission.created') return event.body;
    const body = Created.parse(JSON.parse(event.body));
    const { instance_id: instanceId, form_id: formId } = event;
    const fields = await this.parts.fields.of({ instanceId, formId, version: body.submission.schema_version });
    const files = await this.filesOf(event, fields, body.data);
    return JSON.stringify({ ...body, answers: namedAnswers(fields, body.data, (id) => files.get(id)) });
  }

  private async filesOf(event: Composed, fields: readonly Field[], data: Record<string, unknown>): Promise<Map<string, NamedFile>> {
    const ids = fields.flatMap((field) => (isFile(field) && Object.hasOwn(data, field.key) ? fileIdsIn(data[field.key]) : []));
    if (ids.length === 0) return new Map();
    const expires = new Date(event.occurred_at.getTime() + linkLifetimeMs).toISOString();
    const { instance_id, form_id, link_origin: origin } = event;
    const { files } = await this.parts.submissions.describeFiles(this.parts.ownCall(), {
      instance_id,
      form_id,
      file_ids: ids,
      expires_at: expires,
    });
    return new Map(
      files.map(({ id, name, content_type: type, size, token }) => [
        id,
        { id, name, type, size, url: `${origin ?? ''}/public/v1/files/${token}`, url_expires_at: expires },
      ]),
    );
  }
}

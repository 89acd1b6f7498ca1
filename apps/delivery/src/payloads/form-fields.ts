import { FieldList, fieldsOf, isMeant, type Field, type FoundVersion, type MadeAgainst } from '@sheaf/contracts';
import type { Call, Client, FormsDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';

export interface VersionOfForm extends MadeAgainst {
  instanceId: string;
  formId: string;
  version: number;
}

interface Known extends FoundVersion {
  fields: readonly Field[];
}

const bytesAtMost = 32 * 1_024 * 1_024;

/** The fields of versions of forms. A version never changes, so it is loaded once. */
export class FormFields {
  private readonly known = new LRUCache<string, Known>({ max: 2_000, maxSize: bytesAtMost });

  constructor(private readonly parts: { forms: Pick<Client<FormsDefinition>, 'getVersionFields'>; ownCall: () => Call }) {}

  /**
   * @returns undefined if the form has no such version any more: another one may have its number after a restore
   * @throws Problem `not_found` if the form was erased.
   */
  async of({ instanceId, formId, version, ...made }: VersionOfForm): Promise<readonly Field[] | undefined> {
    const name = `${instanceId} ${formId} ${version} ${made.versionId ?? ''}`;
    const known = this.known.get(name);
    if (known && isMeant(made, known)) return known.fields;
    const { bytes, ...found } = await this.load({ instance_id: instanceId, form_id: formId, version });
    if (found.version !== version || !isMeant(made, found)) return undefined;
    this.known.set(name, found, { size: bytes + 1 });
    return found.fields;
  }

  /** The latest version, or the draft of a form that was never published. @throws Problem `not_found` */
  async latest({
    instanceId,
    formId,
  }: Pick<VersionOfForm, 'instanceId' | 'formId'>): Promise<{ version: number; fields: readonly Field[] }> {
    const { version, fields } = await this.load({ instance_id: instanceId, form_id: formId });
    return { version, fields };
  }

  private async load(wanted: { instance_id: string; form_id: string; version?: number }) {
    const {
      version,
      version_id: id,
      published_at: publishedAt,
      fields: json,
    } = await this.parts.forms.getVersionFields(this.parts.ownCall(), wanted);
    const fields = fieldsOf(FieldList.parse(JSON.parse(json.toString())));
    return { version, id, publishedAt, fields, bytes: json.length };
  }
}

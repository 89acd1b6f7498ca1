import { FieldList, fieldsOf, type Field } from '@sheaf/contracts';
import type { Call, Client, FormsDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';

export interface VersionOfForm {
  instanceId: string;
  formId: string;
  version: number;
}

const bytesAtMost = 32 * 1_024 * 1_024;

/** The fields of versions of forms. A version never changes, so it is loaded once. */
export class FormFields {
  private readonly known = new LRUCache<string, readonly Field[]>({ max: 2_000, maxSize: bytesAtMost });

  constructor(private readonly parts: { forms: Pick<Client<FormsDefinition>, 'getVersionFields'>; ownCall: () => Call }) {}

  /** @throws Problem `not_found` if the form was erased. */
  async of({ instanceId, formId, version }: VersionOfForm): Promise<readonly Field[]> {
    const name = `${instanceId} ${formId} ${version}`;
    return this.known.get(name) ?? (await this.load({ instance_id: instanceId, form_id: formId, version })).fields;
  }

  /** The latest version, or the draft of a form that was never published. @throws Problem `not_found` */
  latest = ({ instanceId, formId }: Omit<VersionOfForm, 'version'>): Promise<{ version: number; fields: readonly Field[] }> =>
    this.load({ instance_id: instanceId, form_id: formId });

  private async load(wanted: { instance_id: string; form_id: string; version?: number }) {
    const { version, fields: json } = await this.parts.forms.getVersionFields(this.parts.ownCall(), wanted);
    const fields = fieldsOf(FieldList.parse(JSON.parse(json.toString())));
    // A draft may still change.
    if (wanted.version !== undefined)
      this.known.set(`${wanted.instance_id} ${wanted.form_id} ${version}`, fields, { size: json.length + 1 });
    return { version, fields };
  }
}

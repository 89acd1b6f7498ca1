import { FieldList, fieldsOf, type Field } from '@sheaf/contracts';
import type { Call, Client, FormsDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';

export interface VersionOfForm {
  instanceId: string;
  formId: string;
  version: number;
  /** Never used again, unlike the number; undefined if it is not known. */
  versionId: string | undefined;
  /** When the answers to it were accepted. */
  madeAt: Date;
}

interface Known {
  id: string | undefined;
  publishedAt: Date | undefined;
  fields: readonly Field[];
}

const bytesAtMost = 32 * 1_024 * 1_024;
/** How far the clocks of two services may be apart. */
const clocksApartMs = 60_000;

/** The fields of versions of forms. A version never changes, so it is loaded once. */
export class FormFields {
  private readonly known = new LRUCache<string, Known>({ max: 2_000, maxSize: bytesAtMost });

  constructor(private readonly parts: { forms: Pick<Client<FormsDefinition>, 'getVersionFields'>; ownCall: () => Call }) {}

  /**
   * @returns undefined if the form has no such version any more: another one may have its number after a restore
   * @throws Problem `not_found` if the form was erased.
   */
  async of({ instanceId, formId, version, versionId, madeAt }: VersionOfForm): Promise<readonly Field[] | undefined> {
    const name = `${instanceId} ${formId} ${version} ${versionId ?? ''}`;
    const known = this.known.get(name);
    if (known && isMeant(versionId, madeAt, known)) return known.fields;
    const { bytes, ...found } = await this.load({ instance_id: instanceId, form_id: formId, version });
    if (found.version !== version || !isMeant(versionId, madeAt, found)) return undefined;
    this.known.set(name, found, { size: bytes + 1 });
    return found.fields;
  }

  /** The latest version, or the draft of a form that was never published. @throws Problem `not_found` */
  latest = ({ instanceId, formId }: Pick<VersionOfForm, 'instanceId' | 'formId'>): Promise<{ version: number; fields: readonly Field[] }> =>
    this.load({ instance_id: instanceId, form_id: formId });

  private async load(wanted: { instance_id: string; form_id: string; version?: number }) {
    const {
      version,
      version_id: id,
      published_at: at,
      fields: json,
    } = await this.parts.forms.getVersionFields(this.parts.ownCall(), wanted);
    const fields = fieldsOf(FieldList.parse(JSON.parse(json.toString())));
    return { version, id, publishedAt: at === undefined ? undefined : new Date(at), fields, bytes: json.length };
  }
}

/** Without an id, a version is not meant if it was published only afterwards. An earlier release of `forms` tells neither. */
const isMeant = (versionId: string | undefined, madeAt: Date, { id, publishedAt }: Omit<Known, 'fields'>): boolean =>
  versionId !== undefined && id !== undefined
    ? versionId === id
    : publishedAt === undefined || publishedAt.getTime() <= madeAt.getTime() + clocksApartMs;

import { replaceFile } from './accounts';
import type { Session } from './context';
import { Failure } from './failure';
import { settingNames } from './form-settings';

interface Schema {
  properties: Record<string, unknown>;
}

/** Writes the JSON schema of a form's file, by which editors complete and check it: from the description of the API of the instance, whose types it has. */
export async function writeFormSchema({ instanceUrl, signal, say }: Session, path: string): Promise<void> {
  const response = await fetch(`${instanceUrl}/api/v1/openapi.json`, { signal });
  if (!response.ok) throw new Failure(`${instanceUrl} has no description of its API: it answered ${response.status}.`);
  const { components } = (await response.json()) as { components: { schemas: Record<string, Schema> } };
  await replaceFile(path, `${JSON.stringify(schemaOf(components.schemas), undefined, 2)}\n`);
  say(`${path} is written. Put "$schema": "./${path}" at the beginning of a form's file, where pulls leave it.`);
}

export function schemaOf(schemas: Record<string, Schema>): object {
  const { FormUpdateRequest: v1, FormSettingsRequest: app, DraftRequest: draft } = schemas;
  if (v1 === undefined || app === undefined || draft === undefined) throw new Failure('The description of the API has no forms.');
  const known: Record<string, unknown> = { ...v1.properties, ...app.properties };
  const settings = Object.fromEntries(settingNames.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
  const { fields, payment, revision } = draft.properties;
  const properties = {
    $schema: { type: 'string' },
    form: { type: 'string', description: "The form's id." },
    title: known.title,
    revision,
    settings: {
      type: 'object',
      description: 'Each takes effect at once. A setting that is left out is cleared.',
      properties: settings,
      additionalProperties: false,
    },
    settings_seen: { type: 'string', description: 'Names the settings that the file was made from. Leave it as it is.' },
    payment,
    fields,
  };
  const root = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A form of Sheaf',
    type: 'object',
    required: ['form', 'title', 'revision', 'fields'],
    properties,
    additionalProperties: false,
  };
  const text = JSON.stringify({ ...root, $defs: neededBy(properties, schemas) });
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')) as object;
}

/** The schemas that others refer to, and those that these refer to. */
function neededBy(part: unknown, schemas: Record<string, unknown>, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name in found) continue;
    found[name] = schemas[name];
    neededBy(schemas[name], schemas, found);
  }
  return found;
}

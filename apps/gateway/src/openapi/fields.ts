import {
  answerTraitsOf,
  elementTypes,
  fieldTypes,
  isComputed,
  settings,
  traitsOf,
  type AnswerTraits,
  type FieldType,
} from '@sheaf/contracts';
import { componentUri, type Schema } from './schemas';

/** The schemas of fields; types whose answers are alike share one. */
const descriptions = {
  TextField: 'A field with a text answer.',
  NumberField: 'A field with a numeric answer.',
  BooleanField: 'A field with the answer true or false.',
  TimeField: 'A field with a date, a time of day, or both as its answer, in text form.',
  ChoiceField: 'A field with the value of one option as its answer, or an array of values for `multi_select` and, best first, `ranking`.',
  PartsField:
    'A field with an object as its answer: both days of a range, `from` and `to`; the texts of an address, of which some may be absent; or a signature, `{"kind": "typed", "name": "…"}` or `{"kind": "drawn", "file_id": "…"}` with the upload of a PNG.',
  MatrixField:
    'A field with an object as its answer: for each row, the value of a column, or with `multiple` an array of them. Rows without an answer are absent.',
  ItemsField:
    'A field with an array as its answer, which has an object for each item: the answers to the `fields` of the repeat, by their keys. Fields without an answer are absent.',
  CountryField: 'A field with the code of a country as its answer.',
  CalculatedField: 'A field whose answer is computed from those before it. A value for it in a request is ignored.',
  FileField: 'A field with the `file_id` of an upload as its answer, or an array of them with `multiple`.',
} satisfies Readonly<Record<`${AnswerTraits['schema'] | 'Calculated'}Field`, string>>;

type SchemaName = keyof typeof descriptions;

const schemaFor = (type: FieldType): SchemaName => (isComputed({ type }) ? 'CalculatedField' : `${answerTraitsOf({ type }).schema}Field`);

const kinds = (Object.keys(descriptions) as SchemaName[]).map((name) => {
  const types = fieldTypes.filter((type) => schemaFor(type) === name);
  /** The properties that only fields of these types may have. */
  const parts: readonly string[] = types.flatMap((type) => traitsOf({ type }).settings);
  const looks = [...new Set(types.flatMap((type) => traitsOf({ type }).appearances ?? []))];
  return {
    name,
    description: descriptions[name],
    types,
    parts,
    looks,
    required: ['options', 'rows', 'columns', 'formula', 'fields'].filter((part) => parts.includes(part)),
  };
});

const special = new Set<string>(settings);

/**
 * Splits the shape of a field into one component per kind of field. A discriminator joins them, the elements between fields, the checks and the endings, so that
 * generated clients know which properties belong to which type.
 * @param suffix the suffix of component names on this side
 */
export function fieldComponents(field: Schema, item: Schema, suffix: string): Record<string, Schema> {
  const properties = field.properties as Record<string, Schema>;
  const components = kinds.map(({ name, description, types, parts, looks, required }) => {
    const own = Object.entries(properties)
      .filter(([part]) => !special.has(part) || parts.includes(part))
      .map(([part, schema]) => [part, part === 'appearance' ? { ...schema, enum: looks } : schema] as const);
    return [
      `${name}${suffix}`,
      {
        ...field,
        description,
        properties: { ...Object.fromEntries(own), type: { type: 'string', enum: types, description: properties.type?.description } },
        required: [...((field.required as string[] | undefined) ?? []), ...required],
      },
    ] as const;
  });
  const element = componentUri(`FormElement${suffix}`);
  const rules = ['check', 'ending'] as const;
  const ruleUri = { check: componentUri(`FormCheck${suffix}`), ending: componentUri(`FormEnding${suffix}`) };
  const mapping = [
    ...kinds.flatMap(({ name, types }) => types.map((type) => [type, componentUri(`${name}${suffix}`)] as const)),
    ...elementTypes.map((type) => [type, element] as const),
    ...rules.map((type) => [type, ruleUri[type]] as const),
  ];
  return {
    ...Object.fromEntries(components),
    [`FormItem${suffix}`]: {
      ...(item.description === undefined ? {} : { description: item.description }),
      oneOf: [
        ...components.map(([name]) => ({ $ref: componentUri(name) })),
        { $ref: element },
        ...rules.map((type) => ({ $ref: ruleUri[type] })),
      ],
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    },
  };
}

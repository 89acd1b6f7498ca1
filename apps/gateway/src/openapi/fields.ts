import { elementTypes, type FieldType } from '@sheaf/contracts';
import { componentUri, type Schema } from './schemas';

interface Kind {
  name: string;
  description: string;
  types: readonly FieldType[];
  /** The properties that only fields of these types may have. */
  parts: readonly string[];
  required?: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'TextField',
    description: 'A field with a text answer.',
    types: ['short_text', 'long_text', 'email', 'url', 'phone', 'hidden'],
    parts: ['min_length', 'max_length', 'pattern', 'trim'],
  },
  { name: 'NumberField', description: 'A field with a numeric answer.', types: ['number', 'integer', 'rating'], parts: ['min', 'max'] },
  { name: 'BooleanField', description: 'A field with the answer true or false.', types: ['boolean'], parts: ['must_be_true'] },
  {
    name: 'TimeField',
    description: 'A field with a date, a time of day, or both as its answer, in text form.',
    types: ['date', 'time', 'datetime'],
    parts: ['min_date', 'max_date'],
  },
  {
    name: 'ChoiceField',
    description: 'A field with the value of one option as its answer, or an array of values for `multi_select`.',
    types: ['select', 'multi_select'],
    parts: ['options', 'min_choices', 'max_choices'],
    required: ['options'],
  },
  {
    name: 'FileField',
    description: 'A field with the `file_id` of an upload as its answer, or an array of them with `multiple`.',
    types: ['file'],
    parts: ['accept', 'max_bytes', 'multiple', 'max_files'],
  },
];

const special = new Set(kinds.flatMap(({ parts }) => parts));

/**
 * Splits the shape of a field into one component per kind of field. A discriminator joins them and the elements between fields, so that
 * generated clients know which properties belong to which type.
 * @param suffix the suffix of component names on this side
 */
export function fieldComponents(field: Schema, item: Schema, suffix: string): Record<string, Schema> {
  const properties = field.properties as Record<string, Schema>;
  const components = kinds.map(({ name, description, types, parts, required = [] }) => {
    const own = Object.entries(properties).filter(([part]) => !special.has(part) || parts.includes(part));
    const type: Schema = types.length === 1 ? { const: types[0] } : { type: 'string', enum: types };
    return [
      `${name}${suffix}`,
      {
        ...field,
        description,
        properties: { ...Object.fromEntries(own), type: { ...type, description: properties.type?.description } },
        required: [...((field.required as string[] | undefined) ?? []), ...required],
      },
    ] as const;
  });
  const element = componentUri(`FormElement${suffix}`);
  const mapping = [
    ...kinds.flatMap(({ name, types }) => types.map((type) => [type, componentUri(`${name}${suffix}`)] as const)),
    ...elementTypes.map((type) => [type, element] as const),
  ];
  return {
    ...Object.fromEntries(components),
    [`FormItem${suffix}`]: {
      ...(item.description === undefined ? {} : { description: item.description }),
      oneOf: [...components.map(([name]) => ({ $ref: componentUri(name) })), { $ref: element }],
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    },
  };
}

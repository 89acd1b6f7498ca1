/** The types of fields, with the simplified type that v1 shows to clients (contract, section 2.4). */
export const fieldTypes = {
  short_text: 'string',
  long_text: 'string',
  email: 'string',
  url: 'string',
  phone: 'string',
  number: 'number',
  integer: 'number',
  rating: 'number',
  boolean: 'boolean',
  date: 'string',
  time: 'string',
  datetime: 'string',
  select: 'string',
  multi_select: 'string',
  file: 'file',
  hidden: 'string',
} as const;

export type FieldType = keyof typeof fieldTypes;

/** The types of fields by whose answers a list of submissions can be sorted. */
export const orderedTypes: ReadonlySet<string> = new Set(['number', 'integer', 'rating', 'date', 'time', 'datetime'] satisfies FieldType[]);

/** The maximum number of files in a field that accepts several; `max_files` can lower it. */
export const maxFilesPerField = 10;

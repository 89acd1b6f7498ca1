/**
 * The faults that an answer can have. The keys are the codes that programs branch on; new ones may be added. Each function writes the English
 * message, phrased to follow the field's label, from the fault's parameters.
 */
const messages = {
  required: () => 'is required',
  unknown_field: () => 'is not a field of this form',
  not_text: () => 'must be text',
  not_unicode: () => 'must be well-formed Unicode without NUL',
  too_short: ({ min }: { min: number }) => `must have at least ${min} characters`,
  too_long: ({ max }: { max: number }) => `must have at most ${max} characters`,
  not_email: () => 'must be an e-mail address',
  not_url: () => 'must be a web address that starts with http:// or https://',
  not_phone: () => 'must be a phone number',
  wrong_format: () => 'does not have the required format',
  format_too_slow: () => 'takes too long to check against the pattern of this field',
  not_number: () => 'must be a number',
  not_whole: () => 'must be a whole number',
  not_safe: ({ min, max }: { min: number; max: number }) => `must be between ${min} and ${max}`,
  not_exact: () => 'must be a number of at most 15 digits: a longer one cannot be kept exactly',
  too_small: ({ min }: { min: number }) => `must be at least ${min}`,
  too_large: ({ max }: { max: number }) => `must be at most ${max}`,
  not_boolean: () => 'must be true or false',
  not_true: () => 'must be true',
  not_date: () => 'must be a date such as 2026-05-31',
  not_time: () => 'must be a time such as 14:30',
  not_datetime: () => 'must be a date and time such as 2026-05-31T14:30 or 2026-05-31T14:30:00Z',
  not_date_range: () => 'must be an object with the days from and to, such as {"from": "2026-05-01", "to": "2026-05-31"}',
  not_parts: () => 'must be an object with the parts for which the field asks',
  unknown_part: ({ part }: { part: string }) => `must not have the part ${JSON.stringify(part)}, for which the field does not ask`,
  ends_before_start: () => 'must not end before it begins',
  too_many_days: ({ max }: { max: number }) => `must have at most ${max} ${max === 1 ? 'day' : 'days'}`,
  not_country: () => 'must be the code of a country that the field offers, such as DE',
  not_option: () => 'must be one of the options',
  not_option_list: () => 'must be a list of options',
  unknown_option: () => 'must contain only options of this field',
  option_not_offered: () => 'must contain only options that the other answers allow',
  option_full: ({ options }: { options: string }) => `must not contain ${options}: all places are taken`,
  repeated_option: () => 'must not contain an option twice',
  too_few_choices: ({ min }: { min: number }) => `must have at least ${min} ${min === 1 ? 'option' : 'options'}`,
  too_many_choices: ({ max }: { max: number }) => `must have at most ${max} ${max === 1 ? 'option' : 'options'}`,
  not_matrix: () => 'must be an object with a column for each row, such as {"row": "column"}',
  not_matrix_list: () => 'must be an object with a list of columns for each row, such as {"row": ["column"]}',
  unknown_row: ({ row }: { row: string }) => `must have only rows of this field, not "${row}"`,
  unknown_column: ({ row, column }: { row: string; column: string }) =>
    `must have only columns of this field, not "${column}" in the row "${row}"`,
  repeated_column: ({ row, column }: { row: string; column: string }) => `must not have the column "${column}" twice in the row "${row}"`,
  /** `rows` is a JSON list of values, which may have commas, and `more` counts those that it leaves out. */
  missing_rows: ({ rows, more }: { rows: string; more: number }) =>
    `must have an answer in each row; missing: ${[...(JSON.parse(rows) as string[]), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')}`,
  not_items: () => 'must be a list with an object for each item',
  too_few_items: ({ min }: { min: number }) => `must have at least ${min} ${min === 1 ? 'item' : 'items'}`,
  too_many_items: ({ max }: { max: number }) => `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  not_signature: () => 'must be either {"kind": "typed", "name": "…"} or {"kind": "drawn", "file_id": "…"}',
  not_drawing: () => 'must be a PNG that is whole and has no interlacing',
  drawing_too_large: ({ width, height }: { width: number; height: number }) => `must be a picture of at most ${width} × ${height} pixels`,
  drawing_empty: () => 'must be a picture with something drawn on it',
  too_early: ({ min }: { min: string }) => `must be ${min} or later`,
  too_late: ({ max }: { max: string }) => `must be ${max} or earlier`,
  not_file_list: () => 'must be a list of file_ids',
  repeated_file: () => 'must not contain a file twice',
  too_many_files: ({ max }: { max: number }) => `must have at most ${max} ${max === 1 ? 'file' : 'files'}`,
  file_empty: () => 'must not be an empty file',
  file_too_large: ({ max }: { max: number }) => `must be a file of at most ${max} bytes`,
  file_type_not_accepted: ({ types }: { types: string }) => `must be a file of the type ${types}`,
  not_unique: () => 'must not be the same as in another submission',
  /** In place of this message, the form has its own. */
  refused: (_: { check: number }) => 'does not go with other answers',
  not_file: () => 'must be the file_id of a file that was uploaded for this field and is not in use',
};

export type AnswerFaultCode = keyof typeof messages;

/** The faults whose sentences on pages depend on a count, with the parameter that has it. */
export const countedFaults = {
  too_short: 'min',
  too_long: 'max',
  too_few_choices: 'min',
  too_many_choices: 'max',
  too_many_files: 'max',
  too_many_days: 'max',
} as const satisfies Readonly<Partial<Record<AnswerFaultCode, 'min' | 'max'>>>;

/** Those whose sentences name a number or a day. */
export const boundFaults = {
  too_small: 'min',
  too_large: 'max',
  too_early: 'min',
  too_late: 'max',
} as const satisfies Readonly<Partial<Record<AnswerFaultCode, 'min' | 'max'>>>;

/** The faults for which the author of a field may write a message of their own. */
export const messageKinds = ['required', 'pattern', 'min', 'max', 'unique'] as const;

export type OwnMessages<Text = string> = Readonly<Partial<Record<(typeof messageKinds)[number], Text | undefined>>>;

const ownKinds: Readonly<Partial<Record<string, keyof OwnMessages>>> = {
  required: 'required',
  missing_rows: 'required',
  not_true: 'required',
  wrong_format: 'pattern',
  too_short: 'min',
  too_small: 'min',
  too_early: 'min',
  too_few_choices: 'min',
  too_few_items: 'min',
  too_long: 'max',
  too_large: 'max',
  too_late: 'max',
  too_many_choices: 'max',
  too_many_items: 'max',
  too_many_days: 'max',
  not_unique: 'unique',
};

/** The author's message for a fault; undefined where ours says it, as that names the part of the answer which has the fault. */
export function ownMessage<Text = string>(
  messages: OwnMessages<Text> | undefined,
  { code, params }: Pick<AnswerRefusal, 'params'> & { code: string },
): Text | undefined {
  if (params.part !== undefined) return undefined;
  const kind = messages && Object.hasOwn(ownKinds, code) ? ownKinds[code] : undefined;
  return kind && messages?.[kind];
}

/** The codes in the order of the table, for the documentation. */
export const answerFaultCodes = Object.keys(messages) as AnswerFaultCode[];

/** Why an answer is refused. `params` are the bounds that the message names. */
export interface AnswerRefusal {
  code: AnswerFaultCode;
  params: Readonly<Record<string, number | string>>;
  message: string;
}

type ParamsOf<Code extends AnswerFaultCode> = Parameters<(typeof messages)[Code]>;

export function answerFault<Code extends AnswerFaultCode>(code: Code, ...params: ParamsOf<Code>): AnswerRefusal {
  const write = messages[code] as (...params: ParamsOf<Code>) => string;
  return { code, params: params[0] ?? {}, message: write(...params) };
}

/** The same fault of a part of an answer, which its `params` name. */
export const faultInPart = ({ code, params, message }: AnswerRefusal, part: string): AnswerRefusal => ({
  code,
  params: { ...params, part },
  message: `${part} ${message}`,
});

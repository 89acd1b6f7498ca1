import {
  answerKindOf,
  boundsOf,
  choiceBounds,
  countriesOf,
  fieldsOfItem,
  fieldOfRow,
  hasParts,
  isMatrix,
  partsOf,
  type AnswerKind,
  type Field,
} from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { namedAnswers, type NamedFile } from './named-answers';
import { linkLifetimeMs, withChosen, withChosenKeys } from './payloads';

/** A form whose fields a sample has. */
export interface SampledForm {
  id: string;
  version: number;
  fields: readonly Field[];
}

/** The body of an event that never happened, in the shape of the contract. */
export function sampleOf(event: string, { id: form_id, version, fields }: SampledForm, now: Date): Record<string, unknown> {
  const occurred_at = now.toISOString();
  switch (event) {
    case 'submission.created': {
      const data = Object.fromEntries(fields.map((field) => [field.key, answerTo(field)]));
      return { event, form_id, occurred_at, data, submission: { id: newId(), form_id, schema_version: version, created_at: occurred_at } };
    }
    case 'submission.status_changed':
      return { event, form_id, occurred_at, submission_id: newId(), previous_status: 'new', new_status: 'approved' };
    case 'submission.restored':
      return { event, form_id, occurred_at, submission_id: newId(), status: 'new' };
    case 'submission.corrected':
      return {
        event,
        form_id,
        occurred_at,
        submission_id: newId(),
        status: 'new',
        revision: 1,
        changed: fields.slice(0, 1).map(({ key }) => key),
        corrected_by: { kind: 'user', id: newId() },
      };
    case 'submission.spam_changed':
      return { event, form_id, occurred_at, submission_id: newId(), status: 'new', spam: true };
    default:
      return { event, form_id, occurred_at, submission_id: newId() };
  }
}

/** The sample with the answers that its webhook receives. */
export function chosenSample(sample: Record<string, unknown>, fields: readonly string[] | undefined): Record<string, unknown> {
  if (sample.event === 'submission.created') return withChosen(sample as { data: Record<string, unknown> }, fields);
  if (sample.event === 'submission.corrected') return withChosenKeys(sample as { changed: string[] }, fields);
  return sample;
}

/** The sample as a named payload. Its link leads nowhere, as there is no file. */
export function namedSample(
  sample: Record<string, unknown>,
  { fields }: SampledForm,
  { origin, now }: { origin: string | null; now: Date },
): Record<string, unknown> {
  if (sample.event !== 'submission.created') return sample;
  const fileOf = (id: string): NamedFile => ({
    id,
    name: 'example.pdf',
    type: 'application/pdf',
    size: 1_024,
    url: `${origin ?? ''}/public/v1/files/example`,
    url_expires_at: new Date(now.getTime() + linkLifetimeMs).toISOString(),
  });
  return { ...sample, answers: namedAnswers(fields, sample.data as Record<string, unknown>, fileOf) };
}

/** A plausible answer within the bounds of the field; it need not match a pattern. */
function answerTo(field: Field): unknown {
  const whole = samples[answerKindOf(field)];
  if (whole || !hasParts(field)) return whole?.(field);
  const asked = isMatrix(field) ? fieldOfRow(field) : field;
  return Object.fromEntries(partsOf(field).map(({ name, kind }) => [name, samples[kind]?.(asked)]));
}

const within = (field: Field): number => {
  const { min = -Infinity, max = Infinity } = boundsOf(field);
  return Math.min(Math.max(42, min), max);
};
const dayFor = ({ min_date: min, max_date: max }: Field): string => min ?? max ?? '2026-05-31';

const samples: Readonly<Partial<Record<AnswerKind, (field: Field) => unknown>>> = {
  text: (field) => sized('Example', field),
  email: () => 'ada@example.org',
  url: () => 'https://example.org/',
  phone: () => '+44 20 7946 0000',
  country: (field) => field.preferred?.[0] ?? countriesOf(field).find((code) => code === 'GB') ?? countriesOf(field)[0],
  number: within,
  whole: within,
  boolean: () => true,
  date: dayFor,
  time: () => '14:30',
  datetime: (field) => `${dayFor(field)}T14:30`,
  option: ({ options = [] }) => options[0]?.value ?? 'example',
  options: (field) => (field.options ?? []).slice(0, Math.max(choiceBounds(field).min ?? 1, 1)).map(({ value }) => value),
  items: (field) => {
    const item = Object.fromEntries(fieldsOfItem(field).map((inner) => [inner.key, answerTo(inner)]));
    return Array.from({ length: Math.max(boundsOf(field).min ?? 0, 1) }, () => item);
  },
  signature: () => ({ kind: 'typed', name: 'Ada Lovelace' }),
  file: ({ multiple }) => (multiple ? [newId()] : newId()),
};

const sized = (text: string, { min_length: min = 0, max_length: max }: Field): string => text.padEnd(min, '.').slice(0, max);

import { z } from 'zod';
import { described } from '../described';
import { createdAt, cursor, cursorPage, trimmed } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';

/** A person as the answers name them: an address, a number, a name. */
const subject = () => trimmed(2, 200);

export const SubjectsQuery = z.object({
  ...cursorPage,
  value: described(subject(), 'The value that an answer must equal, such as an e-mail address.'),
});

export const subjectPlaces = ['list', 'trash', 'spam'] as const;

/** A submission of which an answer equals the value; `keys` names the fields. */
export const SubjectMatch = described(
  z.object({
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    submission_id: described(z.string(), "The submission's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    place: described(z.enum(subjectPlaces), 'Whether the submission is in the list, the trash or spam.', 'list'),
    keys: described(z.array(z.string()), 'The fields whose answers equal the value.', ['email']),
    data: described(z.record(z.string(), z.unknown()), 'The items of this page.', { name: 'Ada Lovelace', stars: 5 }),
    schema_version: described(z.int(), 'The form version that the submission answers.', 2),
    status: described(z.string(), 'The status. New values may be added.', 'active'),
    created_at: createdAt(),
  }),
  'A submission with an answer that equals the value.',
);

/** `indexed` is false if some may be missing: a form cannot be searched, or its submissions are still being indexed. */
export const SubjectMatches = described(
  z.object({
    data: described(z.array(SubjectMatch), 'The items of this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
    indexed: described(
      z.boolean(),
      'False if submissions may be missing from this page: one of the forms that it covers cannot be searched, or is still being indexed.',
    ),
  }),
  "A page of a person's submissions.",
);
carriedAs(SubjectMatches, { names: { data: 'matches' } });

export const SubjectErasureRequest = described(
  z.object({
    value: described(subject(), 'The value that an answer must equal, such as an e-mail address.', 'ada@example.org'),
    cursor: cursor(),
  }),
  'The person whose submissions are erased.',
);

/**
 * `next_cursor`: if there may be others, where the next request goes on. `held_form_ids`: forms under legal hold that have some.
 * `unsearched_form_ids`: forms that may have others, because they cannot be searched, or not completely yet.
 */
export const SubjectErasure = described(
  z.object({
    erased: described(z.int(), 'The number of submissions that were erased.', 3),
    erasure_ids: described(z.array(z.string()), 'The ids of the erasures, one for each form.', ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0e']),
    held_form_ids: described(z.array(z.string()), "The forms under legal hold that have some of the person's submissions.", []),
    unsearched_form_ids: described(
      z.array(z.string()),
      'The forms that may have other submissions of the person, because they cannot be searched, or are still being indexed.',
      [],
    ),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  }),
  "The result of erasing a person's submissions.",
);

export const listSubjectSubmissions = operation({
  method: 'get',
  path: '/app/v1/subjects',
  summary: "Find a person's submissions",
  description:
    "Finds a person's submissions in all forms that the caller owns, or in all forms of the instance for its owners and admins: those of which an answer equals the value, such as an e-mail address, upper and lower case and accents aside. It looks in the lists, the trash and spam. The answers are included, so reading all pages is an export: the activity of each submission tells who looked, once an hour. A request reads only so much; a page may have fewer items than the limit and a cursor all the same.",
  access: 'person',
  query: SubjectsQuery,
  status: 200,
  reply: SubjectMatches,
  errors: [400, 401, 403],
  rpc: 'submissions.FindSubject',
});

export const eraseSubjectSubmissions = operation({
  method: 'post',
  path: '/app/v1/subjects/erase',
  summary: "Erase a person's submissions for good",
  description:
    "Erases a person's submissions for good, wherever they are: those that listSubjectSubmissions finds, up to 500 in one request. Repeat it with `next_cursor` until that is null. Forms under legal hold keep theirs and are named.",
  access: 'person',
  body: SubjectErasureRequest,
  status: 202,
  reply: SubjectErasure,
  errors: [400, 401, 403],
  rpc: 'submissions.EraseSubject',
});

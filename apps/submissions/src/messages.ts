import { referenceOf } from '@sheaf/contracts';
import type { RevisionRow } from './corrections/revisions.queries';
import type { BulkChangeRow } from './bulk/bulk-changes.queries';
import type { Days } from './erasing/grace';
import type { InstanceRetention } from './erasing/instance-retention';
import type { Schedule, Upcoming } from './erasing/schedule';
import type { ExportRow } from './export/exports.queries';
import type { IntakeForm } from './form/intake-form';
import type { Insights } from './insights/get-insights';
import type { ListedRow } from './list/list.queries';
import type { NoteRow } from './notes/notes.queries';
import type { Named } from './search/named.queries';
import type { FoundPage } from './search/find-submissions';
import type { SubjectMatch } from './subjects/find-subject';
import type { FoundRow } from './search/found.queries';
import type { HistoryEntry } from './submission/read-submissions';
import type { ApartRow, Deed, SubmissionRow } from './submission/submissions.queries';

// The messages in which this service answers.

export const intakeFormMessage = ({
  id,
  title,
  version,
  versionId,
  fields,
  payment,
  closedMessage,
  timezone,
  started,
  ...form
}: IntakeForm) => ({
  id,
  title,
  version,
  version_id: versionId,
  fields,
  payment,
  open: form.closedBecause === undefined,
  opens_at: form.opensAt?.toISOString(),
  closes_at: form.closesAt?.toISOString(),
  closed_message: closedMessage,
  closed_because: form.closedBecause,
  timezone,
  settings: form.settingsJson,
  started,
  proof_bits: form.proofBits,
  full_options: [...form.fullOptions],
});

export const submission = ({
  id,
  form_id,
  data,
  schema_version,
  version_id,
  status,
  created_at,
  deleted_at,
  spam_at,
  spam_reason,
}: ListedRow & Partial<ApartRow>) => ({
  id,
  form_id,
  data: data === null ? undefined : Buffer.from(data),
  schema_version,
  version_id: version_id ?? undefined,
  status,
  created_at: created_at.toISOString(),
  deleted_at: deleted_at?.toISOString(),
  spam_at: spam_at?.toISOString(),
  spam_reason: spam_reason ?? undefined,
});

/** JSON that is printed already, with the type of what it prints: it travels as it is. */
export const printed = (json: string) => Buffer.from(json) as unknown as Record<string, unknown>;

/** A submission with all its answers, in the shape of the v1 contract. */
export const wholeSubmission = ({ id, form_id, data, schema_version, status, created_at }: SubmissionRow) => ({
  id,
  form_id,
  data: printed(data),
  schema_version,
  status,
  created_at: created_at.toISOString(),
});

/** A page in list order: submissions with their answers, then those without. */
export const listed = ({ rows, total }: { rows: readonly (ListedRow & Partial<ApartRow>)[]; total: number }) => ({
  submissions: rows.filter(({ data }) => data !== null).map(submission),
  rest: rows.filter(({ data }) => data === null).map(submission),
  total,
});

export const statusChange = ({ from_status, to_status, actor_kind, actor_id, changed_at }: HistoryEntry) => ({
  from: from_status ?? '',
  to: to_status,
  actor_kind,
  actor_id,
  at: changed_at.toISOString(),
});

export const submissionDeed = ({ kind, assignee, actor_kind, actor_id, done_at }: Deed) => ({
  kind,
  assignee: assignee ?? undefined,
  actor_kind,
  actor_id,
  at: done_at.toISOString(),
});

/** A submission with everything that v1 does not show. */
export const submissionDetail = (row: FoundRow) => ({
  ...submission(row),
  updated_at: (row.changed_at ?? row.created_at).toISOString(),
  revision: row.revision,
  notes: row.notes,
  language: row.language ?? undefined,
  assignee: row.assignee ?? undefined,
  entered_by_kind: row.entered_by_kind ?? undefined,
  entered_by_id: row.entered_by_id ?? undefined,
  fill_seconds: row.fill_seconds ?? undefined,
});

/** A submission that somebody named. */
export const referenced = ({ id, form_id, status, created_at }: Named) => ({
  id,
  form_id,
  reference: referenceOf(id),
  status,
  created_at: created_at.toISOString(),
});

/** A page of what was sought: submissions with their answers, then those without. */
export const foundSubmissions = ({ found, total, nextCursor, isIndexed, preparing }: FoundPage) => ({
  ...('json' in found
    ? { json: Buffer.from(found.json), in_json: found.inJson, rest: found.rest.map(submissionDetail) }
    : {
        submissions: found.filter(({ data }) => data !== null).map(submissionDetail),
        rest: found.filter(({ data }) => data === null).map(submissionDetail),
      }),
  total,
  next_cursor: nextCursor,
  indexed: isIndexed,
  preparing,
});

export const revision = ({ number, changed_at, changed_by_kind, changed_by_id, reason }: RevisionRow) => ({
  number,
  changed_at: changed_at.toISOString(),
  changed_by: { kind: changed_by_kind, id: changed_by_id },
  reason: reason ?? undefined,
});

export const note = ({ id, text, author_kind, author_id, created_at, edited_at }: NoteRow) => ({
  id,
  text,
  author: { kind: author_kind, id: author_id },
  created_at: created_at.toISOString(),
  edited_at: edited_at?.toISOString(),
});

export const insights = ({ isComplete, fields, narrowed, ...counts }: Insights) => ({
  complete: isComplete,
  ...counts,
  narrowed: narrowed && { submissions: narrowed.submissions, examined: narrowed.examined, cut: narrowed.isCut },
  fields: fields.map(({ isOmitted, options = [], places = [], rows = [], ...field }) => ({
    ...field,
    options,
    places,
    rows,
    omitted: isOmitted,
  })),
});

export const subjectMatch = ({ row, keys }: SubjectMatch) => ({
  form_id: row.form_id,
  submission_id: row.id,
  place: row.deleted_at !== null ? ('trash' as const) : row.spam_at !== null ? ('spam' as const) : ('list' as const),
  keys,
  data: printed(row.data),
  schema_version: row.schema_version,
  status: row.status,
  created_at: row.created_at.toISOString(),
});

const retentionDays = ({ trash_days, submissions_days, files_days }: Days) => ({
  trash_days: trash_days ?? undefined,
  submissions_days: submissions_days ?? undefined,
  files_days: files_days ?? undefined,
});

const upcomingRetention = ({ kind, days, at, undo, erases, erasesMore }: Upcoming) => ({
  setting: kind,
  days,
  takes_effect_at: at.toISOString(),
  undo_days: undo ?? undefined,
  erases,
  erases_more: erasesMore,
});

export const retentionSchedule = ({ inForce, upcoming }: Schedule) => ({
  in_force: retentionDays(inForce),
  upcoming: upcoming.map(upcomingRetention),
});

export const instanceRetention = ({ days, ...schedule }: InstanceRetention) => ({
  ...retentionDays(days),
  schedule: retentionSchedule(schedule),
});

export const formExport = ({ id, format, state, reason, done, total, name, size, created_at, finished_at, expires_at }: ExportRow) => ({
  id,
  format,
  state,
  reason: reason ?? undefined,
  done,
  total: total ?? undefined,
  name,
  size: state === 'ready' && size !== null ? size : undefined,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString(),
  expires_at: expires_at.toISOString(),
});

export const bulkChange = ({ id, action, state, done, changed, ...row }: BulkChangeRow) => ({
  id,
  action,
  new_status: row.new_status ?? undefined,
  new_assignee: row.new_assignee ?? undefined,
  undoes: row.undoes ?? undefined,
  state,
  reason: row.reason ?? undefined,
  total: row.total ?? undefined,
  done,
  changed,
  by: { kind: row.caller_kind, id: row.caller_id },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

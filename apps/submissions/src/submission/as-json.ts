import { referenceSql } from './reference';

/** SQL for a time as the API prints it. */
export const instant = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const v1Properties = '"id":"%s","form_id":"%s","data":%s,"schema_version":%s,"status":%s,"created_at":"%s"';
const v1Values = `id, form_id, answers, schema_version, to_json(status), ${instant('created_at')}`;

/** SQL for a row of `measured` as JSON text in the v1 shape. */
export const asV1 = `format('{${v1Properties}}', ${v1Values})`;

const ifKnown = (column: string, property: string, ...values: string[]) =>
  `case when ${column} is not null then format(',${property}', ${values.join(', ')}) end`;

/** SQL for a row of `measured` as JSON text with everything that the application's API shows of a submission. */
export const asDetail = `format('{${v1Properties},"reference":"%s"%s,"updated_at":"%s","revision":%s,"edited":%s%s%s,"notes":%s%s%s%s%s}', ${v1Values},
  ${referenceSql('id')}, ${ifKnown('version_id', '"version_id":"%s"', 'version_id')}, ${instant('coalesce(changed_at, created_at)')}, revision, to_json(revision > 0),
  ${ifKnown('language', '"language":%s', 'to_json(language)')}, ${ifKnown('assignee', '"assignee":"%s"', 'assignee')}, notes,
  ${ifKnown('entered_by_id', '"entered_by":{"kind":%s,"id":"%s"}', 'to_json(entered_by_kind)', 'entered_by_id')},
  ${ifKnown('fill_seconds', '"fill_seconds":%s', 'fill_seconds')},
  ${ifKnown('spam_at', '"spam_at":"%s"', instant('spam_at'))}, ${ifKnown('deleted_at', '"deleted_at":"%s"', instant('deleted_at'))})`;

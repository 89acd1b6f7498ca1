import {
  CorrectionRequest,
  EntryRequest,
  IdempotencyKey,
  RevisionsQuery,
  SubmissionDetail,
  SubmissionRevisionDetail,
  SubmissionRevisionList,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { idempotencyKey } from '../idempotency-key';
import { submissionDetail } from '../submission-page';
import { cursorPageOf, param, type Services } from '../services';

const list = '/app/v1/forms/:id/submissions';
const base = `${list}/:subId`;

/** Single submissions, their entry by members, and corrections of their answers. */
export const corrections = ({ submissions }: Services): Route[] => [
  route({
    method: 'post',
    path: list,
    summary: "Enter a submission on somebody's behalf",
    access: { scope: 'submissions:write' },
    body: EntryRequest,
    headers: { 'Idempotency-Key': IdempotencyKey },
    status: 201,
    reply: SubmissionDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body, request }) =>
      submissionDetail(
        await submissions.enterSubmission(call, {
          form_id: param(params, 'id'),
          ...body,
          data: Buffer.from(JSON.stringify(body.data)),
          idempotency_key: idempotencyKey(request.headers['idempotency-key']),
        }),
      ),
  }),
  route({
    method: 'get',
    path: base,
    summary: 'Get a submission with its details',
    access: { scope: 'submissions:read' },
    status: 200,
    reply: SubmissionDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) =>
      submissionDetail(await submissions.getSubmissionDetail(call, { form_id: param(params, 'id'), id: param(params, 'subId') })),
  }),
  route({
    method: 'patch',
    path: base,
    summary: 'Correct the answers of a submission',
    access: { scope: 'submissions:write' },
    body: CorrectionRequest,
    status: 200,
    reply: SubmissionDetail,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body }) =>
      submissionDetail(
        await submissions.correctSubmission(call, {
          form_id: param(params, 'id'),
          id: param(params, 'subId'),
          ...body,
          data: Buffer.from(JSON.stringify(body.data)),
        }),
      ),
  }),
  route({
    method: 'get',
    path: `${base}/revisions`,
    summary: 'List the earlier revisions of a submission',
    access: { scope: 'submissions:read' },
    query: RevisionsQuery,
    status: 200,
    reply: SubmissionRevisionList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const page = await submissions.listRevisions(call, { form_id: param(params, 'id'), id: param(params, 'subId'), ...query });
      return cursorPageOf(page.revisions.map(revision), page);
    },
  }),
  route({
    method: 'get',
    path: `${base}/revisions/:number`,
    summary: 'Get an earlier revision of a submission',
    access: { scope: 'submissions:read' },
    status: 200,
    reply: SubmissionRevisionDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const number = param(params, 'number');
      if (!/^\d{1,9}$/.test(number)) throw Problem.notFound('revision');
      const named = { form_id: param(params, 'id'), id: param(params, 'subId') };
      const found = await submissions.getRevision(call, { ...named, number: Number(number) });
      return { ...revision(found), schema_version: found.schema_version, data: found.data && RawJson.of(found.data) };
    },
  }),
];

const revision = (found: { number: number; changed_at: string; changed_by_kind: string; changed_by_id: string; reason?: string }) => ({
  number: found.number,
  changed_at: found.changed_at,
  changed_by: { kind: found.changed_by_kind, id: found.changed_by_id },
  reason: found.reason,
});

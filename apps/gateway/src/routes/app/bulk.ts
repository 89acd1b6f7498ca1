import { BulkRequest, BulkResult, BulkSpamRequest, BulkStatusRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

const base = '/app/v1/forms/:id/submissions';
const access = { scope: 'submissions:write' } as const;
const errors = [400, 401, 403, 404] as const;

/** The same change of many submissions, all or none. */
export const bulk = ({ submissions }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/bulk-status`,
    summary: 'Change the status of several submissions',
    access,
    body: BulkStatusRequest,
    status: 200,
    reply: BulkResult,
    errors,
    handle: ({ call, params, body }) => submissions.changeStatuses(call, { form_id: param(params, 'id'), ...body }),
  }),
  route({
    method: 'post',
    path: `${base}/bulk-trash`,
    summary: 'Move several submissions to the trash',
    access,
    body: BulkRequest,
    status: 200,
    reply: BulkResult,
    errors,
    handle: ({ call, params, body }) => submissions.trashSubmissions(call, { form_id: param(params, 'id'), ...body }),
  }),
  route({
    method: 'post',
    path: `${base}/bulk-restore`,
    summary: 'Restore several deleted submissions',
    access,
    body: BulkRequest,
    status: 200,
    reply: BulkResult,
    errors,
    handle: ({ call, params, body }) => submissions.restoreSubmissions(call, { form_id: param(params, 'id'), ...body }),
  }),
  route({
    method: 'post',
    path: `${base}/bulk-spam`,
    summary: 'Mark several submissions as spam, or release them',
    access,
    body: BulkSpamRequest,
    status: 200,
    reply: BulkResult,
    errors,
    handle: ({ call, params, body }) => submissions.markSubmissionsSpam(call, { form_id: param(params, 'id'), ...body }),
  }),
];

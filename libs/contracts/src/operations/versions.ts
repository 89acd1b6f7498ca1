import { z } from 'zod';
import { Actor } from '../app/actor';
import { FormItem } from '../app/draft';
import { Payment } from '../app/payment';
import { described } from '../described';
import { instant, listOf, page } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';

const publisher = described(Actor, 'The person or service account that published it.', {
  kind: 'user',
  id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
});
carriedAs(publisher, { message: 'Publisher' });

export const FormVersion = described(
  z.object({
    // Absent while an earlier release of `forms` answers.
    id: described(z.string().optional(), 'The id. Unlike the number, it is never used again.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0a'),
    version: described(z.int(), 'The version number.', 2),
    published_at: described(instant(), 'The time of publication.', '2026-03-04T16:05:12.000Z'),
    published_by: publisher,
  }),
  'A published version of a form. It never changes.',
);
carriedAs(FormVersion, { message: 'Version' });

export const FormVersionList = described(listOf(FormVersion), 'A page of versions.');
carriedAs(FormVersionList, { message: 'VersionList', names: { data: 'versions' } });

/** `fields` and `payment` as published. Without `payment` the form collects none. */
export const FormVersionDetail = described(
  FormVersion.extend({
    fields: described(z.array(FormItem), 'The fields, in order.'),
    payment: described(Payment.optional(), 'The price of each submission; absent if the form collects no payment.'),
  }),
  'A published version with its content.',
);
carriedAs(FormVersionDetail, { message: 'Version', json: ['fields'] });

const path = '/app/v1/forms/:id/versions';
const params = { id: formId };

export const listFormVersions = operation({
  method: 'get',
  path,
  params,
  summary: 'List the versions of a form',
  description: 'Lists the published versions of a form, newest first.',
  access: { scope: 'forms:read' },
  query: z.object(page),
  status: 200,
  reply: FormVersionList,
  errors: [400, 401, 403, 404],
  rpc: 'forms.ListVersions',
});

/** A version that is no number is treated like an unknown one. */
export const getFormVersion = operation({
  method: 'get',
  path: `${path}/:version`,
  params: { ...params, version: pathParam('version', 'The version number.', { sample: '2' }) },
  summary: 'Get a version of a form',
  description: 'Returns one published version with its fields.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormVersionDetail,
  errors: [401, 403, 404],
  rpc: 'forms.GetVersion',
  // Submissions are read and entered with the fields of their version.
  otherScopes: ['submissions:read', 'submissions:write'],
});

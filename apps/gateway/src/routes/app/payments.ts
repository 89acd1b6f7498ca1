import { SubmissionPayment } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

const base = '/app/v1';

export const payments = ({ submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms/:id/submissions/:subId/payment`,
    summary: 'Get the payment of a submission',
    access: { scope: 'submissions:read' },
    status: 200,
    reply: SubmissionPayment,
    errors: [401, 403, 404],
    handle: ({ call, params }) => submissions.getPayment(call, { form_id: param(params, 'id'), id: param(params, 'subId') }),
  }),
];

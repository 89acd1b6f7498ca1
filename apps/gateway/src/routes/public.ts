import { IdempotencyKey, PublicForm, SubmissionReceipt, SubmitRequest } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { RawJson } from '../json';
import { route, type Route } from '../route';
import { param, type Services } from './services';

const base = '/public/v1';

/** For respondents: no credential, and nothing but published forms. */
export const respondents = ({ submissions }: Services): Route[] => [
  route({
    method: 'get', path: `${base}/forms/:form`, summary: 'Get a published form',
    access: 'anyone', status: 200, reply: PublicForm, errors: [404],
    handle: async ({ call, params }) => {
      const form = await submissions.getIntakeForm(call, { form: param(params, 'form') });
      return { ...form, fields: RawJson.of(form.fields) };
    },
  }),
  route({
    method: 'post', path: `${base}/forms/:form/submissions`, summary: 'Submit answers to a form',
    access: 'anyone', body: SubmitRequest,
    headers: { 'Idempotency-Key': IdempotencyKey }, status: 201, reply: SubmissionReceipt, errors: [400, 403, 404],
    handle: ({ call, params, body, request }) =>
      submissions.submit(call, {
        form: param(params, 'form'),
        data: Buffer.from(JSON.stringify(body.data)),
        idempotency_key: idempotencyKey(request.headers['idempotency-key']),
      }),
  }),
];

function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const parsed = IdempotencyKey.safeParse(header);
  if (!parsed.success) throw Problem.badRequest('Idempotency-Key: must be 1 to 255 visible ASCII characters');
  return parsed.data;
}

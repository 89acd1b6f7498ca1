import { IdempotencyKey, importSubmissions, previewImport, type ImportQuery } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { z } from 'zod';
import { route, type Route } from '../../route';
import { withFile, type IncomingFile } from '../../http/upload';
import { rowOf } from '../derived';
import { idempotencyKey } from '../idempotency-key';
import { oneFile } from '../files';
import { param, type Services } from '../services';

const upload = { 'multipart/form-data': { schema: oneFile } };

/** Submissions from a file that came from elsewhere. */
export const imports = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(previewImport),
    upload,
    handle: ({ streamCall, params, query, request }) =>
      withFile(request, async (file) => {
        const asked = { ...query, form_id: param(params, 'id'), ...notForPreviews };
        return read(await submissions.previewImport(streamCall, sent(asked, file)));
      }),
  }),
  route({
    ...rowOf(importSubmissions),
    upload,
    headers: { 'Idempotency-Key': IdempotencyKey },
    handle: async ({ streamCall, params, query, request }) => {
      const key = idempotencyKey(request.headers['idempotency-key']);
      if (key === undefined) throw Problem.badRequest('Idempotency-Key: is required, so that a repeated request imports nothing twice');
      const asked = { ...query, form_id: param(params, 'id'), idempotency_key: key };
      return withFile(request, async (file) => read(await submissions.importSubmissions(streamCall, sent(asked, file))));
    },
  }),
];

const notForPreviews = { idempotency_key: '', only_valid: false, events: false };

type Asking = z.output<typeof ImportQuery> & { form_id: string; idempotency_key: string };

async function* sent({ match = [], ...asked }: Asking, { bytes }: IncomingFile) {
  yield { file: { ...asked, match } };
  for await (const chunk of bytes) yield { bytes: chunk };
}

const read = ({ json }: { json: Buffer }): unknown => JSON.parse(json.toString());

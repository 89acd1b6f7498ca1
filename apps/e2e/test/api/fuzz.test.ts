import fc from 'fast-check';
import { propertyRuns, type Person } from '@sheaf/testing';
import { requestsTo } from '../../support/arbitrary';
import * as given from '../../support/given';
import { unknownId, operations } from '../../support/operations';
import { asMember, asOwner, credentials, documented } from '../../support/people';
import { raw } from '../../support/raw';

// Random requests to every operation.

let admin: Person;
beforeAll(async () => {
  admin = await asMember('admin');
});

const newIds = async (): Promise<string[]> => {
  const form = await given.publishedForm();
  return [form, await given.submission(form), credentials.workspace_id, unknownId];
};
/** Reads leave what they find, so they share it. */
let forReads: Promise<string[]> | undefined;

it.each(operations.filter(({ isEndless }) => !isEndless).map((operation) => [operation.name, operation] as const))(
  '%s never answers with a server error, and answers in time and as documented',
  async (name, operation) => {
    const existingIds = await (operation.method === 'GET' ? (forReads ??= newIds()) : newIds());
    // Uses an API key, which stays valid when the session is deleted.
    const { credential = '' } = name.includes('/sessions/current') ? asOwner : admin;

    await fc.assert(
      fc.asyncProperty(requestsTo(operation, existingIds), async ({ path, headers, body }) => {
        const { method } = operation;
        const reply = await raw({ method, path, headers: { ...headers, authorization: `Bearer ${credential}` }, body });
        if (reply.status >= 500) throw new Error(`answered ${reply.status} ${JSON.stringify(reply.body)}`);
        await documented.check({
          method,
          path,
          status: reply.status,
          contentType: String(reply.headers['content-type'] ?? ''),
          body: reply.body,
        });
      }),
      propertyRuns(25),
    );
  },
);
